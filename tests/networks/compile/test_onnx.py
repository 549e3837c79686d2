"""Files: the shipped ones, those that are no valid model, and those that use what is not there."""

import numpy as np
import pytest

from convladder.networks.compile import (
    NETWORKS,
    GraphError,
    compile_graph,
    evaluate,
    read_onnx,
)
from convladder.networks.compile.networks import MODELS

onnx = pytest.importorskip("onnx")
from_array = onnx.numpy_helper.from_array
node = onnx.helper.make_node


@pytest.mark.parametrize("name", NETWORKS)
def test_shipped_files_are_the_networks(name):
    graph, built = read_onnx(MODELS / f"{name}.onnx", batch=3), NETWORKS[name](3)
    assert graph.nodes == built.nodes and graph.inputs == built.inputs
    assert graph.outputs == built.outputs and graph.constants.keys() == built.constants.keys()
    for constant, array in graph.constants.items():
        np.testing.assert_array_equal(array, built.constants[constant])


def model(
    tmp_path, *nodes, shape=(1, 3, 6, 5), arrays=None, kind=1, inputs=None, opset=22, outputs="y"
):
    """A file of these nodes, from `x` and further float32 inputs."""
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes,
        "made",
        [info("x", kind, shape), *(info(n, 1, s) for n, s in (inputs or {}).items())],
        [onnx.helper.make_empty_tensor_value_info(name) for name in outputs],
        [from_array(a, n) for n, a in (arrays or {}).items()],
    )
    path = tmp_path / "made.onnx"
    opsets = [onnx.helper.make_opsetid("", opset)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opsets), path)
    return path


def refused(path) -> str:
    with pytest.raises(GraphError) as error:
        read_onnx(path)
    return str(error.value)


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file"):
        read_onnx(tmp_path / "none.onnx")
    with pytest.raises(IsADirectoryError):
        read_onnx(tmp_path)
    path = tmp_path / "other.onnx"
    path.write_text("not a model at all")
    assert "not an ONNX file" in refused(path)
    path.write_bytes(b"")
    assert "holds no node" in refused(path)


RELU = node("Relu", ["x"], ["y"])
INPUTS = {
    "has no shape; export the model with one": dict(shape=None),
    "leaves axis 2 open ('height')": dict(shape=(1, 3, "height", 5)),
    "is float64[1,3,6,5]; it takes float32": dict(kind=onnx.TensorProto.DOUBLE),
    "is of texts or complex numbers": dict(kind=onnx.TensorProto.STRING),
    "a tensor has the name ''": dict(inputs={"": (2,)}),
}


@pytest.mark.parametrize("says", INPUTS)
def test_inputs_that_are_not_supported(says, tmp_path):
    assert says in refused(model(tmp_path, RELU, **INPUTS[says]))


# Operator, inputs and attributes, by what is said of them; w, c and below are constants.
POOL, WEIGHTS = dict(kernel_shape=[2, 2]), ["x", "w"]
WRONG = {
    "this compiler has no operator Gelu; it has Conv, Gemm": ("Gelu", ["x"], {}),
    "domain 'com.microsoft'": ("Relu", ["x"], dict(domain="com.microsoft")),
    "dilations=[2, 2]": ("MaxPool", ["x"], dict(dilations=[2, 2], **POOL)),
    "a window of nothing but padding": ("AveragePool", ["x"], dict(pads=[2, 0, 0, 0], **POOL)),
    "auto_pad=SAME_UPPER and pads=": (
        "Conv", WEIGHTS, dict(auto_pad="SAME_UPPER", pads=[0, 1, 0, 1])),
    "Unrecognized attribute: slope": ("Relu", ["x"], dict(slope=0.1)),
    "pads=[0, 0]; it takes 4 whole numbers": ("MaxPool", ["x"], dict(pads=[0, 0], **POOL)),
    "pads=[0, 0, -1, 1]; it takes": ("MaxPool", ["x"], dict(pads=[0, 0, -1, 1], **POOL)),
    "'v' is [7]; supported are maps": ("MaxPool", ["v"], POOL),
    "its weights 'w' have the shape [2, 3": ("Conv", WEIGHTS, dict(kernel_shape=[5, 5])),
    "its weights 'x' is computed, or an input": ("Conv", ["x", "x"], {}),
    "input size 1 not in range": ("Conv", ["x"], {}),
    "axis=5; its input 'x' is [1, 3, 6, 5]": ("Flatten", ["x"], dict(axis=5)),
    "to=10; supported is 1, which is float32": ("Cast", ["x"], dict(to=10)),
    "Gather is supported of constants alone": ("Gather", WEIGHTS, {}),
    "third input 'o' does not fit into": ("Gemm", ["m", "n", "o"], {}),
    "its variance 'below' has the value -2e-05": (
        "BatchNormalization", ["x", "c", "c", "c", "below"], {}),
}  # fmt: skip


@pytest.mark.parametrize("says", WRONG)
def test_nodes_that_are_not_valid(says, tmp_path):
    op, inputs, attributes = WRONG[says]
    path = model(
        tmp_path,
        node(op, inputs, ["y"], name="act", **attributes),
        arrays={
            "w": np.zeros((2, 3, 1, 3), np.float32),
            "c": np.ones(3, np.float32),
            "below": np.float32([1, -2e-5, 1]),
        },
        inputs={"v": (7,), "m": (2, 3), "n": (3, 4), "o": (5, 2, 4)},
    )
    assert refused(path).startswith(f"node act ({op}") and says in refused(path)


def test_one_bit_turned_over_is_read_or_refused_in_words(tmp_path):
    """In the structure of a file more often than in its weights."""
    data, random = (MODELS / "skip.onnx").read_bytes(), np.random.default_rng(3)
    places = [at for at in range(len(data)) if data[max(0, at - 40) : at + 40].isascii()]
    told = 0
    for _ in range(40):
        damaged = bytearray(data)
        at = random.choice(places) if random.random() < 0.8 else random.integers(len(data))
        damaged[at] ^= 1 << random.integers(8)
        (tmp_path / "damaged.onnx").write_bytes(damaged)
        try:
            read_onnx(tmp_path / "damaged.onnx")
        except GraphError:
            told += 1
    assert told


def test_a_name_that_is_no_text(tmp_path):
    path = model(tmp_path, node("Relu", ["x"], ["a-name"]), node("Relu", ["a-name"], ["y"]))
    path.write_bytes(path.read_bytes().replace(b"a-name", b"a\xff\xffame"))
    assert "a tensor has the name b'a\\xff\\xffame'; it must be text" in refused(path)


def test_a_bias_that_is_left_out_and_the_domain_by_its_other_name(tmp_path):
    w = np.random.default_rng(0).standard_normal((2, 3, 1, 3), np.float32)
    without = node("Conv", ["x", "w", ""], ["y"], kernel_shape=[1, 3], domain="ai.onnx")
    graph = read_onnx(model(tmp_path, without, arrays={"w": w}))
    assert [(each.op, each.inputs) for each in graph.nodes] == [("Conv", ("x", "w"))]


def test_one_name_is_given_once(tmp_path):
    w = np.ones((2, 3, 1, 1), np.float32)
    made = node("Constant", [], ["w"], value=from_array(w)), node("Conv", ["x", "w"], ["y"])
    assert read_onnx(model(tmp_path, *made)).constants["w"].shape == w.shape
    assert "'w' is made twice" in refused(model(tmp_path, *made, arrays={"w": w}))
    assert "'w' is made twice" in refused(model(tmp_path, made[0], *made))
    whole = onnx.load(model(tmp_path, made[1], arrays={"w": w}))
    whole.graph.initializer.append(whole.graph.initializer[0])
    onnx.save(whole, tmp_path / "twice.onnx")
    assert "'w' is the name of 2 constants or inputs" in refused(tmp_path / "twice.onnx")


def test_an_output_named_twice_is_one(tmp_path):
    whole = onnx.load(model(tmp_path, RELU, shape=(1, 1, 2, 2)))
    whole.graph.output.append(whole.graph.output[0])
    onnx.save(whole, tmp_path / "twice.onnx")
    program = compile_graph(read_onnx(tmp_path / "twice.onnx"))
    x = np.float32([[[[1, -2], [3, -4]]]])
    np.testing.assert_array_equal(program(x=x)["y"], np.maximum(x, 0))


def test_weights_in_a_file_that_is_missing(tmp_path):
    w = np.ones((2, 3, 1, 1), np.float32)
    path = model(tmp_path, node("Conv", ["x", "w"], ["y"]), arrays={"w": w})
    onnx.save(onnx.load(path), path, save_as_external_data=True, location="w.bin", size_threshold=0)
    assert read_onnx(path).constants["w"].sum() == 6
    (tmp_path / "w.bin").unlink()
    assert "keeps weights in files beside it, which cannot be read" in refused(path)


def test_a_constant_that_comes_after_its_reader(tmp_path):
    w = from_array(np.float32([[1, 2], [3, 4], [5, 6]]))
    late = node("Gemm", ["x", "w"], ["y"], transB=1), node("Constant", [], ["w"], value=w)
    graph = read_onnx(model(tmp_path, *late, shape=(1, 2)))
    np.testing.assert_allclose(evaluate(graph, x=np.float32([[1, 1]]))["y"], [[3, 7, 11]])
