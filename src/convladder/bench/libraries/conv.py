"""The libraries to stand beside, each set up as fast as it can be: PyTorch and ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from ...problem import ConvProblem

LIBRARIES = {"torch": ("torch",), "onnxruntime": ("onnxruntime", "onnx")}  # and what each needs


@dataclass(frozen=True)
class Peer:
    """One way to let a library do it. `run()` computes; `result()` is that as NHWC float32.

    Weights and input are laid out beforehand, in the library's own order, and not timed.
    """

    name: str
    library: str
    run: Callable[[], object]
    result: Callable[[], np.ndarray]


def missing() -> list[str]:
    """Names of the libraries that are not installed."""
    return [
        library
        for library, packages in LIBRARIES.items()
        if any(find_spec(package) is None for package in packages)
    ]


def peers(x: np.ndarray, w: np.ndarray, problem: ConvProblem, threads: int) -> list[Peer]:
    """What the installed libraries make of a problem, on `threads` threads."""
    absent = missing()
    found = []
    if "torch" not in absent:
        found += _torch(x, w, problem)
    if "onnxruntime" not in absent:
        found.append(_onnxruntime(x, w, problem, threads))
    return found


def _nchw(x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.ascontiguousarray(x.transpose(0, 3, 1, 2)), np.ascontiguousarray(
        w.transpose(3, 2, 0, 1)
    )


def _torch(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> list[Peer]:
    """In both memory layouts: which one oneDNN does faster depends on the layer.

    PyTorch's threads are OpenMP's, which `pinning.threads` holds.
    """
    import torch

    def peer(name: str, layout: torch.memory_format) -> Peer:
        image, weights = (torch.from_numpy(a).to(memory_format=layout) for a in _nchw(x, w))

        @torch.inference_mode()
        def run() -> torch.Tensor:
            return torch.nn.functional.conv2d(
                image, weights, stride=problem.stride, padding=problem.padding
            )

        return Peer(name, "torch", run, lambda: run().numpy().transpose(0, 2, 3, 1))

    return [
        peer("torch, NCHW", torch.contiguous_format),
        peer("torch, channels_last", torch.channels_last),
    ]


def _onnxruntime(x: np.ndarray, w: np.ndarray, problem: ConvProblem, threads: int) -> Peer:
    """With its weights packed once, at loading, and its output bound: nothing is allocated."""
    import onnx
    import onnxruntime
    from onnx import helper

    image, weights = _nchw(x, w)
    shape = [problem.i_n, problem.k_c, problem.o_h, problem.o_w]
    convolve = helper.make_node(
        "Conv", ["x", "w"], ["y"], strides=problem.stride, pads=problem.padding * 2
    )
    floats = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [convolve],
        "convolution",
        [helper.make_tensor_value_info("x", floats, image.shape)],
        [helper.make_tensor_value_info("y", floats, shape)],
        [onnx.numpy_helper.from_array(weights, "w")],
    )
    # Versions that any onnxruntime of these years reads, whichever onnx wrote them.
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    output = onnxruntime.OrtValue.ortvalue_from_shape_and_type(shape, np.float32)
    binding = session.io_binding()
    binding.bind_ortvalue_input("x", onnxruntime.OrtValue.ortvalue_from_numpy(image))
    binding.bind_ortvalue_output("y", output)

    def run() -> None:
        session.run_with_iobinding(binding)

    def result() -> np.ndarray:
        run()
        return output.numpy().transpose(0, 2, 3, 1)

    return Peer("onnxruntime", "onnxruntime", run, result)
