"""Files: the shipped ones, ONNX's own reading of them, and those that this compiler lacks."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import conv2d_float64
from convladder.networks.compile import (
    NETWORKS,
    GraphError,
    compile_graph,
    evaluate,
    infer_shapes,
    read_onnx,
)
from convladder.networks.compile.networks import MODELS
from tools.onnx_models import write_onnx

from .conftest import CLOSE, input_of


@pytest.mark.parametrize("name", NETWORKS)
def test_shipped_files_are_the_networks(name):
    pytest.importorskip("onnx")
    graph, built = read_onnx(MODELS / f"{name}.onnx", batch=3), NETWORKS[name](3)
    assert graph.nodes == built.nodes and graph.inputs == built.inputs
    assert graph.outputs == built.outputs and graph.constants.keys() == built.constants.keys()
    for constant, array in graph.constants.items():
        np.testing.assert_array_equal(array, built.constants[constant])


@pytest.mark.parametrize("name", NETWORKS)
def test_values_are_onnxruntimes(name):
    pytest.importorskip("onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(
        MODELS / f"{name}.onnx", providers=["CPUExecutionProvider"]
    )
    graph = read_onnx(MODELS / f"{name}.onnx", batch=3)
    inputs, (output,) = input_of(graph), graph.outputs
    (theirs,) = session.run(None, inputs)
    np.testing.assert_allclose(evaluate(graph, **inputs)[output], theirs, **CLOSE)
    np.testing.assert_allclose(compile_graph(graph)(**inputs)[output], theirs, **CLOSE)


def model(tmp_path, *nodes, shape=(1, 3, 6, 5), arrays=None, kind=1, inputs=None, opset=22):
    """A file of these nodes, from `x` and further float32 inputs to `y`."""
    onnx = pytest.importorskip("onnx")
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes,
        "made",
        [info("x", kind, shape), *(info(n, 1, s) for n, s in (inputs or {}).items())],
        [info("y", 1, None)],
        [onnx.numpy_helper.from_array(a, n) for n, a in (arrays or {}).items()],
    )
    path = tmp_path / "made.onnx"
    opsets = [onnx.helper.make_opsetid("", opset)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opsets), path)
    return path


def node(*arguments, **attributes):
    onnx = pytest.importorskip("onnx")
    return onnx.helper.make_node(*arguments, **attributes)


def test_transposed_weights(tmp_path):
    w = np.random.default_rng(0).standard_normal((4, 7), np.float32)
    path = model(
        tmp_path, node("Gemm", ["x", "w"], ["y"], transB=1), shape=("n", 7), arrays={"w": w}
    )
    x = np.random.default_rng(1).standard_normal((2, 7), np.float32)
    np.testing.assert_allclose(evaluate(read_onnx(path, 2), x=x)["y"], x @ w.T, **CLOSE)
    np.testing.assert_allclose(compile_graph(read_onnx(path, 2))(x=x)["y"], x @ w.T, **CLOSE)


def test_other_domains(tmp_path):
    path = model(tmp_path, node("Relu", ["x"], ["y"], name="act", domain="com.microsoft"))
    with pytest.raises(ValueError, match="node act .Relu.*domain 'com.microsoft'"):
        read_onnx(path)
    path = model(tmp_path, node("Relu", ["x"], ["y"], domain="ai.onnx"))
    assert [each.op for each in read_onnx(path).nodes] == ["Relu"]


@pytest.mark.parametrize(
    "wrong, message",
    [
        ("no shape", "input 'x' has no shape; export the model with one"),
        ("float64 image", r"Relu 'y': its input 'x' is float64\[1,3,6,5\]; it takes float32"),
        ("float64 weights", r"Conv 'y': its input 'w' is float64"),
        ("cycle", "'a' depends on itself: the nodes a, b hold a cycle"),
        ("gap", "nothing makes the tensor 'lost'"),
    ],
)
def test_graphs_that_cannot_be_name_the_tensor(wrong, message, tmp_path):
    nodes, arrays = [node("Relu", ["x"], ["y"])], {}
    if wrong == "float64 weights":
        nodes = [node("Conv", ["x", "w"], ["y"])]
        arrays = {"w": np.zeros((2, 3, 1, 1))}
    if wrong == "cycle":
        nodes = [
            node("Add", ["x", "b"], ["a"]),
            node("Relu", ["a"], ["b"]),
            node("Relu", ["b"], ["y"]),
        ]
        message = message.replace("a, b hold", "a, b, y hold")
    if wrong == "gap":
        nodes = [node("Add", ["x", "lost"], ["y"])]
    kind = 11 if wrong == "float64 image" else 1  # TensorProto.DOUBLE, FLOAT
    shape = None if wrong == "no shape" else (1, 3, 6, 5)
    path = model(tmp_path, *nodes, shape=shape, arrays=arrays, kind=kind)
    with pytest.raises(ValueError, match=message):
        infer_shapes(read_onnx(path))


def test_files_that_are_none(tmp_path):
    pytest.importorskip("onnx")
    with pytest.raises(FileNotFoundError, match="no file"):
        read_onnx(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("not a model at all")
    with pytest.raises(ValueError, match="not an ONNX file"):
        read_onnx(tmp_path / "text.onnx")
    path = model(tmp_path, node("Relu", ["x"], ["y"]), shape=(1, 3, "height", 5))
    with pytest.raises(ValueError, match="'x' leaves axis 2 open .'height'"):
        read_onnx(path)
    (tmp_path / "empty.onnx").write_bytes(b"")
    with pytest.raises(GraphError, match="holds no node"):
        read_onnx(tmp_path / "empty.onnx")


WRONG = {
    "operator": (("Gelu", ["x"], {}), "this compiler has no operator Gelu; it has Conv, Gemm"),
    "dilation": (
        ("MaxPool", ["x"], dict(kernel_shape=[2, 2], dilations=[2, 2])),
        r"dilations=\[2, 2\]",
    ),
    "pads below 0": (
        ("MaxPool", ["x"], dict(kernel_shape=[2, 2], pads=[0, 0, -1, 1])),
        r"pads=\[0, 0, -1, 1\]; it takes 4 whole numbers, 0 or more",
    ),
    "padding alone": (
        ("AveragePool", ["x"], dict(kernel_shape=[2, 2], pads=[2, 0, 0, 0])),
        "a window of nothing but padding",
    ),
    "padding twice": (
        ("Conv", ["x", "w"], dict(auto_pad="SAME_UPPER", pads=[0, 1, 0, 1])),
        "auto_pad=SAME_UPPER and pads=",
    ),
    "padding by no name": (("Conv", ["x", "w"], dict(auto_pad="SAME")), "auto_pad=SAME, which"),
    "attribute": (("Relu", ["x"], dict(slope=0.1)), "Unrecognized attribute: slope"),
    "attribute of another type": (("Gemm", ["x", "w"], dict(alpha="1")), "Mismatched attribute"),
    "no kernel_shape": (("MaxPool", ["x"], {}), "Required attribute 'kernel_shape' is missing"),
    "pads of one axis": (
        ("MaxPool", ["x"], dict(kernel_shape=[2, 2], pads=[0, 0])),
        r"pads=\[0, 0\]; it takes 4 whole numbers",
    ),
    "strides of one axis": (("Conv", ["x", "w"], dict(strides=[2])), "it takes 2 whole numbers"),
    "maps of one axis": (("MaxPool", ["v"], dict(kernel_shape=[2, 2])), "'v' is .7.; .*n,c,h,w"),
    "another kernel_shape": (
        ("Conv", ["x", "w"], dict(kernel_shape=[5, 5])),
        r"kernel_shape=\[5, 5\], and its weights 'w' have the shape .2, 3",
    ),
    "no group": (("Conv", ["x", "w"], dict(group=0)), "0 group"),
    "no weights": (("Conv", ["x"], {}), r"input size 1 not in range .min=2, max=3"),
    "computed weights": (("Conv", ["x", "x"], {}), "its weights 'x' is computed, or an input"),
    "an input left out": (("Gemm", ["", "w"], {}), "input 0 is marked single but has an empty"),
    "an axis beyond": (("Flatten", ["x"], dict(axis=5)), r"axis=5; its input 'x' is .1, 3, 6, 5"),
    "a type": (("Cast", ["x"], dict(to=10)), "to=10; supported is 1, which is float32"),
    "of constants alone": (("Gather", ["x", "w"], {}), "Gather is supported of constants alone"),
    "no size": (("LRN", ["x"], dict(size=0)), "size=0; it is 1 or more"),
    "a bias of other sides": (("Gemm", ["m", "n", "x"], {}), "one must fit into the other"),
    "a bias of more axes": (("Gemm", ["m", "n", "o"], {}), "third input 'o' does not fit into"),
}


@pytest.mark.parametrize("case", WRONG)
def test_nodes_that_are_not_valid(case, tmp_path):
    (op, inputs, attributes), message = WRONG[case]
    path = model(
        tmp_path,
        node(op, inputs, ["y"], name="act", **attributes),
        arrays={"w": np.zeros((2, 3, 1, 3), np.float32)},
        inputs={"v": (7,), "m": (2, 3), "n": (3, 4), "o": (5, 2, 4)},
    )
    with pytest.raises(GraphError, match=f"node act .{op}.*{message}"):
        read_onnx(path)


def test_a_bias_that_is_left_out(tmp_path):
    w = np.random.default_rng(0).standard_normal((2, 3, 1, 3), np.float32)
    path = model(
        tmp_path, node("Conv", ["x", "w", ""], ["y"], kernel_shape=[1, 3]), arrays={"w": w}
    )
    graph = read_onnx(path)
    assert graph.nodes[0].inputs == ("x", "w")
    x = np.random.default_rng(1).standard_normal((1, 3, 6, 5), np.float32)
    np.testing.assert_allclose(compile_graph(graph)(x=x)["y"], evaluate(graph, x=x)["y"], **CLOSE)


@pytest.mark.parametrize(
    "shape, attributes",
    [
        ((6, 1, 3, 2), dict(group=3)),  # a depthwise multiplier of 2
        ((3, 1, 3, 2), dict(group=3, dilations=[2, 3], pads=[2, 1, 2, 1])),
        ((5, 3, 2, 3), dict(dilations=[1, 2], strides=[2, 1], pads=[1, 0, 1, 0])),
        ((6, 3, 2, 2), dict(dilations=[2, 2], strides=[2, 2])),
    ],
)
def test_groups_and_dilation_are_read_judged_and_compiled(shape, attributes, tmp_path):
    rng = np.random.default_rng(0)
    w, bias = rng.standard_normal(shape, np.float32), rng.standard_normal(shape[:1], np.float32)
    path = model(
        tmp_path,
        node("Conv", ["x", "w", "b"], ["y"], **attributes),
        shape=(2, 3, 9, 7),
        arrays={"w": w, "b": bias},
    )
    graph = read_onnx(path)
    x = rng.standard_normal((2, 3, 9, 7), np.float32)
    given = attributes.get
    stride, padding = given("strides", 1), given("pads", (0, 0))[:2]
    sides = 2, 9, 7, 3, *w.shape[2:], len(w)
    problem = ConvProblem(*sides, stride, padding, given("dilations", 1), given("group", 1))
    arrays = (np.ascontiguousarray(a) for a in (x.transpose(0, 2, 3, 1), w.transpose(2, 3, 1, 0)))
    expected = (conv2d_float64(*arrays, problem) + bias).transpose(0, 3, 1, 2)
    np.testing.assert_allclose(evaluate(graph, x=x)["y"], expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(compile_graph(graph)(x=x)["y"], expected, **CLOSE)
    write_onnx(graph, path)
    assert read_onnx(path, 2).nodes == graph.nodes


@pytest.mark.parametrize("name", NETWORKS)
def test_damaged_files_are_read_or_refused_in_words(name, tmp_path):
    """One bit turned over, in the structure rather than in the weights: 0.4 s for 40 files each."""
    pytest.importorskip("onnx")
    data, random = (MODELS / f"{name}.onnx").read_bytes(), np.random.default_rng(3)
    places = [at for at in range(len(data)) if data[max(0, at - 40) : at + 40].isascii()]
    refused = 0
    for _ in range(40):
        damaged = bytearray(data)
        at = random.choice(places) if random.random() < 0.8 else random.integers(len(data))
        damaged[at] ^= 1 << random.integers(8)
        (tmp_path / "damaged.onnx").write_bytes(damaged)
        try:
            read_onnx(tmp_path / "damaged.onnx")
        except GraphError:
            refused += 1
    assert refused


def test_a_list_is_not_an_array():
    graph = NETWORKS["skip"](1)
    ((name, tensor),) = graph.inputs.items()
    with pytest.raises(TypeError, match=f"input '{name}' is a list; .* takes float32"):
        compile_graph(graph)(**{name: np.zeros(tensor.shape, tensor.dtype).tolist()})


def refused(path) -> str:
    with pytest.raises(ValueError) as error:
        read_onnx(path)
    return str(error.value)


def test_one_name_is_given_once(tmp_path):
    onnx = pytest.importorskip("onnx")
    w = onnx.numpy_helper.from_array(np.ones((2, 3, 1, 1), np.float32))
    made = [node("Constant", [], ["w"], value=w), node("Conv", ["x", "w"], ["y"])]
    shape, arrays = (1, 3, 2, 2), {"w": np.ones((2, 3, 1, 1), np.float32)}
    assert read_onnx(model(tmp_path, *made, shape=shape)).constants["w"].shape == (2, 3, 1, 1)
    assert "'w' is made twice" in refused(model(tmp_path, *made, shape=shape, arrays=arrays))
    assert "'w' is made twice" in refused(model(tmp_path, made[0], *made, shape=shape))
    twice = "'w' is the name of 2 constants or inputs"
    path = model(tmp_path, made[1], shape=shape, arrays=arrays)
    for field, name in (("initializer", "w"), ("input", "x")):
        whole = onnx.load(path)
        getattr(whole.graph, field).append(getattr(whole.graph, field)[0])
        onnx.save(whole, tmp_path / "twice.onnx")
        assert twice.replace("w", name, 1) in refused(tmp_path / "twice.onnx")


def test_an_output_named_twice_is_one(tmp_path):
    onnx = pytest.importorskip("onnx")
    whole = onnx.load(model(tmp_path, node("Relu", ["x"], ["y"]), shape=(1, 1, 2, 2)))
    whole.graph.output.append(whole.graph.output[0])
    onnx.save(whole, tmp_path / "twice.onnx")
    program = compile_graph(read_onnx(tmp_path / "twice.onnx"))
    x = np.float32([[[[1, -2], [3, -4]]]])
    np.testing.assert_array_equal(program(x=x)["y"], np.maximum(x, 0))


def test_weights_in_a_file_that_is_missing(tmp_path):
    onnx = pytest.importorskip("onnx")
    path = model(
        tmp_path, node("Conv", ["x", "w"], ["y"]), shape=(1, 3, 2, 2),
        arrays={"w": np.ones((2, 3, 1, 1), np.float32)},
    )  # fmt: skip
    onnx.save(onnx.load(path), path, save_as_external_data=True, location="w.bin", size_threshold=0)
    assert read_onnx(path).constants["w"].sum() == 6
    (tmp_path / "w.bin").unlink()
    assert "keeps weights in files beside it, which cannot be read" in refused(path)
    with pytest.raises(IsADirectoryError):
        read_onnx(tmp_path)


def test_a_constant_that_comes_after_its_reader(tmp_path):
    onnx = pytest.importorskip("onnx")
    w = onnx.numpy_helper.from_array(np.float32([[1, 2], [3, 4], [5, 6]]))
    late = node("Gemm", ["x", "w"], ["y"], transB=1), node("Constant", [], ["w"], value=w)
    graph = read_onnx(model(tmp_path, *late, shape=(1, 2)))
    np.testing.assert_allclose(evaluate(graph, x=np.float32([[1, 1]]))["y"], [[3, 7, 11]])


def test_a_variance_below_minus_epsilon(tmp_path):
    arrays = {name: np.ones(3, np.float32) for name in "gbm"} | {"v": np.float32([1, -2e-5, 1])}
    norm = node("BatchNormalization", ["x", "g", "b", "m", "v"], ["y"], name="norm")
    path = model(tmp_path, norm, shape=(1, 3, 2, 2), arrays=arrays)
    assert "node norm (BatchNormalization, makes 'y'): its variance 'v' has the value -2e-05" in (
        refused(path)
    )


def test_names_are_text_and_not_empty(tmp_path):
    path = model(tmp_path, node("Relu", ["x"], ["y"]), shape=(2,), inputs={"": (2,)})
    assert "a tensor has the name ''" in refused(path)
    path = model(tmp_path, node("Relu", ["x"], ["a-name"]), node("Relu", ["a-name"], ["y"]))
    path.write_bytes(path.read_bytes().replace(b"a-name", b"a\xff\xffame"))
    assert "a tensor has the name b'a\\xff\\xffame'; it must be text" in refused(path)
    path = model(tmp_path, node("Relu", ["x"], ["y"], domain="domain"))
    path.write_bytes(path.read_bytes().replace(b"domain", b"dom\xffin"))
    assert "node 0 (Relu, makes 'y'): " in refused(path)


def test_what_is_no_tensor(tmp_path):
    onnx = pytest.importorskip("onnx")
    path = model(tmp_path, node("Identity", ["x"], ["y"]), shape=(2,))
    whole = onnx.load(path)
    whole.graph.input[0].type.sequence_type.elem_type.tensor_type.elem_type = 1
    onnx.save(whole, path)
    assert "input 'x' is of the sequence_type; it must be a tensor" in refused(path)
    path = model(tmp_path, node("Identity", ["x"], ["y"]), shape=(2,), kind=onnx.TensorProto.STRING)
    assert "input 'x' is of texts or complex numbers" in refused(path)
