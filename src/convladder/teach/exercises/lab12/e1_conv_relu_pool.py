"""Lab 12, exercise 1: convolution, ReLU and pool in one kernel."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem
from ....reference import conv2d_float64
from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.sources import blocks, counting, edited
from .conv_sources import FOUR, MOST, ONE_BY_ONE, SOURCE
from .patches import PATCHES

THREADS = 128
K = 5
LOADS = 4 * K * K + K * K + 1  # of a thread: four windows, each weight once, a bias


def conv_relu_pool(x, w, bias):
    i_h, i_w = x.shape
    problem = ConvProblem(1, i_h, i_w, 1, K, K, w.shape[-1])
    y = conv2d_float64(x[None, :, :, None], w[:, :, None], problem)[0] + bias
    pooled = y.reshape(y.shape[0] // 2, 2, y.shape[1] // 2, 2, -1).max(axis=(1, 3))
    return np.maximum(pooled, 0).astype(np.float32)


def _outputs(x, w) -> tuple[int, int, int]:
    return (x.shape[0] - K + 1) // 2, (x.shape[1] - K + 1) // 2, w.shape[-1]


def _threads(x, w) -> int:
    return int(np.prod(_outputs(x, w)))


def _cases(rng: np.random.Generator) -> list[tuple]:
    def drawn(i_h: int, i_w: int, k_c: int) -> tuple:
        return tuple(
            rng.standard_normal(shape, dtype=np.float32)
            for shape in ((i_h, i_w), (K, K, k_c), (k_c,))
        )

    toy = counting(6, 8), np.ones((K, K, 1), np.float32), np.full(1, -500, np.float32)
    return [toy, drawn(8, 12, 3), drawn(28, 28, 6)]


EXERCISE = Exercise(
    name="conv_relu_pool",
    lab=12,
    reference=conv_relu_pool,
    task="A convolution, its ReLU and its 2 × 2 pool in one kernel that loads each weight once.",
    cases=_cases,
    kernel=KernelTask(
        name="conv_relu_pool",
        solution=SOURCE,
        arguments=lambda x, w, bias: (x, w, bias, OUT, x.shape[1], *_outputs(x, w)),
        launch=lambda x, w, bias: (blocks((_threads(x, w), THREADS)), THREADS),
        budget=lambda x, w, bias: {
            "global_load_requests": -(-_threads(x, w) // 32) * LOADS,
            "global_store_requests": -(-_threads(x, w) // 32),
        },
    ),
    misconceptions=[
        Misconception(
            "weights loaded four times",
            ONE_BY_ONE,
            symptom="All values are right, and every weight is loaded once for each of the four "
            "pixels of a pool.",
            concept="The four pixels share their weights. With four sums side by side in "
            "registers, a weight that is loaded once serves all four.",
            line="`float sum[4]`, and one loop over a and b that adds to each of the four.",
        ),
        Misconception(
            "no ReLU",
            edited(SOURCE, ("y[i] = fmaxf(most, 0.0f)", "y[i] = most")),
            symptom="Where the largest of four is negative, you write it as it is.",
            concept="ReLU cuts off at zero. After the pool it is done once, not four times, and "
            "gives the same: the largest of cut values is the cut largest.",
            line="`y[i] = fmaxf(most, 0.0f);`.",
        ),
        Misconception(
            "bias after the ReLU",
            edited(
                SOURCE,
                ("float sum[4] = {bias[k]}", "float sum[4] = {0.0f}"),
                ("y[i] = fmaxf(most, 0.0f)", "y[i] = fmaxf(most, 0.0f) + bias[k]"),
            ),
            symptom="You add the bias to what ReLU has cut off already.",
            concept="The bias belongs to the sum, and can make a positive one negative.",
            line="First the bias, then `fmaxf(..., 0.0f)`.",
        ),
        Misconception(
            "the mean of the four",
            edited(SOURCE, (MOST, "(sum[0] + sum[1] + sum[2] + sum[3]) / 4")),
            symptom="Your pool averages.",
            concept="Max-pool keeps the strongest answer of four neighbours.",
            line=f"`{MOST}`.",
        ),
        Misconception(
            "windows one apart",
            edited(SOURCE, ("(2 * h + a) * i_w + 2 * v + b", "(h + a) * i_w + v + b")),
            symptom="The first pixel of `y` is right, the next ones come from windows that "
            "overlap.",
            concept="A pool of 2 × 2 with stride 2: pooled pixel (h, v) has the four pixels that "
            "begin at row 2·h, column 2·v.",
            line="`(2 * h + a) * i_w + 2 * v + b`.",
        ),
        Misconception(
            "one pixel of four",
            edited(SOURCE, (MOST, "sum[0]")),
            symptom="Your values are those of the upper left pixel of each four, whatever the "
            "others are.",
            concept="A pool looks at all four, and each of the four sums must begin with a value: "
            "one that does not may be no number, and `fmaxf` passes that over.",
            line=f"Four sums that begin with `bias[k]`, and `float most = {MOST};`.",
        ),
        Misconception(
            "no bias",
            edited(SOURCE, ("float sum[4] = {bias[k]}", "float sum[4] = {0.0f}")),
            symptom="All sums are off by the same value for a filter.",
            concept="Each filter has a bias, and a negative one makes more zeros.",
            line="Add `bias[k]` once, to all four sums or to the largest, before the ReLU.",
        ),
        Misconception(
            "bias on one pixel",
            edited(
                SOURCE, ("sum[1] = sum[2] = sum[3] = sum[0];", "sum[1] = sum[2] = sum[3] = 0.0f;")
            ),
            symptom="The bias reaches only the first of the four sums.",
            concept="Every output pixel gets the bias; the pool compares them afterwards.",
            line="All four sums begin with `bias[k]`; or none, and the largest gets it.",
        ),
        Misconception(
            "rows of the output",
            edited(
                SOURCE,
                ("x + (2 * h + a) * i_w", "x + (2 * h + a) * (i_w - 4)"),
                ("at[i_w]", "at[i_w - 4]"),
                ("at[i_w + 1]", "at[i_w - 3]"),
            ),
            symptom="You count a row of the image as `i_w - 4` values: all rows of pixels but the"
            " first begin too early.",
            concept="A row of the image has `i_w` values. `i_w - 4` are a row of the "
            "convolution's result, which is never stored here.",
            line="`x + (2 * h + a) * i_w + ...`, and the pixel below is `at[i_w]`.",
        ),
        Misconception(
            "filters first",
            edited(SOURCE, ("w[(a * K + b) * k_c + k]", "w[k * K * K + a * K + b]")),
            symptom="With one filter all is right; with more you take weights of others.",
            concept="Weights lie as `[k_h, k_w, k_c]`: the filter moves fastest.",
            line="`w[(a * K + b) * k_c + k]`.",
        ),
        Misconception(
            "filters first in y",
            edited(
                SOURCE,
                (
                    "int k = i % k_c, v = i / k_c % p_w, h = i / k_c / p_w;",
                    "int v = i % p_w, h = i / p_w % p_h, k = i / p_w / p_h;",
                ),
            ),
            symptom="With one filter all is right; with more your values are in another order.",
            concept="`y` lies as `[p_h, p_w, k_c]`: the filter moves fastest.",
            line="`int k = i % k_c, v = i / k_c % p_w, h = i / k_c / p_w;`.",
        ),
        Misconception(
            "no test of the bounds",
            edited(SOURCE, ("    if (i >= p_h * p_w * k_c) return;\n", "")),
            symptom="Threads for which there is no value left read and write all the same.",
            concept="Blocks are whole; their last threads may have nothing to do.",
            line="`if (i >= p_h * p_w * k_c) return;`.",
        ),
        Misconception(
            "flipped kernel",
            edited(SOURCE, ("w[(a * K + b) * k_c + k]", "w[((4 - a) * K + 4 - b) * k_c + k]")),
            symptom="Your values are those of weights turned by half a circle.",
            concept="What deep learning calls a convolution does not flip its kernel.",
            line="Weight (a, b) belongs to the pixel a rows below and b columns to the right.",
        ),
        Misconception(
            "rows one apart",
            edited(SOURCE, ("(2 * h + a) * i_w", "(h + a) * i_w")),
            symptom="The first row of `y` is right; the others come from rows too high up.",
            concept="A pool takes two rows of windows, so that pooled row h begins at pixel row "
            "2h.",
            line="Row `2 * h + a` of `x`.",
        ),
        Misconception(
            "columns one apart",
            edited(SOURCE, ("2 * v + b", "v + b")),
            symptom="The first column of `y` is right; the others come from columns too far left "
            "in the image.",
            concept="A pool takes two columns of windows, so that pooled column v begins at pixel "
            "column 2v.",
            line="Column `2 * v + b` of `x`.",
        ),
        Misconception(
            "as wide as high",
            edited(
                SOURCE,
                ("v = i / k_c % p_w, h = i / k_c / p_w", "v = i / k_c % p_h, h = i / k_c / p_h"),
            ),
            symptom="You cut `y` into rows of `p_h` values: right where it is as wide as high.",
            concept="A row of `y` has `p_w` pooled pixels, and there are `p_h` such rows.",
            line="`v = i / k_c % p_w`, `h = i / k_c / p_w`.",
        ),
        Misconception(
            "a window too small",
            edited(SOURCE, ("a < K", "a < K - 1"), ("b < K", "b < K - 1")),
            symptom="Your windows lack their last row and column.",
            concept="Places of a window are numbered from 0 to 4.",
            line="`a < K`, `b < K`.",
        ),
        Misconception(
            "the sum of the four",
            edited(SOURCE, (MOST, "sum[0] + sum[1] + sum[2] + sum[3] - 3 * bias[k]")),
            symptom="You add the four windows up, with the bias once.",
            concept="Max-pool keeps one of the four, the largest.",
            line="`fmaxf` between them, and no `+`.",
        ),
        Misconception(
            "the sum of the four, bias and all",
            edited(SOURCE, (MOST, "sum[0] + sum[1] + sum[2] + sum[3]")),
            symptom="You add the four sums of a pool up.",
            concept="A pool by the largest keeps one of four values as it is.",
            line="`fmaxf` between the four sums, three times.",
        ),
        *(
            Misconception(
                f"{which} left out",
                edited(
                    SOURCE,
                    (
                        MOST,
                        "fmaxf(fmaxf({}), {})".format(
                            ", ".join(f"sum[{n}]" for n in others[:2]), f"sum[{others[2]}]"
                        ),
                    ),
                ),
                symptom=f"The {which} of each four pixels is left out.",
                concept=f"Max-pool looks at all four of its pixels, the {which} one too.",
                line=f"The sum of the {which} one, at its own pixels, belongs into one `fmaxf`.",
            )
            for which, others in zip(FOUR, ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)))
        ),
        Misconception(
            "the mean of what ReLU leaves",
            edited(SOURCE, (MOST, " + ".join(f"0.25f * fmaxf(sum[{n}], 0.0f)" for n in range(4)))),
            symptom="You write the mean of the four, each cut off at zero.",
            concept="This pool keeps the largest of four as it is.",
            line="`fmaxf` between the four, three times.",
        ),
        Misconception(
            "the smallest of four",
            edited(SOURCE, (MOST, MOST.replace("fmaxf", "fminf"))),
            symptom="You keep the smallest of four.",
            concept="Max-pool keeps the largest.",
            line="Of two the larger one goes on: `fmaxf`.",
        ),
        Misconception(
            "weights on their side",
            edited(SOURCE, ("w[(a * K + b) * k_c + k]", "w[(b * K + a) * k_c + k]")),
            symptom="Rows and columns of your weights are exchanged, or those of the windows.",
            concept="`w` is `[k_h, k_w, k_c]`: row a first.",
            line="`w[(a * K + b) * k_c + k]`, `a` for rows of `x`, `b` for columns.",
        ),
        Misconception(
            "bias before and behind",
            edited(SOURCE, ("fmaxf(most, 0.0f)", "fmaxf(most + bias[k], 0.0f)")),
            symptom="The bias is in your values twice.",
            concept="Once is enough: where the sums begin, or behind the largest of them.",
            line="`bias[k]` in one place only; `fmaxf(..., 0.0f)` comes last.",
        ),
        Misconception(
            "the smaller of value and zero",
            edited(SOURCE, ("y[i] = fmaxf(most, 0.0f)", "y[i] = fminf(most, 0.0f)")),
            symptom="None of your values is above 0.",
            concept="ReLU keeps what is positive, and writes 0 for what is negative.",
            line="`fmaxf(most, 0.0f)`.",
        ),
        Misconception(
            "four windows in a row",
            edited(SOURCE, ("at[i_w] *", "at[2] *"), ("at[i_w + 1]", "at[3]")),
            symptom="Your four windows begin side by side in one row.",
            concept="A pool is 2 × 2: two windows begin in one row, two in the row below.",
            line="`at[0]`, `at[1]`, `at[i_w]`, `at[i_w + 1]`.",
        ),
        Misconception(
            "the last column of the window left out",
            edited(SOURCE, ("b < K", "b < K - 1")),
            symptom="Your windows lack their last column.",
            concept="Columns of a window are numbered from 0 to 4.",
            line="`b < K`.",
        ),
        Misconception(
            "the last row of the window left out",
            edited(SOURCE, ("a < K", "a < K - 1")),
            symptom="Your windows lack their last row.",
            concept="Rows of a window are numbered from 0 to 4.",
            line="`a < K`.",
        ),
        *PATCHES,
        Misconception(
            "channels left out of the bound",
            edited(SOURCE, ("if (i >= p_h * p_w * k_c) return;", "if (i >= p_h * p_w) return;")),
            symptom="With one filter all is right; with more, only the first `p_h * p_w` values "
            "of `y` are written.",
            concept="`i` counts values, and there are `k_c` of them for each pooled pixel.",
            line="All three factors in the test, as in the size of `y`.",
        ),
    ],
)
