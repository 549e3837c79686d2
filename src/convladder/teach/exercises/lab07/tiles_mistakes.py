"""Usual mistakes of a tiled convolution: in what is loaded from one of its arrays."""

from __future__ import annotations

from ...grading.exercise import Misconception
from ..lab06.sources import edited
from .tiles import FLAT, LANES, SOURCE, tiled, tiles

FILL = SOURCE[
    SOURCE.index("    for (int i = t; i < rows") : SOURCE.index("    for (int i = t; i < k_h")
]
FROM_TILE = "tile[(r * s_h + a) * row_values + threadIdx.y * s_w * i_c + i]"
# Weights in shared memory, pixels not: those that are beside the image count as 0.
PIXELS_FROM_MEMORY = edited(
    SOURCE,
    (FILL, ""),
    (
        "sum[r] += weight * " + FROM_TILE + ";",
        "{\n                int row = top + r * s_h + a;\n"
        "                int value = left + threadIdx.y * s_w * i_c + i;\n"
        "                if (row < i_h && value < i_w * i_c)\n"
        "                    sum[r] += weight * x[row * i_w * i_c + value];\n"
        "            }",
    ),
)
FLAT_FROM_MEMORY = edited(
    FLAT,
    (
        FLAT[
            FLAT.index("    for (int i = t; i < rows") : FLAT.index("    for (int i = t; i < k_h")
        ],
        "",
    ),
    (
        "tile[(r * s_h + a) * row_values + v * s_w * i_c + j]",
        "x[(top + r * s_h + a) * i_w * i_c + left + v * s_w * i_c + j]",
    ),
)


def pixels_from_memory(p, flat: bool = False) -> tuple:
    """Return an answer with weights in shared memory only; a filter a lane, or all in one loop."""
    if not flat:
        return tiled(PIXELS_FROM_MEMORY)(p)
    source, grid, _, shared = tiled(FLAT_FROM_MEMORY)(p)
    return source, grid[:2], 256, shared + 4 * p.window * (p.k_c - LANES)


IN_ONE_ARRAY = [
    Misconception(
        "pixels from global memory",
        pixels_from_memory,
        choices={"flat": (True,)},
        symptom="The weights come from shared memory, and for each multiply-add a pixel comes from "
        "global memory.",
        concept="Neighbouring windows overlap, and all filters look at the same pixels: what a "
        "block has read once, it can use for all of them.",
        line="Load the pixels under the block's outputs into a tile, with their halo, and sum from "
        "there.",
    ),
    Misconception(
        "zeros behind the output's size",
        tiles(("row < i_h && value < i_w * i_c ?", "row < o_h && value < o_w * i_c ?")),
        symptom="Pixels from row `o_h` on, and from column `o_w` on, count as zero with you.",
        concept="Windows reach further than the last output: the image is larger than the output.",
        line="What is loaded ends where `x` does: at `i_h` rows and `i_w` columns.",
    ),
    Misconception(
        "width of x in y",
        tiles(("y[(h * o_w + v)", "y[(h * i_w + v)")),
        symptom="The first row is stored where it belongs, the others too far on.",
        concept="`y` has rows of `o_w` pixels: without padding it is smaller than `x`.",
        line="`y[(h * o_w + v) * k_c + k]`.",
    ),
]
