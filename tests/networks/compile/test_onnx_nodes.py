"""Every operator that is read, against the evaluation in the package onnx."""

import numpy as np
import pytest

from convladder.networks.compile import (
    GraphError,
    compile_for_device,
    compile_graph,
    evaluate,
    read_onnx,
)

from .test_onnx import model

onnx = pytest.importorskip("onnx")
ReferenceEvaluator = pytest.importorskip("onnx.reference").ReferenceEvaluator

CLOSE = dict(rtol=1e-5, atol=1e-5)
X = (2, 3, 7, 6)
W, BIAS = (4, 3, 3, 2), (4,)
BY_WEIGHTS = dict(strides=[2, 1], dilations=[1, 2])
WINDOW = dict(kernel_shape=[3, 2], strides=[2, 2])
# Operator, inputs (shapes, or arrays for constants) and attributes; "old": before opset 13.
CASES = [
    *[
        (op, [X, *weights], dict(auto_pad=pad, **attributes))
        for op, weights, attributes in [
            ("Conv", [np.ones(W), np.ones(BIAS)], dict(strides=[2, 1])),
            ("MaxPool", [], WINDOW),
            ("AveragePool", [], WINDOW),
        ]
        for pad in ("SAME_UPPER", "SAME_LOWER", "VALID")
        if (op, pad) != ("MaxPool", "SAME_LOWER")  # which onnx evaluates wrongly
    ],
    ("Conv", [X, np.ones(W)], dict(pads=[2, 0, 1, 1], **BY_WEIGHTS)),
    ("Conv", [X, np.ones((6, 1, 2, 2))], dict(pads=[0, 1, 1, 0], group=3)),
    (
        "Conv",
        [X, np.ones((3, 1, 3, 2)), np.ones(3)],
        dict(pads=[2, 1, 2, 1], dilations=[2, 3], group=3),
    ),
    ("MaxPool", [X], dict(pads=[1, 0, 2, 1], **WINDOW)),
    ("MaxPool", [X], dict(pads=[1, 1, 1, 1], ceil_mode=1, **WINDOW)),
    ("MaxPool", [(1, 2, 2, 4)], dict(ceil_mode=1, kernel_shape=[1, 1], strides=[2, 3])),
    ("AveragePool", [X], dict(pads=[1, 0, 2, 1], **WINDOW)),
    ("AveragePool", [X], dict(pads=[1, 0, 2, 1], count_include_pad=1, **WINDOW)),
    ("AveragePool", [X], dict(pads=[1, 1, 0, 1], ceil_mode=1, **WINDOW)),
    ("AveragePool", [X], dict(kernel_shape=[2, 2], dilations=[2, 3])),
    ("AveragePool", [(1, 1, 4, 4)], dict(kernel_shape=[2, 2])),
    ("Gemm", [(5, 3), np.ones((5, 4)), (3, 4)], dict(transA=1, alpha=0.5, beta=0.25)),
    ("Gemm", [(3, 5), (4, 5), (4,)], dict(transB=1, alpha=2.0)),
    ("Gemm", [(3, 5), np.ones((4, 5))], dict(transB=1)),
    ("Gemm", [(3, 5), np.ones((5, 4)), (1,)], {}),
    ("Gemm", [(3, 5), np.ones((5, 4)), (3, 1)], dict(beta=3.0)),
    ("Gemm", [(3, 5), np.ones((5, 1)), np.ones((1, 1))], {}),
    *[("Flatten", [X], dict(axis=axis)) for axis in (0, 2, 4, -1)],
    *[
        ("Reshape", [X, np.array(shape)], {})
        for shape in ([0, -1], [3, 0, 2, -1], [-1], [2, 7, 6, 3], [1, 2, 1, 3, 42])
    ],
    ("Unsqueeze", [(3, 4), np.array([0, -1])], {}),
    ("Unsqueeze", [(3, 4)], dict(axes=[1, 2]), "old"),
    *[("Concat", [X, (2, 3, 7, 6), X], dict(axis=axis)) for axis in (0, 1, -1)],
    ("Concat", [X, np.ones((2, 1, 7, 6))], dict(axis=1)),
    ("Concat", [(2,), (3,)], dict(axis=0)),
    *[("Softmax", [X], dict(axis=axis)) for axis in (0, 1, -1)],
    ("Softmax", [(3, 4)], {}),
    *[("ArgMax", [X], dict(axis=axis, keepdims=axis % 2)) for axis in (0, 1, 3)],
    ("ArgMax", [np.arange(12).reshape(3, 4) % 3], dict(axis=1, select_last_index=1)),
    *[(op, [(3, 1, 6), (7, 1)], {}) for op in ("Add", "Mul", "Div", "Pow")],
    ("Add", [X, (3, 1, 1)], {}),
    ("Sum", [X, (1, 6), np.ones((7, 1))], {}),
    ("Dropout", [X, np.float32(0.5)], {}),
    ("Transpose", [X], {}),
    ("Relu", [()], {}),
    ("Identity", [X], {}),
    ("GlobalAveragePool", [X], {}),
    ("BatchNormalization", [X, *(np.float32([1, 2, n]) for n in range(4))], dict(epsilon=0.5)),
]


def title(case):
    return "-".join(
        [case[0], *case[3:], *(f"{k}={v}".replace(" ", "") for k, v in case[2].items())]
    )


def case_file(tmp_path, op, given, attributes, old=None):
    """The file of a case, and arrays for its inputs: positive, since powers are among them."""
    rng, inputs, constants = np.random.default_rng(0), {}, {}
    for name, each in zip("xabcd", given, strict=False):
        if isinstance(each, tuple):
            inputs[name] = rng.uniform(0.1, 2, each).astype(np.float32)
        elif each.dtype == np.float64:
            constants[name] = rng.standard_normal(each.shape, np.float32)
        else:
            constants[name] = each
    if not inputs:  # values that are alike
        inputs, constants = {"x": constants["x"].astype(np.float32)}, {}
    node = onnx.helper.make_node(op, [*"xabcd"[: len(given)]], ["y"], **attributes)
    shapes = {name: array.shape for name, array in inputs.items()}
    how = dict(shape=shapes.pop("x"), inputs=shapes, arrays=constants, opset=11 if old else 22)
    return model(tmp_path, node, **how), inputs


@pytest.mark.parametrize("case", CASES, ids=title)
def test_values_are_those_of_onnxs_own_evaluation(case, tmp_path):
    path, inputs = case_file(tmp_path, *case)
    (expected,) = ReferenceEvaluator(str(path)).run(None, inputs)
    graph = read_onnx(path)
    for found in (evaluate(graph, **inputs)["y"], compile_graph(graph)(**inputs)["y"]):
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, **CLOSE)


def test_every_operator_is_in_a_case():
    from convladder.networks.compile.onnx_nodes import READ

    assert READ.keys() - {case[0] for case in CASES} == {"Cast", "LRN"}  # below


def test_softmax_was_once_over_all_axes_behind(tmp_path):
    path, inputs = case_file(tmp_path, "Softmax", [X], dict(axis=2), "old")
    found = evaluate(read_onnx(path), **inputs)["y"]
    whole = np.exp(inputs["x"].reshape(6, 42))
    np.testing.assert_allclose(found.reshape(6, 42), whole / whole.sum(1, keepdims=True), **CLOSE)


@pytest.mark.parametrize("size", [2, 3])
def test_a_nan_stays_among_its_neighbouring_channels(size, tmp_path):
    """And windows of an even number of channels."""
    x = np.random.default_rng(0).standard_normal((2, 5, 3), np.float32)
    x[1, 2, 0] = np.nan
    node = onnx.helper.make_node("LRN", ["x"], ["y"], size=size, alpha=0.5, beta=0.6, bias=2.0)
    graph = read_onnx(model(tmp_path, node, shape=x.shape))
    wide = np.pad(x.astype(float) ** 2, ((0, 0), ((size - 1) // 2, size // 2), (0, 0)))
    sums = sum(wide[:, at : at + 5] for at in range(size))
    expected = x / (2 + 0.5 / size * sums) ** 0.6
    assert np.isnan(expected).sum() == size
    for found in (evaluate(graph, x=x)["y"], compile_graph(graph)(x=x)["y"]):
        np.testing.assert_allclose(found, expected, **CLOSE)


@pytest.mark.parametrize("last", [0, 1])
def test_the_first_nan_is_the_largest(last, tmp_path):
    """As NumPy has it; the last one, where the last of equals is asked for."""
    x = np.float32([[1, np.nan, 3, np.nan], [2, 3, 3, 1]])
    node = onnx.helper.make_node("ArgMax", ["x"], ["y"], axis=1, keepdims=0, select_last_index=last)
    graph = read_onnx(model(tmp_path, node, shape=x.shape))
    expected = [3, 2] if last else [1, 1]
    for program in (compile_graph(graph), compile_for_device(graph)):
        assert program(x=x)["y"].tolist() == expected == evaluate(graph, x=x)["y"].tolist()


def test_what_depends_on_constants_alone_is_computed(tmp_path):
    """A weight by its shape, and the shape of a map that is taken apart, as exporters write it."""
    make = onnx.helper.make_node
    nodes = [
        make(
            "ConstantOfShape", ["shape"], ["w"], value=onnx.numpy_helper.from_array(np.ones(1, "f"))
        ),
        make("Conv", ["x", "w"], ["z"]),
        make("Shape", ["z"], ["sides"]),
        make("Gather", ["sides", "zero"], ["batch"]),
        make("Unsqueeze", ["batch"], ["first"], axes=[0]),
        make("Constant", [], ["rest"], value_ints=[-1]),
        make("Concat", ["first", "rest"], ["flat"], axis=0),
        make("Reshape", ["z", "flat"], ["y"]),
    ]
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 4), np.float32)
    constants = {"shape": np.array([5, 3, 1, 1]), "zero": np.array(0)}
    graph = read_onnx(model(tmp_path, *nodes, shape=x.shape, arrays=constants, opset=12))
    assert [node.op for node in graph.nodes] == ["Conv", "Flatten"] and [*graph.constants] == ["w"]
    expected = np.repeat(x.sum(1, keepdims=True), 5, axis=1).reshape(2, -1)
    np.testing.assert_allclose(compile_graph(graph)(x=x)["y"], expected, **CLOSE)


def test_an_output_that_is_constant_or_not_asked_for(tmp_path):
    make = onnx.helper.make_node
    nodes = [make("Shape", ["x"], ["s"]), make("Dropout", ["x"], ["y", "mask"])]
    x = np.ones((2, 3), np.float32)
    found = compile_graph(read_onnx(model(tmp_path, *nodes, shape=(2, 3), outputs="ys")))(x=x)
    assert found["s"].tolist() == [2, 3] and found["y"].tolist() == x.tolist()
    nodes.append(make("Not", ["mask"], ["z"]))
    with pytest.raises(GraphError, match="no operator Not"):
        read_onnx(model(tmp_path, *nodes, outputs="yz"))
    with pytest.raises(GraphError, match="node 1 .Dropout, makes 'y'.: its output 'mask' is read"):
        read_onnx(model(tmp_path, *nodes[:2], outputs=["mask"]))


@pytest.mark.parametrize("kind", ["float16", "int4"])
def test_casts_from_any_type(kind, tmp_path):
    pytest.importorskip("ml_dtypes")  # NumPy knows the small types by it

    dtype = np.dtype(kind)
    x = np.array([[1, -2, 3]]).astype(dtype)
    node = onnx.helper.make_node("Cast", ["x"], ["y"], to=1)
    path = model(tmp_path, node, shape=x.shape, opset=25)
    whole = onnx.load(path)
    whole.graph.input[0].type.tensor_type.elem_type = onnx.helper.np_dtype_to_tensor_dtype(dtype)
    onnx.save(whole, path)
    found = compile_graph(read_onnx(path))(x=x)["y"]
    assert found.dtype == np.float32 and found.tolist() == [[1, -2, 3]]
