"""A chain of convolutions, its gradients by hand: what training holds that inference does not."""

from __future__ import annotations

from math import prod

import numpy as np

from .lifetimes import lower_bound
from .recompute import blocks_of, execute, training_steps
from .stack import Conv


class Chain:
    """`layers` convolutions of 3×3 with ReLU, all `channels` to `channels`, sizes kept.

    The loss is half the sum of the squares of the last map: its gradient is that map.
    """

    def __init__(self, layers: int, channels: int, seed: int = 0):
        rng = np.random.default_rng(seed)
        spread = np.float32((2 / (9 * channels)) ** 0.5)  # He et al. 2015: maps keep their size
        shape = (3, 3, channels, channels)
        self.weights = [rng.standard_normal(shape, np.float32) * spread for _ in range(layers)]
        self._forward = [Conv(w, padding=(1, 1)) for w in self.weights]
        # The gradient with respect to the input is a convolution by the kernel turned around.
        self._backward = [
            Conv(np.ascontiguousarray(w[::-1, ::-1].swapaxes(2, 3)), padding=(1, 1), relu=False)
            for w in self.weights
        ]

    def gradients(self, x: np.ndarray, every: int | None = None) -> np.ndarray:
        """Return the gradients of the loss by each weight, `[layers,3,3,c,c]`, for `x[1,h,w,c]`.

        `every` as in `training_steps`. Holds at most `peak_bytes` besides the result.
        """
        steps = training_steps(len(self.weights), every)
        found = np.empty((len(self.weights), *self.weights[0].shape), np.float32)

        def compute(made: str, read: list[np.ndarray]) -> np.ndarray:
            out, at = np.empty_like(x), int(made[1:])
            if made[0] == "x":
                self._forward[at - 1].run(read[0], (1, 1), out)
            elif made == f"g{len(self.weights)}":
                np.copyto(out, read[0])
            else:
                before, after, gradient = read
                np.multiply(gradient, np.sign(after, out=out), out=gradient)  # 0 where cut off
                weight_gradient(before, gradient, found[at])
                self._backward[at].run(gradient, (1, 1), out)
            return out

        execute(steps, compute, {"x0": x}, ())
        return found

    def peak_bytes(self, shape: tuple[int, ...], every: int | None = None) -> int:
        """Return the most bytes of maps, of `shape`, and gradients at once: by lifetimes alone."""
        steps = training_steps(len(self.weights), every)
        return lower_bound(blocks_of(steps, {name: 4 * prod(shape) for name, _ in steps}))


def weight_gradient(x: np.ndarray, gradient: np.ndarray, out: np.ndarray) -> None:
    """Fill `out[3,3,i_c,k_c]`: the sum over all pixels of input times gradient, for each weight."""
    _, h, w, _ = x.shape
    out[:] = 0
    for a, b in np.ndindex(3, 3):
        top, left = a - 1, b - 1  # of the window, as seen from its output
        columns = slice(max(0, left), w + min(0, left)), slice(max(0, -left), w + min(0, -left))
        for row in range(max(0, -top), h + min(0, -top)):
            out[a, b] += x[0, row + top, columns[0]].T @ gradient[0, row, columns[1]]
