"""Graphs as CUDA kernels: values as the oracle's, one arena, text that NVIDIA's compiler takes."""

import sys

import numpy as np
import pytest

from convladder.networks import memory
from convladder.networks.compile import (
    NETWORKS,
    Graph,
    Tensor,
    compile_for_device,
    compile_graph,
    cost,
    evaluate,
    infer_shapes,
)
from convladder.networks.compile.networks import Builder
from convladder.networks.compile.passes import PASSES, fuse_relu, images_in_lanes, to_nhwc

from ...sampling import sampled
from .conftest import CLOSE, groups_and_dilation, input_of


def with_logits(name, batch):
    graph = NETWORKS[name](batch)
    return graph.having(outputs=("logits", "labels")) if name == "lenet" else graph


BARE = sampled([(name, [to_nhwc]) for name in NETWORKS], 0, lambda each: f"{each[0]}-bare")


@pytest.mark.parametrize(
    "name, passes",
    [*(pytest.param(name, PASSES, id=f"{name}-optimised") for name in NETWORKS), *BARE],
)
def test_values(name, passes):
    graph = with_logits(name, 2)
    program = compile_for_device(graph, passes)
    for seed in (3, 4):  # the second run finds the arena full of the first one's maps
        inputs = input_of(graph, seed)
        results = program(**inputs)
        for output, expected in evaluate(graph, **inputs).items():
            np.testing.assert_allclose(results[output], expected, **CLOSE)


def odd() -> Builder:
    """What the networks have none of: sizes that differ in both directions, and lone operators."""
    b = Builder("odd", {"x": Tensor((2, 3, 9, 7))}, seed=5)
    y = b.add(
        "Conv",
        "a",
        "x",
        b.random("a.w", 5, 3, 3, 2),
        b.random("a.b", 5),
        stride=(2, 1),
        padding=(1, 0),
    )
    y = b.add("Mul", "scaled", y, b.random("by", 5, 1, 1))
    y = b.add("Div", "halved", y, b.constant("two", np.array([2.0])))
    z = b.add("Conv", "c", y, b.random("c.w", 5, 1, 2, 3), group=5, padding=(1, 1))
    pooled = b.add("MaxPool", "pooled", z, kernel=(3, 2), stride=(1, 2))
    both = b.add("Relu", "r", b.add("Add", "twice", pooled, pooled))
    flat = b.add("Flatten", "flat", both)
    b.add("Gemm", "g", flat, b.random("g.w", 4 * 5 * 3, 6, spread=0.1))
    return b


def test_sizes_that_are_not_alike_and_a_result_that_is_read_again():
    b = odd()
    graph = b.graph("g", "r")
    program = compile_for_device(graph)
    assert program.plan.offsets.keys().isdisjoint(("g", "r"))  # they have arrays of their own
    inputs = input_of(graph)
    results = program(**inputs)
    for output, expected in evaluate(graph, **inputs).items():
        np.testing.assert_allclose(results[output], expected, rtol=1e-5, atol=1e-5)


def of_files() -> Graph:
    """Operators that files have and the networks do not; maps that others read as they came."""
    inputs = {"x": Tensor((2, 3, 5, 4)), "v": Tensor((4,)), "m": Tensor((42, 6))}
    b = Builder("files", inputs, seed=6)
    y = b.add("Pad", "padded", "x", pads=(1, 0, 2, 1), value=-np.inf)
    y = b.add("MaxPool", "pooled", y, kernel=(4, 2), stride=(1, 1))
    y = b.add("Concat", "both", y, "x", b.random("c", 2, 1, 5, 4), axis=1)
    b.add("Add", "sum", "v", b.add("Mul", "square", y, y))
    b.add("Pow", "root", "sum", b.constant("half", np.array([0.5])))
    b.add("Reshape", "rows", b.add("Concat", "long", "root", "sum", axis=2), shape=(10, 4, 14))
    b.add("Reshape", "flat", "rows", shape=(20, 28))
    b.add("Reshape", "wide", "both", shape=(2, 140))
    b.add("Gemm", "product", b.add("Reshape", "r", "flat", shape=(10, 56)), b.random("w", 56, 42))
    b.add("Softmax", "chances", b.add("Relu", "s", b.add("Gemm", "g", "product", "m")))
    b.add("ArgMax", "last", b.add("Concat", "twice", "chances", "chances", axis=1), last=True)
    return b.graph("sum", "root", "wide", "chances", "last")


@pytest.mark.parametrize("passes", [[to_nhwc], PASSES], ids=["bare", "optimised"])
@pytest.mark.parametrize("compiled", [compile_graph, compile_for_device])
def test_operators_of_files(compiled, passes):
    graph, rng = of_files(), np.random.default_rng(3)
    inputs = {
        name: np.float32(0.3) * rng.standard_normal(tensor.shape, np.float32)
        for name, tensor in graph.inputs.items()
    }
    inputs["v"] = abs(inputs["v"])
    results = compiled(graph, passes)(**inputs)
    for output, expected in evaluate(graph, **inputs).items():
        np.testing.assert_allclose(results[output], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("passes", [[to_nhwc], PASSES], ids=["bare", "optimised"])
def test_groups_and_dilation(passes):
    graph = groups_and_dilation()
    expected = evaluate(graph, **input_of(graph))["p"]
    found = compile_for_device(graph, passes)(**input_of(graph))["p"]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=3e-5)


def test_arena_and_faults():
    """Maps lie in the planned bytes, and no kernel reads what none has written."""
    program = compile_for_device(NETWORKS["skip"](1))
    assert program.arena.nbytes == program.plan.bytes <= 1.1 * program.plan.bound
    assert program.plan.bytes < 0.6 * memory.naive(program.blocks).bytes
    graph = NETWORKS["lenet"](1)
    program = compile_for_device(graph)
    reports = program.profile(**input_of(graph))
    assert list(reports) == [kernel.name for kernel in program.kernels]
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

    for graph in (
        NETWORKS["lenet"](3),
        NETWORKS["depthwise"](1),
        odd().graph("g", "r"),
        of_files(),
    ):
        program = compile_for_device(graph, [to_nhwc] if graph.name == "lenet" else PASSES)
        made = compile_cubin(program.source, [k.name for k in program.kernels], "sm_75")
        assert not made.warnings


def test_what_has_no_kernel_is_refused_by_name():
    with pytest.raises(ValueError, match="run to_nhwc"):
        compile_for_device(NETWORKS["skip"](1), [])
    with pytest.raises(ValueError, match="ImagesInLanes 'labels': there is no CUDA kernel"):
        compile_for_device(NETWORKS["lenet"](1), (*PASSES, images_in_lanes))
    b = Builder("large", {"x": Tensor((2**20, 4, 32, 32))})
    with pytest.raises(
        ValueError, match="'x' is float32.1048576,4,32,32.; the kernels take.* values"
    ):
        compile_for_device(b.graph(b.add("Relu", "y", "x")))
    b = Builder("nothing", {"x": Tensor((1, 4))})
    with pytest.raises(ValueError, match="the output 'x' is an input as it came"):
        compile_for_device(b.graph("x"))
    with pytest.raises(ValueError, match="takes the inputs x; it was given y"):
        compile_for_device(NETWORKS["skip"](1))(y=np.zeros(3))


def test_the_mean_of_a_large_map():
    b = Builder("mean", {"x": Tensor((1, 1, 300, 300))})
    graph = b.graph(b.add("GlobalAveragePool", "y", "x"))
    x = np.full((1, 1, 300, 300), 0.1, np.float32)
    np.testing.assert_allclose(compile_for_device(graph)(x=x)["y"], np.float32(0.1), rtol=1e-5)
