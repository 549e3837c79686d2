"""Dilation and groups, made of convolutions that have neither.

Outputs that lie `d/gcd(s,d)` apart read one set of every d-th pixel: on that set, they are an
ordinary convolution with stride `s/gcd(s,d)`. (With stride 1, TensorFlow's space-to-batch; the idea
is that of the algorithme à trous: Holschneider et al. 1989.) Each group is one on its channels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import gcd, prod
from typing import Any

import numpy as np

from .problem import ConvProblem


@dataclass(frozen=True)
class Span:
    """Along one axis: outputs `first`, `first + step`, ..., from every `dilation`-th input from
    `begin` on (below 0: padding), `size` of them."""

    outputs: slice
    begin: int
    dilation: int
    size: int
    stride: int
    padding: int

    def copy_range(self, i: int) -> tuple[slice, slice]:
        """Return which inputs of `i` there are, and where they go among the `size`."""
        missing = max(0, -(self.begin // self.dilation))  # in the padding before the image
        count = max(0, min(self.size, -(-(i - self.begin) // self.dilation)) - missing)
        at = self.begin + self.dilation * missing
        return (
            slice(at, at + self.dilation * count, self.dilation) if count else slice(0, 0),
            slice(missing, missing + count),
        )


@dataclass(frozen=True)
class DenseConv:
    """One plain convolution: `problem`, and where its image, weights and output lie."""

    problem: ConvProblem
    rows: Span
    cols: Span
    channels: slice
    filters: slice

    def image(self, x: np.ndarray) -> np.ndarray:
        """Return its own image, a copy, of `x[i_n,i_h,i_w,i_c]`."""
        part = np.empty(self.problem.input_shape, np.float32)
        from_rows, to_rows = self.rows.copy_range(x.shape[1])
        from_cols, to_cols = self.cols.copy_range(x.shape[2])
        inside = x[:, from_rows, from_cols, self.channels]
        if inside.shape != part.shape:
            part[...] = 0
        part[:, to_rows, to_cols] = inside
        return part

    def add_image(self, part: np.ndarray, x: np.ndarray) -> None:
        """Add an array of its image's shape to the pixels and channels of `x` that it came from."""
        from_rows, to_rows = self.rows.copy_range(x.shape[1])
        from_cols, to_cols = self.cols.copy_range(x.shape[2])
        x[:, from_rows, from_cols, self.channels] += part[:, to_rows, to_cols]

    def weights(self, w: np.ndarray) -> np.ndarray:
        """Return its own weights of `w[k_h,k_w,i_c/groups,k_c]`; all of them are no copy."""
        return np.ascontiguousarray(w[..., self.filters])

    def output(self, y: np.ndarray) -> np.ndarray:
        """Return its place in `y[i_n,o_h,o_w,k_c]`, a view."""
        return y[:, self.rows.outputs, self.cols.outputs, self.filters]

    @property
    def copied_bytes(self) -> int:
        """Return the bytes of its image and its output, which lie apart from the whole ones."""
        return 4 * (prod(self.problem.input_shape) + prod(self.problem.output_shape))


def is_dense(problem: ConvProblem) -> bool:
    """Return whether a problem has neither dilation nor groups."""
    return problem.groups == 1 and problem.dilation == (1, 1)


@lru_cache(maxsize=256)
def parts(problem: ConvProblem) -> tuple[DenseConv, ...]:
    """Return the plain convolutions that make a problem up, group by group."""
    p = problem
    rows = _spans(p.o_h, p.i_h, p.k_h, p.s_h, p.d_h, p.p_h)
    cols = _spans(p.o_w, p.i_w, p.k_w, p.s_w, p.d_w, p.p_w)
    found = []
    for group, down, across in product(range(p.groups), rows, cols):
        alone = replace(
            p.one_group,
            i_h=down.size,
            i_w=across.size,
            stride=(down.stride, across.stride),
            padding=(down.padding, across.padding),
            dilation=1,
        )
        channels = slice(group * p.group_i_c, (group + 1) * p.group_i_c)
        filters = slice(group * p.group_k_c, (group + 1) * p.group_k_c)
        found.append(DenseConv(alone, down, across, channels, filters))
    return tuple(found)


def _spans(o: int, i: int, k: int, s: int, d: int, pad: int) -> list[Span]:
    """Cut an axis of `o` outputs into those that share every `d`-th input."""
    if d == 1:
        return [Span(slice(0, o), 0, 1, i, s, pad)]
    shared = gcd(s, d)
    step, stride = d // shared, s // shared
    return [
        Span(
            slice(first, o, step),
            s * first - pad,
            d,
            (-(-(o - first) // step) - 1) * stride + k,
            stride,
            0,
        )
        for first in range(min(step, o))
    ]


def prepare_parts(prepare: Callable, w: np.ndarray, problem: ConvProblem) -> Any:
    """Return `prepare(w, problem)`; for a problem in parts, one for each part."""
    if is_dense(problem):
        return prepare(w, problem)
    ready: dict[tuple, Any] = {}
    for part in parts(problem):
        key = part.filters.start, part.problem
        if key not in ready:
            ready[key] = prepare(part.weights(w), part.problem)
    return [ready[part.filters.start, part.problem] for part in parts(problem)]


def run_parts(
    run: Callable, x: np.ndarray, w: Any, problem: ConvProblem, prepared: bool
) -> np.ndarray:
    """Return `run(x, w, problem)`, part by part where `run` knows plain problems only.

    `prepared`: `w` is what `prepare_parts` made.
    """
    if is_dense(problem):
        return run(x, w, problem)
    y = np.empty(problem.output_shape, np.float32)
    for number, part in enumerate(parts(problem)):
        weights = w[number] if prepared else part.weights(w)
        part.output(y)[...] = run(part.image(x), weights, part.problem)
    return y


def parts_bytes(
    workspace_bytes: Callable[[ConvProblem], int], problem: ConvProblem, prepared: bool
) -> int:
    """Return the most bytes that `run_parts` takes besides its result, in any of its parts."""
    if is_dense(problem):
        return workspace_bytes(problem)
    kernels = 0 if prepared or problem.groups == 1 else 4 * problem.one_group.params
    return kernels + max(
        part.copied_bytes + workspace_bytes(part.problem) for part in parts(problem)
    )
