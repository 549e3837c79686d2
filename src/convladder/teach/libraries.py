"""The libraries that deep learning runs on, where they are installed, as calls to time."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from ..problem import ConvProblem

NEEDS = {"torch": ("torch",), "onnxruntime": ("onnxruntime", "onnx")}


def installed() -> list[str]:
    """Those of NEEDS of which every package is there."""
    return [name for name, packages in NEEDS.items() if all(map(find_spec, packages))]


def library_calls(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> dict[str, Callable]:
    """One convolution by each installed library, on one thread, its inputs laid out beforehand.

    torch comes in both of its layouts; onnxruntime packs its weights when it loads them.
    """
    builders = {"torch": _torch, "onnxruntime": _onnxruntime}
    calls = {}
    for name in installed():
        calls |= builders[name](x, w, problem)
    return calls


def _torch(x: np.ndarray, w: np.ndarray, p: ConvProblem) -> dict[str, Callable]:
    import torch

    torch.set_num_threads(1)
    image = torch.from_numpy(x).permute(0, 3, 1, 2)
    kernel = torch.from_numpy(w).permute(3, 2, 0, 1)
    calls = {}
    layouts = {"torch NHWC": torch.channels_last, "torch NCHW": torch.contiguous_format}
    for name, layout in layouts.items():
        both = [array.contiguous(memory_format=layout) for array in (image, kernel)]

        def call(both=both) -> torch.Tensor:
            with torch.inference_mode():
                return torch.conv2d(*both, stride=p.stride, padding=p.padding)

        calls[name] = call
    return calls


def _onnxruntime(x: np.ndarray, w: np.ndarray, p: ConvProblem) -> dict[str, Callable]:
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    image = np.ascontiguousarray(x.transpose(0, 3, 1, 2))
    kernel = np.ascontiguousarray(w.transpose(3, 2, 0, 1))
    node = helper.make_node("Conv", ["x", "w"], ["y"], strides=p.stride, pads=p.padding * 2)
    graph = helper.make_graph(
        [node], "convolution",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, image.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(kernel, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    return {"onnxruntime": lambda: session.run(None, {"x": image})[0]}
