"""Lab 08, exercise 4: the fewest channels with which all rows begin on 16 bytes."""

from __future__ import annotations

from ....problem import REPORT, ConvProblem
from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole, wholes
from .layers import SHAPES

EVEN = ConvProblem(1, 20, 20, 3, 4, 4, 8)  # aligned as it is
HALVES = ConvProblem(1, 15, 16, 3, 2, 2, 8, stride=2)  # stride 16·d bytes, strip 15·8·d
TALL = ConvProblem(1, 16, 16, 3, 2, 2, 8, stride=2)  # stride 16·d bytes, strip 16·8·d
WIDE = ConvProblem(1, 12, 12, 5, 3, 3, 8, padding=1)
FOUR = ConvProblem(1, 12, 12, 4, 3, 3, 8)
SIX = ConvProblem(1, 12, 12, 9, 1, 2, 8)
FLAT = ConvProblem(1, 11, 12, 5, 2, 3, 8)
UNLIKE = ConvProblem(1, 16, 16, 5, 2, 1, 8, stride=(4, 1), padding=1)  # stride 16·d, strip 18·4·d
HIGH = ConvProblem(1, 16, 16, 5, 2, 1, 8, stride=(4, 1), padding=(2, 1))  # strip 20·4·d


def _deep(rng):
    """Return a layer whose depth is the seed's."""
    return ConvProblem(
        1,
        *wholes(rng, 9, 20),
        whole(rng, 9, 99),
        whole(rng, 2, 4),
        3,
        8,
        stride=whole(rng, 1, 2),
        padding=wholes(rng, 1, 2),
    )


def aligned_depth(problem, itemsize):
    return _least(problem, itemsize)


def _least(p, itemsize, *, stride=True, strip=True, s_h=None, height=None, first=0, unit=16):
    """Return the first depth from `i_c + first` on that passes the tests asked for."""
    depth = p.i_c + first
    row = p.k_w * itemsize
    while (
        stride
        and (p.s_h if s_h is None else s_h) * row * depth % unit
        or strip
        and (p.padded_h if height is None else height) * row * depth % unit
    ):
        depth += 1
    return depth


def _power(problem, itemsize):
    depth = 1
    while depth < problem.i_c:
        depth *= 2
    return depth


def _power_that_fits(problem, itemsize, own):
    """Return the layer's own depth if it fits (where that is tried), else a power of two."""
    if own and _least(problem, itemsize) == problem.i_c:
        return problem.i_c
    depth = _power(problem, itemsize)
    while any(
        step * problem.k_w * depth * itemsize % 16 for step in (problem.s_h, problem.padded_h)
    ):
        depth *= 2
    return depth


def _window(problem, itemsize):
    depth = problem.i_c
    while problem.k_h * problem.k_w * depth * itemsize % 16:
        depth += 1
    return depth


EXERCISE = Exercise(
    name="aligned_depth",
    lab=8,
    reference=aligned_depth,
    calls_allowed=SHAPES,
    task="The fewest channels a pixel with which all rows of all partitions begin on 16 bytes.",
    cases=lambda rng: [
        (REPORT, 4),
        (REPORT, 2),
        (FOUR, 4),
        (EVEN, 4),
        (WIDE, 4),
        (_deep(rng), 2),
        (TALL, 4),
        (HALVES, 4),
        (FLAT, 4),
        (SIX, 4),
        (_deep(rng), 1),
        (REPORT, 1),
        (UNLIKE, 4),
        (HIGH, 4),
    ],
    misconceptions=[
        Misconception(
            "always a multiple of four",
            lambda problem, itemsize: -(-problem.i_c // 4) * 4,
            symptom="Right for float32 where kernel width and vertical stride are odd; elsewhere "
            "other depths can do, or be needed.",
            concept="What must be a multiple of 16 bytes is where rows *begin*: a partition's "
            "stride, and a strip's length. Kernel width and stride count as well.",
            line="Test `s_h * k_w * depth * itemsize % 16` and `padded_h * k_w * depth * itemsize "
            "% 16`, from `i_c` on.",
        ),
        Misconception(
            "each pixel on 16 bytes",
            lambda problem, itemsize: -(-problem.i_c * itemsize // 16) * 16 // itemsize,
            symptom="Never too few channels, but sometimes too many.",
            concept="Not every pixel must begin on 16 bytes, only each row of each partition.",
            line="Test `s_h * k_w * depth * itemsize` and `padded_h * k_w * depth * itemsize`: "
            "four columns of 3 floats are 48 bytes, aligned with 3 channels.",
        ),
        Misconception(
            "only the partitions' stride",
            lambda problem, itemsize: _least(problem, itemsize, strip=False),
            symptom="The first row of each partition is aligned; later ones may not be.",
            concept="Rows of a partition are a strip apart. That distance, `lda`, counts too.",
            line="`padded_h * k_w * depth * itemsize` must be a multiple of 16 as well.",
        ),
        Misconception(
            "only the strips",
            lambda problem, itemsize: _least(problem, itemsize, stride=False),
            symptom="Partition 0 is aligned; the others may begin in between.",
            concept="Partition `h` begins `h * s_h * k_w * depth` values into `L`.",
            line="`s_h * k_w * depth * itemsize` must be a multiple of 16 as well.",
        ),
        Misconception(
            "stride without s_h",
            lambda problem, itemsize: _least(problem, itemsize, s_h=1),
            symptom="With a vertical stride of 1 all is right; else you can pad too much.",
            concept="Partitions begin at every `s_h`-th image row only.",
            line="Multiples of 16, both of them: `s_h * k_w * depth * itemsize`, and a strip, "
            "`padded_h * k_w * depth * itemsize`.",
        ),
        Misconception(
            "stride of the width",
            lambda problem, itemsize: _least(problem, itemsize, s_h=problem.s_w),
            symptom="Right where both strides are equal.",
            concept="Partitions move down the image.",
            line="`s_h`, not `s_w`.",
        ),
        Misconception(
            "strips without padding",
            lambda problem, itemsize: _least(problem, itemsize, height=problem.i_h),
            symptom="Layers without vertical padding are right.",
            concept="The zeros of the padding lie in `L`: a strip is as high as the padded image.",
            line="`padded_h`, not `i_h`.",
        ),
        Misconception(
            "a power of two",
            _power,
            symptom="You return powers of two.",
            concept="16 bytes is a power of two, but the number of channels need not be one.",
            line="Count up from `i_c` by 1, to where `s_h * k_w * depth * itemsize` and "
            "`padded_h * k_w * depth * itemsize` are multiples of 16.",
        ),
        Misconception(
            "in values",
            lambda problem, itemsize: _least(problem, 1),
            symptom="Your numbers are the same for every type: those of values of a single byte.",
            concept="16 *bytes* are four float32 or eight float16.",
            line="Multiply by `itemsize` before you take the remainder.",
        ),
        Misconception(
            "float32 always",
            lambda problem, itemsize: _least(problem, 4),
            symptom="float32 is right; for other types you return what float32 needs.",
            concept="A float16 has 2 bytes: more of them fit into 16.",
            line="A distance in bytes: its values times `itemsize`, then `% 16`.",
        ),
        Misconception(
            "always one more",
            lambda problem, itemsize: _least(problem, itemsize, first=1),
            symptom="Layers that are aligned as they are get channels that they do not need.",
            concept="Padding costs a share of all multiplications. Test `i_c` itself first.",
            line="Begin with `depth = problem.i_c`.",
        ),
        Misconception(
            "the window",
            _window,
            symptom="You made the length of a window a multiple of 16 bytes.",
            concept="How long a row is does not decide where the next one begins: in a view that "
            "is `lda`, and between matrices `stride`.",
            line="Take `s_h * k_w * depth * itemsize` and `padded_h * k_w * depth * itemsize`.",
        ),
        Misconception(
            "another alignment",
            lambda problem, itemsize, unit=32: _least(problem, itemsize, unit=unit),
            symptom="Your depths are those that another number of bytes than 16 would need.",
            concept="A load of 16 bytes wants an address that is a multiple of 16, no more and no "
            "less. Of each distance by itself: where 4 divides both, 16 divides their "
            "product.",
            line="`% 16`, once for each of the two distances.",
            choices={"unit": (8, 4, 64, 128)},
        ),
        Misconception(
            "either of the two",
            lambda problem, itemsize: min(
                _least(problem, itemsize, stride=False), _least(problem, itemsize, strip=False)
            ),
            symptom="You can stop while one of the two distances is no multiple of 16 bytes yet.",
            concept="A row begins some partitions and some strips further: both must be.",
            line="Two remainders, each of one distance alone, with `or` between: go on while "
            "*either* is left.",
        ),
        Misconception(
            "16 channels",
            lambda problem, itemsize: -(-problem.i_c // 16) * 16,
            symptom="You round up to 16 channels, where 16 *bytes* are asked for.",
            concept="16 bytes are 4 float32 values; and not every pixel must begin on such an "
            "address.",
            line="Count up from `i_c` until both distances, in bytes, are multiples of 16.",
        ),
        Misconception(
            "counted from 1",
            lambda problem, itemsize: _least(problem, itemsize, first=1 - problem.i_c),
            symptom="Some of your depths are smaller than the layer's own.",
            concept="All `i_c` channels must be stored; what is sought is how many more.",
            line="Count up from `problem.i_c`.",
        ),
        Misconception(
            "how many to add",
            lambda problem, itemsize: _least(problem, itemsize) - problem.i_c,
            symptom="You return how many channels are added.",
            concept="What is wanted is how many there are then.",
            line="`return depth`, nothing subtracted.",
        ),
        Misconception(
            "both distances added",
            lambda problem, itemsize: _least(
                problem, itemsize, stride=False, height=problem.s_h + problem.padded_h
            ),
            symptom="Right, or too few channels: with yours both distances together make a "
            "multiple of 16, and not each of them.",
            concept="A row may begin a strip further, or a stride, or some of each. 60 and 4 are "
            "64 together, and no row should begin at 60.",
            line="Take two remainders, one of each distance, and go on while either is not 0.",
        ),
        Misconception(
            "padding on one side",
            lambda problem, itemsize: _least(problem, itemsize, height=problem.i_h + problem.p_h),
            symptom="If `p_h` is 0 you are right: else your strip has the zeros of one side only.",
            concept="Padding lies above the image *and* below it.",
            line="`i_h + 2 * p_h`, which is `padded_h`.",
        ),
        Misconception(
            "padding of the width",
            lambda problem, itemsize: _least(
                problem, itemsize, height=problem.i_h + 2 * problem.p_w
            ),
            symptom="Right where both paddings are equal: your strip has the columns' zeros.",
            concept="A strip goes down the image: it is longer by the rows of zeros above and "
            "below.",
            line="`2 * p_h`, not `2 * p_w`.",
        ),
        Misconception(
            "powers of two alone",
            lambda problem, itemsize, own=True: _power_that_fits(problem, itemsize, own),
            choices={"own": (False,)},
            symptom="Your depth is a power of two, or `i_c` itself.",
            concept="Between two powers of two lie other depths, with which both distances can be "
            "multiples of 16 bytes too: 96 lies between 64 and 128.",
            line="Count up from `i_c` by 1, not by doubling.",
        ),
    ],
)
