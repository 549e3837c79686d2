"""Graphs as CUDA kernels: values as the oracle's, one arena, text that NVIDIA's compiler takes."""

import sys
from itertools import product

import pytest

from convladder.networks import memory
from convladder.networks.compile import (
    NETWORKS,
    Tensor,
    compile_for_device,
    cost,
    infer_shapes,
)
from convladder.networks.compile.networks import Builder
from convladder.networks.compile.passes import PASSES, fuse_relu, images_in_lanes, to_nhwc

from ...sampling import sampled
from .conftest import ODD, agree, input_of


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name):
    graph = NETWORKS[name](2)
    graph = graph.having(outputs=("logits", "labels")) if name == "lenet" else graph
    program = compile_for_device(graph)
    for seed in (3, 4):  # the second run finds the arena full of the first one's maps
        agree(program, graph, seed)


@pytest.mark.parametrize(
    "name, passes", sampled([*product(ODD, ([to_nhwc], PASSES))], 3, lambda each: str(each[0]))
)
def test_other_graphs(name, passes):
    graph = ODD[name]
    program = compile_for_device(graph, passes)
    assert program.plan.offsets.keys().isdisjoint(graph.outputs)  # they have arrays of their own
    agree(program, graph, rtol=1e-4, atol=1e-4)


def test_arena_and_faults():
    """Maps lie in the planned bytes, and no kernel reads what none has written."""
    program = compile_for_device(NETWORKS["skip"](1))
    assert program.arena.nbytes == program.plan.bytes <= 1.1 * program.plan.bound
    assert program.plan.bytes < 0.6 * memory.naive(program.blocks).bytes
    graph = NETWORKS["lenet"](1)
    reports = compile_for_device(graph).profile(**input_of(graph))
    assert all(report.ok for report in reports.values())


def test_a_fused_relu_saves_the_sectors_that_were_predicted():
    b = Builder("small", {"x": Tensor((1, 4, 16, 16))})
    y = b.add("Conv", "y", "x", b.random("w", 8, 4, 3, 3), padding=(1, 1))
    before = to_nhwc(infer_shapes(b.graph(b.add("Relu", "z", y))))
    after = fuse_relu(infer_shapes(before))
    sectors = [
        sum(report.sectors for report in compile_for_device(g, []).profile(**input_of(g)).values())
        for g in (before, after)
    ]
    saved = (cost(before) - cost(after)).map_bytes
    assert sectors[0] - sectors[1] == saved // 32 > 0


@pytest.mark.weekly
@pytest.mark.skipif(sys.platform != "linux", reason="NVIDIA's compiler is there for Linux only")
def test_nvidias_compiler_takes_the_whole_source():
    from convladder.cuda.inspect.nvrtc import compile_cubin

    for graph in (NETWORKS["lenet"](3), NETWORKS["depthwise"](1), ODD["odd"], ODD["of files"]):
        program = compile_for_device(graph, [to_nhwc] if graph.name == "lenet" else PASSES)
        made = compile_cubin(program.source, [k.name for k in program.kernels], "sm_75")
        assert not made.warnings


def test_what_has_no_kernel_is_refused_by_name():
    with pytest.raises(ValueError, match="ImagesInLanes 'labels': there is no CUDA kernel"):
        compile_for_device(NETWORKS["lenet"](1), (*PASSES, images_in_lanes))
    b = Builder("large", {"x": Tensor((2**20, 4, 32, 32))})
    with pytest.raises(ValueError, match="'x' is float32.*; the kernels take.* values"):
        compile_for_device(b.graph(b.add("Relu", "y", "x")))
    with pytest.raises(ValueError, match="the output 'x' is an input as it came"):
        compile_for_device(Builder("nothing", {"x": Tensor((1, 4))}).graph("x"))
