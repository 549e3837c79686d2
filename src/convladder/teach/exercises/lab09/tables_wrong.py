"""Tables of places and a mask, right and as learners make them: lab 09, exercise 1."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem


def made(
    p,
    pad=True,
    stride=None,
    image=True,
    turned=False,
    order="hwc",
    jump=True,
    channels=True,
    padding=None,
    width=None,
):
    """Return base, step and there, or what one of the usual mistakes makes of them."""
    s_h, s_w = stride or p.stride
    p_h, p_w = (padding or p.padding) if pad else (0, 0)
    i_w = width or p.i_w
    if turned:
        n, v, h = np.unravel_index(np.arange(p.pixels), (p.i_n, p.o_w, p.o_h))
    else:
        n, h, v = np.unravel_index(np.arange(p.pixels), (p.i_n, p.o_h, p.o_w))
    if order == "hwc":
        a, b, c = np.unravel_index(np.arange(p.window), (p.k_h, p.k_w, p.i_c))
    else:
        c, a, b = np.unravel_index(np.arange(p.window), (p.i_c, p.k_h, p.k_w))
    top, left = h * s_h - p_h, v * s_w - p_w
    base = (n * image * p.i_h + top) * i_w + left
    step = (a * (i_w if jump else p.k_w) + b) * p.i_c + c
    a, b = np.unravel_index(np.arange(p.k_h * p.k_w), (p.k_h, p.k_w))
    rows, columns = top[:, None] + a, left[:, None] + b
    return base * (p.i_c if channels else 1), step, inside(p, rows, columns)


def edited(base=None, step=None, there=None, **mistakes):
    """Return a wrong answer: an option of `made`, or one of its tables changed."""

    def wrong(problem):
        tables = list(made(problem, **mistakes))
        for place, change in enumerate((base, step, there)):
            if change is not None:
                tables[place] = change(tables[place], problem)
        return tuple(tables)

    return wrong


def padding_strided(p, mask=True):
    """Take the padding off before the stride is multiplied in, in the mask too or not."""
    padding = p.p_h * p.s_h, p.p_w * p.s_w
    return (*made(p, padding=padding)[:2], made(p, padding=padding if mask else None)[2])


def sides_exchanged(p):
    """Return the tables of a window whose places are counted as `[k_w, k_h]`."""
    base, _, _ = made(p)
    n, h, v = np.unravel_index(np.arange(p.pixels), (p.i_n, p.o_h, p.o_w))
    a, b, c = np.unravel_index(np.arange(p.window), (p.k_w, p.k_h, p.i_c))
    rows = (h * p.s_h - p.p_h)[:, None] + a[:: p.i_c]
    columns = (v * p.s_w - p.p_w)[:, None] + b[:: p.i_c]
    return base, (a * p.i_w + b) * p.i_c + c, inside(p, rows, columns)


def first_masked(p):
    """Let only places in that lie neither in row nor in column 0."""
    rows, columns = (
        np.arange(outputs)[:, None] * stride - before + np.arange(taps)
        for outputs, stride, before, taps in (
            (p.o_h, p.s_h, p.p_h, p.k_h),
            (p.o_w, p.s_w, p.p_w, p.k_w),
        )
    )
    one = (rows != 0)[:, None, :, None] & (columns != 0)[None, :, None, :]
    base, step, there = made(p)
    return base, step, there & np.tile(one.reshape(p.o_h * p.o_w, -1), (p.i_n, 1))


def rows_tested(there, p):
    return np.repeat(there.reshape(-1, p.k_h, p.k_w).any(axis=2), p.k_w, axis=1)


def columns_tested(there, p):
    return np.tile(there.reshape(-1, p.k_h, p.k_w).any(axis=1), (1, p.k_h))


def down_the_columns(there, p):
    """Count the window's places down its columns, in the mask alone."""
    return there.reshape(-1, p.k_h, p.k_w).swapaxes(1, 2).reshape(there.shape)


def index_tested(there, p):
    base, step, _ = made(p)
    index = base[:, None] + step[:: p.i_c]
    return (index >= 0) & (index < p.i_n * p.i_h * p.i_w * p.i_c)


def in_padded(p):
    return (*made(_padded(p))[:2], made(p)[2])


def padded_steps(p):
    base, _, there = made(p)
    return base, made(_padded(p))[1], there


def _padded(p):
    return ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)


def padded_images(p):
    """Step from image to image as if its rows of padding lay between."""
    base, *others = made(p)
    return base + np.arange(p.pixels) // (p.o_h * p.o_w) * 2 * p.p_h * p.i_w * p.i_c, *others


def sides_of_the_image_exchanged(p):
    """Return tables that count the image's rows as `i_h` long."""
    return (*made(p, width=p.i_h)[:2], made(p)[2])


def masked_with(**mistakes):
    """Return a wrong answer: the right places, with the mask of a mistake."""
    return lambda problem: (*made(problem)[:2], made(problem, **mistakes)[2])


def padded_rows(p):
    """Return tables that count the image's rows as long as padded ones."""
    return (*made(p, width=p.padded_w)[:2], made(p)[2])


def places_of_outputs(p):
    return np.arange(p.pixels) * p.i_c, *made(p)[1:]


def rows_of_outputs_as_long_as_high(p, mask=False, rows="o_h"):
    """Take output pixels apart by `o_h` where `o_w` is a row's length, in the mask too or not."""
    m = np.arange(p.pixels)
    n, h, v = m // (p.o_h * p.o_w), m // p.o_h % getattr(p, rows), m % p.o_h
    top, left = h * p.s_h - p.p_h, v * p.s_w - p.p_w
    base, step, there = made(p)
    if mask:
        a, b = np.unravel_index(np.arange(p.k_h * p.k_w), (p.k_h, p.k_w))
        there = inside(p, top[:, None] + a, left[:, None] + b)
    return ((n * p.i_h + top) * p.i_w + left) * p.i_c, step, there


def inside(p, rows, columns):
    return (rows >= 0) & (rows < p.i_h) & (columns >= 0) & (columns < p.i_w)


def rows_and_columns(p):
    """Return the row and the column of the image for each place of the mask."""
    n, h, v = np.unravel_index(np.arange(p.pixels), (p.i_n, p.o_h, p.o_w))
    a, b = np.unravel_index(np.arange(p.k_h * p.k_w), (p.k_h, p.k_w))
    return (h * p.s_h - p.p_h)[:, None] + a, (v * p.s_w - p.p_w)[:, None] + b


def images_as_high_as_outputs(p):
    base, *others = made(p)
    n = np.arange(p.pixels) // (p.o_h * p.o_w)
    return base - n * (p.i_h - p.o_h) * p.i_w * p.i_c, *others


def down_the_images_columns(p):
    """Return places of an image whose columns lie in one piece each."""
    base, step, there = made(p)
    rows, columns = (each[:, 0] for each in rows_and_columns(p))
    n = np.arange(p.pixels) // (p.o_h * p.o_w)
    a, b, c = np.unravel_index(np.arange(p.window), (p.k_h, p.k_w, p.i_c))
    return (((n * p.i_w + columns) * p.i_h + rows) * p.i_c, (b * p.i_h + a) * p.i_c + c, there)


def strides_in_the_steps(p, mask=False):
    """Let the places of a window lie a stride apart, in the mask too or not."""
    a, b, c = np.unravel_index(np.arange(p.window), (p.k_h, p.k_w, p.i_c))
    base, _, there = made(p)
    if mask:
        rows, columns = (each[:, :1] for each in rows_and_columns(p))
        there = inside(p, rows + a[:: p.i_c] * p.s_h, columns + b[:: p.i_c] * p.s_w)
    return base, (a * p.s_h * p.i_w + b * p.s_w) * p.i_c + c, there


def rows_without_channels(step, p):
    a, b, c = np.unravel_index(np.arange(p.window), (p.k_h, p.k_w, p.i_c))
    return a * p.i_w + b * p.i_c + c


def whole_windows(there, p):
    return np.broadcast_to(there.all(axis=1)[:, None], there.shape).copy()


def behind_let_in(there, p):
    rows, columns = rows_and_columns(p)
    return (rows >= 0) & (rows < p.i_h + p.p_h) & (columns >= 0) & (columns < p.i_w + p.p_w)


def one_too_far(p, down=1, across=1):
    """Count row `i_h` or column `i_w` as inside."""
    rows, columns = rows_and_columns(p)
    return (
        *made(p)[:2],
        (rows >= 0) & (rows < p.i_h + down) & (columns >= 0) & (columns < p.i_w + across),
    )


def either(there, p):
    rows, columns = rows_and_columns(p)
    return (rows >= 0) & (rows < p.i_h) | (columns >= 0) & (columns < p.i_w)


def images_by_pixels(p):
    base, *others = made(p)
    n = np.arange(p.pixels) // (p.o_h * p.o_w)
    return base - n * p.i_h * p.i_w * (p.i_c - 1), *others


def one_padding(p, rows=True):
    return made(p, padding=(p.p_h, 0) if rows else (0, p.p_w))


def clipped_at_the_image(p):
    """Let windows that begin in the padding begin at the image's first row or column."""
    n, h, v = np.unravel_index(np.arange(p.pixels), (p.i_n, p.o_h, p.o_w))
    top, left = np.maximum(h * p.s_h - p.p_h, 0), np.maximum(v * p.s_w - p.p_w, 0)
    return ((n * p.i_h + top) * p.i_w + left) * p.i_c, *made(p)[1:]


def index_tested_by_image(there, p):
    base, step, _ = made(p)
    size = p.i_h * p.i_w * p.i_c
    first = np.arange(p.pixels) // (p.o_h * p.o_w) * size
    index = (base - first)[:, None] + step[:: p.i_c]
    return (index >= 0) & (index < size)
