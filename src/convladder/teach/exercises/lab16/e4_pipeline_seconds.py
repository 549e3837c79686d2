"""Lab 16, exercise 4: when a pipeline is done."""

from __future__ import annotations

import statistics

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import real, whole


def pipeline_seconds(stages, batches):
    return sum(stages) + (batches - 1) * max(stages)


def _at_pace(stages, batches, pace=lambda stages: sorted(stages)[-2:][0]):
    return sum(stages) + (batches - 1) * pace(stages)


def _to_the_slowest(stages, batches):
    slow = stages.index(max(stages))
    return sum(stages[:slow]) + batches * stages[slow]


EXERCISE = Exercise(
    name="pipeline_seconds",
    lab=16,
    reference=pipeline_seconds,
    task="Seconds until the last batch leaves a pipeline.",
    cases=lambda rng: [
        ((1.0, 1.0), 3),
        ((2.0, 3.0, 1.0), 4),
        ((1.0, 1.0, 4.0, 1.0), 1),
        ((5.0,), 6),
        ((real(rng, 2, 4), real(rng, 0.5, 2)), whole(rng, 8, 20)),
        ((0.5, 2.0, 2.0), 2),
        ((3.0, 1.0, 2.0), 4),
        ((2.0, 1.0, 4.0), 3),
    ],
    misconceptions=[
        Misconception(
            "one after the other",
            lambda stages, batches: batches * sum(stages),
            symptom="That is how long one worker takes for everything.",
            concept="While a batch is in the second stage, the next one is in the first.",
            line="Only the first batch meets empty stages: `sum(stages)`. Each other one follows "
            "after the slowest stage.",
        ),
        Misconception(
            "bubbles ignored",
            lambda stages, batches: batches * max(stages),
            symptom="With one stage you are right, else too low: nobody waits in your pipeline.",
            concept="The slowest stage is busy all the time only between the first batch's arrival "
            "and the last one's departure. Before and after it are the other stages.",
            line="Add what the other stages take once: `sum(stages) - max(stages)`.",
        ),
        Misconception(
            "all stages as slow as the slowest",
            lambda stages, batches: (batches + len(stages) - 1) * max(stages),
            symptom="Right if all stages take the same.",
            concept="`m + w - 1` steps are for equal stages. The first batch passes a quick stage "
            "quickly.",
            line="`sum(stages)` for the first batch, `max(stages)` for each other one.",
        ),
        Misconception(
            "the first batch twice",
            lambda stages, batches: sum(stages) + batches * max(stages),
            symptom="You are too high by one turn of the slowest stage, each time.",
            concept="The first batch's turn in the slowest stage is in `sum(stages)` already.",
            line="`(batches - 1) * max(stages)`.",
        ),
        Misconception(
            "the last stage's pace",
            lambda stages, batches: sum(stages) + (batches - 1) * stages[-1],
            symptom="Right for one batch, or where the last stage is the slowest.",
            concept="Batches come out no faster than the slowest stage lets them through, wherever "
            "it stands.",
            line="`max(stages)`, wherever it stands, for each batch behind the first.",
        ),
        Misconception(
            "the first stage's pace",
            lambda stages, batches: sum(stages) + (batches - 1) * stages[0],
            symptom="Right for one batch, or where the first stage is the slowest.",
            concept="Batches enter at the first stage's pace. They pile up before a slower one.",
            line="`max(stages)` for each batch behind the first, wherever the slowest stands.",
        ),
        Misconception(
            "the mean pace",
            lambda stages, batches: sum(stages) + (batches - 1) * sum(stages) / len(stages),
            symptom="Right if all stages take the same, or for one batch; else too low.",
            concept="A quick stage cannot make up for a slow one: it waits for it.",
            line="`max(stages)`.",
        ),
        Misconception(
            "the slowest stage alone",
            lambda stages, batches: float(max(stages)),
            symptom="You return the pace, not the end.",
            concept="One batch leaves every `max(stages)` seconds, once the first is out. There "
            "are `batches` of them.",
            line="`sum(stages) + (batches - 1) * max(stages)`",
        ),
        Misconception(
            "the first batch alone",
            lambda stages, batches: float(sum(stages)),
            symptom="Right for one batch; for more it does not grow.",
            concept="The others follow, one after the other.",
            line="Add `(batches - 1) * max(stages)`.",
        ),
        Misconception(
            "one batch too few",
            lambda stages, batches: sum(stages) + (batches - 2) * max(stages),
            symptom="Each of your times is too short, by one turn of the slowest stage.",
            concept="The first batch goes through all stages, the slowest too. Behind it there are "
            "`batches - 1` others.",
            line="`sum(stages)` with nothing taken off, and `(batches - 1) * max(stages)`.",
        ),
        Misconception(
            "the quickest stage",
            lambda stages, batches: sum(stages) + (batches - 1) * min(stages),
            symptom="Right for one batch, or where all stages take the same; else too low.",
            concept="A chain is as quick as its slowest link.",
            line="Behind the first batch, one comes every `max(stages)` seconds.",
        ),
        Misconception(
            "batches over stages",
            lambda stages, batches: batches * sum(stages) / len(stages),
            symptom="You share the work among the stages as if each could do any part of it.",
            concept="A stage does its own part of every batch, and waits for the one before.",
            line="`sum(stages) + (batches - 1) * max(stages)`: draw two stages and three batches.",
        ),
        Misconception(
            "a step too many",
            lambda stages, batches: (batches + len(stages)) * max(stages),
            symptom="Too high everywhere: you let all stages take as long as the slowest, and "
            "count a step too many.",
            concept="Of w stages and m batches with equal steps, the last batch is out after `m "
            "+ w - 1` steps; and stages are seldom equal.",
            line="`sum(stages)` for the first batch, then `max(stages)` for each of the others.",
        ),
        Misconception(
            "a second for each batch",
            lambda stages, batches: sum(stages) + batches - 1,
            symptom="Right where the slowest stage takes a second.",
            concept="Batches follow one another as fast as the slowest stage lets them.",
            line="`batches - 1` times `max(stages)`, not times 1.",
        ),
        Misconception(
            "nothing behind the slowest stage",
            _to_the_slowest,
            symptom="Right where the last stage is slower than all others; else too low.",
            concept="When the slowest stage is done with the last batch, that batch still has to "
            "go through the stages behind it.",
            line="All stages count once: `sum(stages)`, and `(batches - 1) * max(stages)`.",
        ),
        Misconception(
            "nothing before the slowest stage",
            lambda stages, batches: (
                batches * max(stages) + sum(stages[stages.index(max(stages)) + 1 :])
            ),
            symptom="Right where the slowest stage is the first; else too low.",
            concept="Before the slowest stage has anything to do, the first batch goes through "
            "the stages in front of it.",
            line="`sum(stages)` for the first batch, then `(batches - 1) * max(stages)`.",
        ),
        Misconception(
            "another pace than the slowest",
            _at_pace,
            choices={"pace": (statistics.median, statistics.median_low)},
            symptom="Right for one batch. More of them follow at another pace than the slowest "
            "stage's, and wherever that is quicker you are too low.",
            concept="Whatever the others take: no batch follows sooner than the slowest stage "
            "lets it.",
            line="`max(stages)` for each batch behind the first.",
        ),
        Misconception(
            "equal stages taken once",
            lambda stages, batches, count=set: sum(count(stages)) + (batches - 1) * max(stages),
            choices={
                "count": (
                    lambda stages: (max(stages), *(each for each in stages if each < max(stages))),
                )
            },
            symptom="Too low where several stages are equally slow: in the first batch's way they "
            "count as one.",
            concept="The first batch goes through each of them, one after the other.",
            line="`sum(stages)` for the first batch: of all stages, whatever they take.",
        ),
        Misconception(
            "the first and the last on top",
            lambda stages, batches, few=1: (
                batches * max(stages)
                + (
                    stages[0] + stages[-1]
                    if len(stages) > few
                    else min(stages) * (len(stages) == 2)
                )
            ),
            choices={"few": (2,)},
            symptom="With three stages or more, your time is `batches` turns of the slowest stage, "
            "and the first and the last stage once.",
            concept="What comes on top are all stages but one slowest: none of them twice, and "
            "none left out.",
            line="On top of `batches * max(stages)` comes `sum(stages) - max(stages)`.",
        ),
        Misconception(
            "the first stage never waited for",
            lambda stages, batches, alone=True: (
                sum(stages) + (batches - 1) * max(stages[1:] or stages[:alone], default=0.0)
            ),
            choices={"alone": (False,)},
            symptom="Too low where the first stage is slower than all others: you make no batch "
            "wait for it.",
            concept="The first stage, too, has one batch after the other.",
            line="The pace is `max(stages)`, of *all* stages. Step by step: a batch enters when "
            "the first stage is done with the one before.",
        ),
        Misconception(
            "the last stage never waited for",
            lambda stages, batches, alone=True: (
                sum(stages) + (batches - 1) * max(stages[:-1] or stages[:alone], default=0.0)
            ),
            choices={"alone": (False,)},
            symptom="Too low where the last stage is slower than all others: you make no batch "
            "wait for it.",
            concept="Before the last stage, too, a batch waits until the one before it is out.",
            line="The pace is `max(stages)`, of *all* stages.",
        ),
        Misconception(
            "the longer of both",
            lambda stages, batches: max(sum(stages), batches * max(stages)),
            symptom="Right for one batch or one stage; else too low.",
            concept="The first batch's way through all stages and the others' wait at the slowest "
            "come one after the other, not side by side.",
            line="`sum(stages) + (batches - 1) * max(stages)`.",
        ),
        Misconception(
            "all of the slowest",
            lambda stages, batches: (
                sum(stages) + (batches - 1) * max(stages) * stages.count(max(stages))
            ),
            symptom="Right where one stage alone is the slowest; where several are, you let each "
            "batch wait for all of them.",
            concept="Equally slow stages work side by side, each on another batch.",
            line="`max(stages)`, once.",
        ),
        Misconception(
            "every rise is waited for",
            lambda stages, batches: (
                sum(stages)
                + (batches - 1)
                * (stages[0] + sum(max(b - a, 0) for a, b in zip(stages, stages[1:])))
            ),
            symptom="Right for one batch, or where stages get no quicker before the slowest and "
            "no slower behind it; else too high.",
            concept="Behind a slow stage, batches come as far apart as it takes. A stage that is "
            "quicker than that holds nobody up, however quick its neighbour is.",
            line="`max(stages)`, not a sum over neighbours.",
        ),
        Misconception(
            "two stages for one batch",
            lambda stages, batches: (
                sum(stages) + (batches - 1) * max(a + b for a, b in zip(stages, (*stages[1:], 0)))
            ),
            symptom="Right for one batch or one stage; else a batch keeps two neighbouring stages "
            "busy at a time: no other batch is in either of them.",
            concept="As soon as a stage has handed its batch on, it takes the next one. It does "
            "not wait for its neighbour.",
            line="`max(stages)` for each other batch.",
        ),
    ],
)
