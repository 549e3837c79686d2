"""Records of profiles, counters and timing mistakes on a GPU, read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import load_records


def profile_records() -> list[dict]:
    """Return the records that have Nsight Compute's counters too, the newest first."""
    return [record for record in load_records("profiles") if "counters" in record]


def launches_of(record: Mapping, kernels: Sequence[tuple[str, int]]) -> list[tuple[str, dict]]:
    """Return `(label, counters)` of (rung, number of a launch, from 0).

    Raises `ValueError` for others.
    """
    launches = []
    for rung, number in kernels:
        there = record["counters"]["launches"].get(rung, [])
        if not 0 <= number < len(there):
            raise ValueError(f"{rung!r} has {len(there)} launches counted, and no number {number}")
        launches.append((f"{rung}: {there[number]['kernel']}", there[number]))
    return launches


def roofline_points(
    record: Mapping, kernels: Mapping[str, tuple[str, int]]
) -> list[tuple[str, float, float]]:
    """Return points of a roofline, by label: FLOP per byte of measured traffic, and the rate."""
    launches = zip(kernels, launches_of(record, list(kernels.values())), strict=True)
    return [
        (label, flops(seen) / moved(seen), flops(seen) / seen["seconds"])
        for label, (_, seen) in launches
    ]


def flops(seen: Mapping) -> float:
    """Return the floating-point operations counted: a multiply-add is two."""
    return 2 * seen["fma"] + seen["add"] + seen["multiply"]


def moved(seen: Mapping) -> float:
    """Return bytes from memory and to it;
    what stayed in the chip's second cache is not among them.
    """
    return seen["dram_read"] + seen["dram_write"]


def first_over_usual(run: Mapping) -> float:
    """Return how many times as long a fresh process takes
    for its first labels as a run takes later.
    """
    steps = run["first"]["compiled"]
    first = steps["the GPU is opened"] + steps["memory, weights, kernels"] + steps["run 1"]
    return first / steps["run 10"]


def copy_rate(run: Mapping, way: str, size: int) -> float:
    """Return bytes a second of "upload, pinned" and the like,
    for the recorded size next to `size`.
    """
    sizes = run["copies"]["bytes"]
    place = min(range(len(sizes)), key=lambda n: abs(sizes[n] - size))
    return sizes[place] / run["copies"][way][place]
