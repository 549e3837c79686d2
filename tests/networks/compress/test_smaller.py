"""Fewer weights: pruning, 2:4, low rank, float16; their bytes, operations and accuracy."""

import numpy as np
import pytest

from convladder.networks.compress import half, lowrank, pruned
from convladder.networks.compress import network as nets

SOME = 500
ONE = np.ones((1, 1, 1, 1), np.float32)


@pytest.fixture(scope="module")
def layers():
    return nets.network()


@pytest.mark.parametrize("share", [0, 0.5, 0.9])
def test_the_smallest_weights_become_zero(layers, share):
    for before, after in zip(layers, pruned.by_magnitude(layers, share), strict=True):
        gone = after.w == 0
        assert gone.sum() == pytest.approx(share * gone.size, abs=1)
        np.testing.assert_array_equal(after.w[~gone], before.w[~gone])
        if gone.any():
            assert np.abs(before.w[gone]).max() <= np.abs(before.w[~gone]).min()


def test_sparse_storage_is_a_bit_for_each_weight_and_what_is_left(layers):
    w = np.zeros((1, 1, 16, 2), np.float32)
    w[0, 0, 3, 1] = 1
    layer = nets.Layer("any", w, np.zeros(2, np.float32))
    assert pruned.sparse_bytes([layer]) == 4 + 32 // 8 + 8
    assert pruned.sparse_bytes(layers) == 4 * nets.params(layers), "nothing is zero: dense"


def test_channels_leave_with_the_inputs_that_read_them(layers):
    assert pruned.by_channel(layers, 0)[0].w.shape == layers[0].w.shape
    smaller = pruned.by_channel(layers, 0.25)
    assert [layer.w.shape[3] for layer in smaller] == [5, 12, 90, 63, 10]
    assert nets.macs(smaller) < 0.75 * nets.macs(layers)
    # Channels of nothing but zeros may leave unseen.
    w = layers[1].w.copy()
    w[..., [2, 9, 11, 15]] = 0
    bias = layers[1].bias.copy()
    bias[[2, 9, 11, 15]] = 0
    silent = (layers[0], nets.Layer("conv2", w, bias, pool=True), *layers[2:])
    others = pruned.by_channel(silent[1:], 0.25)[0].w
    np.testing.assert_array_equal(others, np.delete(w, [2, 9, 11, 15], axis=3))


def test_two_of_four_keeps_the_larger_two_and_compresses_without_loss(layers):
    for before, after in zip(layers, pruned.two_of_four(layers), strict=True):
        matrix = after.w.reshape(-1, after.w.shape[3])
        if len(matrix) % 4:
            assert before.pool, "the convolutions have 25 and 150 inputs"
            np.testing.assert_array_equal(after.w, before.w)
            continue
        fours = np.abs(before.w.reshape(-1, 4, matrix.shape[1]))
        kept = np.abs(matrix.reshape(fours.shape))
        np.testing.assert_array_equal(kept.sum(1), np.sort(fours, axis=1)[:, 2:].sum(1))
        small = pruned.compress(matrix)
        np.testing.assert_array_equal(small.dense(), matrix)
        assert small.nbytes == matrix.nbytes // 2 + matrix.size // 2 // 4


def test_what_cannot_be_is_named(layers):
    for message, call in (
        ("share=1", lambda: pruned.by_magnitude(layers, 1)),
        ("25 inputs", lambda: pruned.compress(np.zeros((25, 6), np.float32))),
        (
            "inputs 4 to 7 of output 1",
            lambda: pruned.compress(np.array([[0, 0]] * 4 + [[0, 1]] * 4, np.float32)),
        ),
        ("rank=7", lambda: lowrank.factorise(layers[0], 7)),
        (
            "float16 ends",
            lambda: half.through_float16([nets.Layer("big", 1e5 * ONE, ONE[0, 0, 0])]),
        ),
        (
            "different networks",
            lambda: nets.layers([a for layer in layers for a in (layer.w[:, :, :1], layer.bias)]),
        ),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_the_full_rank_is_the_layer_itself_and_less_is_the_nearest(layers):
    for layer in layers:
        matrix = layer.w.reshape(-1, layer.w.shape[3])
        sizes = np.linalg.svd(matrix.astype(np.float64), compute_uv=False)
        for rank in (len(sizes), 2):
            first, second = lowrank.factorise(layer, rank)
            product = first.w.reshape(-1, rank) @ second.w.reshape(rank, -1)
            off = np.sqrt(((product - matrix) ** 2).sum())
            assert off == pytest.approx(np.sqrt((sizes[rank:] ** 2).sum()), rel=1e-4, abs=1e-4)


def test_low_rank_is_smaller_and_runs(layers):
    thin = lowrank.low_rank(layers, 0.9)
    assert nets.params(thin) < 0.6 * nets.params(layers)
    assert nets.macs(thin) < nets.macs(layers)
    assert nets.float_accuracy(thin, SOME) > 0.97


def test_float16_loses_nothing_here(layers):
    stored = half.through_float16(layers)
    assert half.float16_bytes(stored) == 2 * nets.params(layers) + 2 * 236  # biases keep four
    assert nets.float_accuracy(stored, SOME) == nets.float_accuracy(layers, SOME)
