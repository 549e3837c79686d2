"""Lab 15, exercise 5: the gradient with respect to a convolution's input."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from . import input_gradient_wrong as wrong


def input_gradient(dy, w, problem):
    return wrong.spread()(dy, w, problem)


PROBLEMS = [
    ConvProblem(1, 1, 5, 1, 1, 3, 1, (1, 2)),  # the toy case of the lab
    ConvProblem(1, 4, 4, 2, 3, 3, 2, padding=1),
    ConvProblem(2, 6, 5, 2, 3, 2, 2, (2, 1), (1, 0)),
    ConvProblem(1, 7, 8, 3, 3, 3, 4, (1, 3), (0, 1)),
    ConvProblem(2, 9, 6, 2, 2, 3, 3, 2, (0, 2)),
    ConvProblem(1, 6, 7, 1, 2, 2, 2, 3, 0),
]


def _cases(rng):
    def values(shape):
        return rng.integers(-4, 5, shape).astype(np.float32)

    cases = [(values(p.output_shape), values(p.kernel_shape), p) for p in PROBLEMS]
    toy = PROBLEMS[0]
    cases[0] = (
        np.array([1, 10], np.float32).reshape(toy.output_shape),
        np.array([1, 2, 3], np.float32).reshape(toy.kernel_shape),
        toy,
    )
    return cases


EXERCISE = Exercise(
    name="input_gradient",
    lab=15,
    reference=input_gradient,
    task="Compute the gradient of a loss by a convolution's input.",
    calls_allowed=("convladder.problem",),
    cases=_cases,
    misconceptions=[
        Misconception(
            "kernel not turned around",
            lambda dy, w, problem: wrong.fitted(
                wrong.full(dy, w, problem, None, lambda w: w), problem
            ),
            symptom="Your kernel lies the wrong way round.",
            concept="On the way forward, tap `a` reads the pixel `a` rows *below* the window's "
            "corner. On the way back, a pixel gets its gradient from the window whose "
            "corner lies `a` rows *above* it. Who adds to the pixels of each window does "
            "that with the kernel as it is; a convolution of `dy` wants it turned around "
            "in both directions. It is one of the two, and not both.",
            line="With `+=` into the pixels `s_h * h + a - p_h`: `w[a, b]`. As a convolution of "
            "`dy`: `w[::-1, ::-1]`.",
        ),
        Misconception(
            "turned in one direction",
            lambda dy, w, problem: wrong.fitted(
                wrong.full(dy, w, problem, None, lambda w: w[::-1]), problem
            ),
            symptom="Your kernel is turned around along one axis; the other one is not.",
            concept="Both axes are treated alike: turned around for a convolution of `dy`, left as "
            "they are where you add to the pixels of each window.",
            line="A convolution of `dy`: `w[::-1, ::-1]`. Adding, with `+=`: `w[a, b]`.",
        ),
        Misconception(
            "channels not exchanged",
            wrong.spread(lambda w, a, b: w[a, b]),
            symptom="You multiplied `dy`, which has `k_c` channels, by `w[a, b]` as the way "
            "forward does. With as many channels in as out no shape tells.",
            concept="`w[a, b, c, k]` takes channel `c` to channel `k`. The way back goes from `k` "
            "to `c`, and sums over `k`.",
            line="`dy @ w[a, b].T`.",
        ),
        Misconception(
            "written over",
            wrong.by_windows(add=False),
            symptom="Where windows overlap, your gradient is that of the last window alone.",
            concept="A pixel has a part in every window that it is in. All of them change with it, "
            "so their gradients are added.",
            line="`+=` into slices in place of `=`; with index arrays, in which a place stands "
            "several times, `np.add.at`.",
        ),
        Misconception(
            "written over, tap by tap",
            wrong.spread(add=False),
            symptom="Each pixel has the gradient that the last tap gave it.",
            concept="A pixel meets several taps, each in another window. What comes of all of "
            "them is added.",
            line="`dx[...] += dy @ w[a, b].T`.",
        ),
        Misconception(
            "an index that stands twice",
            wrong.repeated_indices,
            choices={"axis": (2,)},
            symptom="Right where no two windows overlap; where they do, pixels can lack a part of "
            "what comes back to them.",
            concept="With an index array, `+=` writes once to each place, however often its index "
            "stands there: of several shares, the last one is added alone.",
            line="`np.add.at(dx, where, shares)`; or loops over slices, in which each place "
            "stands once.",
        ),
        Misconception(
            "one stride for both",
            wrong.by_windows(step=lambda p: (p.s_h, p.s_h)),
            symptom="Right where both strides are the same; else you use `s_h` along the width as"
            " well.",
            concept="The stride is a pair: `s_h` down, `s_w` across.",
            line="Columns begin at `s_w * v`.",
        ),
        Misconception(
            "stride ignored",
            wrong.spread(step=lambda p: (1, 1)),
            symptom="Right with stride 1; with another one the windows of your outputs lie one "
            "pixel apart.",
            concept="The window of output `(h, v)` begins at row `s_h * h` of the padded image.",
            line="Add to `dx[:, s_h * h + a, s_w * v + b]` of a padded `dx`; a convolution of `dy` "
            "wants it with `s_h - 1` rows and `s_w - 1` columns of zeros between.",
        ),
        Misconception(
            "strides exchanged",
            lambda dy, w, problem, axes=[1, 0]: wrong.spread(
                step=lambda p: [p.stride[axis] for axis in axes]
            )(dy, w, problem),
            choices={"axes": ([0, 0], [1, 1])},
            symptom="Right where both strides are the same; else `s_h` and `s_w` are mixed up.",
            concept="The stride's first number is vertical, along axis 1.",
            line="`s_h` goes with `h` and `a`, `s_w` with `v` and `b`.",
        ),
        Misconception(
            "values repeated between",
            lambda dy, w, problem: wrong.fitted(
                wrong.full(dy, w, problem, None, between="repeated"), problem
            ),
            symptom="Right with stride 1; else the places that the stride skips are filled with "
            "copies of `dy`.",
            concept="There was no window at these places, so nothing comes back from there: zeros. "
            "(Repeating would be the gradient of a mean.)",
            line="`room = np.zeros(...)`, then `room[:, ::s_h, ::s_w] = dy`.",
        ),
        Misconception(
            "padding of the way forward",
            lambda dy, w, problem: wrong.fitted(
                wrong.full(dy, w, problem, problem.padding), problem
            ),
            symptom="Right with stride 1 where `2 * p` is `k - 1`: `dy` was padded as on the way "
            "forward.",
            concept="A pixel at the image's corner is in windows that begin up to `k - 1` rows "
            "before it, `p` of which are padding. So `dy` needs `k - 1 - p` zeros.",
            line="`p = k_h - 1 - p_h` for the convolution of `dy`.",
        ),
        Misconception(
            "padding not cut off",
            wrong.spread(begin=lambda p: (0, 0), shape=lambda p: (p.padded_h, p.padded_w)),
            symptom="Your gradient is as large as the padded image.",
            concept="Padding is no input: nobody asks for its gradient.",
            line="`dx[:, p_h : p_h + i_h, p_w : p_w + i_w]` of the padded one.",
        ),
        Misconception(
            "cut off at one end",
            wrong.spread(begin=lambda p: (0, 0)),
            symptom="Right without padding; with it, all lies `p_h` rows and `p_w` columns too "
            "far down and to the right.",
            concept="The first `p_h` rows of the padded gradient belong to the padding.",
            line="Of a padded gradient, `[:, p_h : p_h + i_h, p_w : p_w + i_w]`; without one, add "
            "to row `s_h * h + a - p_h`, column `s_w * v + b - p_w`, if the image has them.",
        ),
        Misconception(
            "negative places",
            wrong.negative_places,
            symptom="What belongs to the padding above and on the left is added at the image's "
            "other end.",
            concept="In NumPy, place -1 is the last one, and no error says so.",
            line="Add only where `0 <= row < i_h` and `0 <= column < i_w`; or add to a padded "
            "gradient, and cut the padding off.",
        ),
        Misconception(
            "cut to minus zero",
            lambda dy, w, problem: wrong.padded(dy, w, problem)[
                :, problem.p_h : -problem.p_h, problem.p_w : -problem.p_w
            ].copy(),
            symptom="Without padding along an axis, nothing is left of your gradient.",
            concept="`[p : -p]` with `p = 0` is `[0 : 0]`, which is empty.",
            line="`[:, p_h : p_h + i_h, p_w : p_w + i_w]`.",
        ),
        Misconception(
            "rows that no window reached left out",
            wrong.spread(
                shape=lambda p: tuple(
                    s * (o - 1) + k - 2 * pad
                    for s, o, k, pad in zip(p.stride, (p.o_h, p.o_w), p.kernel_shape, p.padding)
                )
            ),
            symptom="Where the last windows end before the padded image does, your gradient is "
            "smaller than the image.",
            concept="The last rows of the image may lie below the last window. They have no part "
            "in the loss: their gradient is there, and zero.",
            line="Begin with zeros of the padded image's shape, `(i_n, padded_h, padded_w, i_c)`; "
            "for a convolution, put more zeros behind `dy`.",
        ),
        Misconception(
            "mean of the windows",
            wrong.mean,
            symptom="Your gradient is divided by the number of windows that a pixel is in.",
            concept="A pixel in nine windows moves nine outputs: its gradient is the sum.",
            line="Add, and divide by nothing.",
        ),
        Misconception(
            "one image of the batch",
            wrong.first_image,
            symptom="Right for the first image; the others' gradient is zero.",
            concept="Each image has a gradient of its own, all by the same weights.",
            line="Keep the first axis whole: `dx[:, ...] += dy @ ...`.",
        ),
        Misconception(
            "inner pixels only",
            lambda dy, w, problem: wrong.fitted(wrong.full(dy, w, problem, (0, 0)), problem),
            symptom="You let the kernel slide over `dy` without a border.",
            concept="A pixel near the edge is in some windows, if not in all. Without zeros round "
            "`dy` you only get pixels that all `k_h * k_w` windows hold.",
            line="`k_h - 1 - p_h` rows and `k_w - 1 - p_w` columns of zeros on each side.",
        ),
        Misconception(
            "paddings exchanged",
            wrong.spread(begin=lambda p: p.padding[::-1]),
            symptom="Right where both paddings are equal; else `p_h` and `p_w` have changed "
            "places.",
            concept="The padding's first number is rows, along axis 1.",
            line="`dx[:, p_h : p_h + i_h, p_w : p_w + i_w]`.",
        ),
    ],
)
