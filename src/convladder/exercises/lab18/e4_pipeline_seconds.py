"""Lab 18, exercise 4: how long a pipeline takes."""

from ..draws import real, whole
from ..exercise import Exercise, Misconception, edit


def pipeline_seconds(stages, batches):
    return sum(stages) + (batches - 1) * max(stages)


TOTAL = "sum(stages) + (batches - 1) * max(stages)"

EXERCISE = Exercise(
    name="pipeline_seconds",
    lab=18,
    task="Seconds until the last batch leaves a pipeline.",
    solution=pipeline_seconds,
    cases=lambda rng: [
        ([1.0, 1.0], 3),
        ([2.0, 3.0, 1.0], 4),
        ([1.0, 1.0, 4.0, 1.0], 1),
        ([5.0], 6),
        ([real(rng, 2, 4), real(rng, 0.5, 2)], whole(rng, 8, 20)),
        ([0.5, 2.0, 2.0], 2),
        ([3.0, 1.0, 2.0], 4),
        ([2.0, 1.0, 4.0], 3),
    ],
    inputs=lambda fill, stages, batches: (tuple(stages), batches),
    valid=lambda stages, batches: len(stages) > 0 and min(stages) > 0 and batches > 0,
    mend="`sum(stages) + (batches - 1) * max(stages)`",
    misconceptions=[
        Misconception(
            "one batch after the other",
            edit(TOTAL, "batches * sum(stages)"),
            "Right for one batch. This is the time of a single worker.",
            "Stages work at the same time, each on a different batch.",
        ),
        Misconception(
            "no time to fill the pipeline",
            edit(TOTAL, "batches * max(stages)"),
            "Right for one stage, and too low for more.",
            "The first batch passes through all stages before it leaves.",
        ),
        Misconception(
            "all stages as slow as the slowest",
            edit("sum(stages)", "len(stages) * max(stages)"),
            "Right if all stages take the same.",
            "The first batch meets empty stages, and takes what each of them takes.",
        ),
        Misconception(
            "the pace of another stage",
            [
                edit("max(stages)", "stages[-1]"),
                edit("max(stages)", "stages[0]"),
                edit("max(stages)", "min(stages)"),
            ],
            "Right for one batch, or where the stages take the same.",
            "However quick the others are, batches follow at the pace of the slowest stage.",
        ),
    ],
)
