"""Lab 01, exercise 1: how large the output is."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception


def output_shape(image, kernel, stride, padding):
    """Return the pair (o_h, o_w) for pairs (vertical, horizontal) of whole numbers."""
    return tuple((i + 2 * p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def forgets_the_first(image, kernel, stride, padding):
    return tuple((i + 2 * p - k) // s for i, k, s, p in zip(image, kernel, stride, padding))


def rounds_up(image, kernel, stride, padding):
    return tuple(-(-(i + 2 * p - k) // s) + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def pads_once(image, kernel, stride, padding):
    return tuple((i + p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def shape_without_stride(image, kernel, stride, padding):
    return tuple(i + 2 * p - k + 1 for i, k, p in zip(image, kernel, padding))


def shape_without_padding(image, kernel, stride, padding):
    return tuple((i - k) // s + 1 for i, k, s in zip(image, kernel, stride))


def divides_too_late(image, kernel, stride, padding):
    return tuple((i + 2 * p - k + 1) // s for i, k, s, p in zip(image, kernel, stride, padding))


def one_stride_for_the_shape(image, kernel, stride, padding):
    return output_shape(image, kernel, (stride[0], stride[0]), padding)


def width_first(image, kernel, stride, padding):
    return output_shape(image, kernel, stride, padding)[::-1]


def shape_cases(rng):
    return [
        ((4, 4), (3, 3), (1, 1), (0, 0)),
        ((5, 7), (3, 3), (2, 2), (0, 0)),
        ((8, 8), (3, 2), (2, 3), (1, 1)),
        ((9, 6), (2, 3), (3, 2), (0, 2)),
        ((224, 224), (7, 7), (2, 2), (3, 3)),
        ((10, 13), (4, 3), (3, 1), (2, 0)),
    ]


EXERCISE = Exercise(
    name="output_shape",
    lab=1,
    task="Rows and columns of the output, from image, kernel, stride and padding.",
    reference=output_shape,
    cases=shape_cases,
    misconceptions=[
        Misconception(
            "first place forgotten", forgets_the_first,
            symptom="Your output is one row and one column too small.",
            concept="The kernel may start at 0 and at every step up to the last start that fits. "
            "The steps are the gaps between places; there is one place more than gaps.",
            line="Add 1 after the division.",
        ),
        Misconception(
            "rounded up", rounds_up,
            symptom="You are right wherever the stride divides evenly, and one too large "
            "elsewhere.",
            concept="A window that would hang over the edge is left out, not filled up. So the "
            "number of steps is rounded down.",
            line="Use `//`, which rounds down, in place of `ceil` or a rounding division.",
        ),
        Misconception(
            "padding counted once", pads_once,
            symptom="You are right without padding, and too small with it.",
            concept="Padding is put on both sides: above and below, left and right.",
            line="The padded image has `i + 2 * p` rows, not `i + p`.",
        ),
        Misconception(
            "stride ignored", shape_without_stride,
            symptom="You are right for a stride of 1, and too large for any other.",
            concept="With a stride of 2 the window skips every second start, so about half of "
            "them are left.",
            line="Divide the last start that fits, `i + 2 * p - k`, by the stride of that axis.",
        ),
        Misconception(
            "padding ignored", shape_without_padding,
            symptom="Your output is what an image without padding would give.",
            concept="The window moves over the padded image, which has `p` more rows on each side.",
            line="Add `2 * p` to the image's size before you subtract the kernel's.",
        ),
        Misconception(
            "one added before dividing", divides_too_late,
            symptom="You are right for a stride of 1, and often one too small for a larger one.",
            concept="The start at 0 always counts. Only the steps after it are thinned out by the "
            "stride.",
            line="Divide first, then add: `(i + 2 * p - k) // s + 1`.",
        ),
        Misconception(
            "one stride for both axes", one_stride_for_the_shape,
            symptom="You are right where both strides are equal; elsewhere your `o_w` is wrong.",
            concept="The stride is a pair: `stride[0]` moves down, `stride[1]` across.",
            line="In the line for `o_w`, use `stride[1]`.",
        ),
        Misconception(
            "width before height", width_first,
            symptom="You return the right numbers in the wrong order.",
            concept="This course puts the vertical axis first everywhere, as an array's shape "
            "does.",
            line="Return `(o_h, o_w)`.",
        ),
    ],
)
