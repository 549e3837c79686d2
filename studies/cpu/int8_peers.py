"""ONNX Runtime's int8 convolution and int8 LeNet-5, set up as fast as they can be.

A convolution is ONNX's `QLinearConv`: bytes in, int8 weights with a scale a channel, an int32 bias,
bytes out, as `int8.convolve` has it. ONNX has its channels outermost; the same operator of ONNX
Runtime's own, `com.microsoft`, takes them innermost, and is what its optimiser makes of the former.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from convladder.bench.libraries import Library
from convladder.bench.libraries.onnx_runtime import (
    BYTE,
    FLOAT,
    bound,
    in_parts,
    model,
    node,
    session,
)
from convladder.core.problem import ConvProblem
from convladder.networks.compress.quantised import QuantisedNetwork

LAYOUTS = {"onnxruntime int8, NCHW": "", "onnxruntime int8, NHWC": "com.microsoft"}  # domains
PACKAGE = "onnxruntime int8"  # as records tell it from ONNX Runtime in float32


def convolutions(
    x: np.ndarray, q: np.ndarray, problem: ConvProblem, *, x_zero: int, bias: np.ndarray,
    multiplier: np.ndarray, y_zero: int, threads: int,
) -> list[Library]:  # fmt: skip
    """Return ONNX Runtime's ways in both layouts, for what `int8.pack` and `int8.convolve` take."""
    return [
        _convolution(name, domain, x, q, problem, x_zero, bias, multiplier, y_zero, threads)
        for name, domain in LAYOUTS.items()
    ]


def _convolution(name, domain, x, q, problem, x_zero, bias, multiplier, y_zero, threads) -> Library:
    p = problem
    inside = domain == ""
    shape = (p.i_n, p.k_c, p.o_h, p.o_w) if inside else p.output_shape
    image = np.ascontiguousarray(x.transpose(0, 3, 1, 2)) if inside else x
    extra = {} if inside else {"channels_last": 1}
    convolve, arrays = _quantised_conv(
        "x", "y", q, bias, 1.0, x_zero, multiplier, 1.0, y_zero, domain,
        strides=p.stride, pads=p.padding * 2, **extra,
    )  # fmt: skip
    whole = model([convolve], arrays, ("x", BYTE, image.shape), ("y", BYTE, shape))
    run, output = bound(session(whole, threads), image, shape, np.uint8)

    def result() -> np.ndarray:
        run()
        return output.numpy().transpose(0, 2, 3, 1) if inside else output.numpy()

    return Library(name, PACKAGE, run, result)


def lenet(quantised: QuantisedNetwork, batch: int, threads: int) -> Callable:
    """Return ONNX Runtime's `logits(images)`, of bytes `[count,28,28]` in batches of `batch`.

    The layers are those of `quantised`: convolutions between bytes, pools on bytes. The last one's
    sums become float32 logits, as `quantised.logits` has them.
    """
    nodes, arrays, at = [], {}, "x"
    for layer in quantised[:-1]:
        convolve, more = _quantised_conv(
            at, layer.name, layer.q, layer.bias, layer.x.scale, layer.x.zero,
            np.broadcast_to(layer.w.scale, layer.bias.shape), layer.y.scale, layer.y.zero, "",
        )  # fmt: skip
        nodes.append(convolve)
        arrays |= more
        at = layer.name
        if layer.pool:
            nodes.append(node("MaxPool", [at], f"{at}_pool", kernel_shape=[2, 2], strides=[2, 2]))
            at = f"{at}_pool"
    last = quantised[-1]
    arrays |= {
        "w": last.q.transpose(3, 2, 0, 1),
        "bias": last.bias[:, np.newaxis, np.newaxis],
        "zero": last.x.zero.astype(np.uint8),
        "scale": last.multiplier,
    }
    nodes += [
        node("ConvInteger", [at, "w", "zero"], "products"),
        node("Add", ["products", "bias"], "sums"),
        node("Cast", ["sums"], "floats", to=FLOAT),
        node("Flatten", ["floats"], "steps"),
        node("Mul", ["steps", "scale"], "logits"),
    ]
    whole = session(
        model(nodes, arrays, ("x", BYTE, (batch, 1, 28, 28)), ("logits", FLOAT, (batch, 10))),
        threads,
    )
    return lambda images: in_parts(whole, "x", images[:, np.newaxis], batch)()


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
    return node("QLinearConv", taken, y, domain=domain, **attributes), constants
