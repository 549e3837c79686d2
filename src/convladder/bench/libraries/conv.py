"""One convolution in PyTorch and ONNX Runtime, each set up as fast as it can be."""

from __future__ import annotations

import numpy as np

from ...core.problem import ConvProblem
from . import Library, missing, onnx_runtime, pytorch


def peers(x: np.ndarray, w: np.ndarray, problem: ConvProblem, threads: int) -> list[Library]:
    """Return the installed libraries, ready to compute a problem on `threads` threads."""
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


def _torch(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> list[Library]:
    """In both memory layouts: which one oneDNN does faster depends on the layer.

    PyTorch's threads are OpenMP's, which `pinning.threads` holds.
    """
    import torch

    def way(name: str, layout: torch.memory_format) -> Library:
        image, weights = (torch.from_numpy(a).to(memory_format=layout) for a in _nchw(x, w))

        @torch.inference_mode()
        def run() -> torch.Tensor:
            return pytorch.conv2d(image, weights, problem)

        return Library(name, "torch", run, lambda: run().numpy().transpose(0, 2, 3, 1))

    return [
        way("torch, NCHW", torch.contiguous_format),
        way("torch, channels_last", torch.channels_last),
    ]


def _onnxruntime(x: np.ndarray, w: np.ndarray, problem: ConvProblem, threads: int) -> Library:
    """With its weights packed once, at loading, and its output bound: nothing is allocated."""
    image, weights = _nchw(x, w)
    shape = [problem.i_n, problem.k_c, problem.o_h, problem.o_w]
    convolve = onnx_runtime.node(
        "Conv",
        ["x", "w"],
        "y",
        strides=problem.stride,
        pads=problem.padding * 2,
        dilations=problem.dilation,
        group=problem.groups,
    )
    model = onnx_runtime.model(
        [convolve],
        {"w": weights},
        ("x", onnx_runtime.FLOAT, image.shape),
        ("y", onnx_runtime.FLOAT, shape),
    )
    run, output = onnx_runtime.bound(onnx_runtime.session(model, threads), image, shape, np.float32)

    def result() -> np.ndarray:
        run()
        return output.numpy().transpose(0, 2, 3, 1)

    return Library("onnxruntime", "onnxruntime", run, result)
