"""Lab 03, exercise 2: lowering along the width."""

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit

PROBLEMS = [
    ConvProblem(1, 4, 3, 1, 2, 2, 1),
    ConvProblem(2, 8, 9, 3, 3, 2, 4, stride=(2, 3)),
    ConvProblem(2, 6, 5, 2, 3, 4, 2, stride=(1, 2), padding=(2, 1)),
    ConvProblem(1, 6, 5, 1, 2, 3, 1, padding=(0, 2)),
    ConvProblem(1, 2, 7, 2, 1, 2, 3, stride=(2, 3)),  # skips pixels, and has one output row
]
PHOTO = ConvProblem(2, 224, 112, 3, 7, 7, 16, padding=1)  # whose memory is measured


def mec_lower(x, problem):
    p = problem
    padded = np.pad(x, ((0, 0), (p.p_h, p.p_h), (p.p_w, p.p_w), (0, 0)))
    L = np.empty((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.float32)
    for w in range(p.o_w):
        L[:, w] = padded[:, :, p.s_w * w : p.s_w * w + p.k_w]
    return L


def budget(x, p):
    """One padded copy of the image, and 1 KiB of Python objects for each strip."""
    return {"workspace": 4 * p.i_n * p.padded_h * p.padded_w * p.i_c + 1024 * p.o_w}


BOTH = "(p.p_h, p.p_h), (p.p_w, p.p_w)"
COLUMNS = "p.s_w * w : p.s_w * w + p.k_w"

EXERCISE = Exercise(
    name="mec_lower",
    lab=3,
    solution=mec_lower,
    budget=budget,
    contiguous=True,
    task="Lower a batch of images along the width: L[i_n, o_w, padded_h, k_w, i_c].",
    cases=lambda rng: [*((p,) for p in PROBLEMS), (layer(rng, 12),), (PHOTO,)],
    allowed=("convladder.core.problem",),
    inputs=lambda fill, problem: (fill(*problem.input_shape), problem),
    mend="`L[:, w] = padded[:, :, s_w * w : s_w * w + k_w]`, in one float32 `L` made beforehand",
    misconceptions=[
        Misconception(
            "a wrong step between strips",
            [edit(COLUMNS, "w : w + p.k_w"), edit(COLUMNS, "p.s_h * w : p.s_h * w + p.k_w")],
            "Your first strip is right; others begin in the wrong columns.",
            "Output column `w` looks at image columns from `s_w * w` on.",
        ),
        Misconception(
            "axes of L exchanged",
            [edit("return L", f"return L.swapaxes({axes}).copy()") for axes in ("1, 2", "3, 4")],
            "Your `L` has the right values, with two of its axes exchanged.",
            "A row of `L` is a whole strip, so `o_w` comes before the height, and the channel is "
            "last. Then a partition is one slice, in the order of the weights.",
        ),
        Misconception(
            "padded rows left out",
            edit(BOTH, "(0, 0), (p.p_w, p.p_w)", "p.padded_h", "p.i_h"),
            "Your `L` is as high as the image, not as the padded image.",
            "A partition is a view and can't add zeros later, so the rows of zeros lie in `L`.",
            mend="`padded = np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`, and `L` with "
            "`padded_h` rows in each strip",
        ),
        Misconception(
            "padding on one side",
            [
                edit(BOTH, "(2 * p.p_h, 0), (2 * p.p_w, 0)"),
                edit(BOTH, "(0, 2 * p.p_h), (0, 2 * p.p_w)"),
            ],
            "With padding, the image sits in a corner of its zeros.",
            "`np.pad` takes (before, after) for each axis: half of the zeros on each side.",
            mend="`padded = np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`",
        ),
        Misconception(
            "a view of windows",
            edit(
                "return L",
                "return np.lib.stride_tricks.sliding_window_view("
                "padded, p.k_w, 2)[:, :, ::p.s_w].transpose(0, 2, 1, 4, 3)",
            ),
            "The values are right, but nothing was lowered: strips overlap in memory.",
            "BLAS takes a slice of `L` as a matrix only if a strip is one piece of memory. That "
            "needs one copy.",
        ),
        Misconception(
            "L made twice",
            edit("return L", "return np.stack([L[:, w].copy() for w in range(p.o_w)], axis=1)"),
            "The values are right, but for a moment all strips exist twice.",
            "A slice is a view and costs nothing. A list of copies, or a copy of the whole at the "
            "end, is a second `L`.",
        ),
    ],
)
