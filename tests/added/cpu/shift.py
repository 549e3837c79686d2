"""A method: one product for each position of the kernel, of the image shifted by it."""

import numpy as np

from convladder.cpu.im2col import pad, padded_bytes
from convladder.core.problem import ConvProblem
from convladder.core.registry import method


@method(
    name="shift",
    chapter=1,
    rung=30,
    workspace_bytes=lambda p: padded_bytes(p) + 4 * p.pixels * p.k_c,
)
def shift(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `y[i_n,o_h,o_w,k_c]`: a sum over kernel positions, as the oracle's, in float32.

    Each position of the kernel multiplies the whole image, shifted by it, by one slice of the
    weights: no window is ever copied.
    """
    p = problem
    padded, y = pad(x, p), np.zeros(p.output_shape, np.float32)
    for u in range(p.k_h):
        for v in range(p.k_w):
            part = padded[:, u : u + p.s_h * p.o_h : p.s_h, v : v + p.s_w * p.o_w : p.s_w]
            y += part[:, : p.o_h, : p.o_w] @ w[u, v]
    return y
