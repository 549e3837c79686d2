"""Direct convolutions as lab 05's learners write them wrongly: exercise 6."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ....cpu.im2col import pad
from ....problem import ConvProblem
from ....registry import get_method


def lowered(x, w, p):
    padded = pad(x, p)
    windows = sliding_window_view(padded, (p.k_h, p.k_w), axis=(1, 2))[:, :: p.s_h, :: p.s_w]
    matrix = windows.transpose(0, 1, 2, 4, 5, 3).reshape(p.pixels, p.window)
    return (matrix @ w.reshape(p.window, p.k_c)).reshape(p.output_shape)


def padded_copy(x, w, p):
    """Convolve rightly, with a padded image and nothing more."""
    whole = ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)
    return get_method("loops_numba").run(np.ascontiguousarray(pad(x, p)), w, whole)


def shifted_and_added(x, w, p):
    """Add up a product of the whole image for each place of the kernel."""
    padded, y = pad(x, p), np.zeros(p.output_shape, np.float32)
    for a, b in np.ndindex(p.k_h, p.k_w):
        y += (
            padded[
                :, a : a + p.s_h * (p.o_h - 1) + 1 : p.s_h, b : b + p.s_w * (p.o_w - 1) + 1 : p.s_w
            ]
            @ w[a, b]
        )
    return y


def around(x, w, p):
    """Do what indices below zero do in Python: they count from the end."""
    rows = np.arange(-p.p_h, p.i_h + p.p_h)
    cols = np.arange(-p.p_w, p.i_w + p.p_w)
    image = np.where(
        (rows < p.i_h)[:, None, None] & (cols < p.i_w)[:, None],
        x[:, rows % p.i_h][:, :, cols % p.i_w],
        np.float32(0),
    )
    whole = ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)
    return lowered(image, w, whole)


def with_stride(s_h: Callable, s_w: Callable) -> Callable:
    def wrong(x, w, problem):
        p = problem
        padded = np.pad(pad(x, p), ((0, 0), (0, 99), (0, 99), (0, 0)))
        y = np.empty(p.output_shape, np.float32)
        for h in range(p.o_h):
            for v in range(p.o_w):
                window = padded[:, s_h(p) * h :, s_w(p) * v :][:, : p.k_h, : p.k_w]
                y[:, h, v] = window.reshape(p.i_n, -1) @ w.reshape(p.window, p.k_c)
        return y

    return wrong


def in_float64(x, w, problem):
    """Collect the sums in a float64 array, and convert it at the end."""
    y = np.zeros(problem.output_shape)
    y[...] = get_method("loops_numba").run(x, w, problem)
    return y.astype(np.float32)


def copied(x, w, problem):
    return get_method("loops_numba").run(x, w, problem).copy()


def until_the_edge(x, w, problem, rows=False):
    """Leave the loop over the kernel's columns at the first place outside; or that over rows."""
    p, y = problem, np.zeros(problem.output_shape, np.float32)
    for h, v, a in np.ndindex(p.o_h, p.o_w, p.k_h):
        if rows and p.s_h * h < p.p_h:
            continue
        for b in range(p.k_w):
            row, column = p.s_h * h + a - p.p_h, p.s_w * v + b - p.p_w
            if not (0 <= row < p.i_h and 0 <= column < p.i_w):
                if rows is True:
                    continue
                break
            y[:, h, v] += x[:, row, column] @ w[a, b]
    return y


def first_image(x, w, problem):
    y = np.zeros(problem.output_shape, np.float32)
    y[0] = lowered(x, w, problem)[0]
    return y


def with_image(image, kernel=lambda w: w):
    """Convolve `image(x, problem)`, which stands for the padded one."""

    def wrong(x, w, problem):
        p = problem
        whole = ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)
        return lowered(image(x, p), np.ascontiguousarray(kernel(w)), whole)

    return wrong


def handed_over(order):
    """Hand (s_h, s_w, p_h, p_w) over in this order."""

    def wrong(x, w, problem):
        p = problem
        s_h, s_w, p_h, p_w = ((p.s_h, p.s_w, p.p_h, p.p_w)[at] for at in order)
        y = np.zeros(p.output_shape, np.float32)
        for h, v, a, b in np.ndindex(p.o_h, p.o_w, p.k_h, p.k_w):
            row, column = s_h * h + a - p_h, s_w * v + b - p_w
            if 0 <= row < p.i_h and 0 <= column < p.i_w:
                y[:, h, v] += x[:, row, column] @ w[a, b]
        return y

    return wrong


def held_at_the_edge(x, p):
    return np.pad(x, ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)), mode="edge")


def from_the_corner(x, p):
    return np.pad(x, ((0, 0), (0, 2 * p.p_h), (0, 2 * p.p_w), (0, 0)))


def paddings_exchanged(x, p):
    """Read rows `p_w` and columns `p_h` further up and left; what lies outside is 0."""
    rows, cols = np.arange(p.padded_h) - p.p_w, np.arange(p.padded_w) - p.p_h
    inside = ((0 <= rows) & (rows < p.i_h))[:, None, None] & ((0 <= cols) & (cols < p.i_w))[:, None]
    return np.where(inside, x[:, rows % p.i_h][:, :, cols % p.i_w], np.float32(0))


def one_channel(x, p):
    return pad(x * (np.arange(p.i_c) == 0), p).astype(np.float32)


def never_cleared(x, w, problem):
    return np.full(problem.output_shape, np.nan, np.float32)


def summed_on(x, w, problem, over="batch"):
    """Begin the sums anew for no image, pixel or column, or for each image alone."""
    y = lowered(x, w, problem)
    if over == "image":
        return np.cumsum(y.reshape(problem.i_n, -1, problem.k_c), 1, np.float32).reshape(y.shape)
    if over == "pixels":
        return np.cumsum(y.reshape(-1, problem.k_c), 0, np.float32).reshape(y.shape)
    return np.cumsum(y, axis={"batch": 0, "columns": 2}[over], dtype=np.float32)


def by_places(
    add: Callable,
    corner: Callable = lambda p, h, v, a, b: (p.s_h * h + a - p.p_h, p.s_w * v + b - p.p_w),
) -> Callable:
    """Go through each window's places inside of the image, and let `add(sums, pixel, w, a, b)`."""

    def wrong(x, w, problem):
        p, y = problem, np.zeros(problem.output_shape, np.float32)
        for h, v, a, b in np.ndindex(p.o_h, p.o_w, p.k_h, p.k_w):
            row, column = corner(p, h, v, a, b)
            if 0 <= row < p.i_h and 0 <= column < p.i_w:
                add(y[:, h, v], x[:, row, column], w, a, b)
        return y

    return wrong


def added(sums, pixel, w, a, b):
    sums += pixel @ w[a, b]


def the_last(x, w, problem, of="places"):
    """Keep what the last place of a window gives, or its last channel alone."""

    def add(sums, pixel, w, a, b):
        sums[...] = pixel @ w[a, b] if of == "places" else pixel[:, -1:] * w[a, b, -1]

    return by_places(add)(x, w, problem)


def standing(x, w, problem, down=True):
    """Leave out how far down, or how far right, a place lies in its window; None: both."""
    return by_places(
        added,
        lambda p, h, v, a, b: (
            p.s_h * h + a * (down is False) - p.p_h,
            p.s_w * v + b * (down is True) - p.p_w,
        ),
    )(x, w, problem)


def weights_exchanged(x, w, problem):
    return by_places(lambda sums, pixel, w, a, b: added(sums, pixel, w, b, a))(x, w, problem)


def padding_first(x, w, problem):
    """Take the padding off the output's position, which the stride then multiplies."""
    return by_places(
        added, lambda p, h, v, a, b: (p.s_h * (h - p.p_h) + a, p.s_w * (v - p.p_w) + b)
    )(x, w, problem)


def whole_windows(x, w, problem, left=0.0):
    """Compute only windows that lie wholly inside of the image; the others are `left`."""
    p, y = problem, lowered(x, w, problem)
    for h, v in np.ndindex(p.o_h, p.o_w):
        top, first = p.s_h * h - p.p_h, p.s_w * v - p.p_w
        if top < 0 or first < 0 or top + p.k_h > p.i_h or first + p.k_w > p.i_w:
            y[:, h, v] = left
    return y


def centred(x, w, problem, down=0):
    """Begin half a kernel before the position, rounded down or (1) up where it is even."""
    return by_places(
        added,
        lambda p, h, v, a, b: (
            p.s_h * h + a - (p.k_h - down) // 2,
            p.s_w * v + b - (p.k_w - down) // 2,
        ),
    )(x, w, problem)


def spread(x, w, problem):
    """Let the stride count within the window as well."""
    return by_places(
        added, lambda p, h, v, a, b: (p.s_h * (h + a) - p.p_h, p.s_w * (v + b) - p.p_w)
    )(x, w, problem)
