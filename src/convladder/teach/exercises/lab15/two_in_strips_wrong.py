"""Two convolutions in strips, right and as learners make them: lab 15, exercise 4."""

from __future__ import annotations

import numpy as np

from ....convolve import conv2d


def cut(x, top, bottom, p_w):
    """Return rows `top` to `bottom` of a map, zeros where none are, with `p_w` columns of zeros."""
    inside = x[:, max(top, 0) : min(bottom, x.shape[1])]
    above, below = max(-top, 0), max(bottom - x.shape[1], 0)
    return np.pad(inside, ((0, 0), (above, below), (p_w, p_w), (0, 0)))


def needs(p, begin, end):
    return p.s_h * begin - p.p_h, p.s_h * (end - 1) - p.p_h + p.k_h


def padding_in_steps(both=True):
    """Multiply the padding by the stride: for the first row of a strip, or for both its ends."""

    def wanted(p2, begin, end):
        top, bottom = needs(p2, begin, end)
        more = p2.s_h * p2.p_h - p2.p_h
        return top - more, bottom - more * both

    return in_strips(wanted)


def half_a_window(p, begin, end):
    top = p.s_h * begin - p.k_h // 2
    return top, top + p.s_h * (end - begin - 1) + p.k_h


def of_half_windows(second):
    """Take half a window for the padding of the first layer, and of the `second` too."""

    def middle(x, w1, p1, p2, top, bottom, begin, end):
        a, b = max(top, 0), min(bottom, p1.o_h)
        made = conv(cut(x, *half_a_window(p1, a, b), p1.p_w), w1, p1)
        return cut(made, top - a, bottom - a, p2.p_w)

    return in_strips(half_a_window if second else needs, middle)


def conv(x, w, p):
    """Convolve on one thread: symptoms run hundreds of strips, too small to wake others for."""
    import numba

    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return conv2d(x, w, stride=p.stride, method="microkernel")
    finally:
        numba.set_num_threads(before)


def in_strips(
    first=lambda p2, begin, end: needs(p2, begin, end),
    middle=None,
    count=lambda o_h, rows: -(-o_h // rows),
):
    def run(x, w1, w2, p1, p2, rows):
        y = np.zeros(p2.output_shape, np.float32)
        for number in range(count(p2.o_h, rows)):
            begin, end = number * rows, min(number * rows + rows, p2.o_h)
            top, bottom = first(p2, begin, end)
            part = (middle or between)(x, w1, p1, p2, top, bottom, begin, end)
            y[:, begin:end] = conv(part, w2, p2)
        return y

    return run


def between(x, w1, p1, p2, top, bottom, begin, end, keep=lambda a, b: (a, b)):
    """Return rows `top` to `bottom` of the map between, in zeros: those that are there are made."""
    a, b = max(top, 0), min(bottom, p1.o_h)
    a, b = keep(a, b)
    made = conv(cut(x, *needs(p1, a, b), p1.p_w), w1, p1)
    return np.pad(made, ((0, 0), (a - top, bottom - b), (p2.p_w, p2.p_w), (0, 0)))


def columns_of(whose):
    """Put the columns of zeros of one layer (or the other's) around both maps."""

    def run(x, w1, w2, p1, p2, rows, whose=whose, collected=False):
        pixels, middle = {"first": (p1, p1), "second": (p2, p2), "each other's": (p2, p1)}[whose]
        y, found = np.zeros(p2.output_shape, np.float32), []
        for begin in range(0, p2.o_h, rows):
            end = min(begin + rows, p2.o_h)
            top, bottom = needs(p2, begin, end)
            a, b = max(top, 0), min(bottom, p1.o_h)
            made = conv(cut(x, *needs(p1, a, b), pixels.p_w), w1, p1)
            found.append(conv(cut(made, top - a, bottom - a, middle.p_w), w2, p2))
            if not collected:
                y[:, begin:end] = found.pop()
        return np.concatenate(found, axis=1) if collected else y

    return run


def rows_of(whose):
    """Tell the rows of both maps by the `p_h` of one layer."""

    def run(x, w1, w2, p1, p2, rows, whose=whose):
        p_h = (p1 if whose == "first" else p2).p_h

        def wanted(p, begin, end):
            return p.s_h * begin - p_h, p.s_h * (end - 1) - p_h + p.k_h

        def middle(x, w1, p1, p2, top, bottom, begin, end):
            a, b = max(top, 0), min(bottom, p1.o_h)
            made = conv(cut(x, *wanted(p1, a, b), p1.p_w), w1, p1)
            return cut(made, top - a, bottom - a, p2.p_w)

        return in_strips(lambda p2, begin, end: wanted(p2, begin, end), middle)(
            x, w1, w2, p1, p2, rows
        )

    return run


def all_or_none(x, w1, p1, p2, top, bottom, begin, end):
    a, b = max(top, 0), min(bottom, p1.o_h)
    made = conv(cut(x, *needs(p1, a, b), p1.p_w), w1, p1)
    above, below = p2.p_h * (top < 0), p2.p_h * (bottom > p1.o_h)
    return np.pad(made, ((0, 0), (above, below), (p2.p_w, p2.p_w), (0, 0)))


def no_halo_between(x, w1, p1, p2, top, bottom, begin, end):
    last = min(p2.s_h * (end - 1) + p2.s_h, p1.o_h)
    return between(
        x, w1, p1, p2, top, bottom, begin, end, lambda a, b: (max(a, p2.s_h * begin), min(b, last))
    )


def halo_of_one(x, w1, p1, p2, top, bottom, begin, end):
    """Take the pixels under the middle strip, zeros around them."""
    a, b = max(top, 0), min(bottom, p1.o_h)
    strip = np.zeros((1, p1.s_h * (b - a - 1) + p1.k_h, p1.padded_w, p1.i_c), np.float32)
    low, high = p1.s_h * a, min(p1.s_h * b, p1.i_h)
    strip[:, p1.p_h : p1.p_h + high - low, p1.p_w : p1.p_w + p1.i_w] = x[:, low:high][
        :, : strip.shape[1] - p1.p_h
    ]
    made = conv(strip, w1, p1)
    return np.pad(made, ((0, 0), (a - top, bottom - b), (p2.p_w, p2.p_w), (0, 0)))


def zeros_convolved(x, w1, p1, p2, top, bottom, begin, end):
    """Put zeros round the image alone: the middle map goes on where it has ended."""
    made = conv(cut(x, *needs(p1, top, bottom), p1.p_w), w1, p1)
    return np.pad(made, ((0, 0), (0, 0), (p2.p_w, p2.p_w), (0, 0)))


def height_of_the_image(x, w1, p1, p2, top, bottom, begin, end):
    return between(x, w1, p1, p2, top, bottom, begin, end, lambda a, b: (a, min(bottom, p1.i_h)))


def first_strip_again(x, w1, w2, p1, p2, rows):
    y = in_strips()(x, w1, w2, p1, p2, rows)
    for begin in range(rows, p2.o_h, rows):
        part = y[:, begin : begin + rows]
        part[...] = y[:, : part.shape[1]].copy()
    return y


def from_the_top(x, w1, w2, p1, p2, rows):
    """Write every strip into the first rows."""
    right = in_strips()(x, w1, w2, p1, p2, rows)
    y = np.full_like(right, np.nan)
    for begin in range(0, p2.o_h, rows):
        part = right[:, begin : begin + rows]
        y[:, : part.shape[1]] = part
    return y


def edge_repeated(x, w1, p1, p2, top, bottom, begin, end):
    a, b = max(top, 0), min(bottom, p1.o_h)
    made = conv(cut(x, *needs(p1, a, b), p1.p_w), w1, p1)
    made = np.pad(made, ((0, 0), (a - top, bottom - b), (0, 0), (0, 0)), mode="edge")
    return np.pad(made, ((0, 0), (0, 0), (p2.p_w, p2.p_w), (0, 0)))


def whole_between(x, w1, w2, p1, p2, rows, copied=False):
    middle = conv2d(x, w1, stride=p1.stride, padding=p1.padding, method="microkernel")
    if not copied:
        return conv2d(middle, w2, stride=p2.stride, padding=p2.padding, method="microkernel")
    middle = np.pad(middle, ((0, 0), (p2.p_h, p2.p_h), (p2.p_w, p2.p_w), (0, 0)))
    found = []
    for begin in range(0, p2.o_h, rows):
        first, last = p2.s_h * begin, p2.s_h * (min(begin + rows, p2.o_h) - 1) + p2.k_h
        found.append(conv(np.ascontiguousarray(middle[:, first:last]), w2, p2))
    return np.concatenate(found, axis=1)


def each_by_itself(x, w1, w2, p1, p2, rows, collected=False):
    step, y, found = p1.s_h * p2.s_h, np.zeros(p2.output_shape, np.float32), []
    for begin in range(0, p2.o_h, rows):
        end = min(begin + rows, p2.o_h)
        strip = x[:, step * begin : step * end]
        found.append(whole_between(strip, w1, w2, p1, p2, rows))
        if not collected:
            y[:, begin:end] = found.pop()
    return np.concatenate(found, axis=1)[:, : p2.o_h] if collected else y
