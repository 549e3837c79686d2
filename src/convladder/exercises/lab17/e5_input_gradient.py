"""Lab 17, exercise 5: the gradient of a convolution's input."""

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit

PROBLEMS = [
    ConvProblem(1, 1, 5, 1, 1, 3, 1, (1, 2)),  # the toy case of the lab
    ConvProblem(1, 4, 4, 2, 3, 3, 2, padding=1),
    ConvProblem(2, 6, 5, 2, 3, 2, 2, (2, 1), (1, 0)),
    ConvProblem(1, 7, 8, 3, 3, 3, 4, (1, 3), (0, 1)),
    ConvProblem(2, 9, 6, 2, 2, 3, 3, 2, (0, 2)),
    ConvProblem(1, 6, 7, 1, 2, 2, 2, 3, 0),
]


def input_gradient(dy, w, problem):
    p = problem
    dx = np.zeros((p.i_n, p.padded_h, p.padded_w, p.i_c), np.float32)
    for a in range(p.k_h):
        for b in range(p.k_w):
            rows, cols = slice(a, a + p.s_h * p.o_h, p.s_h), slice(b, b + p.s_w * p.o_w, p.s_w)
            dx[:, rows, cols] += dy @ w[a, b].T  # from k_c channels to i_c
    return dx[:, p.p_h : p.p_h + p.i_h, p.p_w : p.p_w + p.i_w].copy()


TAP = "dy @ w[a, b].T"
CUT = "dx[:, p.p_h : p.p_h + p.i_h, p.p_w : p.p_w + p.i_w].copy()"

EXERCISE = Exercise(
    name="input_gradient",
    lab=17,
    task="Compute the gradient of a loss by a convolution's input.",
    solution=input_gradient,
    allowed=("convladder.core.problem",),
    cases=lambda rng: [*((p,) for p in PROBLEMS), (layer(rng, 12),)],
    inputs=lambda fill, problem: (
        fill(*problem.output_shape),
        -fill(*problem.kernel_shape)[::-1].copy(),
        problem,
    ),
    mend="`dx[:, a : a + s_h * o_h : s_h, b : b + s_w * o_w : s_w] += dy @ w[a, b].T` for each tap "
    "of a padded `dx`, then `dx[:, p_h : p_h + i_h, p_w : p_w + i_w]`",
    misconceptions=[
        Misconception(
            "a rotated kernel",
            edit(TAP, "dy @ w[p.k_h - 1 - a, p.k_w - 1 - b].T"),
            "Your kernel is rotated by 180°.",
            "Adding to the pixels of each window uses the kernel as it is. Only a convolution of "
            "`dy` wants it rotated by 180°.",
        ),
        Misconception(
            "gradients overwritten",
            edit("+= dy", "= dy"),
            "Where windows overlap, only the last contribution is left.",
            "A pixel is part of several windows, and its gradient is the sum over all of them.",
        ),
        Misconception(
            "no stride",
            edit(
                "slice(a, a + p.s_h * p.o_h, p.s_h), slice(b, b + p.s_w * p.o_w, p.s_w)",
                "slice(a, a + p.o_h), slice(b, b + p.o_w)",
            ),
            "Right with a stride of 1.",
            "The window of output `(h, v)` begins at row `s_h * h`, column `s_w * v` of the padded "
            "image.",
        ),
        Misconception(
            "padding cut off at one end",
            edit(CUT, "dx[:, : p.i_h, : p.i_w].copy()"),
            "Layers without padding are right. Elsewhere the gradient is shifted.",
            "The first `p_h` rows and `p_w` columns of the padded gradient belong to the padding.",
        ),
        Misconception(
            "a slice that ends at -0",
            edit(CUT, "dx[:, p.p_h : -p.p_h, p.p_w : -p.p_w].copy()"),
            "Without padding, nothing is left of your gradient.",
            "`[0 : -0]` is empty. Say where the slice ends: `p_h + i_h`.",
        ),
    ],
)
