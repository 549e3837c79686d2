"""ONNX Runtime's int8 convolution and int8 LeNet-5, set up as fast as they can be.

A convolution is ONNX's `QLinearConv`: bytes in, int8 weights with a scale a channel, an int32 bias,
bytes out, as `int8.convolve` has it. ONNX has its channels outermost; the same operator of ONNX
Runtime's own, `com.microsoft`, takes them innermost, and is what its optimiser makes of the former.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...compress.quantised import QuantisedNetwork
from ...problem import ConvProblem

FLOAT, BYTE = 1, 2  # ONNX's numbers of element types
LAYOUTS = {"onnxruntime int8, NCHW": "", "onnxruntime int8, NHWC": "com.microsoft"}  # domains


@dataclass(frozen=True)
class Peer:
    """One way: `run()` computes, `result()` is what it gives, bytes `[i_n,o_h,o_w,k_c]`."""

    name: str
    run: Callable[[], object]
    result: Callable[[], np.ndarray]


def convolutions(
    x: np.ndarray, q: np.ndarray, problem: ConvProblem, *, x_zero: int, bias: np.ndarray,
    multiplier: np.ndarray, y_zero: int, threads: int,
) -> list[Peer]:  # fmt: skip
    """ONNX Runtime in both layouts, for what `int8.pack` and `int8.convolve` take."""
    return [
        _convolution(name, domain, x, q, problem, x_zero, bias, multiplier, y_zero, threads)
        for name, domain in LAYOUTS.items()
    ]


def _convolution(
    name, domain, x, q, problem, x_zero, bias, multiplier, y_zero, threads
) -> Peer:
    import onnxruntime

    p = problem
    inside = domain == ""
    shape = (p.i_n, p.k_c, p.o_h, p.o_w) if inside else p.output_shape
    image = np.ascontiguousarray(x.transpose(0, 3, 1, 2)) if inside else x
    extra = {} if inside else {"channels_last": 1}
    node, arrays = _quantised_conv(
        "x", "y", q, bias, 1.0, x_zero, multiplier, 1.0, y_zero, domain,
        strides=p.stride, pads=p.padding * 2, **extra,
    )  # fmt: skip
    session = _session([node], arrays, ("x", BYTE, image.shape), ("y", BYTE, shape), threads)
    output = onnxruntime.OrtValue.ortvalue_from_shape_and_type(shape, np.uint8)
    binding = session.io_binding()
    binding.bind_ortvalue_input("x", onnxruntime.OrtValue.ortvalue_from_numpy(image))
    binding.bind_ortvalue_output("y", output)

    def run() -> None:
        session.run_with_iobinding(binding)

    def result() -> np.ndarray:
        run()
        return output.numpy().transpose(0, 2, 3, 1) if inside else output.numpy()

    return Peer(name, run, result)


def lenet(quantised: QuantisedNetwork, batch: int, threads: int) -> Callable:
    """`logits(images)` of bytes `[count,28,28]`, `count` a multiple of `batch`, by ONNX Runtime.

    The layers are those of `quantised`: convolutions between bytes, pools on bytes. The last one's
    sums become float32 logits, as `quantised.logits` has them.
    """
    nodes, arrays, at = [], {}, "x"
    for layer in quantised[:-1]:
        node, more = _quantised_conv(
            at, layer.name, layer.q, layer.bias, layer.x.scale, layer.x.zero,
            np.broadcast_to(layer.w.scale, layer.bias.shape), layer.y.scale, layer.y.zero, "",
        )  # fmt: skip
        nodes.append(node)
        arrays |= more
        at = layer.name
        if layer.pool:
            nodes.append(_node("MaxPool", [at], f"{at}_pool", kernel_shape=[2, 2], strides=[2, 2]))
            at = f"{at}_pool"
    last = quantised[-1]
    arrays |= {"w": last.q.transpose(3, 2, 0, 1), "bias": last.bias[:, np.newaxis, np.newaxis],
               "zero": last.x.zero.astype(np.uint8), "scale": last.multiplier}
    nodes += [
        _node("ConvInteger", [at, "w", "zero"], "products"),
        _node("Add", ["products", "bias"], "sums"),
        _node("Cast", ["sums"], "floats", to=FLOAT),
        _node("Flatten", ["floats"], "steps"),
        _node("Mul", ["steps", "scale"], "logits"),
    ]
    session = _session(nodes, arrays, ("x", BYTE, (batch, 1, 28, 28)),
                       ("logits", FLOAT, (batch, 10)), threads)

    def logits(images: np.ndarray) -> np.ndarray:
        parts = images[:, np.newaxis].reshape(-1, batch, 1, 28, 28)
        return np.concatenate([session.run(None, {"x": part})[0] for part in parts])

    return logits


def _quantised_conv(
    x, y, q, bias, x_scale, x_zero, w_scale, y_scale, y_zero, domain, **attributes
) -> tuple:
    """A node and its constants, by name."""
    constants = {
        f"{y}_xs": np.float32(x_scale), f"{y}_xz": np.uint8(x_zero),
        f"{y}_w": np.ascontiguousarray(q.transpose(3, 2, 0, 1)),
        f"{y}_ws": np.ascontiguousarray(w_scale, np.float32),
        f"{y}_wz": np.zeros(q.shape[3], np.int8),
        f"{y}_ys": np.float32(y_scale), f"{y}_yz": np.uint8(y_zero), f"{y}_b": bias,
    }  # fmt: skip
    taken = [x, *constants]
    return _node("QLinearConv", taken, y, domain=domain, **attributes), constants


def _node(operator: str, taken: list[str], given: str, **attributes):
    from onnx import helper

    return helper.make_node(operator, taken, [given], **attributes)


def _session(nodes, arrays, given, wanted, threads):
    import onnxruntime
    from onnx import helper, numpy_helper

    graph = helper.make_graph(
        nodes, "int8",
        [helper.make_tensor_value_info(*given)],
        [helper.make_tensor_value_info(*wanted)],
        [numpy_helper.from_array(np.ascontiguousarray(a), name) for name, a in arrays.items()],
    )  # fmt: skip
    # Versions that any onnxruntime of these years reads, whichever onnx wrote them.
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
