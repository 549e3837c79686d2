"""Pools on the processor: alone, with windows that overlap, and in one go with what is before."""

import numpy as np
import pytest

from convladder.networks.compile import Tensor, compile_for_device, compile_graph, evaluate
from convladder.networks.compile.networks import Builder

from .conftest import CLOSE, agree, input_of


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("added", [False, True])
@pytest.mark.parametrize("relu", [False, True])
def test_convolution_sum_relu_and_pool(bias, added, relu):
    b = Builder("pooled", {"x": Tensor((3, 3, 6, 8))}, seed=7)
    biases = [b.random("bias", 3)] if bias else []
    y = b.add("Conv", "y", "x", b.random("w", 3, 3, 3, 3), *biases, padding=(1, 1))
    y = b.add("Add", "sum", y, "x") if added else y
    y = b.add("Relu", "z", y) if relu else y
    graph = b.graph(b.add("MaxPool", "pooled", y, kernel=(3, 2), stride=(3, 2)))
    program = compile_graph(graph)
    assert "MaxPool" not in [node.op for node in program.steps]
    agree(program, graph)


@pytest.mark.parametrize(
    "kernel, stride", [((3, 2), (1, 1)), ((2, 3), (2, 1)), ((1, 1), (2, 3)), ((2, 2), (3, 3))]
)
def test_a_pool_by_itself(kernel, stride):
    b = Builder("alone", {"x": Tensor((2, 5, 7, 9))})
    graph = b.graph(b.add("MaxPool", "y", "x", kernel=kernel, stride=stride))
    agree(compile_graph(graph), graph)


@pytest.mark.parametrize("fused", [False, True])
def test_nan_stays_where_it_is(fused):
    """On the processor and in CUDA C++, alone and behind a convolution with ReLU."""
    b = Builder("nan", {"x": Tensor((1, 3, 6, 8))}, seed=7)
    y = "x"
    if fused:
        w, bias = b.random("w", 4, 3, 3, 3), b.random("bias", 4)
        y = b.add("Relu", "z", b.add("Conv", "y", "x", w, bias, padding=(1, 1)))
    graph = b.graph(b.add("MaxPool", "p", y, kernel=(2, 2), stride=(2, 2)))
    (x,) = input_of(graph).values()
    x[0, 1, 2, 3] = np.nan
    if not fused:
        x[0, 2, 4:, 6:] = -np.inf  # no value of a window is larger
    expected = evaluate(graph, x=x)["p"]
    assert np.isnan(expected).any() and (fused or np.isneginf(expected).any())
    for program in compile_graph(graph), compile_for_device(graph):
        np.testing.assert_allclose(program(x=x)["p"], expected, **CLOSE)
