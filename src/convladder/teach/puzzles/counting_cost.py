"""Chapter 02: multiply-adds, the least traffic, the least time."""

from __future__ import annotations

from ...core.problem import REPORT
from . import Puzzle

PUZZLES = {
    "multiply-adds": Puzzle(
        REPORT.macs,
        hint="Each of the 220·220·64 output values is a sum of one product per weight of a filter.",
    ),
    "fewest bytes": Puzzle(
        REPORT.compulsory_bytes(),
        hint="Add up the values of three arrays, without padding, then multiply by 4 bytes.",
    ),
    "least seconds": Puzzle(
        lambda flops, moved, flops_per_s, bytes_per_s: max(
            flops / flops_per_s, moved / bytes_per_s
        ),
        [(8e9, 1e9, 100e9, 20e9), (2e9, 2e9, 100e9, 20e9), (10e9, 2e9, 100e9, 20e9)],
        "Arithmetic and traffic go on at the same time, so the longer one decides.",
        tolerance=1e-9,
    ),
}
