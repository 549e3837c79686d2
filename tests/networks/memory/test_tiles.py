"""Stacks in tiles: the values of the whole run, the bytes predicted, the overlap counted."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import conv2d_float64
from convladder.measure import RESOLUTION, workspace
from convladder.networks.memory.stack import Conv, MaxPool
from convladder.networks.memory.tiles import Tiled


def weights(seed, *shape):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(shape, np.float32) * np.float32(np.prod(shape[:3]) ** -0.5)


def stack():
    """Odd sizes, unequal strides and padding, a pool, a depthwise layer and a 1×1."""
    return [
        Conv(weights(0, 3, 3, 3, 8), weights(1, 8), padding=(1, 1)),
        Conv(weights(2, 3, 5, 8, 8), weights(3, 8), (2, 1), (1, 2)),
        MaxPool((3, 2), (2, 2)),
        Conv(weights(4, 3, 3, 8), None, (1, 2), (1, 0), relu=False),
        Conv(weights(5, 1, 1, 8, 6)),
    ]


def photo(h=61, w=47, c=3):
    return np.random.default_rng(7).standard_normal((1, h, w, c), np.float32) + np.float32(0.25)


def whole_in_float64(layers, x):
    """Layer by layer over whole maps, by other code than that of the tiles."""
    y = x.astype(np.float64)
    for layer in layers:
        if isinstance(layer, MaxPool):
            windows = np.lib.stride_tricks.sliding_window_view(y, layer.kernel, axis=(1, 2))
            y = windows[:, :: layer.stride[0], :: layer.stride[1]].max(axis=(-2, -1))
            continue
        w = layer.w
        if w.ndim == 3:  # depthwise, as a convolution whose other weights are zero
            w = w[..., None] * np.eye(w.shape[2])
        y = conv2d_float64(y, w, ConvProblem.from_arrays(y, w, layer.stride, layer.padding))
        y = y if layer.bias is None else y + layer.bias
        y = np.maximum(y, 0) if layer.relu else y
    return y


def test_whole_values():
    layers, x = stack(), photo()
    np.testing.assert_allclose(
        Tiled(layers, x.shape[1:])(x), whole_in_float64(layers, x), rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize("tile", [(4, None), (None, 5), (3, 5), (1, 1), (99, 99)])
def test_values_bytes_and_macs_of_tiles(tile):
    layers, x = stack(), photo()
    whole, tiled = Tiled(layers, x.shape[1:]), Tiled(layers, x.shape[1:], tile)
    room = np.full(tiled.workspace_bytes, 0xFF, np.uint8)  # as float32: NaN
    y = tiled.run(x, room)
    assert np.isfinite(y).all()
    np.testing.assert_array_equal(y, whole(x))
    begin = -room.ctypes.data % 64
    written = np.flatnonzero(room[begin:] != 0xFF)[-1] + 1
    assert tiled.plan.bytes - 64 < written <= tiled.plan.bytes == tiled.plan.bound
    taken = workspace(tiled, x).workspace
    # CPython keeps the freed tuple of each call's three arguments for later, until it collects
    # garbage (`sys._debugmallocstats` counts as many), and the measurement sees them.
    objects = RESOLUTION + 64 * len(tiled.tiles)
    assert tiled.workspace_bytes <= taken <= tiled.workspace_bytes + objects
    assert tiled.macs >= whole.macs  # of a single tile: rows that strides leave out are not made
    assert tiled.whole_macs == whole.whole_macs >= whole.macs
    covered = np.zeros(tiled.output_shape[1:3], int)
    for each in tiled.tiles:
        rows, cols = each.rows[-1], each.cols[-1]
        covered[rows.begin : rows.end, cols.begin : cols.end] += 1
    assert (covered == 1).all()


def test_overlap_of_two_layers_by_hand():
    """8 rows of outputs in tiles of 4, two 3×3 layers: the first map is made 6 rows at a time."""
    layers = [Conv(weights(0, 3, 3, 1, 1)), Conv(weights(1, 3, 3, 1, 1))]
    tiled = Tiled(layers, (12, 12, 1), (4, None))
    assert tiled.whole_macs == 9 * (10 * 10 + 8 * 8)
    assert tiled.macs == 9 * (2 * 6 * 10 + 8 * 8)
    assert tiled.plan.bytes == 256  # 6·10 floats, in whole cache lines: rows need no copies
    assert Tiled(layers, (12, 12, 1), (4, 4)).plan.bytes == 256 + 192  # 8·8, then 6·6 floats
    assert Tiled(layers, (12, 12, 1), (4, 4)).macs == 9 * 4 * (6 * 6 + 4 * 4)


def test_what_does_not_fit():
    with pytest.raises(ValueError, match="takes 3 channels; it is given 4"):
        Tiled(stack(), (61, 47, 4))
    with pytest.raises(ValueError, match="tile=0 along axis 0"):
        Tiled(stack(), (61, 47, 3), (0, None))
    with pytest.raises(ValueError, match=r"x is float32 of shape \(1, 60, 47, 3\)"):
        Tiled(stack(), (61, 47, 3))(photo(60))


def test_a_pool_keeps_a_row_for_itself():
    x, pool = photo(32, 900, 16), Tiled([MaxPool()], (32, 900, 16), (4, None))
    assert pool.workspace_bytes == 64 + 4 * 900 * 16
    assert 0 <= workspace(pool, x).workspace - pool.workspace_bytes <= RESOLUTION
