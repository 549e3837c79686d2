"""cuDNN through PyTorch, in every precision and layout that this course compares with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...core.problem import ConvProblem
from . import Replayable
from .pytorch import conv2d, graph, on_current_stream


def peers(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> list[Replayable]:
    """Return cuDNN's ways, each the fastest that it finds (`cudnn.benchmark`).

    float32 in both layouts, TF32, float16.
    """
    import torch

    nchw, nhwc = torch.contiguous_format, torch.channels_last
    torch.backends.cudnn.benchmark = True
    return [
        _cudnn("cudnn float32 NCHW", x, w, problem, torch.float32, nchw, False),
        _cudnn("cudnn float32 NHWC", x, w, problem, torch.float32, nhwc, False),
        _cudnn("cudnn tf32 NHWC", x, w, problem, torch.float32, nhwc, True),
        _cudnn("cudnn float16 NHWC", x, w, problem, torch.float16, nhwc, False),
    ]


def half_peers(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> list[Replayable]:
    """Return the float16 part of `peers` alone."""
    import torch

    torch.backends.cudnn.benchmark = True
    return [_cudnn("cudnn float16 NHWC", x, w, problem, torch.float16, torch.channels_last, False)]


def both_layouts(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> list[Replayable]:
    """Return float32 and float16 in both layouts, without TF32."""
    import torch

    torch.backends.cudnn.benchmark = True
    layouts = {"NCHW": torch.contiguous_format, "NHWC": torch.channels_last}
    return [
        _cudnn(f"cudnn {precision} {name}", x, w, problem, getattr(torch, precision), layout, False)
        for precision in ("float32", "float16")
        for name, layout in layouts.items()
    ]


def _cudnn(name, x, w, problem, dtype, layout, tf32) -> Replayable:
    import torch

    image = torch.from_numpy(x.transpose(0, 3, 1, 2)).to("cuda", dtype, memory_format=layout)
    weights = torch.from_numpy(w.transpose(3, 2, 0, 1)).to("cuda", dtype, memory_format=layout)
    scope = partial(on_current_stream, tf32)

    def call():
        return conv2d(image, weights, problem)

    def result():
        import cupy

        return cupy.from_dlpack(call().permute(0, 2, 3, 1).contiguous())

    def capture(calls: int) -> Callable[[], None]:
        with scope():
            return graph(call, calls)

    def peak() -> int:
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        call()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - before

    return Replayable(name, "cudnn", call, result, capture, peak, scope)
