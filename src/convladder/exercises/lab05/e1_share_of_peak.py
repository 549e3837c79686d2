"""Lab 05, exercise 1: the share of the peak that independent chains reach."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit


def share_of_peak(chains, latency, per_cycle):
    return min(1.0, chains / (latency * per_cycle))


def beyond(rng):
    """Return more chains than can be in flight, and not a multiple of `per_cycle`."""
    latency, per_cycle = whole(rng, 3, 6), whole(rng, 2, 6)
    rounds = whole(rng, latency, 2 * latency)
    return per_cycle * rounds + whole(rng, 1, per_cycle - 1), latency, per_cycle


SHARE = "min(1.0, chains / (latency * per_cycle))"

EXERCISE = Exercise(
    name="share_of_peak",
    lab=5,
    task="Say which share of the peak a number of independent chains can reach.",
    solution=share_of_peak,
    cases=lambda rng: [
        *[(1, 4, 2), (2, 7, 3), (8, 4, 2), (4, 4, 1), (24, 5, 2)],
        (whole(rng, 7, 11), whole(rng, 5, 6), whole(rng, 3, 6)),
        *[(9, 4, 2), (whole(rng, 1, 3), 5, 1), beyond(rng)],
    ],
    valid=lambda chains, latency, per_cycle: min(chains, latency, per_cycle) > 0,
    mend=f"`{SHARE}`",
    misconceptions=[
        Misconception(
            "no upper limit",
            edit(SHARE, "chains / (latency * per_cycle)"),
            "Few chains are right. With many chains you promise more than the peak.",
            "Once all pipelines are busy, more chains only wait for a place.",
        ),
        Misconception(
            "the throughput left out",
            edit("latency * per_cycle", "latency"),
            "Cores that start one multiply-add per cycle are right. For others your share is too "
            "large.",
            "A core that starts two multiply-adds per cycle has twice as many places to fill.",
        ),
        Misconception(
            "the latency left out",
            edit("latency * per_cycle", "per_cycle"),
            "Your share is too large below the peak, because it doesn't depend on the latency.",
            "A chain starts its next step only when the last one is done, `latency` cycles later.",
        ),
        Misconception(
            "a rate instead of a share",
            edit(SHARE, "min(per_cycle, chains / latency)"),
            "Your results are too large by the factor `per_cycle`.",
            "`chains / latency` is a number of multiply-adds per cycle. The share is this rate "
            "over the peak rate, `per_cycle`.",
        ),
    ],
)
