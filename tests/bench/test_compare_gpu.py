"""A GPU's comparison, with NumPy in CuPy's place and a clock of ours: judged, then in turns."""

import sys
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.bench import conv_gpu
from convladder.bench.conv_gpu import compare_on_gpu
from convladder.bench.libraries import Replayable, cudnn
from convladder.core.reference import ErrorModel
from convladder.measure import timing

from .test_ladder import right, rung

PROBLEM = ConvProblem.parse("2x7x6x3,3x2x5,s2x1,p1")


class Cupy:
    """NumPy, and a device whose clock goes on by one millisecond at each look."""

    def __init__(self):
        self.log, self.looks = [], 0
        stream = SimpleNamespace(
            synchronize=lambda: None,
            begin_capture=lambda: self.log.append("capture"),
            end_capture=lambda: SimpleNamespace(launch=lambda on: self.log.append("replay")),
        )
        self.cuda = SimpleNamespace(
            Stream=lambda non_blocking: nullcontext(),
            get_current_stream=lambda: stream,
            Event=lambda: SimpleNamespace(record=self.look, synchronize=lambda: None),
            get_elapsed_time=lambda start, end: 1.0,
            MemoryHook=object,
            Device=lambda: SimpleNamespace(synchronize=lambda: None),
            runtime=SimpleNamespace(memGetInfo=lambda: (100, 200)),
        )

    def look(self):
        self.looks += 1

    def __getattr__(self, name):
        return getattr(np, name)

    def get_default_memory_pool(self):
        return SimpleNamespace(free_all_blocks=lambda: None)


@pytest.fixture
def cupy(monkeypatch):
    fake = Cupy()
    monkeypatch.setitem(sys.modules, "cupy", fake)
    monkeypatch.setattr("convladder.bench.libraries._cupy_peak", lambda call: 40)
    monkeypatch.setattr(timing, "LONGEST_REST", 0.0)
    return fake


def method(name, spoil=lambda y: y, log=None, unsupported=None):
    def run(x, w, problem):
        if log is not None:
            log.append(name)
        return spoil(right(x, w, problem))

    return replace(rung(name, run), device="gpu", unsupported=lambda problem: unsupported)


def library(log):
    def call():
        log.append("lib")
        return right(*conv_gpu.random_arrays(PROBLEM), PROBLEM)

    def replays(calls):
        return lambda: log.append("lib replay")

    return Replayable("cudnn float32 NHWC", "cudnn", call, call, replays, lambda: 50)


def test_all_take_turns_in_a_graph_and_from_python(cupy, monkeypatch):
    monkeypatch.setattr(cudnn, "peers", lambda x, w, problem: [library(cupy.log)])
    results = compare_on_gpu(
        PROBLEM, [method("mine", log=cupy.log), method("not for it", unsupported="no")], rounds=2
    )
    mine, lib = results.values()
    assert list(results) == ["mine", "cudnn float32 NHWC"]
    assert (mine.library, lib.library, mine.peak, lib.peak) == (None, "cudnn", 40, 50)
    assert mine.rounds == (1e-3,) * 2 and mine.plain == (1e-3,) * 2  # one call fills a sample
    assert mine.error < 1e-6 and mine.growth == 0 and mine.timing.runs == 2
    # Of each two, the first is there to warm up; the second round runs backwards.
    forward = ["replay"] * 2 + ["mine"] * 2 + ["lib replay"] * 2 + ["lib"] * 2
    assert cupy.log[-16:] == [*forward, *forward[::-1]]


@pytest.mark.parametrize("spoil", [lambda y: y * np.float32(1.001), lambda y: y * np.nan])
def test_a_wrong_result_is_not_timed(cupy, spoil):
    with pytest.raises(RuntimeError, match="wrong is wrong on 2x7x6x3.*nothing was timed"):
        compare_on_gpu(PROBLEM, [method("wrong", spoil)], with_cudnn=False)
    assert "capture" not in cupy.log and cupy.looks == 0


def test_a_method_is_judged_by_its_own_model_of_error(cupy):
    """Winograd's growth, and not that of the memory beside it."""
    off = method("mine", lambda y: y * np.float32(1 + 1e-4))
    with pytest.raises(RuntimeError, match="mine is wrong"):
        compare_on_gpu(PROBLEM, [off], with_cudnn=False, rounds=1)
    allowed = replace(off, error_model=lambda p: ErrorModel(None, 1e5))
    assert compare_on_gpu(PROBLEM, [allowed], with_cudnn=False, rounds=1)["mine"].error > 1e-6
