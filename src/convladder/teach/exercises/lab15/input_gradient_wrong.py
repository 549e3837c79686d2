"""Gradients by the input, right and as learners make them: lab 15, exercise 5."""

from __future__ import annotations

import numpy as np


def spread(
    taps=lambda w, a, b: w[a, b].T,
    place=lambda p, a, b: (a, b),
    step=lambda p: p.stride,
    add=True,
    begin=lambda p: p.padding,
    shape=None,
):
    """Bring each output's gradient to its window's pixels, by rules that may be wrong."""

    def gradient(dy, w, problem):
        p = problem
        (s_h, s_w), (p_h, p_w) = step(p), begin(p)
        # Room for whatever a wrong rule reaches; the right one stays within the padded image.
        dx = np.zeros((p.i_n, 3 * p.padded_h, 3 * p.padded_w, p.i_c), np.float32)
        for a in range(p.k_h):
            for b in range(p.k_w):
                top, left = place(p, a, b)
                seen = dx[:, top::s_h, left::s_w][:, : p.o_h, : p.o_w]
                part = dy @ taps(w, a, b)
                seen[...] = seen + part if add else part
        height, width = shape(p) if shape else (p.i_h, p.i_w)
        return np.ascontiguousarray(dx[:, p_h : p_h + height, p_w : p_w + width])

    return gradient


def padded(dy, w, problem):
    """Return the gradient of the padded image, all of it."""
    return spread(begin=lambda p: (0, 0), shape=lambda p: (p.padded_h, p.padded_w))(dy, w, problem)


def by_windows(add=True, step=lambda p: p.stride):
    """Go through the windows in their order, each with all of its taps."""

    def gradient(dy, w, problem):
        p, (s_h, s_w) = problem, step(problem)
        dx = np.zeros((p.i_n, p.padded_h, p.padded_w, p.i_c), np.float32)
        for h in range(p.o_h):
            for v in range(p.o_w):
                window = dx[:, s_h * h : s_h * h + p.k_h, s_w * v : s_w * v + p.k_w]
                part = (dy[:, h, v] @ w.reshape(-1, p.k_c).T).reshape(-1, *w.shape[:3])
                if add:
                    window += part
                else:
                    window[...] = part
        return dx[:, p.p_h : p.p_h + p.i_h, p.p_w : p.p_w + p.i_w].copy()

    return gradient


def full(dy, w, p, padding, kernel=lambda w: w[::-1, ::-1], between=None):
    """Make one convolution of stride 1 of `dy`, spread out by the stride, with some kernel.

    Without `padding` as much as a full correlation needs, for the whole image.
    """
    s_h, s_w = p.stride
    out = np.zeros((p.i_n, s_h * (p.o_h - 1) + 1, s_w * (p.o_w - 1) + 1, p.k_c), np.float32)
    if between == "repeated":
        out[...] = dy.repeat(s_h, axis=1).repeat(s_w, axis=2)[:, : out.shape[1], : out.shape[2]]
    else:
        out[:, ::s_h, ::s_w] = dy
    top, left = padding or (p.k_h - 1 - p.p_h, p.k_w - 1 - p.p_w)
    below, right = (
        (top, left) if padding else (p.i_h + p.p_h - out.shape[1], p.i_w + p.p_w - out.shape[2])
    )
    out, w = np.pad(out, ((0, 0), (top, below), (left, right), (0, 0))), kernel(w)
    height, width = out.shape[1] - p.k_h + 1, out.shape[2] - p.k_w + 1
    dx = np.zeros((p.i_n, height, width, p.i_c), np.float32)
    for a in range(p.k_h):
        for b in range(p.k_w):
            dx += out[:, a : a + height, b : b + width] @ w[a, b].T
    return dx


def fitted(dx, p):
    """Cut to the image, or fill up with zeros."""
    found = np.zeros(p.input_shape, np.float32)
    dx = dx[:, : p.i_h, : p.i_w]
    found[:, : dx.shape[1], : dx.shape[2]] = dx
    return found


def mean(dy, w, problem):
    p, ones = problem, np.ones_like(dy)
    windows = spread()(ones[..., :1], np.ones((*w.shape[:2], p.i_c, 1), np.float32), p)
    return spread()(dy, w, p) / np.maximum(windows, 1)


def first_image(dy, w, problem):
    dx = spread()(dy, w, problem)
    dx[1:] = 0
    return dx


def repeated_indices(dy, w, problem, axis=1):
    """Add shares to rows (1) or columns (2) by index arrays in which places stand several times."""
    p = problem
    dx = np.zeros((p.i_n, p.padded_h, p.padded_w, p.i_c), np.float32)
    shares = np.einsum("nhvk,abck->nhavbc", dy, w)
    rows = p.s_h * np.arange(p.o_h)[:, None] + np.arange(p.k_h)
    columns = p.s_w * np.arange(p.o_w)[:, None] + np.arange(p.k_w)
    if axis == 1:
        for v, b in np.ndindex(columns.shape):
            dx[:, rows, columns[v, b]] += shares[:, :, :, v, b]
    else:
        for h, a in np.ndindex(rows.shape):
            dx[:, rows[h, a], columns] += shares[:, h, a]
    return dx[:, p.p_h : p.p_h + p.i_h, p.p_w : p.p_w + p.i_w].copy()


def negative_places(dy, w, problem):
    """Add what belongs to the padding above and on the left to the image's other end."""
    p, dx = problem, np.zeros(problem.input_shape, np.float32)
    for h, v, a, b in np.ndindex(p.o_h, p.o_w, p.k_h, p.k_w):
        row, column = p.s_h * h + a - p.p_h, p.s_w * v + b - p.p_w
        if row < p.i_h and column < p.i_w:
            dx[:, row, column] += dy[:, h, v] @ w[a, b].T
    return dx
