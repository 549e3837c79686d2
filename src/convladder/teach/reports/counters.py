"""Nsight Compute's counters of LeNet's kernels, recorded: tables, and points of a roofline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...text import bytes_text, seconds_text
from ..table import Table, table

WAITS = {
    "waits_for_memory": "global memory",
    "waits_for_shared": "a queue to shared memory",
    "waits_at_barriers": "a barrier",
    "waits_for_pipe": "a full pipe",
}


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


def counters_table(record: Mapping, kernels: Sequence[tuple[str, int]]) -> Table:
    """Tabulate time, what the chip's parts were used, and what warps waited for most."""
    rows = []
    for label, seen in launches_of(record, kernels):
        most = max(WAITS, key=lambda what: seen.get(what, 0))
        rows.append(
            [
                label,
                seconds_text(seen["seconds"]),
                *(
                    f"{seen[what]:.0f} %"
                    for what in ("occupancy", "issue", "fma_pipe", "dram_share")
                ),
                f"{seen['load_sectors'] / seen['load_requests']:.1f}",
                WAITS[most],
            ]
        )
    return table(
        rows,
        [
            "launch",
            "time",
            "occupancy",
            "issue slots",
            "multiply-adds",
            "memory",
            "sectors a load",
            "warps wait most for",
        ],
        caption=f"{record['card']['gpu']}, recorded {record['date']}, caches emptied",
    )


def counted_traffic_table(record: Mapping, kernels: Sequence[tuple[str, int]]) -> Table:
    """Return arithmetic, and bytes that really came from memory and went there."""
    return table(
        [
            [
                label,
                f"{flops(seen) / 1e9:.2f}",
                bytes_text(int(seen["dram_read"])),
                bytes_text(int(seen["dram_write"])),
                f"{flops(seen) / moved(seen):.3g}",
                f"{flops(seen) / seen['seconds'] / 1e12:.2f}",
            ]
            for label, seen in launches_of(record, kernels)
        ],
        ["launch", "GFLOP", "read from memory", "written to memory", "FLOP/byte", "TFLOP/s"],
    )


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
