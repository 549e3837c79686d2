"""The package's GEMM: right for any shape and any block sizes, which follow from the caches."""

import numpy as np
import pytest

from convladder.cpu.gemm import Blocks, gemm, gemm_tile, moved, predicted_blocks
from convladder.cpu.isa import Isa, host_isa
from convladder.cpu.simd.blocking import Tile

LANES = host_isa().lanes
SMALL = Tile(3, 2, LANES)  # few sizes of tile to compile
SHAPES = [(1, 1, 1), (7, 5, 2 * LANES + 1), (13, 33, 5 * LANES - 1), (20, 40, LANES), (3, 100, 3)]
# No blocks at all; blocks that divide nothing; the least; parts of a vector; whole tiles.
BLOCKS = [
    Blocks(99, 999, 999),
    Blocks(4, 7, LANES + 3),
    Blocks(1, 1, 1),
    Blocks(6, 16, 5),
    Blocks(3, 32, 2 * LANES),
]


def agree(result, a, b):
    """Whether it is the float64 product, within what float32 sums may be off."""
    exact, size = a.astype(float) @ b, np.abs(a).astype(float) @ np.abs(b)
    return bool((np.abs(result - exact) <= 1e-6 * a.shape[1] * size + 1e-30).all())


@pytest.mark.parametrize("blocks", BLOCKS, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_is_the_float64_product(shape, blocks):
    m, k, n = shape
    rng = np.random.default_rng(m + k + n)
    a, b = rng.standard_normal((m, k), np.float32), rng.standard_normal((k, n), np.float32)
    a[0, 0], b[-1, -1] = 7, -5  # not symmetric
    assert agree(gemm(a, b, blocks, SMALL), a, b)


def test_the_chapters_tile_with_the_predicted_blocks():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((50, 700), np.float32), rng.standard_normal((700, 131), np.float32)
    tile = gemm_tile()
    for sliver in ("L1d", "L2"):
        blocks = predicted_blocks(tile, {"L1d": 2**14, "L2": 2**16, "L3": 2**18}, sliver)
        assert blocks.steps < 700, "several passes over C"
        assert agree(gemm(a, b, blocks, tile), a, b)


def test_a_value_that_is_not_a_number_stays_in_its_row_or_column():
    a, b = np.ones((7, 9), np.float32), np.ones((9, 5), np.float32)
    a[2, 3], b[8, 4] = np.nan, np.inf
    c = gemm(a, b, Blocks(4, 4, 4), SMALL)
    assert np.isnan(c[2]).all() and np.isinf(np.delete(c[:, 4], 2)).all()
    assert (np.delete(c, 2, 0)[:, :4] == 9).all()
    empty = gemm(np.ones((3, 0), np.float32), np.ones((0, 4), np.float32), Blocks(1, 1, 1))
    assert empty.shape == (3, 4) and not empty.any()


@pytest.mark.parametrize(
    "a, b, blocks, said",
    [
        (np.ones((2, 3)), np.ones((3, 2), np.float32), Blocks(1, 1, 1), "a is float64"),
        (np.ones((2, 3), np.float32), np.ones((2, 3), np.float32).T, Blocks(1, 1, 1), "contiguous"),
        (np.ones((2, 3), np.float32), np.ones((2, 2), np.float32), Blocks(1, 1, 1), "3 columns"),
        (np.ones((2, 3), np.float32), np.ones((3, 2), np.float32), Blocks(1, 0, 1), "at least 1"),
    ],
)
def test_what_cannot_be_multiplied_is_told(a, b, blocks, said):
    with pytest.raises(ValueError, match=said):
        gemm(a, b, blocks)


def test_blocks_fill_their_share_of_each_cache():
    caches = {"L1d": 32 * 2**10, "L2": 2**20, "L3": 2**25}
    avx2 = gemm_tile(Isa("AVX2", 256, 16, True))
    assert avx2 == Tile(6, 2, 8)
    near = predicted_blocks(avx2, caches)
    assert near.steps == 256, "what BLIS's authors chose for such a tile and cache"
    for tile in (avx2, gemm_tile(Isa("AVX-512", 512, 32, True)), Tile(14, 2, 4)):
        for sliver in ("L1d", "L2"):
            rows, steps, columns = predicted_blocks(tile, caches, sliver)
            wide = tile.vectors * tile.lanes
            assert rows % tile.pixels == 0 and columns % wide == 0
            held = 4 * steps * (wide + (2 * tile.pixels if sliver == "L1d" else 0))
            assert held <= (7 / 8 * caches["L1d"] if sliver == "L1d" else caches["L2"] / 4)
            assert caches["L2"] / 4 < 4 * rows * steps <= caches["L2"] / 2
            assert caches["L3"] / 4 < 4 * columns * steps <= caches["L3"] / 2
    with pytest.raises(ValueError, match="'L3'"):
        predicted_blocks(avx2, caches, "L3")


def test_a_machine_that_tells_no_caches_gets_usual_blocks():
    blocks = predicted_blocks(gemm_tile(), {})
    assert min(blocks) >= 6 and blocks.steps % 16 == 0
    without_last = predicted_blocks(gemm_tile(), {"L1d": 2**17, "L2": 2**24})  # as Apple's
    assert without_last.columns >= 64


def test_what_is_moved_for_each_multiply_add():
    """Counted by following the loops: every access of each matrix, over all multiply-adds."""
    tile, blocks, m, k, n = Tile(4, 2, 8), Blocks(8, 16, 32), 16, 32, 64
    passes, panels, row_blocks = k // blocks.steps, n // blocks.columns, m // blocks.rows
    by_hand = {
        "C": 8 * m * n * passes,
        "A packed": 8 * m * k * panels,
        "B again": 4 * k * n * row_blocks,
        "A": 4 * m * k * n // 16,
        "B": 4 * k * n * m // 4,
    }
    assert {name: bytes_ * m * k * n for name, bytes_ in moved(tile, blocks).items()} == by_hand
