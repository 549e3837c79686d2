"""Lab 08, exercise 5: what an allocator will count, to the byte."""

from __future__ import annotations

import math

from ....problem import PAPER, REPORT, ConvProblem
from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import layer
from .layers import PADDED, SHAPES, STRIDED, THIN, TOY

UNIT = 512  # bytes
SMALL = ConvProblem(2, 6, 5, 2, 2, 2, 1)  # two outputs of 160 bytes would share 512
MANY = ConvProblem(4, 6, 6, 1, 2, 2, 96)  # an output larger than L


def peak_bytes(problem, which):
    return _peak(problem, which)


def _up(size, unit=UNIT):
    return -(-size // unit) * unit


def _peak(p, which, unit=UNIT, height=None, second=None, output=1, itemsize=4, images=None):
    y = itemsize * p.pixels * p.k_c
    height = p.padded_h if height is None else height
    L = itemsize * (images or p.i_n) * p.o_w * height * p.k_w * p.i_c
    results = output + ((which == "A") if second is None else second)
    return _up(L, unit) + results * _up(y, unit)


EXERCISE = Exercise(
    name="peak_bytes",
    lab=8,
    reference=peak_bytes,
    calls_allowed=SHAPES,
    task="The most bytes that MEC has allocated at a time, as CuPy's pool counts them.",
    cases=lambda rng: [
        (TOY, "B"),
        (STRIDED, "B"),
        (layer(rng), "A"),
        (PADDED, "A"),
        (MANY, "A"),
        (SMALL, "A"),
        (REPORT, "B"),
        (PAPER["cv5"].with_batch(32), "A"),
        (THIN, "A"),
        (REPORT.with_batch(32), "B"),
    ],
    misconceptions=[
        Misconception(
            "nothing rounded",
            lambda problem, which: _peak(problem, which, unit=1),
            symptom="You are too low, by less than 512 bytes an array, where that is no multiple "
            "of 512.",
            concept="The pool hands out multiples of 512 bytes, so that every array begins at a "
            "round address.",
            line="Round each array up: `-(-size // 512) * 512`.",
        ),
        Misconception(
            "rounded once",
            lambda problem, which: _up(_peak(problem, which, unit=1)),
            symptom="Right where the rounding happens to add up, else 512 or 1,024 too low.",
            concept="`L` and the results are arrays of their own, and each is rounded up.",
            line="Round each array before you add them.",
        ),
        Misconception(
            "both results rounded as one",
            lambda problem, which: (
                _peak(problem, which, output=-(which == "A"))
                + _up((1 + (which == "A")) * 4 * problem.pixels * problem.k_c)
            ),
            symptom='"B" is right; "A" can be 512 bytes too low.',
            concept="The two results of Solution A are arrays of their own.",
            line="Round one result up, then take it twice.",
        ),
        Misconception(
            "always one more",
            lambda problem, which: (
                _up(
                    4 * problem.i_n * problem.o_w * problem.padded_h * problem.k_w * problem.i_c + 1
                )
                + (1 + (which == "A")) * _up(4 * problem.pixels * problem.k_c + 1)
            ),
            symptom="Arrays that are multiples of 512 bytes already come out too large.",
            concept="`size // 512 + 1` is rounded up, but for those: they need no more.",
            line="`-(-size // 512) * 512`.",
        ),
        Misconception(
            "in values",
            lambda problem, which: _peak(problem, which, itemsize=1),
            symptom="Large layers come out at about a quarter of their bytes.",
            concept="A float32 has 4 bytes.",
            line="`4 *` the number of values, before you round.",
        ),
        Misconception(
            "one image's L",
            lambda problem, which: _peak(problem, which, images=1),
            symptom="One image is right.",
            concept="The call lowers the whole batch at once, whichever solution multiplies.",
            line="`L` has `i_n * o_w` strips.",
        ),
        Misconception(
            "L an image at a time for B",
            lambda problem, which: _peak(problem, which, images=1 if which == "B" else None),
            symptom='"A" is right, and "B" with one image.',
            concept="Solution B multiplies image by image, but out of one `L` that was made of the "
            "whole batch before.",
            line='`L` has `i_n * o_w` strips for "B" too.',
        ),
        Misconception(
            "second result forgotten",
            lambda problem, which: _peak(problem, which, second=0),
            symptom='"B" is right. "A" is too low by the output, rounded up.',
            concept="Solution A's GEMMs leave the rows in another order. While they are put in "
            "order both results are there, and `L` too.",
            line='For "A" add the output twice.',
        ),
        Misconception(
            "second result always",
            lambda problem, which: _peak(problem, which, second=1),
            symptom='"A" is right. "B" is too high by the output, rounded up.',
            concept="Solution B's GEMMs write each row to its place: there is nothing to reorder.",
            line='Count the second result for "A" only.',
        ),
        Misconception(
            "A reuses L",
            lambda problem, which: (
                max(_peak(problem, which, second=0), 2 * _up(4 * problem.pixels * problem.k_c))
                if which == "A"
                else _peak(problem, which)
            ),
            symptom='"B" is right. "A" has no room for `L` and both results at a time.',
            concept="Chapter 03 did that on a processor. The GPU's `convolve`, as chapter 08 shows "
            "it, keeps `L` to its end.",
            line="Add all three: `L`, the disordered result, the ordered one.",
        ),
        Misconception(
            "strips without padding",
            lambda problem, which: _peak(problem, which, height=problem.i_h),
            symptom="Layers with vertical padding can come out too small.",
            concept="The zeros of the padding lie in `L`.",
            line="`padded_h` rows, not `i_h`.",
        ),
        Misconception(
            "output forgotten",
            lambda problem, which: _peak(problem, which, output=0),
            symptom="You count what the method needs besides its result.",
            concept="The pool does not know which array is a result: it counts all that a call "
            "allocates.",
            line="Add the output, `4 * i_n * o_h * o_w * k_c` bytes, rounded up.",
        ),
        Misconception(
            "image and weights too",
            lambda problem, which: (
                _peak(problem, which)
                + sum(
                    _up(4 * size)
                    for size in (
                        problem.i_n * problem.i_h * problem.i_w * problem.i_c,
                        problem.params,
                    )
                )
            ),
            symptom="Your numbers are too high, by the image and the weights, each rounded up.",
            concept="Those were there before the call. The question is what the call allocates.",
            line="Leave the image and the weights out.",
        ),
        Misconception(
            "multiples of another size",
            lambda problem, which, unit=256: _peak(problem, which, unit=unit),
            symptom="You round to another size than the pool's 512 bytes.",
            concept="CuPy's pool gives multiples of 512 bytes, which are 128 float32 values.",
            line="`-(-size // 512) * 512` for each array, with its size in bytes.",
            choices={"unit": (128, 1000, 1024, 2048, 4096)},
        ),
        Misconception(
            "rounded down",
            lambda problem, which: (
                (
                    problem.mec_bytes() // UNIT
                    + (2 if which == "A" else 1) * (4 * problem.pixels * problem.k_c // UNIT)
                )
                * UNIT
            ),
            symptom="You are too low where an array is no multiple of 512 bytes; one below 512 "
            "counts as nothing.",
            concept="An array of 64 bytes needs a piece of 512 as well.",
            line="`-(-size // 512)` rounds up, `size // 512` down.",
        ),
        Misconception(
            "im2col's matrix",
            lambda problem, which: (
                _up(problem.im2col_bytes())
                + (2 if which == "A" else 1) * _up(4 * problem.pixels * problem.k_c)
            ),
            symptom="Your first array is im2col's, with every window in full.",
            concept="MEC's `L` is lowered along the width only: `k_w`, and no `k_h`.",
            line="`i_n * o_w * padded_h * k_w * i_c` values.",
        ),
        Misconception(
            "the result as large as the image",
            lambda problem, which: (
                _up(problem.mec_bytes())
                + (2 if which == "A" else 1)
                * _up(4 * problem.i_n * problem.i_h * problem.i_w * problem.k_c)
            ),
            symptom="Your result has the pixels of the input.",
            concept="The output has `o_h * o_w` pixels, fewer where there is no padding.",
            line="`i_n * o_h * o_w * k_c` values.",
        ),
        Misconception(
            "lowered along the height",
            lambda problem, which: (
                _up(4 * problem.i_n * problem.o_h * problem.padded_w * problem.k_h * problem.i_c)
                + (2 if which == "A" else 1) * _up(4 * problem.pixels * problem.k_c)
            ),
            symptom="Your `L` is lowered along the other side: right where heights and widths are "
            "alike.",
            concept="A strip is `k_w` columns wide, and as high as the padded image; there are "
            "`o_w` of them.",
            line="`o_w * padded_h * k_w * i_c` for each image.",
        ),
        Misconception(
            "a height for a width",
            lambda problem, which, sides=("o_h", "padded_h", "k_w"): (
                _peak(problem, which)
                - _up(problem.mec_bytes())
                + _up(
                    4
                    * problem.i_n
                    * problem.i_c
                    * math.prod(getattr(problem, side) for side in sides)
                )
            ),
            symptom="Right where layer and kernel are square: your `L` has a height for a width "
            "somewhere, or a width for a height.",
            concept="`L` has a strip for each output *column*. A strip is as wide as the kernel "
            "and as high as the padded image.",
            line="Compare with `i_n * o_w * padded_h * k_w * i_c`, size by size.",
            choices={"sides": (("o_w", "padded_w", "k_w"), ("o_w", "padded_h", "k_h"))},
        ),
        Misconception(
            "padding on one side",
            lambda problem, which: _peak(problem, which, height=problem.i_h + problem.p_h),
            symptom="Right without vertical padding: with it you count the zeros of one side only.",
            concept="The padded image has `p_h` rows of zeros above, and as many below.",
            line="`i_h + 2 * p_h`, which is `padded_h`.",
        ),
        Misconception(
            "A for B",
            lambda problem, which: _peak(problem, which, second=which == "B"),
            symptom='You count a second result for "B", and none for "A".',
            concept="Solution B's GEMMs write each image's rows where they belong; solution A's "
            "leave the images of a batch mixed, row by row.",
            line='The second result is for `which == "A"`.',
        ),
        Misconception(
            "second result of one image",
            lambda problem, which: (
                _peak(problem, which, second=0)
                + (_up(4 * problem.o_h * problem.o_w * problem.k_c) if which == "A" else 0)
            ),
            symptom='"B" is right, and "A" with one image; in a batch the second result of "A" is '
            "that of one image.",
            concept="The rows of all images are put in order at once, into an array as large as "
            "the first.",
            line='For "A" add the output of the whole batch twice.',
        ),
        Misconception(
            "the largest alone",
            lambda problem, which: max(
                _up(problem.mec_bytes()),
                (2 if which == "A" else 1) * _up(4 * problem.pixels * problem.k_c),
            ),
            symptom="You take the larger of `L` and the results, where both are there at a time.",
            concept="`L` is read while the results are written, so the pool holds all of them.",
            line="Add them: `+`, and no `max`.",
        ),
        Misconception(
            "results not rounded",
            lambda problem, which: (
                _up(problem.mec_bytes())
                + (2 if which == "A" else 1) * 4 * problem.pixels * problem.k_c
            ),
            symptom="You can be too low, by less than 512 bytes a result.",
            concept="The pool's pieces are multiples of 512 bytes, for results as for `L`.",
            line="`-(-size // 512) * 512` for each result too.",
        ),
    ],
)
