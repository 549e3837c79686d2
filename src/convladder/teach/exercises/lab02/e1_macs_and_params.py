"""Lab 02, exercise 1: MACs and parameters."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from . import counts_wrong as wrong
from .layers import counts, layers, problem_of


def macs_and_params(image, kernel, stride, padding):
    return counts(image, kernel, stride, padding)


EXERCISE = Exercise(
    name="macs_and_params",
    lab=2,
    task="Count the multiply-accumulates of a layer, and its parameters with bias.",
    reference=macs_and_params,
    cases=layers,
    misconceptions=[
        Misconception(
            "input size",
            wrong.input_size,
            symptom="You counted a MAC for each weight at each *input* pixel.",
            concept="Work is done where a result is written: count output pixels, and what each "
            "needs. There are fewer of them than input pixels once the stride is above 1 or the "
            "padding is short.",
            line="Compute `o_h` and `o_w` first, and use them in place of `i_h` and `i_w`.",
        ),
        Misconception(
            "stride ignored",
            wrong.stride_ignored,
            symptom="Your MACs are right for stride 1, and too many wherever a larger one leaves "
            "out windows.",
            concept="A stride of 2 skips every other place, in each direction.",
            line="`o_h = (i_h + 2 * p_h - k_h) // s_h + 1`, and so for `o_w`: the starts are `s_h` "
            "and `s_w` apart.",
        ),
        Misconception(
            "pairs from across",
            wrong.across_first,
            symptom="Your MACs are right where stride and padding are the same in both "
            "directions; else as if each pair began with the number across.",
            concept="Pairs begin with the rows: `stride[0]` and `padding[0]` go down.",
            line="`s_h, s_w = stride` and `p_h, p_w = padding`.",
        ),
        Misconception(
            "padding on one side",
            wrong.one_padding,
            symptom="Your MACs are right without padding; with it they can be too few.",
            concept="`p_h` rows of zeros go above the image *and* below it.",
            line="It is `i_h + 2 * p_h` and `i_w + 2 * p_w`, with the 2.",
        ),
        Misconception(
            "padding ignored",
            wrong.padding_ignored,
            symptom="Your MACs are those of an image without padding.",
            concept="The kernel also visits places where it reaches over the edge, onto zeros. "
            "Each gives an output pixel.",
            line="The padded height is `i_h + 2 * p_h`, the padded width `i_w + 2 * p_w`.",
        ),
        Misconception(
            "one filter",
            wrong.one_filter,
            symptom="Your MACs are too few, by a factor of `k_c`.",
            concept="Each output pixel has `k_c` values, and each of them reads the whole window "
            "with weights of its own.",
            line="Multiply the MACs by `k_c`.",
        ),
        Misconception(
            "flops",
            wrong.flops,
            symptom="Your MACs are exactly twice what they should be.",
            concept="A MAC is one multiplication *and* the addition that goes with it. Counted "
            "one by one those are two FLOPs, but one MAC.",
            line="`k_h * k_w * i_c` for each output value: no factor of 2, and no second count for "
            "the additions.",
        ),
        Misconception(
            "bias forgotten",
            wrong.no_bias,
            symptom="The MACs are right. Some parameters are missing.",
            concept="Besides its weights, each filter has one number that is added to its result: "
            "the bias.",
            line="Add `k_c` to the parameters.",
        ),
        Misconception(
            "bias per pixel",
            wrong.bias_per_pixel,
            symptom="The MACs are right. There are too many parameters.",
            concept="The bias is shared by all pixels, like the weights: one for each filter.",
            line="Add `k_c`, not `o_h * o_w * k_c`.",
        ),
        Misconception(
            "weights for each pixel",
            wrong.weights_for_each_pixel,
            symptom="The MACs are right. You count the weights anew for each output pixel.",
            concept="The kernel slides: the same weights meet every window. That is what makes a "
            "convolution small.",
            line="`k_h * k_w * i_c * k_c + k_c` parameters, without `o_h * o_w`.",
            choices={"biases": ("all",)},
        ),
        Misconception(
            "kernel divided, not the difference",
            wrong.kernel_divided,
            symptom="The parameters are right. Your MACs are right for a stride of 1, and too many "
            "for a larger one.",
            concept="The stride thins out the starts, and so divides the last one that fits. "
            "Without brackets, `//` binds before `-` and divides the kernel alone.",
            line="`o_h = (i_h + 2 * p_h - k_h) // s_h + 1`, with these brackets, and so for `o_w`.",
        ),
        Misconception(
            "one added before dividing",
            wrong.divided_too_late,
            symptom="The parameters are right. Your MACs are right for a stride of 1, and can be "
            "too few for a larger one.",
            concept="The start at 0 always counts. Only the steps behind it are thinned out by the "
            "stride.",
            line="`(i_h + 2 * p_h - k_h) // s_h + 1`, with the 1 outside the division, and so for "
            "`o_w`.",
        ),
        Misconception(
            "last start left out",
            lambda image, kernel, stride, padding: wrong.divided_too_late(
                image, kernel, stride, padding, start=0
            ),
            symptom="The parameters are right. Your MACs are too few where the stride comes out "
            "even, down or across.",
            concept="The last start that fits is `i_h + 2 * p_h - k_h`. Where the stride comes to "
            "it, a window stands there, and it counts.",
            line="`(i_h + 2 * p_h - k_h) // s_h + 1`, and so for `o_w`. In a loop, "
            "`range(0, i_h + 2 * p_h - k_h + 1, s_h)` has all starts.",
        ),
        Misconception(
            "channels left out",
            wrong.one_channel,
            symptom="Your counts are right for an image of one channel; with more, both are too "
            "small.",
            concept="A window is `k_h * k_w` pixels of *all* input channels.",
            line="The window holds `k_h * k_w * i_c` values.",
        ),
        Misconception(
            "order",
            wrong.swapped,
            symptom="Both numbers are there, in the other order.",
            concept="The caller takes the result apart as `macs, params = ...`.",
            line="`return macs, params`",
        ),
        Misconception(
            "bias as a MAC",
            wrong.bias_as_mac,
            symptom="The parameters are right. Your MACs are too many, by one for each output "
            "value.",
            concept="Adding the bias multiplies nothing: it is an addition, and no MAC.",
            line="MACs: output values times `k_h * k_w * i_c`, and nothing more.",
        ),
        Misconception(
            "filters of one channel",
            wrong.filters_as_windows,
            symptom="The MACs are right. With more than one channel your parameters are too few.",
            concept="A filter has a weight for each value of its window, so for each input "
            "channel.",
            line="`k_h * k_w * i_c * k_c` weights.",
        ),
        Misconception(
            "channels left out of the MACs",
            wrong.macs_of_one_channel,
            symptom="The parameters are right. With more than one channel your MACs are too few, "
            "by a factor of `i_c`.",
            concept="A filter looks at all channels of its window, and multiplies each value of "
            "it.",
            line="MACs: output values times `k_h * k_w * i_c`.",
        ),
        Misconception(
            "true division",
            wrong.true_division,
            symptom="Your MACs are a float, and too many where a window does not fit whole.",
            concept="`/` always gives a float. Output pixels come in whole numbers.",
            line="`//` where you divide by the stride.",
        ),
        Misconception(
            "parts of windows",
            wrong.parts_of_windows,
            symptom="Your MACs are right where the stride divides evenly, else too many: parts of "
            "windows are counted.",
            concept="`o_h` and `o_w` are whole numbers, each by itself. Made whole after the "
            "product, it is too late.",
            line="`o_h = (i_h + 2 * p_h - k_h) // s_h + 1`, with `//`, and so for `o_w`, before "
            "the two are multiplied.",
            choices={"whole": (round,)},
        ),
        Misconception(
            "rounded up",
            wrong.rounded_up,
            symptom="Your MACs are right where the stride divides evenly, else too many: a window "
            "too much down, across, or both.",
            concept="A window that would hang over the edge is left out.",
            line="`(i_h + 2 * p_h - k_h) // s_h + 1`, where `//` rounds down. A loop over the "
            "starts ends with the last one that fits.",
        ),
        Misconception(
            "bias for each plane of a filter",
            wrong.bias_for_each_plane,
            symptom="The MACs are right. Your parameters are right for one input channel; with "
            "more there are too many biases.",
            concept="A filter has a plane of weights for each input channel, but adds all its "
            "products to *one* sum, and one bias to that.",
            line="`k_h * k_w * i_c * k_c + k_c`: the bias stands outside the bracket with `i_c`.",
        ),
        Misconception(
            "one bias for the layer",
            lambda image, kernel, stride, padding: (
                counts(image, kernel, stride, padding)[0],
                problem_of(image, kernel, stride, padding).params + 1,
            ),
            symptom="The MACs are right. Your parameters are right for a single filter.",
            concept="Each filter adds a bias of its own.",
            line="Add `k_c`, not 1.",
        ),
        Misconception(
            "parameters of one filter",
            wrong.params_of_one_filter,
            symptom="The MACs are right. With more than one filter your parameters are too few.",
            concept="Each filter has weights of its own, for every value of its window.",
            line="`k_h * k_w * i_c * k_c` weights, and `k_c` biases.",
            choices={"biases": ("all",)},
        ),
        Misconception(
            "MACs on the image only",
            wrong.without_the_zeros,
            symptom="The parameters are right. With padding your MACs are too few: those on its "
            "zeros are missing.",
            concept="The task counts them, as a GEMM does: it multiplies what is in the window, "
            "zeros as well.",
            line="`k_h * k_w * i_c` for every output value, on the border too.",
        ),
        Misconception(
            "additions counted too",
            lambda image, kernel, stride, padding: (
                2 * counts(image, kernel, stride, padding)[0]
                - (p := problem_of(image, kernel, stride, padding)).pixels * p.k_c,
                p.params + p.k_c,
            ),
            symptom="The parameters are right. You count the additions beside the multiplications.",
            concept="A MAC is both together, a multiplication and the addition behind it.",
            line="`k_h * k_w * i_c` for each output value, and nothing for the additions.",
        ),
        Misconception(
            "first place forgotten",
            wrong.first_place_forgotten,
            symptom="Your MACs are too few: the output lacks a row and a column.",
            concept="The steps are the gaps between places; there is one place more than gaps.",
            line="`(i_h + 2 * p_h - k_h) // s_h + 1`, and so for `o_w`: the steps, and 1 for the "
            "place at 0.",
        ),
        Misconception(
            "one stride for both axes",
            lambda image, kernel, stride, padding, axis=0: counts(
                image, kernel, (stride[axis],) * 2, padding
            ),
            choices={"axis": (1,)},
            symptom="Your MACs are right where both strides are equal.",
            concept="The stride is a pair: `s_h` goes down, `s_w` across.",
            line="`s_h` in the line for `o_h`, `s_w` in the line for `o_w`.",
        ),
        Misconception(
            "one padding for both axes",
            lambda image, kernel, stride, padding, axis=0: counts(
                image, kernel, stride, (padding[axis],) * 2
            ),
            choices={"axis": (1,)},
            symptom="Your MACs are right where both paddings are equal.",
            concept="Padding is a pair: `p_h` rows of zeros, `p_w` columns.",
            line="`2 * p_h` in the line for `o_h`, `2 * p_w` in the line for `o_w`.",
        ),
        Misconception(
            "bias for each input channel",
            lambda image, kernel, stride, padding: (
                counts(image, kernel, stride, padding)[0],
                problem_of(image, kernel, stride, padding).params + image[2],
            ),
            symptom="The MACs are right. You have a bias for each *input* channel.",
            concept="A bias is added to a sum, and there is a sum for each filter.",
            line="Add `k_c` to the weights, not `i_c`.",
        ),
    ],
)
