"""Chapter 00: places of a window, and what one value takes."""

from __future__ import annotations

from ...core.problem import REPORT
from . import Puzzle

PUZZLES = {
    "places": Puzzle(
        74,
        hint="The starts are rows 0, 3, 6 and so on. The last one must leave three rows below it.",
    ),
    "macs of one value": Puzzle(
        REPORT.window,
        hint="One output value is made with one filter, which has a weight per place and colour.",
    ),
}
