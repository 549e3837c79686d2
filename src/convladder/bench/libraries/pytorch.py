"""PyTorch, set up as fast as it can be: what its ways through a network have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import numpy as np


def in_parts(network: Callable, x: np.ndarray, batch: int, guard: AbstractContextManager
             ) -> Callable[[], np.ndarray]:
    """Return what runs a network over `x` on the processor, `batch` at a time, under `guard`.

    PyTorch's threads are OpenMP's, which `measure.threads` holds.
    """
    import torch

    parts = torch.from_numpy(x.copy()).split(batch)  # torch warns of memory that it may not write

    def run() -> np.ndarray:
        with guard:
            return torch.cat([network(part) for part in parts]).numpy()

    return run


@contextmanager
def on_current_stream(tf32: bool = False) -> Iterator[None]:
    """Let PyTorch queue on CuPy's current stream, without gradients, its float32 proper or TF32."""
    import cupy
    import torch

    torch.backends.cudnn.allow_tf32 = tf32
    stream = torch.cuda.ExternalStream(cupy.cuda.get_current_stream().ptr)
    with torch.inference_mode(), torch.cuda.stream(stream):
        yield
