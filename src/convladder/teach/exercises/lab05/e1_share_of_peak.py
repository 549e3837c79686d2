"""Lab 05, exercise 1: the share of the peak that independent chains reach."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole


def _beyond(rng):
    """Return more chains than can be under way, and no multiple of those that start together."""
    latency, per_cycle = whole(rng, 3, 6), whole(rng, 2, 6)
    rounds = whole(rng, latency, 2 * latency)
    return per_cycle * rounds + whole(rng, 1, per_cycle - 1), latency, per_cycle


def share_of_peak(chains, latency, per_cycle):
    return min(1.0, chains / (latency * per_cycle))


EXERCISE = Exercise(
    name="share_of_peak",
    lab=5,
    reference=share_of_peak,
    task="Say which share of the peak a number of independent chains can reach.",
    cases=lambda rng: [
        (1, 4, 2),
        (2, 7, 3),
        (8, 4, 2),
        (4, 4, 1),
        (24, 5, 2),
        (whole(rng, 7, 11), whole(rng, 5, 6), whole(rng, 3, 6)),
        (9, 4, 2),
        (whole(rng, 1, 3), 5, 1),
        _beyond(rng),
    ],
    misconceptions=[
        Misconception(
            "no upper end",
            lambda chains, latency, per_cycle: chains / (latency * per_cycle),
            symptom="With few chains you are right; with many you promise more than the peak.",
            concept="Above the knee all pipelines are busy, and more chains wait for a place.",
            line="Take the smaller of your quotient and 1.",
        ),
        Misconception(
            "less again beyond the knee",
            lambda chains, latency, per_cycle: min(
                chains / (latency * per_cycle), latency * per_cycle / chains
            ),
            symptom="Right up to `latency * per_cycle` chains; with more, your share falls again.",
            concept="Above the knee all places are filled, and stay filled: what waits for one "
            "costs nothing.",
            line="`min(1.0, chains / (latency * per_cycle))`.",
        ),
        Misconception(
            "full from `latency` chains on",
            lambda chains, latency, per_cycle: (
                1.0 if chains >= latency else chains / (latency * per_cycle)
            ),
            symptom="Right for fewer than `latency` chains; from there on you say 1, though a core "
            "may start more than one a cycle.",
            concept="`latency` chains fill one pipeline, and there are `per_cycle` of them.",
            line="`min(1.0, chains / (latency * per_cycle))`, with no other limit.",
        ),
        Misconception(
            "throughput forgotten",
            lambda chains, latency, per_cycle: min(1.0, chains / latency),
            symptom="Right for cores that start one multiply-add a cycle; for others too large, "
            "as long as you are below the peak.",
            concept="A core that starts two a cycle has twice as many places to fill.",
            line="Of `latency * per_cycle` places `chains` are filled, and never more than all: "
            "`min(1.0, chains / (latency * per_cycle))`.",
        ),
        Misconception(
            "latency forgotten",
            lambda chains, latency, per_cycle: min(1.0, chains / per_cycle),
            symptom="Too large as long as you are below the peak: the latency plays no part with "
            "you.",
            concept="A chain begins its next step when the last one is done, `latency` cycles "
            "later. Meanwhile others fill the places.",
            line="One pipeline has `latency` places, and all of them `latency * per_cycle`: divide "
            "by that.",
        ),
        Misconception(
            "multiplied by the throughput",
            lambda chains, latency, per_cycle: min(1.0, chains * per_cycle / latency),
            symptom="The more multiply-adds a core starts, the larger your share: it must be the "
            "other way round.",
            concept="The share is of a peak that grows with `per_cycle`. The chains stay as slow "
            "as before: each makes one step per latency.",
            line="`per_cycle` belongs below the line: `chains / (latency * per_cycle)`, and 1 at "
            "most.",
        ),
        Misconception(
            "all or nothing",
            lambda chains, latency, per_cycle, whole=False: (
                min(1, chains // (latency * per_cycle))
                if whole
                else float(chains >= latency * per_cycle)
            ),
            choices={"whole": (True,)},
            symptom="Below the knee you say 0.",
            concept="Too few chains are slower in proportion: one of eight reaches an eighth.",
            line="Return the quotient, by `/`, with what is behind its point, or 1 where it is "
            "larger: no `//`, no `int`, and no answer of 0 or 1 only.",
        ),
        Misconception(
            "upside down",
            lambda chains, latency, per_cycle, most=1.0: min(most, latency * per_cycle / chains),
            symptom="More chains never give you a larger share, and many give a smaller one.",
            concept="More chains fill more of the pipeline. One that is full needs `latency * "
            "per_cycle` of them.",
            line="`chains` stands above the line, and `latency * per_cycle` below; 1 at most.",
            choices={"most": (float("inf"),)},
        ),
        Misconception(
            "added up",
            lambda chains, latency, per_cycle: min(1.0, chains / (latency + per_cycle)),
            symptom="You add the latency to the throughput.",
            concept="In each of `latency` cycles `per_cycle` multiply-adds begin: that is a "
            "product.",
            line="`latency * per_cycle`",
        ),
        Misconception(
            "rounded",
            lambda chains, latency, per_cycle, digits=1: round(
                min(1.0, chains / (latency * per_cycle)), digits
            ),
            symptom="Your shares are rounded.",
            concept="A figure is rounded where it is shown. What is computed goes on as it is.",
            line="Return the number itself: no `round`, and no format such as `:.2f`.",
            choices={"digits": (2,)},
        ),
        Misconception(
            "a rate, not a share",
            lambda chains, latency, per_cycle: min(per_cycle, chains / latency),
            symptom="Right for cores that start one multiply-add a cycle, `per_cycle` times too "
            "large for others.",
            concept="`chains / latency` is multiply-adds a cycle. The share is what they are of "
            "the peak, `per_cycle`.",
            line="Divide by `per_cycle` as well, and stop at 1.",
        ),
        Misconception(
            "max for min",
            lambda chains, latency, per_cycle: max(1.0, chains / (latency * per_cycle)),
            symptom="No answer of yours is below 1: the peak, however few the chains.",
            concept="*At most* the peak: of your quotient and 1 the smaller one counts, which is "
            "what `min` returns.",
            line="`min(1.0, chains / (latency * per_cycle))`: no `max`, and where you ask with "
            "`if`, return 1 where the quotient is *above* 1.",
        ),
        Misconception(
            "in percent",
            lambda chains, latency, per_cycle: min(100.0, 100 * chains / (latency * per_cycle)),
            symptom="Your answers are 100 times too large.",
            concept="The peak is the share 1.",
            line="No factor of 100, and 1 at most, not 100.",
        ),
        Misconception(
            "whole steps only",
            lambda chains, latency, per_cycle, latency_first=False: min(
                1.0,
                chains // latency / per_cycle if latency_first else chains // per_cycle / latency,
            ),
            symptom="You round down on the way: too small where something is left over.",
            concept="An odd chain is not lost: it begins its next step every `latency` cycles, "
            "like the others.",
            line="Divide with `/` only: `chains / (latency * per_cycle)`, with no `//` and no "
            "`int` on the way.",
            choices={"latency_first": (True,)},
        ),
        Misconception(
            "one chain too many",
            lambda chains, latency, per_cycle: min(1.0, (chains + 1) / (latency * per_cycle)),
            symptom="Below the peak you are too large, by the share of one chain.",
            concept="A chain that waits for its own result does nothing else meanwhile: "
            "`chains` of them are `chains`.",
            line="No `+ 1`.",
        ),
        Misconception(
            "the peak whatever the chains",
            lambda chains, latency, per_cycle: per_cycle / (latency * per_cycle),
            symptom="You return the same share for any number of chains.",
            concept="`1 / latency` is what one chain for each pipeline would reach.",
            line="`chains` above the line and `latency * per_cycle` below, and stop at 1.",
        ),
        Misconception(
            "whole rounds beyond the peak",
            lambda chains, latency, per_cycle, up=True: (
                chains
                / (per_cycle * max(latency, -(-chains // per_cycle) if up else chains // per_cycle))
            ),
            symptom="Where there are more chains than can be under way, and `per_cycle` does not "
            "divide them, your share is not 1.",
            concept="Chains take no turns in rounds: as soon as there is a place, the next one "
            "that waits begins. With enough of them no place stays empty.",
            line="No rounds: `min(1.0, chains / (latency * per_cycle))`.",
            choices={"up": (False,)},
        ),
        Misconception(
            "a second round that is not full",
            lambda chains, latency, per_cycle: (
                chains / (latency * per_cycle * -(-chains // (latency * per_cycle)))
            ),
            symptom="Up to `latency * per_cycle` chains you are right; with more, your share is 1 "
            "for multiples of that only, and else falls below it.",
            concept="A chain too many waits until one step of another is done, and takes that "
            "place. All places stay filled: more chains never make the share smaller.",
            line="Return 1 from `latency * per_cycle` chains on, and their quotient below.",
        ),
        Misconception(
            "only what full rounds leave over",
            lambda chains, latency, per_cycle, exactly=1.0: (
                chains % (latency * per_cycle) / (latency * per_cycle) or exactly
            ),
            choices={"exactly": (0.0,)},
            symptom="Below the peak you are right. With as many chains as can be under way, or "
            "more, your share can be that of the chains left over after full rounds.",
            concept="More chains never make the share smaller: whatever place becomes free, one "
            "of those that wait takes it.",
            line="No remainder, no `%`: `min(1.0, chains / (latency * per_cycle))`.",
        ),
        Misconception(
            "less than the latency",
            lambda chains, latency, per_cycle, first=1: min(
                1.0, chains / ((latency - 1) * per_cycle + first)
            ),
            choices={"first": (0,)},
            symptom="Below the peak you can be too large: as if a step of a chain took less than "
            "`latency` cycles.",
            concept="From the begin of a step to that of the chain's next one it is `latency` "
            "cycles, and in each of them `per_cycle` steps can begin.",
            line="`latency * per_cycle` places: no 1 taken off, and none added.",
        ),
        Misconception(
            "more than the latency",
            lambda chains, latency, per_cycle: min(1.0, chains / ((latency + 1) * per_cycle)),
            symptom="Too small, unless chains are many: as if a step of a chain took a cycle more "
            "than `latency`.",
            concept="`latency` counts all cycles from the begin of a step to that of the chain's "
            "next one.",
            line="`latency * per_cycle` places, with no 1 added.",
        ),
    ],
)
