"""The calls that programs are made of: ready for the arrays of last time, and for others."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import conv2d_float64, random_arrays
from convladder.cpu import threads as cpu_threads
from convladder.cpu.microkernel import prepare
from convladder.measure import available_cores, threads
from convladder.networks.compile import NETWORKS, compile_graph
from convladder.networks.compile.runtime import PackedWeights, convolve

from .conftest import CLOSE, agree

PROBLEM = ConvProblem.parse("2x5x6x3,3x3x18,s1,p1")


@pytest.mark.parametrize("changed", ["x", "out", "bias", "added", "relu", "nothing"])
def test_a_call_with_another_array_is_made_ready_anew(changed):
    x, w = random_arrays(PROBLEM)
    weights = PackedWeights(prepare(w, PROBLEM), PROBLEM)
    rng = np.random.default_rng(0)

    def new(*shape):
        return rng.standard_normal(shape, np.float32)

    out = PROBLEM.output_shape
    first = dict(x=x, bias=new(18), added=new(*out), relu=False, out=new(*out))
    other = dict(x=x[:, ::-1].copy(), bias=new(18), added=None, relu=True, out=new(*out))
    second = first | ({} if changed == "nothing" else {changed: other[changed]})
    for arguments in (first, first, second, first):
        arguments["out"][:] = np.nan
        convolve(weights=weights, **arguments)
        expected = conv2d_float64(arguments["x"], w, PROBLEM) + arguments["bias"]
        expected += 0 if arguments["added"] is None else arguments["added"]
        expected = np.maximum(expected, 0) if arguments["relu"] else expected
        np.testing.assert_allclose(arguments["out"], expected, **CLOSE)


def test_threads_only_where_each_has_enough_to_do():
    _, w = random_arrays(PROBLEM)
    weights = PackedWeights(prepare(w, PROBLEM), PROBLEM)
    assert PROBLEM.macs < cpu_threads.LEAST
    weights.share_among(8)
    assert weights.threads == 1
    weights = PackedWeights(prepare(w, PROBLEM), PROBLEM.with_batch(100))
    weights.share_among(8)
    assert weights.threads == 50 * PROBLEM.macs // cpu_threads.LEAST == 3


@pytest.mark.skipif(available_cores() < 2, reason="needs two cores")
def test_a_program_follows_the_number_of_threads(monkeypatch):
    monkeypatch.setattr(cpu_threads, "LEAST", 1)
    graph = NETWORKS["depthwise"](3)
    program = compile_graph(graph)
    agree(program, graph)  # Numba is there from here on, and can be held
    for number in (1, 2, 1):
        program.arena.view(np.float32)[:] = np.nan
        with threads(number):
            agree(program, graph)
        assert {weights.threads for weights in program._weights} == {number}
