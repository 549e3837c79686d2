"""Lab 08, exercise 1: the numbers that describe MEC's GEMMs to a library."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import layer
from .layers import PADDED, REPORT, REST, SHAPES, STRIDED, THIN, TOY


def mec_numbers(problem, which):
    return _numbers(problem, which)


def _numbers(
    p,
    which,
    height=None,
    lda=None,
    stride=None,
    scale=1,
    begins=None,
    count=None,
    begins_scale=None,
):
    """Return the right answer, but for what is given."""
    row = p.k_w * p.i_c
    lda = (p.padded_h if height is None else height) * row if lda is None else lda
    stride = p.s_h * row if stride is None else stride
    rows = p.i_n * p.o_w if which == "A" else p.o_w
    if begins is None:
        begins = [0] if which == "A" else [n * p.o_w * lda for n in range(p.i_n)]
    return {
        "rows": rows,
        "inner": p.window,
        "lda": scale * lda,
        "stride": scale * stride,
        "count": p.o_h if count is None else count,
        "begins": [(begins_scale or scale) * begin for begin in begins],
    }


EXERCISE = Exercise(
    name="mec_numbers",
    lab=8,
    reference=mec_numbers,
    calls_allowed=SHAPES,
    task="The numbers by which a strided batch of GEMMs reads MEC's partitions.",
    cases=lambda rng: [
        (TOY, "B"),
        (STRIDED, "B"),
        (STRIDED, "A"),
        (layer(rng, 14), "A"),
        (PADDED, "B"),
        (REPORT, "B"),
        (THIN, "A"),
        (REST, "B"),
    ],
    misconceptions=[
        Misconception(
            "count rounded up",
            lambda problem, which: _numbers(
                problem, which, count=-(-(problem.padded_h - problem.k_h) // problem.s_h) + 1
            ),
            symptom="Where rows are left over below the last window, you count a GEMM too many.",
            concept="There is a GEMM for each output row, and a window that would hang over the "
            "edge makes none.",
            line="`problem.o_h`.",
        ),
        Misconception(
            "strips without padding",
            lambda problem, which: _numbers(problem, which, height=problem.i_h),
            symptom="Layers without vertical padding are right; with it `lda` is too small.",
            concept="A strip of `L` is as high as the padded image, because partitions must find "
            "the zeros in it.",
            line="`lda` is `padded_h * k_w * i_c`, and `padded_h` is `i_h + 2 * p_h`; "
            "in `begins` too.",
        ),
        Misconception(
            "lda of the window",
            lambda problem, which: _numbers(problem, which, lda=problem.window),
            symptom="Your `lda` is `inner`: the rows of a partition would lie in one piece.",
            concept="A partition is a slice of columns of `L`. From one of its rows to the next "
            "it is a whole row of `L`, a strip.",
            line="`lda` is the length of a strip, `padded_h * k_w * i_c`, in `begins` too.",
        ),
        Misconception(
            "partitions side by side",
            lambda problem, which: _numbers(problem, which, stride=problem.window),
            symptom="Your `stride` is `inner`: the partitions would not overlap.",
            concept="The next partition begins `s_h` image rows further, not `k_h`. BLAS has "
            "nothing against matrices that share values, if it only reads them.",
            line="`stride` is `s_h * k_w * i_c`: no `k_h` in it.",
        ),
        Misconception(
            "stride without s_h",
            lambda problem, which: _numbers(problem, which, stride=problem.k_w * problem.i_c),
            symptom="With a vertical stride of 1 all is right.",
            concept="Output row `h` looks at image rows from `s_h * h` on.",
            line="`stride` is `s_h * k_w * i_c`.",
        ),
        Misconception(
            "stride of the width",
            lambda problem, which: _numbers(
                problem, which, stride=problem.s_w * problem.k_w * problem.i_c
            ),
            symptom="Right where both strides are equal, wrong where they differ.",
            concept="`s_w` was used up when the strips were lowered; partitions move down the "
            "image.",
            line="`s_h` belongs into `stride`, not `s_w`.",
        ),
        Misconception(
            "stride without i_c",
            lambda problem, which: _numbers(problem, which, stride=problem.s_h * problem.k_w),
            symptom="With one channel all is right.",
            concept="An image row of a strip is `k_w` pixels of `i_c` values each.",
            line="`i_c` is missing from `stride`.",
        ),
        Misconception(
            "A like B",
            lambda problem, which: _numbers(problem, "B"),
            symptom='"B" is right. For "A" you gave the numbers of "B".',
            concept="`L` is `[i_n, o_w, ...]` in one piece, so the strips of image 1 follow those "
            "of image 0 at the same distance: Solution A takes all of them for rows of "
            "one matrix.",
            line='For "A": `rows` is `i_n * o_w`, and there is one call, that begins at 0.',
        ),
        Misconception(
            "A a call for each image",
            lambda problem, which: _numbers(
                problem, which, begins=_numbers(problem, "B")["begins"] if which == "A" else None
            ),
            symptom='For "A" you call once for each image, on matrices of all images.',
            concept="With `rows = i_n * o_w` a GEMM has all images in it already.",
            line='For "A", `begins` is `[0]`.',
        ),
        Misconception(
            "B in a single call",
            lambda problem, which: _numbers(
                problem,
                which,
                begins=[0],
                count=problem.o_h if which == "A" else problem.i_n * problem.o_h,
            ),
            symptom='For "B" you put all images into one batch.',
            concept="A batch has one stride. From the last partition of an image to the first of "
            "the next it is another distance than between two partitions of one image.",
            line='For "B", `count` is `o_h`, and `begins` has `n * o_w * lda` for each image `n`.',
        ),
        Misconception(
            "images a strip apart",
            lambda problem, which: _numbers(
                problem,
                which,
                begins=None
                if which == "A"
                else [n * problem.padded_h * problem.k_w * problem.i_c for n in range(problem.i_n)],
            ),
            symptom="One image is right; in a batch the others begin too early.",
            concept="An image has `o_w` strips in `L`.",
            line="`begins` has `n * o_w * lda`.",
        ),
        Misconception(
            "rows and count exchanged",
            lambda problem, which: (
                _numbers(problem, which)
                | {"rows": problem.o_h * (problem.i_n if which == "A" else 1), "count": problem.o_w}
            ),
            symptom="Your `rows` and `count` are right where `o_h` is `o_w`.",
            concept="A GEMM makes one output row: its matrix has a row for each of that row's "
            "pixels, and there are as many GEMMs as output rows.",
            line="`rows` has `o_w`, `count` is `o_h`.",
        ),
        Misconception(
            "inner of a kernel row",
            lambda problem, which: _numbers(problem, which) | {"inner": problem.k_w * problem.i_c},
            symptom="Your `inner` is one kernel row of the window.",
            concept="A row of a partition is a whole window: the image rows of a strip follow one "
            "another, so its `k_h` kernel rows lie in one piece.",
            line="`inner` is `k_h * k_w * i_c`.",
        ),
        Misconception(
            "in bytes",
            lambda problem, which, begins=4: _numbers(problem, which, scale=4, begins_scale=begins),
            choices={"begins": (1,)},
            symptom="Your `lda` and `stride` are four times the right ones.",
            concept="BLAS counts in values: it knows their type. (NumPy's strides are in bytes.)",
            line="Leave out the factor 4.",
        ),
        Misconception(
            "stride without k_w",
            lambda problem, which: _numbers(problem, which, stride=problem.s_h * problem.i_c),
            symptom="Your `stride` is too small by a factor, the kernel's width.",
            concept="In a strip of `L` an image row is `k_w` pixels wide, not one: from each to "
            "the next it is `k_w * i_c` values.",
            line="`k_w` is missing from `stride`.",
        ),
        Misconception(
            "images as in x",
            lambda problem, which, sides=("padded_h", "i_w"): _numbers(
                problem,
                which,
                begins=None
                if which == "A"
                else [
                    n * getattr(problem, sides[0]) * getattr(problem, sides[1]) * problem.i_c
                    for n in range(problem.i_n)
                ],
            ),
            choices={"sides": (("i_h", "i_w"), ("padded_h", "padded_w"))},
            symptom="One image is right; in a batch the others begin where they do in the batch of "
            "images itself, padded or not.",
            concept="`begins` counts the values of `L`, in which an image has `o_w` strips, and "
            "pixels that strips share are there several times.",
            line="Image `n` begins at `n * o_w * lda` in `L`.",
        ),
        Misconception(
            "begins in bytes",
            lambda problem, which: (
                _numbers(problem, which)
                | {"begins": [4 * begin for begin in _numbers(problem, which)["begins"]]}
            ),
            symptom="Where each call begins is four times as far as it should be: bytes.",
            concept="All numbers here are counted in values, as the library counts them.",
            line="`n * o_w * lda`, with nothing for the size of a value.",
        ),
        Misconception(
            "B like A",
            lambda problem, which: _numbers(problem, "A"),
            symptom='"A" is right. For "B" you gave the numbers of "A".',
            concept="B calls once for each image, on the strips of that image alone.",
            line='For "B": `rows` is `o_w`, and `begins` has `i_n` values, `n * o_w * lda`.',
        ),
        Misconception(
            "A as one batch of B's",
            lambda problem, which: (
                _numbers(problem, "B")
                if which == "B"
                else _numbers(problem, "B", begins=[0], count=problem.i_n * problem.o_h)
            ),
            symptom='For "A" you keep the matrices of one image, and put those of all images into '
            "one batch.",
            concept="A batch has one stride, and from the last partition of an image to the first "
            "of the next it is another. A puts the images into the *rows* of a matrix.",
            line='For "A", `rows` is `i_n * o_w`, and `count` stays `o_h`.',
        ),
        Misconception(
            "begins counted in strips",
            lambda problem, which: _numbers(
                problem,
                which,
                begins=None if which == "A" else [n * problem.o_w for n in range(problem.i_n)],
            ),
            symptom="Your `begins` are numbers of strips.",
            concept="All numbers here count values; a strip is `lda` of them.",
            line="`n * o_w * lda`, where you have `n * o_w`.",
        ),
        Misconception(
            "lda without channels",
            lambda problem, which: _numbers(problem, which, lda=problem.padded_h * problem.k_w),
            symptom="With one channel all is right; else `lda` is too small.",
            concept="A strip has `padded_h` rows of `k_w` pixels, each of `i_c` values.",
            line="`i_c` is missing from `lda`, in `begins` too.",
        ),
        Misconception(
            "begins of the rows",
            lambda problem, which: _numbers(
                problem,
                which,
                begins=[h * problem.s_h * problem.k_w * problem.i_c for h in range(problem.o_h)],
            ),
            symptom="Your `begins` has an entry for each output row.",
            concept="The output rows of a call are its `count` matrices, a `stride` apart. "
            "`begins` is for the calls.",
            line='`[0]` for "A"; for "B" `n * o_w * lda` for each image `n`.',
        ),
        Misconception(
            "rows and inner exchanged",
            lambda problem, which: (
                _numbers(problem, which)
                | {"rows": problem.window, "inner": _numbers(problem, which)["rows"]}
            ),
            symptom="Your `rows` and `inner` have changed places.",
            concept="As we see it, row-major, a row of the matrix is a window: `inner` is its "
            "length, `rows` how many pixels there are.",
            line='`rows` is `o_w`, for "A" `i_n * o_w`; `inner` is `k_h * k_w * i_c`.',
        ),
        Misconception(
            "lda of the rows",
            lambda problem, which: _numbers(
                problem,
                which,
                lda=_numbers(problem, which)["rows"],
                begins=_numbers(problem, which)["begins"],
            ),
            symptom="Your `lda` is how many rows the matrix has.",
            concept="That is what a column-major library would be told of a matrix in one piece. "
            "Here it is the distance from one row to the next, in `L`.",
            line="`padded_h * k_w * i_c`, a strip.",
        ),
        Misconception(
            "padding on one side",
            lambda problem, which: _numbers(problem, which, height=problem.i_h + problem.p_h),
            symptom="Right without vertical padding: with it `lda` has the zeros of one side only.",
            concept="A strip goes from the zeros above the image to those below it.",
            line="`i_h + 2 * p_h`, which is `padded_h`, in `lda` and in `begins`.",
        ),
        Misconception(
            "images behind the partitions",
            lambda problem, which: _numbers(
                problem,
                which,
                begins=None
                if which == "A"
                else [
                    n * problem.o_h * problem.s_h * problem.k_w * problem.i_c
                    for n in range(problem.i_n)
                ],
            ),
            symptom="One image is right; in a batch yours begin `o_h` strides after each other.",
            concept="Partitions overlap within the strips of one image. The next image begins "
            "where all of these strips end.",
            line='For "B", image `n` begins `n * o_w` strips on: `n * o_w * lda`.',
        ),
        Misconception(
            "count of all images",
            lambda problem, which: _numbers(
                problem, which, count=problem.o_h * (problem.i_n if which == "B" else 1)
            ),
            symptom='For "B" your `count` is the GEMMs of all images together.',
            concept="`count` is that of one call, and `begins` has a call for each image.",
            line="`count` is `o_h`, for both solutions.",
        ),
    ],
)
