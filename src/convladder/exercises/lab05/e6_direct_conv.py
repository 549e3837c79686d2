"""Lab 05, exercise 6: a convolution of your own, without any workspace."""

import inspect
import time

import numpy as np

from ...core.problem import ConvProblem
from ...core.reference import random_arrays
from ..draws import layer
from ..exercise import Exercise, Misconception, edit
from ..lab03.e4_mec_conv import SPARSE, image_and_kernel

TOY = ConvProblem(1, 4, 3, 1, 2, 2, 1)
STRIDED = ConvProblem(2, 7, 9, 3, 3, 2, 5, stride=(2, 3))
PADDED = ConvProblem(2, 6, 5, 2, 3, 4, 7, stride=(3, 2), padding=(2, 3))
LARGE = ConvProblem(2, 34, 30, 16, 3, 3, 24, padding=1)
CALLS, SECONDS = 60, 1.0  # to look for a race: at most so many calls, in so many seconds


def direct_conv(x, w, problem):
    p = problem
    y = np.zeros(p.output_shape, np.float32)
    for n, h, v in np.ndindex(p.i_n, p.o_h, p.o_w):
        for a in range(p.k_h):
            for b in range(p.k_w):
                row, column = p.s_h * h + a - p.p_h, p.s_w * v + b - p.p_w
                if 0 <= row < p.i_h and 0 <= column < p.i_w:
                    y[n, h, v] += x[n, row, column] @ w[a, b]
    return y


def race(answer):
    """Return an objection to `answer` if it is compiled in parallel and not always right."""
    function = inspect.unwrap(getattr(answer, "py_func", answer))
    own = [answer, *getattr(function, "__globals__", {}).values()]
    if not any(
        getattr(each, "targetoptions", {}).get("parallel") for each in own if callable(each)
    ):
        return None
    x, w = random_arrays(LARGE)
    expected = direct_conv(x, w, LARGE)
    end, calls, wrong = time.perf_counter() + SECONDS, 0, 0
    while calls < CALLS and time.perf_counter() < end:
        calls += 1
        wrong += not np.allclose(expected, answer(x.copy(), w.copy(), LARGE), 1e-3, 1e-3)
    if not wrong:
        return None
    return (
        f"is right, but not each time: {wrong} of {calls} more calls on one layer gave another "
        "result. Iterations of `prange` run at once, and several of yours add to one place. Let "
        "each have outputs of its own."
    )


def products_of_whole_images(x, w, problem):
    p = problem
    padded = np.pad(x, ((0, 0), (p.p_h, p.p_h), (p.p_w, p.p_w), (0, 0)))
    y = np.zeros(p.output_shape, np.float32)
    for a, b in np.ndindex(p.k_h, p.k_w):
        y += padded[:, a :: p.s_h, b :: p.s_w][:, : p.o_h, : p.o_w] @ w[a, b]
    return y


def im2col_matrix(x, w, problem):
    p = problem
    padded = np.pad(x, ((0, 0), (p.p_h, p.p_h), (p.p_w, p.p_w), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (p.k_h, p.k_w), axis=(1, 2))
    columns = windows[:, :: p.s_h, :: p.s_w].transpose(0, 1, 2, 4, 5, 3)
    matrix = columns.reshape(-1, p.k_h * p.k_w * p.i_c)
    return (matrix @ w.reshape(-1, p.k_c)).reshape(p.output_shape)


PLACE = "p.s_h * h + a - p.p_h, p.s_w * v + b - p.p_w"
INSIDE = "0 <= row < p.i_h and 0 <= column < p.i_w"
PAD = "x = np.pad(x, ((0, 0), (p.p_h, p.p_h), (p.p_w, p.p_w), (0, 0)))"

EXERCISE = Exercise(
    name="direct_conv",
    lab=5,
    task="Convolve without any workspace.",
    solution=direct_conv,
    cases=lambda rng: [(TOY,), (STRIDED,), (PADDED,), (SPARSE,), (layer(rng, 12),), (LARGE,)],
    inputs=image_and_kernel,
    allowed=("convladder.core.problem",),
    budget=lambda x, w, problem: {"workspace": 0},
    usage=race,
    mend=f"`row, column = {PLACE}`, and `if {INSIDE}:` around the sum, in a compiled loop".replace(
        "p.", ""
    ),
    misconceptions=[
        Misconception(
            "a lowered matrix",
            im2col_matrix,
            "The values are right, in as many bytes as im2col's matrix.",
            "The pixels of a window are in the image already. You can multiply them in place.",
        ),
        Misconception(
            "a padded copy",
            edit(
                *("p = problem", f"p = problem\n    {PAD}"),
                *(PLACE, "p.s_h * h + a, p.s_w * v + b"),
                *(INSIDE, "True"),
            ),
            "The values are right, in as many bytes as a padded copy of the image.",
            "A position outside the image adds nothing, so you never have to store its zero.",
        ),
        Misconception(
            "a whole array on the way",
            products_of_whole_images,
            "The values are right, but an array like the result is made on the way.",
            "NumPy makes an array of each product before it adds it, and a float64 result is an "
            "array more. A loop over pixels needs only a few sums.",
        ),
        Misconception(
            "pixels from the other side",
            edit(INSIDE, "row < p.i_h and column < p.i_w"),
            "Layers without padding are right. With padding, the top and left are wrong.",
            "An index of -1 is the *last* row in Python, and in Numba as well.",
        ),
        Misconception(
            "the padding times the stride",
            edit(PLACE, "p.s_h * (h - p.p_h) + a, p.s_w * (v - p.p_w) + b"),
            "Layers without padding are right, and so are those of stride 1.",
            "The stride is a step of the window. The padding is in pixels, so subtract it after "
            "the product.",
        ),
        Misconception(
            "sums added to unwritten memory",
            edit("np.zeros", "np.empty"),
            "Your result holds NaN, which `np.empty` gives during a check.",
            "`np.empty` may hold anything, and `+=` keeps it.",
            mend="`y = np.zeros(problem.output_shape, np.float32)`",
        ),
    ],
)
