"""Lab 05, exercise 6: a convolution of one's own, without any workspace."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ....cpu.im2col import pad
from ....problem import ConvProblem
from ....registry import get_method
from ...grading.exercise import Exercise, Misconception


def direct_conv(x, w, problem):
    return get_method("loops_numba").run(x, w, problem)


def _lowered(x, w, p):
    padded = pad(x, p)
    windows = sliding_window_view(padded, (p.k_h, p.k_w), axis=(1, 2))[:, :: p.s_h, :: p.s_w]
    matrix = windows.transpose(0, 1, 2, 4, 5, 3).reshape(p.pixels, p.window)
    return (matrix @ w.reshape(p.window, p.k_c)).reshape(p.output_shape)


def _padded_copy(x, w, p):
    """Convolve rightly, with a padded image and nothing more."""
    whole = ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)
    return get_method("loops_numba").run(np.ascontiguousarray(pad(x, p)), w, whole)


def _around(x, w, p):
    """Do what indices below zero do in Python: they count from the end."""
    rows = np.arange(-p.p_h, p.i_h + p.p_h)
    cols = np.arange(-p.p_w, p.i_w + p.p_w)
    image = np.where((rows < p.i_h)[:, None, None] & (cols < p.i_w)[:, None],
                     x[:, rows % p.i_h][:, :, cols % p.i_w], np.float32(0))
    whole = ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)
    return _lowered(image, w, whole)


def _with_stride(s_h: Callable, s_w: Callable) -> Callable:
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


def _in_float64(x, w, problem):
    """Collect the sums in a float64 array, and convert it at the end."""
    y = np.zeros(problem.output_shape)
    y[...] = get_method("loops_numba").run(x, w, problem)
    return y.astype(np.float32)


def _until_the_edge(x, w, problem):
    """Leave the loop over the kernel's columns at the first place outside of the image."""
    p, y = problem, np.zeros(problem.output_shape, np.float32)
    for h, v, a in np.ndindex(p.o_h, p.o_w, p.k_h):
        for b in range(p.k_w):
            row, column = p.s_h * h + a - p.p_h, p.s_w * v + b - p.p_w
            if not (0 <= row < p.i_h and 0 <= column < p.i_w):
                break
            y[:, h, v] += x[:, row, column] @ w[a, b]
    return y


def _first_image(x, w, problem):
    y = np.zeros(problem.output_shape, np.float32)
    y[0] = _lowered(x, w, problem)[0]
    return y


def _with_image(image, kernel=lambda w: w):
    """Convolve `image(x, problem)`, which stands for the padded one."""
    def wrong(x, w, problem):
        p = problem
        whole = ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)
        return _lowered(image(x, p), np.ascontiguousarray(kernel(w)), whole)

    return wrong


def _handed_over(order):
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


def _held_at_the_edge(x, p):
    return np.pad(x, ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)), mode="edge")


def _from_the_corner(x, p):
    return np.pad(x, ((0, 0), (0, 2 * p.p_h), (0, 2 * p.p_w), (0, 0)))


def _paddings_exchanged(x, p):
    """Read rows `p_w` and columns `p_h` further up and left; what lies outside is 0."""
    rows, cols = np.arange(p.padded_h) - p.p_w, np.arange(p.padded_w) - p.p_h
    inside = ((0 <= rows) & (rows < p.i_h))[:, None, None] & ((0 <= cols) & (cols < p.i_w))[:, None]
    return np.where(inside, x[:, rows % p.i_h][:, :, cols % p.i_w], np.float32(0))


def _one_channel(x, p):
    return pad(x * (np.arange(p.i_c) == 0), p).astype(np.float32)


def _never_cleared(x, w, problem):
    return np.full(problem.output_shape, np.nan, np.float32)


def _summed_over_the_batch(x, w, problem):
    return np.cumsum(_lowered(x, w, problem), axis=0, dtype=np.float32)


LAYERS = (ConvProblem(1, 4, 3, 1, 2, 2, 1), ConvProblem(2, 7, 9, 3, 3, 2, 5, stride=(2, 3)),
          ConvProblem(2, 6, 5, 2, 3, 4, 7, stride=(1, 2), padding=(2, 1)),
          ConvProblem(1, 48, 40, 16, 3, 3, 16, padding=1))


def _layers(rng: np.random.Generator) -> list[tuple]:
    return [(rng.standard_normal(p.input_shape, dtype=np.float32),
             rng.standard_normal(p.kernel_shape, dtype=np.float32), p) for p in LAYERS]


EXERCISE = Exercise(
    name="direct_conv", lab=5, reference=direct_conv, calls_allowed=("convladder.problem",),
    task="Convolve without any workspace.", cases=_layers, workspace=lambda x, w, problem: 0,
    misconceptions=[
        Misconception(
            "lowered", lambda x, w, problem: _lowered(x, w, problem),
            symptom="The values are right, and the bytes are im2col's.",
            concept="A kernel row of a pixel lies in the image as one run. Nothing need be copied "
                    "to multiply it.",
            line="Read `x[n, row, column, c]` in the innermost loops instead of a matrix."),
        Misconception(
            "padded copy", lambda x, w, problem: _padded_copy(x, w, problem),
            symptom="The values are right, but a padded copy of the image was made.",
            concept="A zero need not be stored to be added: a position outside of the image adds "
                    "nothing.",
            line="Leave out kernel rows and columns that lie outside: `if 0 <= row < i_h`."),
        Misconception(
            "result in float64 first", _in_float64,
            symptom="The values are right. Your result exists in float64 first, and then once more "
                    "in float32.",
            concept="`np.zeros` and `np.empty` give float64 unless they are told otherwise, and "
                    "`astype` makes a copy.",
            line="`np.zeros(problem.output_shape, np.float32)`, and no `astype`."),
        Misconception(
            "loop left at the edge", _until_the_edge,
            symptom="Layers without padding are right. With it, windows that begin left of the "
                    "image are cut off there.",
            concept="`break` ends the loop. Left of the image the window's other columns are still "
                    "to come.",
            line="`continue` in place of `break`; or an `if` around the sum."),
        Misconception(
            "around the edge", lambda x, w, problem: _around(x, w, problem),
            symptom="Layers without padding are right. With padding, the top and left are wrong.",
            concept="An index of -1 is the *last* row in Python, and in Numba as well.",
            line="Test `row >= 0` and `column >= 0`, not only the far side."),
        Misconception(
            "stride ignored", _with_stride(lambda p: 1, lambda p: 1),
            symptom="Layers of stride 1 are right; others show the image's top left corner.",
            concept="Output row `h` begins at image row `s_h * h - p_h`.",
            line="Multiply `h` by `s_h` and `v` by `s_w`."),
        Misconception(
            "strides exchanged", _with_stride(lambda p: p.s_w, lambda p: p.s_h),
            symptom="Wrong only where the strides down and across differ.",
            concept="`s_h` is the step from one output *row* to the next.",
            line="`s_h * h` for rows, `s_w * v` for columns."),
        Misconception(
            "one image only", _first_image,
            symptom="The first image of a batch is right, the others are not.",
            concept="`x` and `y` have a batch axis in front.",
            line="Loop over `n` in `range(problem.i_n)`."),
        Misconception(
            "added to what was there", _never_cleared,
            symptom="All of your result is NaN: you add to memory that nobody has written.",
            concept="`np.empty` holds anything, and `+=` keeps it.",
            line="Begin with `np.zeros`, or set the sums of a pixel to 0 before its window."),
        Misconception(
            "held at the edge", _with_image(_held_at_the_edge),
            symptom="Layers without padding are right. With padding, the border sees its own "
                    "edge again.",
            concept="A position outside of the image is 0, whatever its neighbour inside is.",
            line="Skip it: no `min(max(row, 0), i_h - 1)`."),
        Misconception(
            "padding not taken off", _with_image(_from_the_corner),
            symptom="Layers without padding are right; in others all is shifted by the padding.",
            concept="Output row `h` begins at image row `s_h * h - p_h`, which may be negative.",
            line="Subtract `p_h` from rows and `p_w` from columns."),
        Misconception(
            "paddings exchanged", _with_image(_paddings_exchanged),
            symptom="Right where both paddings are equal.",
            concept="`p_h` is rows of zeros, above and below.",
            line="`s_h * h + a - p_h` for rows, `s_w * v + b - p_w` for columns."),
        Misconception(
            "numbers handed over in another order",
            lambda x, w, problem, order=(0, 2, 1, 3): _handed_over(order)(x, w, problem),
            symptom="Strides stand where your function takes paddings, or paddings where it takes "
                    "strides.",
            concept="A compiled function knows its arguments by their order alone.",
            line="Compare the order of `s_h, s_w, p_h, p_w` in the call with that in the `def`.",
            choices={"order": ((2, 3, 0, 1), (2, 0, 3, 1), (1, 0, 3, 2))}),
        Misconception(
            "flipped kernel", _with_image(pad, lambda w: w[::-1, ::-1]),
            symptom="Your kernel was turned round.",
            concept="The first weight meets the window's first pixel.",
            line="`w[a, b]` with the same `a`, `b` that you add to the position."),
        Misconception(
            "kernel on its side",
            _with_image(pad, lambda w: w.reshape(
                w.shape[1], w.shape[0], *w.shape[2:]).swapaxes(0, 1)),
            symptom="Right where the kernel is one pixel wide or high.",
            concept="`w[k_h, k_w, i_c, k_c]`: the row comes first.",
            line="`w[a, b, c, k]`, `a` for rows."),
        Misconception(
            "first channel only", _with_image(_one_channel),
            symptom="Right for one channel.",
            concept="An output value is a sum over all channels of the window.",
            line="A loop over `c`, inside of those over `a` and `b`."),
        Misconception(
            "sums carried on", _summed_over_the_batch,
            symptom="The first image is right; each later one has those before it in its sums.",
            concept="A sum begins anew for each output pixel.",
            line="Set `sums[:] = 0` inside the loops over n, h and v."),
    ],
)
