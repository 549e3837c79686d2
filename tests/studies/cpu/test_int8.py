"""ONNX Runtime's int8 beside ours, by the same definition."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.bench.int8 import Int8Layer, compare_int8, requantised
from convladder.bench.libraries import missing
from convladder.networks import lenet
from convladder.networks.compress import network as nets
from convladder.networks.compress import quantised
from studies.cpu import int8, int8_peers

SMALL = ConvProblem.parse("2x6x7x3,3x2x10,s2x1,p1x0")


@pytest.mark.skipif("onnxruntime" in missing(), reason="needs onnxruntime and onnx")
def test_onnxruntime_gives_the_same_bytes():
    layer = Int8Layer.random(SMALL)
    found = int8_peers.convolutions(layer.byte_x, layer.q, SMALL, threads=1, **layer.how)
    assert len(found) == 2
    for peer in found:
        np.testing.assert_array_equal(peer.result(), requantised(layer))
    ways = compare_int8(SMALL, 1, rounds=2, peers=int8.peers).libraries
    assert set(ways.values()) == {int8_peers.PACKAGE, "onnxruntime float32"}


@pytest.mark.skipif("onnxruntime" in missing(), reason="needs onnxruntime and onnx")
def test_onnxruntime_gives_the_same_logits():
    layers, images = nets.network(), lenet.images()[:100]
    network = quantised.quantise(layers, quantised.ranges(layers, images))
    np.testing.assert_allclose(
        int8_peers.lenet(network, 50, 1)(images), quantised.logits(network, images), atol=1e-4
    )
