"""Every pass leaves the values as they were, saves what it says, and lets be what it must."""

import numpy as np
import pytest

from convladder.networks.compile import (
    NETWORKS,
    PASSES,
    Graph,
    Node,
    Tensor,
    compile_for_device,
    compile_graph,
    cost,
    evaluate,
    optimise,
)
from convladder.networks.compile import passes as p
from convladder.networks.compile.networks import Builder

from .conftest import agree, input_of


@pytest.mark.parametrize("name", NETWORKS)
def test_each_pass_leaves_the_values_and_ends_as_expected(name):
    graph = NETWORKS[name](2)
    if name == "lenet":  # logits instead of labels: a small change shows
        graph = graph.having(outputs=("logits",))
    inputs, steps = input_of(graph), optimise(graph)
    expected = evaluate(graph, **inputs)["logits"]
    assert np.ptp(expected) > 0.1
    for step in steps:
        (values,) = evaluate(step.after, **inputs).values()
        np.testing.assert_allclose(values, expected, rtol=1e-6, atol=1e-6, err_msg=step.name)
    ops = [node.op for node in steps[-1].after.nodes]
    assert not {"BatchNormalization", "Relu", "Add", "MaxPool", "Div"} & set(ops)
    assert ops.count("Transpose") == 1  # of the input
    assert cost(graph).macs == cost(steps[-1].after).macs
    assert cost(steps[-1].after).map_bytes < 0.5 * cost(graph).map_bytes


def small(seed: int = 0) -> Builder:
    return Builder("small", {"x": Tensor((2, 3, 6, 5))}, seed)


def conv(b: Builder, x: str = "x", name: str = "y") -> str:
    return b.add("Conv", name, x, b.random(f"{name}.w", 3, 3, 3, 3), padding=(1, 1))


def same(graph: Graph, after: Graph) -> None:
    agree(lambda **inputs: evaluate(after, **inputs), graph, rtol=1e-5, atol=1e-5)


def checked_ops(graph: Graph) -> list[str]:
    """Compare the values after all passes; return the operators that are left."""
    after = optimise(graph)[-1].after
    same(graph, after)
    return [node.op for node in after.nodes]


def same_program(graph: Graph) -> None:
    agree(compile_graph(graph), graph, rtol=1e-4, atol=1e-4)


def test_saved_bytes_of_a_fused_relu_are_a_write_and_a_read():
    b = small()
    (step,) = optimise(b.graph(b.add("Relu", "z", conv(b))), [p.fuse_relu])
    assert step.saved.map_bytes == 2 * 4 * 2 * 3 * 6 * 5
    assert [n.op for n in step.gone] == ["Conv", "Relu"]
    assert [n.output for n in step.new] == ["z"] and "relu=True" in str(step.after)
    assert (step.saved.nodes, step.saved.passes, step.saved.macs) == (1, 2 * 3 * 6 * 5, 0)
    same(step.before, step.after)


def test_a_map_that_others_read_is_not_fused_away():
    b = small()
    y = conv(b)
    b.add("Relu", "z", y)
    b.add("MaxPool", "pooled", y, kernel=(2, 2), stride=(2, 2))
    graph = p.infer_shapes(b.graph("z", "pooled"))
    assert p.fuse_relu(graph).nodes == graph.nodes == p.fuse_pool(graph).nodes
    graph = p.infer_shapes(graph.having(outputs=("z", "y")))
    assert p.fuse_relu(p.remove_dead(graph)).nodes[-1].op == "Relu"
    assert len(p.fuse_relu(p.remove_dead(graph.having(outputs=("z",)))).nodes) == 1


def test_relu_before_a_sum_or_a_norm_stays_before_it():
    b = small()
    z = b.add("Relu", "z", conv(b))
    assert checked_ops(b.graph(b.add("Add", "sum", z, "x"))) == [
        "Transpose",
        "Conv",
        "Add",
        "Transpose",
    ]
    b = small()
    graph = b.graph(norm(b, b.add("Relu", "z", conv(b))))
    assert "BatchNormalization" in checked_ops(graph)


def norm(b: Builder, x: str, *, by: str | None = None) -> str:
    vectors = [b.random(f"v{i}", 3, spread=0.1, mean=1.0) for i in range(4)]
    return b.add("BatchNormalization", "norm", x, by or vectors[0], *vectors[1:], epsilon=1e-5)


def test_a_norm_of_what_others_read_stays():
    b = small()
    y = conv(b)
    graph = b.graph(b.add("Add", "sum", norm(b, y), y))
    assert "BatchNormalization" in checked_ops(graph)


def test_a_norm_whose_vectors_are_computed_is_refused_by_name():
    b = small()
    b.inputs["gamma"] = Tensor((3,))
    graph = b.graph(norm(b, conv(b), by="gamma"))
    assert "BatchNormalization" in [n.op for n in p.fold_batch_norm(graph).nodes]
    with pytest.raises(ValueError, match="BatchNormalization 'norm.*': its weights 'gamma' are"):
        compile_graph(graph)


def test_two_readers_of_one_map_that_is_turned_back():
    b = small()
    z = b.add("Relu", "z", "x")
    checked_ops(b.graph(b.add("Flatten", "f", z), b.add("Flatten", "g", z)))


def test_two_convolutions_that_are_added():
    b = small()
    y = conv(b)
    ops = checked_ops(b.graph(b.add("Add", "sum", y, conv(b, "x", "other"))))
    assert ops.count("Conv") == 2 and "Add" not in ops


def test_pools_whose_windows_overlap_stay():
    b = small()
    graph = b.graph(b.add("MaxPool", "z", conv(b), kernel=(3, 2), stride=(2, 1)))
    assert "MaxPool" in checked_ops(graph)


def test_constants_are_computed_once():
    b = small()
    two = b.add("Add", "two", b.constant("one", np.ones(1)), b.constant("uno", np.ones(1)))
    x = b.add("Identity", "same", b.add("Mul", "twice", "x", two))
    assert checked_ops(b.graph(conv(b, x))) == ["Transpose", "Conv", "Transpose"]


def test_dead_code():
    b = small()
    b.add("Relu", "unused", conv(b, "x", "nobody"))
    after = p.remove_dead(b.graph(conv(b)))
    assert [n.output for n in after.nodes] == ["y"] and after.constants.keys() == {"y.w"}


def test_maps_flattened_into_the_output_and_channel_constants():
    """What a layout pass gets wrong: the order of flattened values, and `[c,1,1]` constants."""
    b = small()
    y = b.add("Mul", "z", conv(b), b.random("c", 3, 1, 1))
    checked_ops(b.graph(b.add("Flatten", "flat", y), "z"))


@pytest.mark.parametrize("op", ["Add", "Div"])
@pytest.mark.parametrize("shape", [(), (1,), (4,), (4, 1), (4, 4), (4, 1, 1), (2, 1, 4, 4)])
def test_constants_of_fewer_axes_meet_the_last_ones(op, shape):
    """Maps of as many rows, columns and channels, so that the wrong axis would fit as well."""
    b = Builder("square", {"x": Tensor((2, 4, 4, 4))})
    y = b.add("Conv", "y", "x", b.random("w", 4, 4, 3, 3), padding=(1, 1))
    graph = b.graph(b.add(op, "z", y, b.random("c", *shape, mean=3)))
    checked_ops(graph)
    same_program(graph)


def two_products() -> Graph:
    b = small()
    w = b.random("w", 90, 4)
    flat = b.add("Flatten", "flat", conv(b))
    left = b.add("Gemm", "left", flat, w)
    pixels = b.add("Flatten", "pixels", b.add("Relu", "r", "x"))
    return b.graph(left, b.add("Gemm", "right", pixels, w))


def square_weights() -> Graph:
    b = Builder("square", {"x": Tensor((3, 3, 3, 3))})
    w = b.random("w", 3, 3, 3, 3)
    return b.graph(b.add("Add", "z", b.add("Conv", "y", "x", w, padding=(1, 1)), w))


def scaled_by_what_is_named_so() -> Graph:
    b = small()
    scaled = b.add("Mul", "s", "x", b.constant("half", np.full(1, 0.5)))
    y = b.add("Conv", "y", scaled, b.random("w", 3, 3, 3, 3))
    z = b.add("Add", "z", y, b.random("y.scaled", 3, 1, 1))
    return b.graph(b.add("Mul", "u", z, b.random("z.nhwc", 3, 1, 1)))


TWO_USES = {
    "two products": two_products(),
    "a product's weights and an output": two_products().having(outputs=("left", "w")),
    "filters and a summand": square_weights(),
    "names of their own": scaled_by_what_is_named_so(),
}


@pytest.mark.parametrize("graph", TWO_USES.values(), ids=TWO_USES)
def test_a_constant_of_two_uses_is_right_for_both(graph):
    checked_ops(graph)
    same_program(graph)


def test_maps_that_come_with_channels_last():
    """What exports from frameworks of that layout begin with."""
    b = Builder("last", {"x": Tensor((2, 6, 5, 3))})
    first = b.add("Transpose", "t", "x", order=(0, 3, 1, 2))
    y = b.add("Conv", "y", first, b.random("w", 3, 3, 3, 3), padding=(1, 1))
    graph = b.graph(b.add("Add", "z", y, first), "t")
    checked_ops(graph)
    same_program(graph)


@pytest.mark.parametrize(
    "op, factor, weight, x",
    [
        ("Div", 0.0, 1, 1),
        ("Mul", 0.0, 1, 1),
        ("Div", 1e-30, 1e20, 1e-30),
        ("Mul", 1e-30, 1e-20, 1e30),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_factors_that_take_weights_out_of_float32_are_not_folded(op, factor, weight, x):
    b = Builder("one", {"x": Tensor((1, 1, 1, 1))})
    y = b.add(op, "s", "x", b.constant("c", np.float32([factor])))
    graph = b.graph(b.add("Conv", "y", y, b.constant("w", np.full((1, 1, 1, 1), weight, "f4"))))
    x = np.full((1, 1, 1, 1), x, np.float32)
    np.testing.assert_allclose(compile_graph(graph)(x=x)["y"], evaluate(graph, x=x)["y"], rtol=1e-6)


@pytest.mark.parametrize("before", [False, True])
def test_a_variance_that_rounding_left_below_zero(before):
    b = small()
    x = conv(b) if before else "x"
    vectors = [b.random(f"v{i}", 3, mean=1.0) for i in range(3)]
    norm = b.add(
        "BatchNormalization", "n", x, *vectors, b.constant("v", np.full(3, -5e-6)), epsilon=1e-5
    )
    same_program(b.graph(norm))


@pytest.mark.parametrize(
    "compiled, shape, close",
    [(compile_graph, (1, 2, 1000, 1000), 1e-6), (compile_for_device, (1, 1, 300, 300), 1e-5)],
)
def test_the_mean_of_a_large_map(compiled, shape, close):
    b = Builder("mean", {"x": Tensor(shape)})
    graph = b.graph(b.add("GlobalAveragePool", "y", "x"))
    x = np.full(shape, 0.1, np.float32)
    np.testing.assert_allclose(compiled(graph)(x=x)["y"], np.float32(0.1), rtol=close)


def test_only_what_the_kernel_can_do_goes_into_lanes():
    final = (*PASSES, p.images_in_lanes)
    graph = NETWORKS["lenet"](1)
    (node,) = optimise(graph, final)[-1].after.nodes
    assert node.op == "ImagesInLanes" and cost(optimise(graph, final)[-1].after).macs == 281_640
    for other in (NETWORKS["skip"](1), graph.having(outputs=("labels", "logits"))):
        assert "ImagesInLanes" not in [n.op for n in optimise(other, final)[-1].after.nodes]


def test_graphs_that_cannot_be():
    x = {"x": Tensor((2, 3, 6, 5))}
    with pytest.raises(ValueError, match="'b' depends on itself|'a' depends on itself"):
        Graph("loop", x, ("a",), (Node("Add", ("x", "b"), "a"), Node("Relu", ("a",), "b")))
    with pytest.raises(ValueError, match="nothing makes the tensor 'y'"):
        Graph("gap", x, ("z",), (Node("Relu", ("y",), "z"),))
    with pytest.raises(ValueError, match="'z' is made twice"):
        Graph("two", x, ("z",), (Node("Relu", ("x",), "z"), Node("Relu", ("x",), "z")))
    late = Graph("late", x, ("z",), (Node("Relu", ("y",), "z"), Node("Relu", ("x",), "y")))
    assert [n.output for n in late.nodes] == ["y", "z"]


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (Node("Gelu", ("x",), "z"), "node 'z' is a Gelu, which this compiler does not know"),
        (Node("Conv", ("x", "w"), "z"), "Conv 'z': x has 3 channels; weights .* take 4"),
        (Node("Conv", ("x", "large"), "z"), "Conv 'z': k_h=9 is larger than the padded image"),
        (Node("Add", ("x", "w"), "z"), "Add 'z': 'x' is .* and 'w' is .* must fit"),
        (Node("Add", ("x", "pixels"), "z"), "its input 'pixels' is uint8.*put a Cast"),
        (Node("Gemm", ("x", "w"), "z"), "Gemm 'z': x float32.2,3,6,5. by w"),
        (Node("Transpose", ("x",), "z", {"order": (0, 1)}), "does not name each axis"),
    ],
    ids=lambda value: value.op if isinstance(value, Node) else "",
)
def test_nodes_that_cannot_be(node, message):
    constants = {
        "w": np.zeros((2, 4, 3, 3), np.float32),
        "large": np.zeros((2, 3, 9, 9), "f4"),
        "pixels": np.zeros((2, 3, 6, 5), np.uint8),
    }
    graph = Graph("bad", {"x": Tensor((2, 3, 6, 5))}, ("z",), (node,), constants)
    with pytest.raises(ValueError, match=message):
        optimise(graph)
