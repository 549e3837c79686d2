"""Lab 05, exercise 1: the share of the peak that independent chains reach."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception


def share_of_peak(chains, latency, per_cycle):
    return min(1.0, chains / (latency * per_cycle))


EXERCISE = Exercise(
    name="share_of_peak", lab=5, reference=share_of_peak,
    task="Say which share of the peak a number of independent chains can reach.",
    cases=lambda rng: [(1, 4, 2), (3, 4, 2), (8, 4, 2), (4, 4, 1), (24, 5, 2), (5, 3, 4)],
    misconceptions=[
        Misconception(
            "no upper end", lambda chains, latency, per_cycle: chains / (latency * per_cycle),
            symptom="With few chains you are right; with many you promise more than the peak.",
            concept="Above the knee all pipelines are busy, and more chains wait for a place.",
            line="Take the smaller of your quotient and 1."),
        Misconception(
            "throughput forgotten", lambda chains, latency, per_cycle: min(1.0, chains / latency),
            symptom="Right for cores that start one multiply-add a cycle, too large for others.",
            concept="A core that starts two a cycle has twice as many places to fill.",
            line="Divide by `latency * per_cycle`."),
        Misconception(
            "multiplied by the throughput",
            lambda chains, latency, per_cycle: min(1.0, chains * per_cycle / latency),
            symptom="The more multiply-adds a core starts, the larger your share: it must be the "
                    "other way round.",
            concept="The share is of a peak that grows with `per_cycle`. The chains stay as slow "
                    "as before: each makes one step per latency.",
            line="`per_cycle` belongs below the line: `chains / (latency * per_cycle)`."),
        Misconception(
            "all or nothing",
            lambda chains, latency, per_cycle: float(chains >= latency * per_cycle),
            symptom="Below the knee you say 0.",
            concept="Too few chains are slower in proportion: one of eight reaches an eighth.",
            line="Return the quotient, not the comparison."),
    ],
)
