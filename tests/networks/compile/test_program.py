"""Compiled networks against the float64 oracle of the graph they came from."""

import tracemalloc

import numpy as np
import pytest

from convladder.cpu.isa import Isa
from convladder.networks import lenet, memory
from convladder.networks.compile import NETWORKS, PASSES, Tensor, compile_graph, evaluate
from convladder.networks.compile import image_lanes as in_lanes
from convladder.networks.compile.networks import Builder
from convladder.networks.compile.passes import images_in_lanes, to_nhwc

from .conftest import ODD, agree, input_of

LANES = (*PASSES, images_in_lanes)


@pytest.mark.parametrize(
    "batch, passes",
    [(1, PASSES), (3, [to_nhwc]), (3, PASSES)],
    ids=["one image", "bare", "optimised"],
)
@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name, batch, passes):
    graph = NETWORKS[name](batch)
    if name == "lenet":
        graph = graph.having(outputs=("logits", "labels"))
    program = compile_graph(graph, passes)
    program.arena.view(np.float32)[:] = np.nan
    for seed in (3, 4):
        agree(program, graph, seed)


def test_results_are_the_callers():
    graph = NETWORKS["depthwise"](1)
    program = compile_graph(graph)
    results = program(**input_of(graph))["logits"]
    first = results.copy()
    assert not np.array_equal(program(**input_of(graph, seed=4))["logits"], first)
    np.testing.assert_array_equal(results, first)


@pytest.mark.parametrize("passes", [[to_nhwc], PASSES], ids=["bare", "optimised"])
@pytest.mark.parametrize("graph", ODD.values(), ids=ODD)
def test_other_graphs(graph, passes):
    program = compile_graph(graph, passes)
    for _ in range(2):  # the second run finds the room full
        agree(program, graph, rtol=1e-4, atol=1e-4)
        program.arena.view(np.float32)[:] = np.nan
    assert program.touched_bytes(**input_of(graph)) <= program.plan.bytes


@pytest.mark.parametrize("planner", ["naive", "best fit", "in place", "best"])
def test_every_plan_gives_the_same(planner):
    graph = NETWORKS["skip"](1)
    agree(compile_graph(graph, [to_nhwc], memory.PLANNERS[planner]), graph)


@pytest.mark.parametrize("name", NETWORKS)
def test_arena(name):
    """Predicted, taken and written are one number of bytes, and no map lies outside."""
    graph = NETWORKS[name](8)
    program, inputs = compile_graph(graph), input_of(graph)
    limit = 1.10 if name == "skip" else 1.0
    assert program.plan.bytes == program.arena.nbytes <= limit * program.plan.bound
    assert program.plan.bytes < 0.8 * memory.naive(program.blocks).bytes
    touched = program.touched_bytes(**inputs)
    assert program.plan.bytes - 64 < touched <= program.plan.bytes
    largest = max(block.bytes for block in program.blocks)
    tracemalloc.start()
    program(**inputs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < largest / 4


def test_an_early_result_is_not_written_over():
    b = Builder("early", {"x": Tensor((5, 8))})
    a = b.add("Gemm", "a", "x", b.random("a.w", 8, 8), b.random("a.b", 8))
    c = b.add("Gemm", "c", a, b.random("c.w", 8, 8))
    d = b.add("Relu", "d", b.add("Mul", "m", c, b.random("two", 1)))
    graph = b.graph(b.add("Gemm", "e", d, b.random("e.w", 8, 8)), a)
    agree(compile_graph(graph), graph, rtol=1e-5, atol=1e-4)


@pytest.mark.weekly
def test_lenet_in_lanes_labels_all_images():
    program = compile_graph(NETWORKS["lenet"](10_000), LANES)
    assert [node.op for node in program.graph.nodes] == ["ImagesInLanes"]
    labels = program(pixels=lenet.images()[:, None])["labels"]
    judgement = lenet.judge(labels, 1e-3)
    assert judgement.ok and judgement.accuracy >= 0.989, judgement.reason


def other_lenet(batch: int):
    """Sizes of no other network: three convolutions, odd channels, kernels that are not square."""
    b = Builder("other", {"pixels": Tensor((batch, 1, 32, 30), "uint8")}, seed=5)
    x = b.add("Cast", "values", "pixels")
    x = b.add("Mul", "scaled", x, b.constant("by", np.array([1 / 255])))
    for name, shape in {"a": (5, 1, 3, 3), "b": (7, 5, 4, 3), "c": (4, 7, 3, 1)}.items():
        w = b.random(f"{name}.w", *shape, spread=np.prod(shape[1:]) ** -0.5)
        bias = b.random(f"{name}.b", shape[0], spread=0.1)
        x = b.add("Conv", name, x, w, bias, stride=(1, 1), padding=(0, 0), group=1)
        x = x if name == "b" else b.add("Relu", f"{name}.relu", x)
        x = b.add("MaxPool", f"{name}.pool", x, kernel=(2, 2), stride=(2, 2))
    x = b.add("Flatten", "flat", x)
    x = b.add("Gemm", "d", x, b.random("d.w", 4 * 2 * 3, 13, spread=0.3), b.random("d.b", 13))
    x = b.add("Gemm", "logits", x, b.random("e.w", 13, 9, spread=0.3), b.random("e.b", 9))
    graph = b.graph(b.add("ArgMax", "labels", x))
    # Without its mean, no class is the answer to everything.
    values = evaluate(graph.having(outputs=("logits",)), **input_of(graph, seed=6))["logits"]
    bias = (graph.constants["e.b"] - values.mean(axis=0)).astype(np.float32)
    return graph.having(constants=graph.constants | {"e.b": bias})


@pytest.mark.parametrize(
    "isa", [None, Isa("AVX2", 256, 16, fused=True)], ids=["here", "few registers"]
)
def test_lanes_of_another_network(isa, monkeypatch):
    if isa:
        monkeypatch.setattr(in_lanes, "host_isa", lambda: isa)
    graph = other_lenet(83)
    program = compile_graph(graph, LANES)
    assert [node.op for node in program.graph.nodes] == ["ImagesInLanes"]
    pixels = input_of(graph)
    labels = program(**pixels)["labels"]
    values = evaluate(graph.having(outputs=("logits",)), **pixels)["logits"]
    assert len(set(values.argmax(axis=1))) >= 3
    assert (values.max(axis=1) - values[np.arange(83), labels]).max() < 1e-4


def test_what_has_no_kernel_is_refused():
    with pytest.raises(ValueError, match="run to_nhwc"):
        compile_graph(NETWORKS["skip"](1), [])
    b = Builder("names", {"x": Tensor((1, 4, 5, 5))})
    graph = b.graph(b.add("Relu", "a_b", b.add("Relu", "a.b", "x")))
    with pytest.raises(ValueError, match="'a.b' and 'a_b' are both spelt|'a_b' and 'a.b'"):
        compile_graph(graph)


def test_names_in_other_scripts_are_told_apart():
    b = Builder("names", {"x": Tensor((1, 4, 5, 5))})
    program = compile_graph(b.graph(b.add("Add", "和", b.add("Relu", "名", "x"), "x")))
    inputs = input_of(program.graph)
    np.testing.assert_array_equal(program(**inputs)["和"], np.maximum(inputs["x"], 0) + inputs["x"])


def test_wrong_inputs():
    program = compile_graph(NETWORKS["lenet"](2))
    images = lenet.images()[:2, None]
    with pytest.raises(ValueError, match="takes the inputs pixels; it was given x"):
        program(x=images)
    with pytest.raises(ValueError, match=r"'pixels' has shape \(1, 1, 28, 28\)"):
        program(pixels=images[:1])
    with pytest.raises(TypeError, match="'pixels' is float64"):
        program(pixels=images / 255)
    for other in (np.ma.masked_array(images), images.tolist()):
        with pytest.raises(TypeError, match=f"'pixels' is a {type(other).__name__}; "):
            program(pixels=other)
