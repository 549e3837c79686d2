"""Rounding up or down by what a layer makes of it, not by what is nearest.

A layer's output changes by `x·(wq - w)`, so the square of its error is `d' H d` with `d = wq - w`
and `H` the mean of `x·x'` over a sample. Nearest rounding makes each `d` small by itself; where
inputs go together, errors should cancel. The objective is that of AdaRound (M. Nagel et al., "Up or
down? Adaptive rounding for post-training quantization", ICML 2020), who solve it by gradient
descent on a relaxation; here weight after weight is turned over where that helps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .grids import Grid, weight_grid
from .network import Layer, Network, run

SWEEPS = 10  # over all weights; it ends sooner where nothing is turned over any more
WINDOWS = 10_000  # of a layer's inputs, by chance: `H` changes little with more


def second_moment(x: np.ndarray, layer: Layer) -> np.ndarray:
    """Return the mean of `window·window'` `[steps,steps]` over windows of `x[i_n,i_h,i_w,i_c]`."""
    k_h, k_w, i_c, _ = layer.w.shape
    windows = np.lib.stride_tricks.sliding_window_view(x, (k_h, k_w), axis=(1, 2))
    count, rows, columns = windows.shape[:3]
    chosen = np.random.default_rng(0).permutation(count * rows * columns)[:WINDOWS]
    windows = windows[np.unravel_index(chosen, (count, rows, columns))].transpose(0, 2, 3, 1)
    windows = windows.reshape(-1, k_h * k_w * i_c).astype(np.float64)
    return windows.T @ windows / len(windows)


def adaptive(w: np.ndarray, grid: Grid, moment: np.ndarray) -> np.ndarray:
    """Return `w[..., k_c]` on a symmetric grid, each weight rounded up or down, float32.

    `moment[steps,steps]` weighs the errors of a channel's weights; see `second_moment`.
    """
    flat = w.reshape(-1, w.shape[-1]).astype(np.float64)
    scale = np.broadcast_to(grid.scale.astype(np.float64), flat.shape[1:])
    below = np.clip(np.floor(flat / scale), grid.low, grid.high)
    above = np.clip(below + 1, grid.low, grid.high)
    q = np.clip(np.rint(flat / scale), grid.low, grid.high)
    error = q * scale - flat
    slope = moment @ error  # half of the objective's gradient, kept as weights turn over
    for _ in range(SWEEPS):
        turned = 0
        for step in range(len(flat)):
            change = np.where(q[step] == below[step], above[step], below[step]) - q[step]
            change = change * scale
            gain = 2 * change * slope[step] + change**2 * moment[step, step]
            # What rounding may have made is no gain, in whichever unit.
            change = np.where(gain < -1e-7 * change**2 * moment[step, step], change, 0)
            q[step] += np.rint(change / scale)
            slope += np.outer(moment[:, step], change)
            turned += np.count_nonzero(change)
        if not turned:
            break
    return (q * scale).astype(np.float32).reshape(w.shape)


def weight_only(
    layers: Network,
    bits: int,
    x: np.ndarray | None = None,
    watch: Callable[[str], None] = lambda name: None,
) -> tuple[Layer, ...]:
    """Return layers whose weights are on grids of `bits`, a scale a channel; inputs stay float32.

    Rounded to nearest; with a sample `x[count,28,28,1]`, as `adaptive` does. `watch` hears of each
    layer. Raises `ValueError` for bits that a grid has not.
    """
    inputs: dict[str, np.ndarray] = {}
    if x is not None:
        run(layers, x, lambda name, given: inputs.setdefault(name, given))
    result = []
    for layer in layers:
        watch(layer.name)
        grid = weight_grid(layer.w, bits)
        w = (
            grid.round_trip(layer.w)
            if x is None
            else adaptive(layer.w, grid, second_moment(inputs[layer.name], layer))
        )
        result.append(replace(layer, w=w))
    return tuple(result)


def weight_bytes(layers: Network, bits: int) -> int:
    """Return the bytes of weights packed to `bits`, with a scale and a bias of 4 a channel."""
    return sum(-(-layer.w.size * bits // 8) + 8 * layer.w.shape[3] for layer in layers)
