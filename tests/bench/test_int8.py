"""Bytes beside float32: nobody is timed who is wrong, and a record gives the contest back."""

import json

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.bench import int8 as bench
from convladder.bench.conv_analysis import runs_of
from convladder.bench.libraries import int8 as peers
from convladder.cli import main
from convladder.networks import lenet
from convladder.networks.compress import network as nets
from convladder.networks.compress import quantised

SMALL = ConvProblem.parse("2x6x7x3,3x2x10,s2x1,p1x0")


def test_a_task_is_what_quantisation_would_make_of_it():
    layer = bench.Int8Layer.random(SMALL)
    y = bench.requantised(layer)
    assert layer.x.min() == 0 and layer.byte_x.max() == 255 and abs(layer.q).max() == 127
    assert y.shape == SMALL.output_shape and y.dtype == np.uint8
    assert (y == 0).any() and 100 < y.max(), "a ReLU, on a grid that is made use of"


def test_a_contest_and_its_record(monkeypatch):
    monkeypatch.setattr(bench, "compare_networks", lambda threads, rounds: {"int8": [0.1]})
    made = bench.record_of({"small": SMALL}, threads=(1,), rounds=2)
    (run,) = runs_of(json.loads(json.dumps(made)))
    found = run["small"]
    assert {"int8", "microkernel"} <= set(found.comparison.timings)
    assert found.ratio("microkernel", "int8") > 0 and found.prepare_seconds["int8"] > 0
    assert made["networks"] == {"1": {"int8": [0.1]}} and made["dot"].endswith("bits")


def test_a_record_needs_someone_to_race_with(capsys, monkeypatch):
    monkeypatch.setattr(bench, "missing", lambda: ["onnxruntime"])
    assert main(["record", "--int8"]) == 2
    told = capsys.readouterr().err
    assert "a race with ONNX Runtime; not installed: onnxruntime. Add with" in told


def test_who_is_wrong_is_not_timed(monkeypatch):
    right = bench.convolve

    def wrong(x, packed, problem, threads=None):
        y = right(x, packed, problem, threads)
        return y if packed.raw else 255 - y

    monkeypatch.setattr(bench, "convolve", wrong)
    with pytest.raises(RuntimeError, match="int8 is off by up to"):
        bench.compare_int8(SMALL, 1, rounds=1)


def test_the_layers_are_the_papers_and_lenets():
    layers = bench.lenet_layers()
    assert sum(p.macs for p in layers.values()) == bench.BATCH * lenet.MACS
    assert {"cv1", "cv12", "report", "lenet fc3"} <= set(bench.LAYERS)


@pytest.mark.skipif("onnxruntime" in bench.missing(), reason="needs onnxruntime and onnx")
def test_onnxruntime_gives_the_same_bytes():
    layer = bench.Int8Layer.random(SMALL)
    found = peers.convolutions(layer.byte_x, layer.q, SMALL, threads=1, **layer.how)
    assert len(found) == 2
    for peer in found:
        np.testing.assert_array_equal(peer.result(), bench.requantised(layer))


@pytest.mark.skipif("onnxruntime" in bench.missing(), reason="needs onnxruntime and onnx")
def test_onnxruntime_gives_the_same_logits():
    layers, images = nets.network(), lenet.images()[:100]
    network = quantised.quantise(layers, quantised.ranges(layers, images))
    np.testing.assert_allclose(
        peers.lenet(network, 50, 1)(images), quantised.logits(network, images), atol=1e-4
    )
