"""PyTorch, set up as fast as it can be: what its ways through a network have in common."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stderr

import numpy as np

from ...core.problem import ConvProblem


def conv2d(image, weights, problem: ConvProblem):
    """Return the convolution of tensors `[i_n,i_c,i_h,i_w]` and `[k_c,i_c/groups,k_h,k_w]`."""
    import torch

    p = problem
    return torch.nn.functional.conv2d(
        image, weights, None, p.stride, p.padding, p.dilation, p.groups
    )


def in_parts(
    network: Callable, x: np.ndarray, batch: int, guard: AbstractContextManager
) -> Callable[[], np.ndarray]:
    """Return a function that runs a network over `x` on the processor, `batch` at a time.

    PyTorch's threads are OpenMP's, which `measure.threads` holds.
    """
    import torch

    parts = torch.from_numpy(x.copy()).split(batch)  # torch warns of memory that it may not write

    def run() -> np.ndarray:
        with guard:
            return torch.cat([network(part) for part in parts]).numpy()

    return run


def graph(call: Callable, calls: int) -> Callable[[], None]:
    """Return a replay of `calls` calls as one CUDA graph, captured on PyTorch's current stream."""
    import torch

    call()
    torch.cuda.synchronize()
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured, stream=torch.cuda.current_stream()):
        for _ in range(calls):
            call()
    return captured.replay


def compiled(network: Callable, **options: object) -> Callable:
    """Return `torch.compile(network, **options)`, which searches when first called, but unheard."""
    import torch

    inner, called = torch.compile(network, **options), False

    def call(*arrays):
        nonlocal called
        if called:
            return inner(*arrays)
        with unheard():
            result = inner(*arrays)
        called = True
        return result

    return call


@contextmanager
def unheard() -> Iterator[None]:
    """Keep what PyTorch's compiler tells of its search from the page: hundreds of lines.

    It tells them by `logging`, on `sys.stderr`, and in processes of its own on descriptor 2.
    """
    disabled, kept = logging.root.manager.disable, os.dup(2)
    # Not a file that is closed at the end: a handler of logging that is made now keeps it.
    with open(os.devnull, "wb") as nowhere, redirect_stderr(io.StringIO()):
        os.dup2(nowhere.fileno(), 2)
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(disabled)
            os.dup2(kept, 2)
            os.close(kept)


@contextmanager
def on_current_stream(tf32: bool = False) -> Iterator[None]:
    """Let PyTorch queue on CuPy's current stream, without gradients, its float32 proper or TF32."""
    import cupy
    import torch

    torch.backends.cudnn.allow_tf32 = tf32
    stream = torch.cuda.ExternalStream(cupy.cuda.get_current_stream().ptr)
    with torch.inference_mode(), torch.cuda.stream(stream):
        yield
