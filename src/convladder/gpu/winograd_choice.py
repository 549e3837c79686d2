"""Which tiles Winograd should take on a GPU: a model of bytes moved, products and launches.

A larger `m` saves products and bytes, and loses both where tiles hang over the edges: 14 × 14
outputs are 16 tiles of 4, but 9 of 6 that reach 18 × 18. It also reads larger U, which counts with
few images. The numbers were fitted to timings of the three kernels on one NVIDIA H200: of nine
layers. On eleven of the record the `m` chosen is 0.1 % behind the best on average, 1 % at worst.
"""

from __future__ import annotations

from functools import cache

from ..core.problem import ConvProblem
from ..core.winograd_transforms import Tiles, sizes
from . import batched_gemm
from .batched_gemm import ProductSizes

LAUNCH = 1860.0  # cycles of a transform's launch ...
PLACE = (
    70.1  # ... and for each of a tile's places that a thread reads or writes, one after the other
)
BYTES = 18.9  # a cycle and multiprocessor: much of it stays in the L2 cache
GAPS = 1500.0  # cycles between the three kernels, and for what the one before drove out of L2
FULL = 600  # threads of two channels for each multiprocessor from which they beat those of one


def vectors(problem: ConvProblem, m: int, channels: int, multiprocessors: int) -> int:
    """Return how many channels a thread transforms: two (wider accesses) if threads suffice."""
    t = Tiles.of(problem, m)
    few = t.places == 64 and t.count * channels < FULL * multiprocessors
    return 1 if channels % 2 or few else 2


def products(problem: ConvProblem, m: int) -> ProductSizes:
    """Return the GEMMs: `P[places,tiles,k_c] = V[places,tiles,i_c] · U[places,i_c,k_c]`."""
    t = Tiles.of(problem, m)
    return ProductSizes(t.places, t.count, problem.i_c, problem.k_c)


def predicted_cycles(problem: ConvProblem, m: int, multiprocessors: int) -> float:
    """Clock cycles of one call with tiles of `m`."""
    p, gemm = problem, products(problem, m)
    tile = batched_gemm.choose(gemm, multiprocessors)
    x, y = (shape[0] * shape[1] * shape[2] * shape[3] for shape in (p.input_shape, p.output_shape))
    moved = 4 * (x + y + gemm.count * gemm.rows * (p.i_c + p.k_c))
    transforms = 2 * (LAUNCH + PLACE * gemm.count) + moved / (BYTES * multiprocessors)
    return GAPS + transforms + batched_gemm.predicted_cycles(gemm, tile, multiprocessors)


@cache
def choose(problem: ConvProblem, multiprocessors: int) -> int:
    """Return the `m` with the fewest predicted cycles."""
    return min(sizes(problem), key=lambda m: predicted_cycles(problem, m, multiprocessors))
