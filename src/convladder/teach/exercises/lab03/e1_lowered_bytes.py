"""Lab 03, exercise 1: how many bytes L has."""

from __future__ import annotations

from ....problem import REPORT, ConvProblem
from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import layer
from .layers import SHAPES, TOY

UNEVEN = ConvProblem(2, 6, 5, 2, 3, 4, 2, stride=(2, 3), padding=(2, 1))  # a row in no window


def lowered_bytes(problem):
    return problem.mec_bytes()


def _bytes(i_n, o_w, rows, k_w, i_c):
    return 4 * i_n * o_w * rows * k_w * i_c


EXERCISE = Exercise(
    name="lowered_bytes",
    lab=3,
    reference=lowered_bytes,
    task="Count the bytes of MEC's lowered matrix L, padding included.",
    calls_allowed=SHAPES,
    cases=lambda rng: [(TOY,), (layer(rng, 12),), (UNEVEN,), (REPORT,)],
    misconceptions=[
        Misconception(
            "padded rows left out",
            lambda problem: _bytes(problem.i_n, problem.o_w, problem.i_h, problem.k_w, problem.i_c),
            symptom="Layers without vertical padding are right; those with it come out too small.",
            concept="A partition is a view, so the zeros above and below the image must lie in "
            "`L` itself. A strip is as high as the padded image.",
            line="The height that is lowered is `problem.padded_h`, not `problem.i_h`.",
        ),
        Misconception(
            "padding on one side",
            lambda problem: _bytes(
                problem.i_n, problem.o_w, problem.i_h + problem.p_h, problem.k_w, problem.i_c
            ),
            symptom="Layers with vertical padding come out too small, by half of what it adds.",
            concept="`p_h` rows of zeros are put above the image, and as many below it.",
            line="The height is `i_h + 2 * p_h`, which is `problem.padded_h`.",
        ),
        Misconception(
            "a strip at every column",
            lambda problem: _bytes(
                problem.i_n,
                problem.padded_w - problem.k_w + 1,
                problem.padded_h,
                problem.k_w,
                problem.i_c,
            ),
            symptom="Layers with a horizontal stride of 1 are right; others come out too large.",
            concept="Only every `s_w`-th column begins a strip: there is one for each output "
            "column.",
            line="`problem.o_w` strips.",
        ),
        Misconception(
            "values, not bytes",
            lambda problem: problem.mec_bytes() // 4,
            symptom="Every answer is a quarter of the right one.",
            concept="You counted values. A float32 has 4 bytes.",
            line="Multiply the whole product by 4.",
        ),
        Misconception(
            "one image only",
            lambda problem: problem.mec_bytes() // problem.i_n,
            symptom="Layers of one image are right; a batch comes out too small.",
            concept="`L` holds the strips of all images of the batch: "
            "`L[i_n, o_w, padded_h, k_w, i_c]`.",
            line="One of the product's factors is `problem.i_n`, in full.",
        ),
        Misconception(
            "im2col's matrix",
            lambda problem: problem.im2col_bytes(),
            symptom="This is the size of im2col's matrix, the very thing that MEC avoids.",
            concept="im2col stores `k_h` rows for each of `o_h` output rows. MEC stores each row "
            "of the image once.",
            line="In place of `o_h * k_h` there is one factor: the padded height.",
        ),
        Misconception(
            "lowered along the height",
            lambda problem: _bytes(
                problem.i_n, problem.o_h, problem.padded_w, problem.k_h, problem.i_c
            ),
            symptom="Right for square layers; for others your `L` is that of the other direction.",
            concept="A strip is `k_w` columns wide and runs over the image's full height. There "
            "is one strip for each output column.",
            line="Exchange every `_h` with its `_w`: `o_w` strips, `padded_h` high, `k_w` wide.",
        ),
        Misconception(
            "a strip for every image column",
            lambda problem, padded=True: _bytes(
                problem.i_n,
                problem.padded_w if padded else problem.i_w,
                problem.padded_h,
                problem.k_w,
                problem.i_c,
            ),
            choices={"padded": (False,)},
            symptom="You count a strip for each column of the image, with its zeros or without, in "
            "place of one for each output column.",
            concept="A strip begins only where an output column begins: there are `o_w` of them, "
            "whatever the image's width.",
            line="The number of strips is `problem.o_w`.",
        ),
        Misconception(
            "the padded image itself",
            lambda problem, padded=True: (
                4
                * problem.i_n
                * problem.i_c
                * (problem.padded_h * problem.padded_w if padded else problem.i_h * problem.i_w)
            ),
            choices={"padded": (False,)},
            symptom="You count the values of the image, each once. The kernel changes nothing in "
            "that.",
            concept="Strips overlap, and `L` holds each of them in full: a column of the image is "
            "in as many strips as windows reach it.",
            line="`o_w` strips of `k_w` columns, in place of the image's width; and `padded_h` "
            "rows.",
        ),
        Misconception(
            "padding added to the padded height",
            lambda problem: _bytes(
                problem.i_n,
                problem.o_w,
                problem.padded_h + 2 * problem.p_h,
                problem.k_w,
                problem.i_c,
            ),
            symptom="Layers without vertical padding are right; in others the rows of zeros are "
            "counted twice.",
            concept="`p_h` rows of zeros lie above the image, and `p_h` below it. "
            "`problem.padded_h` has both in it.",
            line="`problem.padded_h` as it is, which is `i_h + 2 * p_h`.",
        ),
        Misconception(
            "rows of windows only",
            lambda problem: _bytes(
                problem.i_n,
                problem.o_w,
                problem.s_h * (problem.o_h - 1) + problem.k_h,
                problem.k_w,
                problem.i_c,
            ),
            symptom="Right where the lowest windows reach the last row of zeros, or of the image; "
            "elsewhere rows are missing.",
            concept="A strip is copied as it is, with rows below that no window uses.",
            line="`problem.padded_h` rows, whatever the vertical stride leaves over.",
        ),
        Misconception(
            "filters counted",
            lambda problem: problem.mec_bytes() * problem.k_c,
            symptom="With one filter the answer is right; with more it is that many times too "
            "large.",
            concept="Lowering rearranges the image only. All `k_c` filters multiply the same `L`.",
            line="The sizes of `L` are all: `problem.k_c` is no factor.",
        ),
        Misconception(
            "output counted too",
            lambda problem: problem.mec_bytes() + 4 * problem.pixels * problem.k_c,
            symptom="Every answer is too large, by the size of the output.",
            concept="Workspace is what a method needs besides its result. The output is not in "
            "`L`.",
            line="Leave out the term with `o_h * o_w * k_c`.",
        ),
        Misconception(
            "columns padded, not rows",
            lambda problem: _bytes(
                problem.i_n, problem.o_w, problem.i_h, problem.k_w + 2 * problem.p_w, problem.i_c
            ),
            symptom="With vertical padding you have too few rows; with horizontal padding your "
            "strips are too wide.",
            concept="A strip is as wide as the kernel, wherever it lies. It is its height that "
            "grows by the padding.",
            line="`padded_h` rows of `k_w` columns.",
        ),
        Misconception(
            "as many strips as rows",
            lambda problem: _bytes(
                problem.i_n, problem.o_h, problem.padded_h, problem.k_w, problem.i_c
            ),
            symptom="Right where the output is square.",
            concept="Strips stand side by side: there is one for each output *column*.",
            line="`problem.o_w`, not `problem.o_h`.",
        ),
        Misconception(
            "kernel rows counted too",
            lambda problem: problem.mec_bytes() * problem.k_h,
            symptom="Every answer is `k_h` times too large.",
            concept="MEC lowers along the width only. The kernel's height is left to the "
            "partitions, which are views.",
            line="`k_h` does not occur in the product.",
        ),
        Misconception(
            "channels left out",
            lambda problem: problem.mec_bytes() // problem.i_c,
            symptom="Right for one channel; with more, that many times too small.",
            concept="A pixel of a strip has all of its channels.",
            line="`problem.i_c` is missing from the product.",
        ),
        Misconception(
            "eight bytes a value",
            lambda problem: 2 * problem.mec_bytes(),
            symptom="Every answer is twice the right one.",
            concept="A float32 has 4 bytes; 8 are a float64. And `L` holds each value of a strip "
            "once.",
            line="The five sizes, multiplied, and 4 bytes: no further factor.",
        ),
        Misconception(
            "in KiB",
            lambda problem, unit=1024, whole=True: (
                problem.mec_bytes() // unit if whole else problem.mec_bytes() / unit
            ),
            symptom="Every answer is about a thousandth of the right one.",
            concept="What is asked for is bytes, to the last one.",
            line="The bytes as they are, divided by nothing.",
            choices={"unit": (1024, 1000), "whole": (False, True)},
        ),
        Misconception(
            "in MiB",
            lambda problem, unit=2**20, whole=True: (
                problem.mec_bytes() // unit if whole else problem.mec_bytes() / unit
            ),
            symptom="Every answer is about a millionth of the right one.",
            concept="MiB are for reading. What is asked for is bytes, a whole number.",
            line="The product itself, with no division behind it.",
            choices={"unit": (2**20, 10**6), "whole": (False, True)},
        ),
        Misconception(
            "two bytes a value",
            lambda problem: problem.mec_bytes() // 2,
            symptom="Every answer is half of the right one.",
            concept="A float32 has 4 bytes; two are a float16.",
            line="All values of `L`, and 4 bytes for each.",
        ),
        Misconception(
            "image counted too",
            lambda problem: (
                problem.mec_bytes()
                + 4 * problem.i_n * problem.i_c * (problem.padded_h * problem.padded_w)
            ),
            symptom="Every answer is too large, by the padded image.",
            concept="The image is there as well while `L` is made, but it is no part of `L`.",
            line="Five sizes, multiplied, and 4 bytes a value: nothing is added.",
        ),
        Misconception(
            "width without its padding",
            lambda problem: _bytes(
                problem.i_n,
                (problem.i_w - problem.k_w) // problem.s_w + 1,
                problem.padded_h,
                problem.k_w,
                problem.i_c,
            ),
            symptom="Layers without horizontal padding are right; in others strips can be missing.",
            concept="Strips are cut out of the padded image: its columns of zeros make more of "
            "them.",
            line="`problem.o_w` counts them.",
        ),
        Misconception(
            "bits, not bytes",
            lambda problem: 8 * problem.mec_bytes(),
            symptom="Every answer is 8 times the right one.",
            concept="A float32 has 32 bits, and these are 4 bytes.",
            line="4 bytes a value: no 32, and no 8.",
        ),
        Misconception(
            "strips as wide as the kernel is high",
            lambda problem: _bytes(
                problem.i_n, problem.o_w, problem.padded_h, problem.k_h, problem.i_c
            ),
            symptom="Right for square kernels; elsewhere off by `k_h` over `k_w`.",
            concept="A strip is cut for a column of windows, so it is as *wide* as the kernel. The "
            "kernel's height plays no part before the partitions.",
            line="`problem.k_w` in the product, not `problem.k_h`.",
        ),
        Misconception(
            "true division",
            lambda problem: (
                ((problem.padded_w - problem.k_w) / problem.s_w + 1)
                * _bytes(problem.i_n, 1, problem.padded_h, problem.k_w, problem.i_c)
            ),
            symptom="Your answer is a float, and too large where a stride leaves something over.",
            concept="`/` always gives a float. There are only whole strips.",
            line="`problem.o_w` is there already; count it with `//` if you compute it yourself.",
        ),
        Misconception(
            "as high as the output",
            lambda problem: _bytes(problem.i_n, problem.o_w, problem.o_h, problem.k_w, problem.i_c),
            symptom="Your strips are as high as the output: too small by `o_h` over `padded_h`.",
            concept="MEC lowers along the width only. A strip keeps all rows of the padded image, "
            "and partitions of it overlap.",
            line="`problem.padded_h` in place of `problem.o_h`.",
        ),
    ],
)
