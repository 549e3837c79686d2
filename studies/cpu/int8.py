"""Convolutions of bytes beside those of float32 and ONNX Runtime's, in paired rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from convladder.bench.int8 import BATCH, FLOAT32, INT8, LAYERS, Int8Layer, compare_int8
from convladder.bench.libraries import Library, missing
from convladder.bench.libraries import lenet as float_networks
from convladder.bench.libraries.conv import peers as float_peers
from convladder.bench.records.conv_cpu import runs_as_dict, runs_of
from convladder.bench.rounds import geometric_mean, judge_then_time, paired_rounds
from convladder.core.install import install_text
from convladder.core.progress import Progress, report_progress
from convladder.measure import available_cores
from convladder.measure import threads as pinned
from convladder.networks import lenet
from convladder.networks.compress import network as nets
from convladder.networks.compress import quantised
from convladder.networks.compress.executor import Int8Network
from convladder.networks.compress.int8.dots import host_dot
from convladder.networks.lenet.rungs import get_rung

from . import int8_peers

FOLDER = "int8"
CALIBRATION = 2000


def peers(layer: Int8Layer, threads: int) -> list[Library]:
    """Return ONNX Runtime's ways of a layer, in int8 and float32, each as a library of its own."""
    problem = layer.problem
    ours = int8_peers.convolutions(layer.byte_x, layer.q, problem, threads=threads, **layer.how)
    name = "onnxruntime float32"
    return ours + [
        replace(way, name=name, package=name)
        for way in float_peers(layer.x, layer.w, problem, threads)
        if way.package == "onnxruntime"
    ]


def compare_networks(threads: int) -> dict[str, list[float]]:
    """Return the seconds of each round on all images: LeNet-5 in int8 and float32, ours and ORT's.

    Raises `RuntimeError` where labels differ from the definition's: then nothing is timed.
    """
    images, layers = lenet.images(), nets.network()
    ranges = quantised.ranges(layers, images[:CALIBRATION], "percentile")
    integers = quantised.quantise(layers, ranges)
    machine, lanes = Int8Network(integers, BATCH), get_rung("lanes").session(images)
    calls = {"int8, one layer at a time": lambda: machine.logits(images).argmax(1),
             "float32, fused, one image per lane": lanes.run}  # fmt: skip
    whole = quantised.logits(integers, images).argmax(1)
    exact = nets.run(layers, nets.pixels(images)).argmax(1)

    def judge(name: str, call: Callable) -> bool:
        off = (call() != (whole if "int8" in name else exact)).sum()
        if off > 3:  # two logits may be equal but for float32's rounding
            raise RuntimeError(f"{name} labels {off} images differently; nothing was timed")
        return True

    with pinned(threads):
        logits = int8_peers.lenet(integers, BATCH, threads)
        calls["onnxruntime int8"] = lambda: logits(images).argmax(1)
        floats = float_networks.peers(images, lenet.weights(), "cpu", threads)
        calls["onnxruntime float32"] = next(
            way.run for way in floats if way.name == f"onnxruntime, {BATCH} at a time"
        )
        times, _ = judge_then_time(calls, judge, paired_rounds)
    return {name: list(each) for name, each in times.rounds.items()}


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return comparisons on `LAYERS`, and the whole LeNet-5, on 1 thread and all cores.

    Raises `RuntimeError` without ONNX Runtime, the other side of this race.
    """
    if "onnxruntime" in missing():
        raise RuntimeError(
            "this is a race with ONNX Runtime; not installed: onnxruntime. Add "
            f"with: {install_text('peers')}"
        )
    counts, dot = tuple(dict.fromkeys((1, available_cores()))), host_dot()
    runs = [
        {name: compare_int8(problem, count, peers=peers,
                            progress=lambda what, name=name: progress(f"{name}: {what}"))
         for name, problem in LAYERS.items()}
        for count in counts
    ]  # fmt: skip
    return runs_as_dict(runs) | {
        "dot": f"{dot.how}, {dot.vector_bits} bits",
        "networks": {str(count): compare_networks(count) for count in counts},
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield for each number of threads the gain of bytes, and how long ONNX Runtime takes."""
    yield f"{record['machine']['cpu']}, {record['dot']}"
    for run in runs_of(record):
        wide = [
            each
            for name, each in run.items()
            if each.problem.i_c >= 64 and not name.startswith("lenet")
        ]
        gain = geometric_mean(each.ratio(FLOAT32, INT8) for each in wide)
        rival = geometric_mean(each.ratio(int8_peers.PACKAGE, INT8) for each in wide)
        yield (
            f"threads: {wide[0].threads}. Of 64 channels and more, int8 is {gain:.2f} "
            f"times as fast as float32; onnxruntime's takes {rival:.2f} times as long"
        )
