"""All cases whose counts are recorded: the patterns, and the kernels of chapters 07 and 08."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from convladder.core.problem import ConvProblem
from convladder.core.reference import conv2d_float64, random_arrays
from convladder.cpu import im2col, mec
from convladder.gpu import launch, lowering, probes, tiled, untiled

from . import patterns, warps
from .case import KERNELS, Case, Fresh

# Small enough to count within a second; the second has tails, padding, stride and a batch.
PROBLEMS = ("9x9x8,3x3x64", "2x7x10x5,3x2x37,s2x1,p1")
CONVOLUTIONS = {
    "naive": untiled.naive_launch,
    "coalesced": untiled.coalesced_launch,
    "shared": tiled.shared_launch,
    "register tile": tiled.register_tile_launch,
    "vectorised": tiled.vectorised_launch,
}

PROBES = {
    **{f"stride {n}": probes.strided(500, n) for n in (1, 2, 8)},
    "offset 1": probes.strided(500, 1, 1),
    "by fours": probes.by_fours(1200),
    **{f"pitch {n}": probes.row_sums(n, 2) for n in (32, 33)},
    **{f"weights in {place} memory": probes.blur(place) for place in ("global", "constant")},
}


def cases() -> list[Case]:
    """Return every case, in the order in which they are run; no two of one name."""
    return [
        *patterns.lines(),
        *patterns.widths(),
        *patterns.blocks(),
        *warps.flow(),
        *warps.banks(),
        *warps.tiles(),
        *chapters(),
    ]


def chapters() -> Iterator[Case]:
    """Yield the kernels of chapters 07 and 08 on each of `PROBLEMS`."""
    for problem in map(ConvProblem.parse, PROBLEMS):
        x, w = random_arrays(problem)
        y = conv2d_float64(x, w, problem).astype(x.dtype)
        for name, plan in CONVOLUTIONS.items():
            yield _case(f"{name} {problem}", plan(problem), (x, w), y)
        yield _case(
            f"im2col {problem}", lowering.im2col_launch(problem), (x,), im2col.lower(x, problem)
        )
        yield _case(f"MEC {problem}", lowering.mec_launch(problem), (x,), mec.lower(x, problem))
    yield from _in_cells()
    for name, probe in PROBES.items():
        yield _case(f"probe {name}", probe.launch, probe.inputs, probe.expected, probe.constants)


def _in_cells() -> Iterator[Case]:
    """The kernels that stand in cells of chapter 07, on shapes with tails."""
    source, p = KERNELS / "chapter07.cu", ConvProblem.parse("37x51x1,3x3x1")
    x, w = random_arrays(p)
    y = conv2d_float64(x, w, p).astype(x.dtype)[0, :, :, 0]
    yield Case(
        "conv of chapter 07",
        source,
        "conv",
        (4, 3),
        (16, 16),
        (x, w, Fresh(y.shape), p.i_w, p.k_h, p.k_w, p.o_h, p.o_w),
        {2: y},
    )
    p = ConvProblem.parse("9x13x3,7x7x1,p1")
    x, _ = random_arrays(p)
    lowered = mec.lower(x, p)
    yield Case(
        "im2col_cuda_mec of chapter 07",
        source,
        "im2col_cuda_mec",
        (-(-lowered.size // 256),),
        (256,),
        (x, Fresh(lowered.shape), p.i_h, p.i_w, p.i_c, p.k_w, p.o_w, p.p_h, p.p_w),
        {1: lowered},
    )
    numbers = np.arange(256, dtype=np.float32)
    yield Case(
        "reverse of chapter 07",
        source,
        "reverse",
        (4,),
        (64,),
        (numbers, Fresh((256,))),
        {1: numbers.reshape(4, 64)[:, ::-1].ravel()},
    )


def _case(
    name: str,
    plan: launch.Launch,
    arrays: tuple,
    result: np.ndarray,
    constants: Mapping[str, np.ndarray] = MappingProxyType({}),
) -> Case:
    place = len(arrays)
    return Case(
        name,
        launch.KERNELS / plan.file,
        plan.kernel,
        plan.grid,
        plan.block,
        (*arrays, Fresh(result.shape), *plan.sizes),
        {place: result},
        plan.shared,
        constants,
    )
