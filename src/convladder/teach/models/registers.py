"""Registers, spills and occupancy of chapter 07's kernels, compiled here or as recorded."""

from __future__ import annotations

from collections.abc import Mapping

from ...cuda.chips import chip_of
from ...cuda.occupancy import Occupancy, occupancy
from ...gpu.variants import VARIANTS, Variant
from ...problem import ConvProblem
from ...text import seconds_text
from ..table import Table, table

ARCH = "sm_90"
# What NVRTC 13.0.88 gives a thread for ARCH: registers, and bytes of spills stored and loaded.
RECORDED_REGISTERS = {
    "1 pixel": (40, 0),
    "2 pixels": (51, 0),
    "4 pixels": (71, 0),
    "8 pixels": (167, 0),
    "8 pixels, 4 blocks an SM": (128, 0),
    "8 pixels, 6 blocks an SM": (80, 1180),
    "8 pixels, 8 blocks an SM": (64, 1916),
    "8 pixels, 12 blocks an SM": (40, 2872),
}


def compiled_registers(variant: Variant) -> tuple[int, int] | None:
    """Return registers and bytes of spills by this machine's NVRTC;
    None without the extra `inspect`.
    """
    from ...cuda.errors import MissingPackages
    from ...cuda.inspect import inspect

    try:
        inspection = inspect(variant.source, variant.kernel, ARCH)
    except MissingPackages:
        return None
    return inspection.registers, inspection.spill_bytes


def occupancy_of(variant: Variant, problem: ConvProblem) -> Occupancy:
    """Return how many of its blocks fit on an SM of ARCH at a time."""
    launch = variant.launch(problem)
    registers, _ = RECORDED_REGISTERS[variant.name]
    return occupancy(chip_of(ARCH), launch.block, registers, launch.shared)


def registers_table(problem: ConvProblem, runs: Mapping[str, Mapping[str, float]]) -> Table:
    """Return a row a variant: registers, spills, warps on an SM,
    and its seconds in each of `runs`.
    """
    rows = []
    for variant in VARIANTS:
        registers, spilled = RECORDED_REGISTERS[variant.name]
        fits = occupancy_of(variant, problem)
        rows.append(
            [
                variant.name,
                registers,
                f"{spilled:,}" if spilled else "none",
                fits.warps,
                *(seconds_text(results[variant.name]) for results in runs.values()),
            ]
        )
    return table(rows, ["a thread has", "registers", "spilled bytes", "warps of 64", *runs])
