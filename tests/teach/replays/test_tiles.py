"""The replays of tiles: both sides compute the same, and count what they need for it."""

import numpy as np

from convladder.gpu.fragments import LANES, K, N, holder
from convladder.replay.trace import numbers
from convladder.teach.replays import fragment_replay, register_tile_replay, winograd_replay
from convladder.teach.replays.tiles import FILTER, PATCH

from .scene_values import last_tally, last_values


def test_both_loops_end_with_the_matrix_product():
    tile, loop = register_tile_replay().scenes
    for scene, moved in ((tile, 6 * (3 + 2) + 6), (loop, 3 * 6 * (1 + 2 * 3))):
        x, w = (np.reshape(scene.arrays[n]["values"], (-1, cols)) for n, cols in ((0, 6), (1, 8)))
        assert last_values(scene, 2) == (x @ w).ravel().tolist()
        assert last_tally(scene) == {"loads and stores": moved, "vector multiply-adds": 36}
        assert scene.turns == moved


def test_winograd_and_direct_convolution_agree():
    fast, slow = winograd_replay().scenes
    d, g = np.array(PATCH), np.array(FILTER)
    right = [int((d[h : h + 3, v : v + 3] * g).sum()) for h in (0, 1) for v in (0, 1)]
    assert last_values(fast, 4) == last_values(slow, 2) == right
    assert last_tally(fast) == {"multiplications": 16}
    assert last_tally(slow) == {"multiplications": 36}


def test_lanes_load_what_they_hold_and_every_product_is_made_once():
    tensor, cuda = fragment_replay().scenes
    a = holder("a")[:, 0].reshape(K, -1).T.ravel()
    for step in tensor.steps[:4]:
        ((_, cells, lanes),) = step["read"]
        assert [a[cell] for cell in numbers(cells)] == numbers(lanes)
    assert last_tally(tensor) == last_tally(cuda) == {"multiply-adds": 2048}
    made = set()
    for step in cuda.steps:
        left, right = (numbers(cells) for _, cells in step["read"])
        ((_, sums),) = step["write"]
        for at_a, at_b, at_c in zip(left, right, numbers(sums), strict=True):
            assert (at_a // K, at_b // K) == divmod(at_c, N) and at_a % K == at_b % K
            made.add((at_c, at_a % K))
    assert len(made) == 2048 and len(cuda.steps) == 2048 // LANES
