"""Numbers as grids: a tensor's values become small integers, equally spaced.

    value ≈ scale · (q - zero),   q a whole number from `low` to `high`

`zero` is the integer that stands for 0.0 exactly, since padding and ReLU are full of zeros. A grid
that is *symmetric* has zero = 0; an *affine* one puts it wherever the range asks. Notation and
reasons: B. Jacob et al., "Quantization and training of neural networks for efficient
integer-arithmetic-only inference" (CVPR 2018).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

MOST_BITS = 8  # q fits into a byte
WIDEST = 0.99 * np.finfo(np.float32).max  # of a range, whose ends may be rounded outwards


@dataclass(frozen=True, eq=False)
class Grid:
    """`scale`, `zero`: float32 and int32, scalars or arrays that are broadcast to the values.

    `[k_c]` serves output channels, the last axis.
    """

    scale: np.ndarray
    zero: np.ndarray
    low: int
    high: int

    @property
    def dtype(self) -> np.dtype:
        """Return the dtype of q: int8 where there are negative ones, else uint8."""
        return np.dtype(np.int8 if self.low < 0 else np.uint8)

    @property
    def bits(self) -> int:
        """Return how many bits one q takes."""
        return (self.high - self.low).bit_length()

    def quantise(self, x: np.ndarray) -> np.ndarray:
        """Return the nearest q of each value, ties to even; values outside go to the grid's end."""
        q = np.rint(x / self.scale) + self.zero
        return np.clip(q, self.low, self.high).astype(self.dtype)

    def dequantise(self, q: np.ndarray) -> np.ndarray:
        """Return the float32 values that `q` stand for."""
        return ((q.astype(np.int32) - self.zero) * self.scale).astype(np.float32)

    def round_trip(self, x: np.ndarray) -> np.ndarray:
        """Return `x` as the grid has it, float32: what "fake quantisation" computes with."""
        return self.dequantise(self.quantise(x))


def grid(
    least: np.ndarray | float, most: np.ndarray | float, bits: int = 8, *, symmetric: bool = False
) -> Grid:
    """Make a grid of `2**bits` steps (one fewer if `symmetric`) for values `least` to `most`.

    The range is widened to hold 0. One that is nothing but 0 gets a scale of 1: any would do.
    Raises `ValueError` for bits outside 2 to 8, for a range that is not finite or is upside down.
    """
    if not 2 <= bits <= MOST_BITS:
        raise ValueError(f"bits={bits}: a grid here has 2 to {MOST_BITS}, q being kept in a byte")
    least, most = np.asarray(least, np.float32), np.asarray(most, np.float32)
    if not (np.isfinite(least).all() and np.isfinite(most).all()):
        raise ValueError(
            f"the range {least} to {most} is not finite: look for NaN or infinity in "
            "what it was taken from"
        )
    if (least > most).any():
        raise ValueError(f"the range {least} to {most} is upside down; least comes first")
    if (most.astype(np.float64) - least > WIDEST).any():
        raise ValueError(
            f"the range {least} to {most} is wider than float32 holds; clip the values"
        )
    least, most = np.minimum(least, 0), np.maximum(most, 0)
    if symmetric:
        high = 2 ** (bits - 1) - 1
        low, width, steps = -high, np.maximum(-least, most), high
    else:
        low, high = 0, 2**bits - 1
        width, steps = most - least, high
    scale = width / np.float32(steps)
    # Nothing but 0, or so little that the step is no float32 any more.
    scale = np.where(scale > np.finfo(np.float32).tiny, scale, 1).astype(np.float32)
    zero = np.zeros_like(scale) if symmetric else np.rint(-least / scale)
    return Grid(scale, zero.astype(np.int32), low, high)


def weight_grid(
    w: np.ndarray,
    bits: int = 8,
    *,
    per_channel: bool = True,
    symmetric: bool = True,
    group: int | None = None,
) -> Grid:
    """Make the grid of the weights `w[..., k_c]`: one for all, one for each output channel, or one
    for each `group` neighbouring inputs of a channel."""
    if group is not None:
        blocks = in_groups(w, group)
        made = grid(blocks.min(axis=1), blocks.max(axis=1), bits, symmetric=symmetric)
        scale, zero = (
            np.repeat(each, group, axis=0)[: w[..., 0].size].reshape(w.shape)
            for each in (made.scale, made.zero)
        )
        return replace(made, scale=scale, zero=zero)
    axes = tuple(range(w.ndim - 1)) if per_channel else None
    return grid(w.min(axis=axes), w.max(axis=axes), bits, symmetric=symmetric)


def in_groups(w: np.ndarray, size: int) -> np.ndarray:
    """Return `[groups,size,k_c]` of `w[..., k_c]`: neighbouring inputs of a channel, in the order
    of the memory. Zeros fill up the last group."""
    flat = w.reshape(-1, w.shape[-1])
    return np.pad(flat, ((0, -len(flat) % size), (0, 0))).reshape(-1, size, w.shape[-1])


def fake_quantise(x, scale, low: int, high: int):
    """Put a tensor on the grid of `scale`; its gradient passes as if it had only been clipped."""
    cut = x.clamp(low * scale, high * scale)
    return cut + ((cut / scale).round() * scale - cut).detach()
