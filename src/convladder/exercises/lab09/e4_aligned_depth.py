"""Lab 09, exercise 4: the fewest channels with which all rows begin on 16 bytes."""

from ...core.problem import REPORT, ConvProblem
from ..draws import whole, wholes
from ..exercise import Exercise, Misconception, edit

EVEN = ConvProblem(1, 20, 20, 3, 4, 4, 8)  # aligned as it is
HALVES = ConvProblem(1, 15, 16, 3, 2, 2, 8, stride=2)  # stride 16·d bytes, strip 15·8·d
TALL = ConvProblem(1, 16, 16, 3, 2, 2, 8, stride=2)  # stride 16·d bytes, strip 16·8·d
WIDE = ConvProblem(1, 12, 12, 5, 3, 3, 8, padding=1)
FOUR = ConvProblem(1, 12, 12, 4, 3, 3, 8)
SIX = ConvProblem(1, 12, 12, 9, 1, 2, 8)
FLAT = ConvProblem(1, 11, 12, 5, 2, 3, 8)
UNLIKE = ConvProblem(1, 16, 16, 5, 2, 1, 8, stride=(4, 1), padding=1)  # stride 16·d, strip 18·4·d
HIGH = ConvProblem(1, 16, 16, 5, 2, 1, 8, stride=(4, 1), padding=(2, 1))  # strip 20·4·d


def aligned_depth(problem, itemsize):
    depth = problem.i_c
    while any(
        rows * problem.k_w * depth * itemsize % 16 for rows in (problem.s_h, problem.padded_h)
    ):
        depth += 1
    return depth


def deep(rng):
    """Draw a layer with many channels."""
    sides, kernel = wholes(rng, 9, 20), (whole(rng, 2, 4), 3, 8)
    stride, padding = whole(rng, 1, 2), wholes(rng, 1, 2)
    return ConvProblem(1, *sides, whole(rng, 9, 99), *kernel, stride=stride, padding=padding)


BOTH = "(problem.s_h, problem.padded_h)"

EXERCISE = Exercise(
    name="aligned_depth",
    lab=9,
    task="The fewest channels per pixel that make every row of every partition begin on 16 bytes.",
    solution=aligned_depth,
    cases=lambda rng: [
        *((REPORT, size) for size in (4, 2)),
        *((layer, 4) for layer in (FOUR, EVEN, WIDE)),
        (deep(rng), 2),
        *((layer, 4) for layer in (TALL, HALVES, FLAT, SIX)),
        (deep(rng), 1),
        *((REPORT, 1), (UNLIKE, 4), (HIGH, 4)),
    ],
    valid=lambda problem, itemsize: itemsize in (1, 2, 4, 8),
    allowed=("convladder.core.problem",),
    mend="From `depth = i_c` on, until both `s_h * k_w * depth * itemsize` and "
    "`padded_h * k_w * depth * itemsize` are multiples of 16",
    misconceptions=[
        Misconception(
            "the channels alone",
            edit("rows * problem.k_w * depth", "depth"),
            "You never return too few channels, but sometimes too many.",
            "A row has to begin on 16 bytes, not each of its pixels: four columns of 3 floats are "
            "48 bytes.",
        ),
        Misconception(
            "one distance out of two",
            [
                edit(BOTH, "(problem.s_h,)"),
                edit(BOTH, "(problem.padded_h,)"),
                edit("any(", "all("),
            ],
            "Some layers have too few channels: one of the two distances isn't aligned.",
            "Partitions are `s_h` image rows apart, and the rows of a partition a whole strip "
            "apart. Both must be multiples of 16 bytes.",
        ),
        Misconception(
            "strips without padding",
            edit("problem.padded_h", "problem.i_h"),
            "Layers without vertical padding are right.",
            "A strip of `L` is as high as the padded image.",
        ),
        Misconception(
            "values in place of bytes",
            [
                edit(" * itemsize % 16", " % 16"),
                edit("itemsize % 16", "4 % 16"),
            ],
            "One element size is right, and others are not.",
            "Alignment counts bytes: values times their `itemsize`.",
        ),
        Misconception(
            "powers of two only",
            edit("depth += 1", "depth = 1 << depth.bit_length()"),
            "Your depth is `i_c` or a power of two, and often too large.",
            "Any depth will do if both distances are multiples of 16 bytes.",
        ),
    ],
)
