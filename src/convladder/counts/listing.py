"""All cases whose counts are recorded: the patterns, and the kernels of chapters 06 and 07."""

from __future__ import annotations

from collections.abc import Iterator

from ..cpu import im2col, mec
from ..gpu import first, launch, lowering, tiled
from ..problem import ConvProblem
from ..reference import conv2d_float64, random_arrays
from . import patterns, warps
from .cases import Case, Fresh

# Small enough to count within a second; the second has tails, padding, stride and a batch.
PROBLEMS = ("9x9x8,3x3x64", "2x7x10x5,3x2x37,s2x1,p1")
CONVOLUTIONS = {
    "naive": first.naive_launch,
    "coalesced": first.coalesced_launch,
    "shared": tiled.shared_launch,
    "register tile": tiled.register_tile_launch,
    "vectorised": tiled.vectorised_launch,
}


def cases() -> list[Case]:
    """Every case, in the order in which they are run; no two of one name."""
    return [
        *patterns.lines(), *patterns.widths(), *patterns.blocks(),
        *warps.flow(), *warps.banks(), *warps.tiles(),
        *chapters(),
    ]  # fmt: skip


def chapters() -> Iterator[Case]:
    """The kernels of chapters 06 and 07 on each of `PROBLEMS`."""
    for problem in map(ConvProblem.parse, PROBLEMS):
        x, w = random_arrays(problem)
        y = conv2d_float64(x, w, problem).astype(x.dtype)
        for name, plan in CONVOLUTIONS.items():
            yield _case(f"{name} {problem}", plan(problem), (x, w), y)
        yield _case(f"im2col {problem}", lowering.im2col_launch(problem), (x,),
                    im2col.lower(x, problem))
        yield _case(f"MEC {problem}", lowering.mec_launch(problem), (x,), mec.lower(x, problem))


def _case(name: str, plan: launch.Launch, arrays: tuple, result) -> Case:
    place = len(arrays)
    return Case(name, launch.KERNELS / plan.file, plan.kernel, plan.grid, plan.block,
                (*arrays, Fresh(result.shape), *plan.sizes), {place: result}, plan.shared)

