"""Weights in few bits, inputs left in float32: rounded to nearest, or by what comes out (GPTQ).

A layer's output changes by `x·(wq - w)`, so the square of its error is `d' H d` with `d = wq - w`
and `H` the mean of `x·x'` over a sample. Rounding to nearest makes each `d` small by itself. GPTQ
(E. Frantar et al., arXiv:2210.17323) rounds one input after another, and lets the weights that are
still free make up for the error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .grids import Grid, weight_grid
from .network import Layer, Network, inputs

WINDOWS = 10_000  # of a layer's inputs, by chance: `H` changes little with more
DAMPING = 0.01  # of H's mean diagonal, added to it: inputs that are always 0 make it singular


def second_moment(x: np.ndarray, layer: Layer) -> np.ndarray:
    """Return the mean of `window·window'` `[steps,steps]` over windows of `x[i_n,i_h,i_w,i_c]`."""
    k_h, k_w, i_c, _ = layer.w.shape
    windows = np.lib.stride_tricks.sliding_window_view(x, (k_h, k_w), axis=(1, 2))
    count, rows, columns = windows.shape[:3]
    chosen = np.random.default_rng(0).permutation(count * rows * columns)[:WINDOWS]
    windows = windows[np.unravel_index(chosen, (count, rows, columns))].transpose(0, 2, 3, 1)
    windows = windows.reshape(-1, k_h * k_w * i_c).astype(np.float64)
    return windows.T @ windows / len(windows)


def gptq(w: np.ndarray, grid: Grid, moment: np.ndarray) -> np.ndarray:
    """Return `w[..., k_c]` on a symmetric grid, float32; `moment[steps,steps]` is H."""
    free = w.reshape(-1, w.shape[-1]).astype(np.float64)
    steps = len(free)
    scale = np.broadcast_to(grid.scale, w.shape).reshape(free.shape)
    damped = moment + DAMPING * np.trace(moment) / steps * np.eye(steps)
    share = np.linalg.cholesky(np.linalg.inv(damped)).T  # what an error asks of later weights
    for step in range(steps):
        rounded = scale[step] * np.clip(np.rint(free[step] / scale[step]), grid.low, grid.high)
        error = (free[step] - rounded) / share[step, step]
        free[step + 1 :] -= np.outer(share[step, step + 1 :], error)
        free[step] = rounded
    return free.astype(np.float32).reshape(w.shape)


def weight_only(
    layers: Network,
    bits: int,
    x: np.ndarray | None = None,
    group: int | None = None,
    watch: Callable[[str], None] = lambda name: None,
) -> tuple[Layer, ...]:
    """Return layers whose weights are on grids of `bits`; their inputs stay float32.

    A scale serves an output channel, or `group` neighbouring inputs of it. Rounded to nearest; with
    a sample `x[count,28,28,1]`, as `gptq` does. `watch` hears of each layer. Raises `ValueError`
    for bits that a grid has not.
    """
    given = {} if x is None else inputs(layers, x)
    result = []
    for layer in layers:
        watch(layer.name)
        grid = weight_grid(layer.w, bits, group=group)
        w = (
            grid.round_trip(layer.w)
            if x is None
            else gptq(layer.w, grid, second_moment(given[layer.name], layer))
        )
        result.append(replace(layer, w=w))
    return tuple(result)


def weight_bytes(layers: Network, bits: int, group: int | None = None, scale: int = 2) -> int:
    """Return the bytes of weights packed to `bits` and of biases, 4 a channel.

    A channel's scale takes 4 bytes, that of a `group` of its inputs `scale` bytes.
    """
    total = 0
    for layer in layers:
        steps, k_c = layer.w[..., 0].size, layer.w.shape[3]
        scales = 4 if group is None else scale * -(-steps // group)
        total += -(-layer.w.size * bits // 8) + k_c * (4 + scales)
    return total
