"""Both gradients of a convolution in float64, written apart from the code that they judge."""

import numpy as np

from convladder import ConvProblem


def input_grad_float64(dy: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute float64 `dx[i_n,i_h,i_w,i_c]`: what each output spreads to the pixels it saw."""
    p = problem
    padded = np.zeros((p.i_n, p.padded_h, p.padded_w, p.i_c))
    for u, v, k in np.ndindex(p.k_h, p.k_w, p.k_c):
        group = k // p.group_k_c
        seen = padded[:, u * p.d_h :: p.s_h, v * p.d_w :: p.s_w][:, : p.o_h, : p.o_w]
        seen[..., group * p.group_i_c : (group + 1) * p.group_i_c] += np.multiply.outer(
            dy[..., k].astype(np.float64), w[u, v, :, k].astype(np.float64)
        )
    return padded[:, p.p_h : p.p_h + p.i_h, p.p_w : p.p_w + p.i_w]


def weight_grad_float64(x: np.ndarray, dy: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute float64 `dw[k_h,k_w,i_c/groups,k_c]`: each weight's pixels by what came of them."""
    p = problem
    padded = np.pad(x.astype(np.float64), ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)))
    dw = np.zeros(p.kernel_shape)
    for u, v, k in np.ndindex(p.k_h, p.k_w, p.k_c):
        group = k // p.group_k_c
        seen = padded[:, u * p.d_h :: p.s_h, v * p.d_w :: p.s_w][:, : p.o_h, : p.o_w]
        dw[u, v, :, k] = np.tensordot(
            seen[..., group * p.group_i_c : (group + 1) * p.group_i_c],
            dy[..., k].astype(np.float64),
            axes=((0, 1, 2), (0, 1, 2)),
        )
    return dw
