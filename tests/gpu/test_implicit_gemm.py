"""Implicit GEMM: every tile, whole and split, with and without the fused epilogue; the choice."""

from itertools import product

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import compare, conv2d_float64, random_arrays
from convladder.gpu import chip, implicit_gemm, tensor_core
from convladder.gpu.tile_choice import (
    H200,
    NARROW,
    TILES,
    TileChip,
    TilePlan,
    choose,
    plans,
)

from ..conftest import BENCHMARK_PROBLEMS
from ..sampling import sampled

cuda = pytest.importorskip("convladder.cuda")
VECTORS = ConvProblem.parse("2x6x9x8,3x3x70,p1")  # channels by fours, cut tiles, padding
SCALARS = ConvProblem.parse("1x9x7x3,5x3x66,s2x1,p1x0")
PAIRS = ConvProblem.parse("2x6x5x18,3x3x72,p1")  # channels by twos
ODD = ConvProblem.parse("1x7x6x29,2x1x99,p0x1")  # one by one, of which no slice divides a row
FEW_FILTERS = ConvProblem.parse("2x13x9x8,3x3x22,p1"), ConvProblem.parse("1x25x7x3,5x3x5,s2x1,p1x0")


def _arrays(problem: ConvProblem):
    x, w = random_arrays(problem)
    return x, w, cuda.to_device(x), implicit_gemm.pad_columns(cuda.to_device(w), problem)


EVERY = [
    *product((VECTORS, SCALARS), TILES, (1, 4)),
    *product((PAIRS, ODD), TILES[::3], (1, 4)),
    *product(FEW_FILTERS, NARROW, (1, 4)),
]


@pytest.mark.parametrize("problem, tile, split", sampled(EVERY, 6, str))
def test_every_tile_whole_and_split(problem, tile, split):
    whole = next(plan for plan in plans(problem) if plan.tile == tile)
    plan = TilePlan(tile, whole.depth, whole.vector, split)
    x, w, on_device, weights = _arrays(problem)
    y = implicit_gemm.run(on_device, weights, problem, plan).get()
    assert not (agreement := compare(y, x, w, problem)).reason, agreement.reason


@pytest.mark.parametrize("problem", sampled([VECTORS, SCALARS], 1, str))
def test_sizes_as_constants_change_nothing(problem):
    *_, on_device, weights = _arrays(problem)
    plan = plans(problem)[0]
    fixed, free = (
        implicit_gemm.run(on_device, weights, problem, plan, constants=constants).get()
        for constants in (True, False)
    )
    assert (fixed == free).all()


def test_bias_and_relu_in_the_same_kernel():
    x, w, on_device, weights = _arrays(VECTORS)
    bias = np.linspace(-9, 9, VECTORS.k_c, dtype=np.float32)
    y = implicit_gemm.run(on_device, weights, VECTORS, bias=cuda.to_device(bias)).get()
    expected = np.maximum(conv2d_float64(x, w, VECTORS) + bias, 0)
    assert (expected == 0).any() and np.allclose(y, expected, atol=1e-4)
    split = TilePlan(TILES[0], 32, 4, 2)
    if not chip.chip().clusters:
        with pytest.raises(ValueError, match="split=2 adds up in y"):
            implicit_gemm.run(on_device, weights, VECTORS, split, cuda.to_device(bias))


@pytest.mark.usefixtures("emulator")
@pytest.mark.parametrize("problem", sampled([VECTORS, SCALARS], 1, str))
def test_no_fault_on_cut_tiles(problem):
    _, _, on_device, weights = _arrays(problem)
    plan = plans(problem)[0]
    kernel = cuda.Kernel(implicit_gemm.source(None, plan, False), implicit_gemm.kernel_name(plan))
    y = cuda.empty(problem.output_shape)
    launch = (plan.tiles(problem), 1, 1), plan.tile.threads, plan.shared_bytes(problem)
    sizes = implicit_gemm.dimensions(problem)
    report = kernel.profile(*launch, on_device, weights, weights, y, *sizes)
    assert report.ok, report.faults


@pytest.mark.parametrize(
    "problem, vector, depth",
    [(VECTORS, 4, TILES[0].depth), (PAIRS, 2, TILES[0].depth), (ODD, 1, TILES[0].depth),
     (SCALARS, 1, 9), (ConvProblem.parse("9x9x14,3x5x40"), 1, 14)],
    ids=str,
)  # fmt: skip
def test_values_a_load(problem, vector, depth):
    """Two at a time only of many channels: of few, slices that divide a row are faster."""
    plan = plans(problem)[0]
    assert (plan.tile, plan.vector, plan.depth) == (TILES[0], vector, depth)


@pytest.mark.parametrize("problem", BENCHMARK_PROBLEMS.values(), ids=BENCHMARK_PROBLEMS)
@pytest.mark.parametrize("batch", [1, 32])
def test_the_choice_suits_the_layer(problem, batch):
    p = problem.with_batch(batch)
    plan = choose(p)
    assert plan.tile.channels <= 64 or p.k_c > 64
    assert plan.shared_bytes(p) <= 64 * 1024 and plan.tile.threads * plan.tile.blocks <= 2048
    blocks = plan.tiles(p) * plan.split
    assert blocks >= 30, "most of the chip would idle"
    if plan.tiles(p) > 5 * H200.multiprocessors:
        assert plan.split == 1
    assert (p.k_w * p.i_c) % plan.depth == 0


def test_few_tiles_are_split_and_only_there():
    small, large = BENCHMARK_PROBLEMS["cv12"], BENCHMARK_PROBLEMS["cv8"].with_batch(32)
    assert choose(small).split == 8 and choose(large).split == 1
    assert choose(small, TileChip(1, False)).split == 1


def test_too_large_to_number():
    huge = ConvProblem(3000, 1000, 1000, 1, 1, 1, 1)
    assert "use a smaller batch" in implicit_gemm.too_large(huge)
    assert implicit_gemm.too_large(VECTORS) is None


def test_weights_for_tensor_cores():
    w = np.arange(3 * 3 * 3 * 5, dtype=np.float32).reshape(3, 3, 3, 5)
    p = ConvProblem(1, 9, 9, 3, 3, 3, 5)
    turned = tensor_core.prepare(cuda.to_device(w), p).get()
    assert turned.shape == (5, 32) and turned.dtype == np.float16
    assert (turned[:, :27] == w.reshape(27, 5).T).all() and (turned[:, 27:] == 0).all()
