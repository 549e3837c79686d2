"""Lab 01, exercise 1: how large the output is."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole, wholes
from . import shape_wrong as wrong
from .shape import output_shape


def shape_cases(rng):
    return [
        ((4, 4), (3, 3), (1, 1), (0, 0)),
        ((5, 7), (3, 3), (2, 2), (0, 0)),
        ((8, 8), (3, 3), (2, 3), (1, 1)),
        ((8, 6), (2, 3), (3, 2), (0, 2)),
        (wholes(rng, 40, 240), wholes(rng, 3, 7), (whole(rng, 2, 4),) * 2, wholes(rng, 0, 3)),
        ((9, 13), (4, 3), (3, 1), (2, 0)),
        ((11, 9), (2, 4), (2, 3), (0, 0)),
        ((6, 7), (1, 2), (1, 1), (2, 3)),  # larger than the image
        ((9, 11), (5, 3), (3, 3), (0, 0)),  # rounded apart, image and kernel give other numbers
    ]


EXERCISE = Exercise(
    name="output_shape",
    lab=1,
    task="Rows and columns of the output, from image, kernel, stride and padding.",
    reference=output_shape,
    cases=shape_cases,
    misconceptions=[
        Misconception(
            "first place forgotten",
            wrong.forgets_the_first,
            symptom="Your output is one row and one column too small.",
            concept="The kernel may start at 0 and at every step up to the last start that fits. "
            "The steps are the gaps between places; there is one place more than gaps.",
            line="`(i + 2 * p - k) // s + 1`: the steps up to the last start that fits, and 1 for "
            "the place at 0.",
        ),
        Misconception(
            "rounded up",
            wrong.rounds_up,
            symptom="Each of your numbers is right where the stride divides evenly, and one too "
            "large elsewhere.",
            concept="A window that would hang over the edge is left out, not filled up. So the "
            "number of steps is rounded down.",
            line="`(i + 2 * p - k) // s + 1`, by `//`, which rounds down. A loop over the starts "
            "ends with the last one that fits, `i + 2 * p - k` at most.",
        ),
        Misconception(
            "padding counted once",
            wrong.pads_once,
            symptom="You are right without padding; with it your numbers can be too small.",
            concept="Padding is put on both sides: above and below, left and right.",
            line="The padded image has `i + 2 * p` rows: `(i + 2 * p - k) // s + 1`.",
        ),
        Misconception(
            "padding counted too often",
            lambda image, kernel, stride, padding, times=3: tuple(
                (i + times * p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding)
            ),
            symptom="You are right without padding; with it your numbers can be too large.",
            concept="An axis has two ends: `p` zeros before the image and `p` behind it.",
            line="`i + 2 * p`.",
            choices={"times": (4,)},
        ),
        Misconception(
            "stride ignored",
            wrong.shape_without_stride,
            symptom="You are right for a stride of 1, and too large wherever a larger one leaves "
            "out windows.",
            concept="With a stride of 2 the window skips every second start, so about half of "
            "them are left.",
            line="`(i + 2 * p - k) // s + 1`: the last start that fits, divided by the stride of "
            "that axis, and 1 for the start at 0. A loop over the starts steps by `s`.",
        ),
        Misconception(
            "padding ignored",
            wrong.shape_without_padding,
            symptom="Your output is what an image without padding would give.",
            concept="The window moves over the padded image, which has `p` more rows on each side.",
            line="Add `2 * p` to the image's size before you subtract the kernel's.",
        ),
        Misconception(
            "one added before dividing",
            wrong.divides_too_late,
            symptom="You are right for a stride of 1, and often one too small for a larger one.",
            concept="The start at 0 always counts. Only the steps after it are thinned out by the "
            "stride.",
            line="`(i + 2 * p - k) // s + 1`: the steps after the start at 0, and 1 for that "
            "start. In a loop, the first start is 0.",
        ),
        Misconception(
            "one stride for both axes",
            wrong.one_stride_for_the_shape,
            choices={"axis": (1,)},
            symptom="You are right where both strides are equal; elsewhere one of your numbers "
            "can be wrong.",
            concept="The stride is a pair: `stride[0]` moves down, `stride[1]` across.",
            line="`stride[0]` counts for `o_h`, and `stride[1]` for `o_w`.",
        ),
        Misconception(
            "pairs turned round",
            wrong.pairs_turned,
            symptom="You are right where both strides are equal, and both paddings; elsewhere your "
            "numbers are those of pairs that are exchanged.",
            concept="All four pairs begin with the vertical number: `image[0]` counts rows, and "
            "`stride[0]` moves down them.",
            line="Take all four apart in the same order, as in `i_h, i_w = image` and `s_h, s_w = "
            "stride`, and return `(o_h, o_w)`.",
        ),
        Misconception(
            "width before height",
            wrong.width_first,
            symptom="You return the right numbers in the wrong order.",
            concept="This course puts the vertical axis first everywhere, as an array's shape "
            "does.",
            line="Return the rows first: what `image[0]`, `kernel[0]`, `stride[0]` and "
            "`padding[0]` give.",
        ),
        Misconception(
            "true division",
            wrong.divides_truly,
            symptom="Your numbers are floats, and some have a fraction: windows do not come in "
            "halves.",
            concept="`/` always gives a float. A window that does not fit whole does not count, "
            "so the number of steps is rounded down.",
            line="`(i + 2 * p - k) // s + 1`, with `//`.",
        ),
        Misconception(
            "rounded to the nearest",
            wrong.rounds_to_nearest,
            choices={"half_up": (True,)},
            symptom="You are right where less than half a step is left over, and one too large "
            "where more than half of one is. Exactly half can go either way.",
            concept="What is left over at the end is too little for a window, however near it "
            "comes.",
            line="`(i + 2 * p - k) // s + 1`, where `//` rounds down: nothing is rounded to the "
            "nearest, and no half is added first.",
        ),
        Misconception(
            "as large as the image",
            wrong.same_as_the_image,
            choices={"up": (False,)},
            symptom="You return the image's size over the stride, whatever the kernel and the "
            "padding are.",
            concept="That is what a network's 'same' padding is chosen for. Here the padding is "
            "given, and may be any other.",
            line="For one axis: `(i + 2 * p - k) // s + 1`.",
        ),
        Misconception(
            "as large as the image once there is padding",
            wrong.same_if_padded,
            choices={"anywhere": (True,)},
            symptom="You are right without padding. With it you return the image's size over the "
            "stride, whatever the kernel and the padding are.",
            concept="Padding need not be as much as keeps the size: here it is given, and may be "
            "any number.",
            line="`(i + 2 * p - k) // s + 1` for every `p`, with no case of its own.",
        ),
        Misconception(
            "never larger than the image",
            wrong.capped,
            symptom="You are right where the output is no larger than the image, and too small "
            "elsewhere.",
            concept="With a stride of 1, and more padding than half a kernel, there are more "
            "places than pixels.",
            line="`(i + 2 * p - k) // s + 1` as it is, not held to the image's size.",
        ),
        Misconception(
            "kernel divided, not the difference",
            wrong.kernel_divided,
            symptom="You are right for a stride of 1, and too large for a larger one.",
            concept="The stride thins out the starts, and so divides the last one that fits, "
            "`i + 2 * p - k`. Without brackets, `//` binds before `-` and divides `k` alone.",
            line="`(i + 2 * p - k) // s + 1`, with these brackets.",
        ),
        Misconception(
            "every kernel taken for an odd one",
            wrong.half_a_kernel,
            symptom="You are right for odd kernels, and can be one too small for even ones.",
            concept="`k // 2` on either side and a pixel in the middle make an odd kernel. One "
            "of 4 has no middle.",
            line="Take off the kernel itself: `(i + 2 * p - k) // s + 1`, with no `k // 2` in it.",
        ),
        Misconception(
            "one padding for both axes",
            lambda image, kernel, stride, padding, axis=0: output_shape(
                image, kernel, stride, (padding[axis],) * 2
            ),
            choices={"axis": (1,)},
            symptom="You are right where both paddings are equal; elsewhere one of your numbers "
            "can be wrong.",
            concept="Padding is a pair: `padding[0]` rows of zeros, `padding[1]` columns.",
            line="`padding[0]` in the line for `o_h`; `padding[1]` in the line for `o_w`.",
        ),
        Misconception(
            "one size of kernel for both axes",
            lambda image, kernel, stride, padding, axis=0: output_shape(
                image, (kernel[axis],) * 2, stride, padding
            ),
            choices={"axis": (1,)},
            symptom="You are right where the kernel's sides are equal; elsewhere one of your "
            "numbers can be wrong.",
            concept="A kernel need not be square: `kernel[0]` counts its rows, `kernel[1]` its "
            "columns.",
            line="`kernel[0]` in the line for `o_h`; `kernel[1]` in the line for `o_w`.",
        ),
        Misconception(
            "strides exchanged",
            lambda image, kernel, stride, padding: output_shape(
                image, kernel, stride[::-1], padding
            ),
            symptom="You are right where both strides are equal; elsewhere both numbers can be "
            "wrong.",
            concept="Pairs are (vertical, horizontal): the first stride belongs to the rows.",
            line="`o_h` wants `stride[0]` and the first number of the other pairs, `o_w` the "
            "second of all four.",
        ),
        Misconception(
            "padding exchanged",
            lambda image, kernel, stride, padding: output_shape(
                image, kernel, stride, padding[::-1]
            ),
            symptom="You are right where both paddings are equal; elsewhere both numbers can be "
            "wrong.",
            concept="Pairs are (vertical, horizontal): the first padding is rows, above and below.",
            line="`o_h` wants `padding[0]` and the first number of the other pairs, `o_w` the "
            "second of all four.",
        ),
        Misconception(
            "padding added to the output",
            wrong.padding_on_top,
            symptom="You are right without padding. With it, an axis comes out too large if its "
            "stride is above 1.",
            concept="The zeros belong to the *image*. The stride thins out the places on them like "
            "all others.",
            line="`2 * p` stands in the bracket that is divided: `(i + 2 * p - k) // s + 1`.",
        ),
        Misconception(
            "padding added to the output once",
            wrong.padding_once_on_top,
            symptom="You are right without padding. With it, an axis of stride 1 comes out too "
            "small, by its padding.",
            concept="There are zeros at both ends of the *image*. They make room for more "
            "windows, which the stride thins out like all others.",
            line="`(i + 2 * p - k) // s + 1`: `2 * p` in the bracket, and no `p` behind it.",
        ),
        Misconception(
            "kernel taken off after the division",
            wrong.kernel_taken_off_last,
            choices={"up": (True,)},
            symptom="You are right for a stride of 1. With a larger one your output can be too "
            "small, the more the larger the kernel.",
            concept="The stride thins out the windows, not the pixels. First find the last start "
            "that fits, which takes the kernel off; then count the steps up to there.",
            line="`(i + 2 * p - k) // s + 1`, with `k` itself in the bracket.",
        ),
        Misconception(
            "kernel taken off last, and no 1 added",
            lambda image, kernel, stride, padding: wrong.kernel_taken_off_last(
                image, kernel, stride, padding, places=0
            ),
            symptom="Your output is too small: by one for a stride of 1, and for a larger one by "
            "the more, the larger the kernel.",
            concept="The kernel comes off the *image*, before the division. And there is one "
            "place more than steps between places.",
            line="`(i + 2 * p - k) // s + 1`: `k` itself in the bracket, and 1 behind it.",
        ),
        Misconception(
            "one place too many",
            wrong.one_place_too_many,
            symptom="Your output is one row and one column too large.",
            concept="Of the starts 0, s, 2s, ... only the one at 0 has to be added to the steps.",
            line="`(i + 2 * p - k) // s + 1`, with 1 added once. In a loop, `range(0, i + 2 * p - "
            "k + 1, s)` has all starts in it.",
        ),
        Misconception(
            "last start left out",
            wrong.last_start_left_out,
            symptom="You are right where the stride leaves something over, and one too small "
            "where it divides evenly.",
            concept="The last start that fits is `i + 2 * p - k`. Where the stride comes to it, a "
            "window stands there, and it counts.",
            line="`(i + 2 * p - k) // s + 1`. In a loop, `range(0, i + 2 * p - k + 1, s)` has all "
            "starts in it.",
        ),
        Misconception(
            "kernel's sides exchanged",
            lambda image, kernel, stride, padding: output_shape(
                image, kernel[::-1], stride, padding
            ),
            symptom="You are right for square kernels; for others both numbers can be wrong.",
            concept="Pairs are (vertical, horizontal): a kernel is (k_h, k_w), rows first.",
            line="`o_h` wants `kernel[0]` and the first number of the other pairs, `o_w` the "
            "second of all four.",
        ),
        Misconception(
            "kernel not taken off",
            lambda image, kernel, stride, padding: tuple(
                (i + 2 * p) // s + 1 for i, s, p in zip(image, stride, padding)
            ),
            symptom="You also count windows that begin near the end and hang over the edge. "
            "Wherever there is one, your output is too large.",
            concept="The last start that fits is not the last pixel, but a kernel's length "
            "before the end.",
            line="Subtract `k` before you divide.",
        ),
    ],
)
