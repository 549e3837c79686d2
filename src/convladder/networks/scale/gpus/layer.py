"""One convolution of the package on torch tensors, on the device where they lie."""

from __future__ import annotations

from functools import cache

import numpy as np

from ....core.problem import ConvProblem
from ....core.registry import Method, get_method


@cache
def _prepared(method: Method, problem: ConvProblem, weights: RandomWeights, gpu: bool):
    w = weights.array(problem)
    if not gpu:
        return method.prepare(w, problem) if method.prepare else w
    from .... import cuda

    w = cuda.to_device(w)
    return method.prepare(w, problem) if method.prepare else w


class RandomWeights:
    """Random weights that every process makes alike, of a size that keeps values as they are."""

    def __init__(self, seed: int):
        self.seed = seed

    def __hash__(self) -> int:
        return self.seed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RandomWeights) and other.seed == self.seed

    def array(self, problem: ConvProblem) -> np.ndarray:
        """Draw `w[k_h,k_w,i_c,k_c]`, float32."""
        rng = np.random.default_rng(self.seed)
        scale = np.float32(problem.window**-0.5)
        return rng.standard_normal(problem.kernel_shape, dtype=np.float32) * scale


def convolve(x, problem: ConvProblem, weights: RandomWeights, method: str):
    """Compute `y[i_n,o_h,o_w,k_c]` of a torch tensor, as one."""
    import torch

    chosen = get_method(method)
    prepared = _prepared(chosen, problem, weights, x.is_cuda)
    if not x.is_cuda:
        return torch.from_numpy(chosen.run(x.numpy(), prepared, problem))
    import cupy

    return torch.from_dlpack(chosen.run(cupy.from_dlpack(x), prepared, problem))


def pixels(first: int, last: int, width: int, channels: int, device: object, dtype: object):
    """Return rows `[first, last)` of an endless image all processes know: `[1, rows, width, i_c]`.

    Values from -0.5 to 0.5 with no symmetry.
    """
    import torch

    rows = torch.arange(first, last, device=device).view(1, -1, 1, 1)
    columns = torch.arange(width, device=device).view(1, 1, -1, 1)
    maps = torch.arange(channels, device=device).view(1, 1, 1, -1)
    x = torch.empty(1, last - first, width, channels, dtype=dtype, device=device)
    for at in range(0, last - first, 64):  # whole numbers take twice the room
        block = (rows[:, at : at + 64] * 7919 + columns * 104_729 + maps * 611_953) % 2003
        x[:, at : at + 64] = block / 2003 - 0.5
    return x
