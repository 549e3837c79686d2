"""Every operator that is read: against ONNX Runtime, and on ONNX's own cases and models."""

import os
import warnings
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from convladder.networks.compile import (
    GraphError,
    compile_for_device,
    compile_graph,
    evaluate,
    read_onnx,
)

onnx = pytest.importorskip("onnx")

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
    ],
    ("Conv", [X, np.ones(W)], dict(pads=[2, 0, 1, 1], **BY_WEIGHTS)),
    ("Conv", [X, np.ones((6, 1, 2, 2))], dict(pads=[0, 1, 1, 0], group=3)),
    ("MaxPool", [X], dict(pads=[1, 0, 2, 1], **WINDOW)),
    ("MaxPool", [X], dict(pads=[1, 1, 1, 1], ceil_mode=1, **WINDOW)),
    ("MaxPool", [(1, 2, 2, 4)], dict(ceil_mode=1, kernel_shape=[1, 1], strides=[2, 3])),
    ("AveragePool", [X], dict(pads=[1, 0, 2, 1], **WINDOW)),
    ("AveragePool", [X], dict(pads=[1, 0, 2, 1], count_include_pad=1, **WINDOW)),
    ("AveragePool", [X], dict(pads=[1, 1, 0, 1], ceil_mode=1, **WINDOW)),
    (
        "AveragePool",
        [X],
        dict(ceil_mode=1, count_include_pad=1, kernel_shape=[3, 3], strides=[3, 3]),
    ),
    ("AveragePool", [X], dict(kernel_shape=[2, 2], dilations=[2, 3])),
    ("AveragePool", [(1, 1, 4, 4)], dict(kernel_shape=[2, 2])),
    ("LRN", [(2, 5, 4, 3)], dict(size=3, alpha=0.2, beta=0.6, bias=2.0)),
    ("LRN", [(1, 3, 2, 2)], dict(size=5)),
    ("Gemm", [(5, 3), np.ones((5, 4)), (3, 4)], dict(transA=1, alpha=0.5, beta=0.25)),
    ("Gemm", [(3, 5), (4, 5), (4,)], dict(transB=1, alpha=2.0)),
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
    *[("Softmax", [X], dict(axis=axis), "old") for axis in (1, 2)],
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
]


def title(case):
    return "-".join(
        [case[0], *case[3:], *(f"{k}={v}".replace(" ", "") for k, v in case[2].items())]
    )


WRONG_IN_PYTHON = (  # by the package onnx; beginnings of titles
    "LRN", "Softmax-old", "MaxPool-auto_pad=SAME_LOWER", "AveragePool-ceil_mode=1-count",
)  # fmt: skip


def file(path, nodes, inputs, constants, opset=22, outputs="y"):
    info, rest = onnx.helper.make_tensor_value_info, onnx.numpy_helper.from_array
    graph = onnx.helper.make_graph(
        nodes,
        "made",
        [info(name, 1, array.shape) for name, array in inputs.items()],
        [onnx.helper.make_empty_tensor_value_info(name) for name in outputs],
        [rest(array, name) for name, array in constants.items()],
    )
    opsets = [onnx.helper.make_opsetid("", opset)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opsets), path)
    return path


def case_file(tmp_path, op, given, attributes, old=None):
    """The file of a case, and arrays for its inputs: positive, since powers are among them."""
    rng, inputs, constants = np.random.default_rng(0), {}, {}
    for name, each in zip("abc", given, strict=False):
        if isinstance(each, tuple):
            inputs[name] = rng.uniform(0.1, 2, each).astype(np.float32)
        elif each.dtype == np.float64:
            constants[name] = rng.standard_normal(each.shape, np.float32)
        else:
            constants[name] = each
    if not inputs:  # values that are alike
        inputs, constants = {"a": constants["a"].astype(np.float32)}, {}
    node = onnx.helper.make_node(op, [*"abc"[: len(given)]], ["y"], **attributes)
    return file(tmp_path / "case.onnx", [node], inputs, constants, 11 if old else 22), inputs


def session(path):
    runtime = pytest.importorskip("onnxruntime")
    options = runtime.SessionOptions()
    options.log_severity_level = 3  # errors
    return runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def judged(path, inputs, name):
    """What ONNX Runtime gives; where it is not installed, ONNX's own evaluation in Python."""
    if find_spec("onnxruntime"):
        return session(path).run(None, inputs)[0]
    from onnx.reference import ReferenceEvaluator

    if name.startswith(WRONG_IN_PYTHON):
        pytest.skip("the package onnx evaluates it wrongly")
    return ReferenceEvaluator(str(path)).run(None, inputs)[0]


@pytest.mark.parametrize("case", CASES, ids=title)
def test_values_are_onnxruntimes(case, tmp_path):
    path, inputs = case_file(tmp_path, *case)
    expected = judged(path, inputs, title(case))
    graph = read_onnx(path)
    for found in (evaluate(graph, **inputs)["y"], compile_graph(graph)(**inputs)["y"]):
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, **CLOSE)


def test_every_operator_is_in_a_case():
    from convladder.networks.compile.onnx_nodes import READ

    elsewhere = {"BatchNormalization", "GlobalAveragePool", "Cast"}  # of the shipped networks
    assert READ.keys() - {case[0] for case in CASES} == elsewhere


@pytest.mark.parametrize("size", [2, 3])
def test_a_nan_stays_among_its_neighbouring_channels(size, tmp_path):
    """And windows of an even number of channels, which ONNX Runtime lacks."""
    x = np.random.default_rng(0).standard_normal((2, 5, 3), np.float32)
    x[1, 2, 0] = np.nan
    node = onnx.helper.make_node("LRN", ["x"], ["y"], size=size, alpha=0.5)
    graph = read_onnx(file(tmp_path / "lrn.onnx", [node], {"x": x}, {}))
    wide = np.pad(x.astype(float) ** 2, ((0, 0), ((size - 1) // 2, size // 2), (0, 0)))
    sums = sum(wide[:, at : at + 5] for at in range(size))
    expected = x / (1 + 0.5 / size * sums) ** 0.75
    assert np.isnan(expected).sum() == size
    for found in (evaluate(graph, x=x)["y"], compile_graph(graph)(x=x)["y"]):
        np.testing.assert_allclose(found, expected, **CLOSE)


@pytest.mark.parametrize("last", [0, 1])
def test_the_first_nan_is_the_largest(last, tmp_path):
    """As NumPy has it; the last one, where the last of equals is asked for."""
    x = np.float32([[1, np.nan, 3, np.nan], [2, 3, 3, 1]])
    node = onnx.helper.make_node("ArgMax", ["x"], ["y"], axis=1, keepdims=0, select_last_index=last)
    graph = read_onnx(file(tmp_path / "nan.onnx", [node], {"x": x}, {}))
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
    graph = read_onnx(file(tmp_path / "shapes.onnx", nodes, {"x": x}, constants, 12))
    assert [node.op for node in graph.nodes] == ["Conv", "Flatten"] and [*graph.constants] == ["w"]
    expected = np.repeat(x.sum(1, keepdims=True), 5, axis=1).reshape(2, -1)
    np.testing.assert_allclose(compile_graph(graph)(x=x)["y"], expected, **CLOSE)


def test_an_output_that_is_constant_or_not_asked_for(tmp_path):
    make = onnx.helper.make_node
    nodes = [make("Shape", ["x"], ["s"]), make("Dropout", ["x"], ["y", "mask"])]
    x = np.ones((2, 3), np.float32)
    found = compile_graph(read_onnx(file(tmp_path / "s.onnx", nodes, {"x": x}, {}, 22, "ys")))(x=x)
    assert found["s"].tolist() == [2, 3] and found["y"].tolist() == x.tolist()
    nodes.append(make("Not", ["mask"], ["z"]))
    with pytest.raises(GraphError, match="no operator Not"):
        read_onnx(file(tmp_path / "s.onnx", nodes, {"x": x}, {}, 22, "yz"))
    with pytest.raises(GraphError, match="node 1 .Dropout, makes 'y'.: its output 'mask' is read"):
        read_onnx(file(tmp_path / "s.onnx", nodes[:2], {"x": x}, {}, 22, ["mask"]))


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float8_e4m3fn", "int4", "float64"])
def test_casts_from_any_type(kind, tmp_path):
    pytest.importorskip("ml_dtypes")  # NumPy knows the small types by it

    dtype = np.dtype(kind)
    x = np.array([[1, -2, 3]]).astype(dtype)
    node = onnx.helper.make_node("Cast", ["x"], ["y"], to=1)
    path = file(tmp_path / "cast.onnx", [node], {"x": x}, {}, 25)
    whole = onnx.load(path)
    whole.graph.input[0].type.tensor_type.elem_type = onnx.helper.np_dtype_to_tensor_dtype(dtype)
    onnx.save(whole, path)
    found = compile_graph(read_onnx(path))(x=x)["y"]
    assert found.dtype == np.float32 and found.tolist() == [[1, -2, 3]]


# --- ONNX's own cases and models ----------------------------------------------------------------

# What a compiler must know before: weights are packed, and shapes decide what is generated.
KNOWN = {
    "Conv": (1, 2), "BatchNormalization": (1, 2, 3, 4), "Reshape": (1,), "Unsqueeze": (1,),
    "ConstantOfShape": (0,), "Dropout": (1, 2),
}  # fmt: skip


def outcome(case, known: bool, folder: Path) -> str:
    """What becomes of a node's case: right, or refused while it is read; all else is a defect."""
    model, arrays = onnx.ModelProto(), onnx.numpy_helper.to_array
    model.CopyFrom(case.model)
    inputs = [each.name for each in model.graph.input]
    (given, expected), *others = case.data_sets
    assert not others
    for node in model.graph.node if known else ():
        for which in KNOWN.get(node.op_type, ()):
            if which < len(node.input) and node.input[which] in inputs:
                array = np.asarray(given[inputs.index(node.input[which])])
                model.graph.initializer.append(
                    onnx.numpy_helper.from_array(array, node.input[which])
                )
    onnx.save(model, folder / "case.onnx")
    try:
        graph = read_onnx(folder / "case.onnx")
    except GraphError:
        return "refused"
    given, expected = (
        [arrays(a) if isinstance(a, onnx.TensorProto) else np.asarray(a) for a in each]
        for each in (given, expected)
    )
    values = {k: v for k, v in zip(inputs, given, strict=True) if k in graph.inputs}
    found = compile_graph(graph)(**values)
    for each, wanted in zip(case.model.graph.output, expected, strict=True):
        assert (found[each.name].shape, found[each.name].dtype) == (wanted.shape, wanted.dtype)
        np.testing.assert_allclose(found[each.name], wanted, case.rtol, max(case.atol, 1e-6))
    return "right"


@cache
def own_cases() -> list:
    from onnx.backend.test.loader import load_node_model_tests

    from convladder.networks.compile.onnx_nodes import ON_CONSTANTS, READ

    with warnings.catch_warnings():  # of arithmetic, while they are made
        warnings.simplefilter("ignore")
        cases = load_node_model_tests()
    claimed = {*READ, *ON_CONSTANTS}
    return [case for case in cases if {n.op_type for n in case.model.graph.node} <= claimed]


@pytest.mark.weekly
@pytest.mark.parametrize("known, least", [(False, 155), (True, 182)], ids=["as given", "known"])
def test_onnxs_own_cases_are_right_or_refused(known, least, tmp_path):
    """Of onnx 1.23's 343 cases of these operators; `known`: weights and shapes as constants."""
    counts = Counter(outcome(case, known, tmp_path) for case in own_cases())
    assert counts["right"] >= least and counts.total() >= 343, counts


LIGHT = Path(os.path.dirname(onnx.__file__)) / "backend/test/data/light"


@pytest.mark.weekly
@pytest.mark.parametrize("path", sorted(LIGHT.glob("*.onnx")), ids=lambda path: path.stem)
def test_light_models_are_onnxruntimes(path, tmp_path):
    """With random weights of He's spread, up to the logits: theirs are all alike."""
    pytest.importorskip("onnxruntime")
    model, rng = onnx.load(path), np.random.default_rng(0)
    shapes = {c.name: onnx.numpy_helper.to_array(c) for c in model.graph.initializer}
    norms = [node for node in model.graph.node if node.op_type == "BatchNormalization"]
    positive = {name for node in norms for name in (node.input[1], node.input[4])}
    nodes = []
    for node in model.graph.node:
        if node.op_type != "ConstantOfShape":
            nodes.append(node)
            continue
        shape, name = shapes[node.input[0]], node.output[0]
        spread = np.float32(np.sqrt(2 / np.prod(shape[1:])) if len(shape) > 1 else 0.1)
        array = rng.standard_normal(shape, np.float32) * spread
        array += np.float32(name in positive)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    logits = nodes.pop() if nodes[-1].op_type == "Softmax" else None
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    if logits:
        model.graph.output[0].CopyFrom(onnx.ValueInfoProto(name=logits.input[0]))
    onnx.save(model, tmp_path / "light.onnx")
    del model
    graph = read_onnx(tmp_path / "light.onnx")
    ((name, tensor),) = graph.inputs.items()
    x = rng.standard_normal(tensor.shape, np.float32)
    found = compile_graph(graph)(**{name: x})[graph.outputs[0]]
    (expected,) = session(tmp_path / "light.onnx").run(None, {name: x})
    assert expected.std() > 0
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())
