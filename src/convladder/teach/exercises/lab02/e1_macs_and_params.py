"""Lab 02, exercise 1: MACs and parameters."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from .layers import layers, problem_of


def macs_and_params(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.params + p.k_c


def _input_size(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.i_h * p.i_w * p.k_c * p.window, p.params + p.k_c


def _stride_ignored(image, kernel, stride, padding):
    return macs_and_params(image, kernel, (1, 1), padding)


def _one_padding(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    o_h = (p.i_h + p.p_h - p.k_h) // p.s_h + 1
    o_w = (p.i_w + p.p_w - p.k_w) // p.s_w + 1
    return o_h * o_w * p.k_c * p.window, p.params + p.k_c


def _padding_ignored(image, kernel, stride, padding):
    return macs_and_params(image, kernel, stride, (0, 0))


def _one_filter(image, kernel, stride, padding):
    macs, params = macs_and_params(image, kernel, stride, padding)
    return macs // kernel[2], params


def _flops(image, kernel, stride, padding):
    macs, params = macs_and_params(image, kernel, stride, padding)
    return 2 * macs, params


def _no_bias(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.params


def _bias_per_pixel(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.params + p.pixels * p.k_c


def _one_channel(image, kernel, stride, padding):
    return macs_and_params((*image[:2], 1), kernel, stride, padding)


def _swapped(image, kernel, stride, padding):
    return macs_and_params(image, kernel, stride, padding)[::-1]


def _bias_as_mac(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.macs + p.pixels * p.k_c, p.params + p.k_c


def _filters_as_windows(image, kernel, stride, padding):
    """Give each filter one channel, as a depthwise layer would."""
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.k_h * p.k_w * p.k_c + p.k_c


def _true_division(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    o_h = (p.padded_h - p.k_h) / p.s_h + 1
    o_w = (p.padded_w - p.k_w) / p.s_w + 1
    return o_h * o_w * p.params, p.params + p.k_c


def _parts_of_windows(image, kernel, stride, padding, whole=int):
    macs, params = _true_division(image, kernel, stride, padding)
    return whole(macs), params


def _rounded_up(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    o_h, o_w = -(-(p.padded_h - p.k_h) // p.s_h) + 1, -(-(p.padded_w - p.k_w) // p.s_w) + 1
    return o_h * o_w * p.params, p.params + p.k_c


def _bias_for_each_plane(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.params + p.i_c * p.k_c


def _first_place_forgotten(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return (p.o_h - 1) * (p.o_w - 1) * p.params, p.params + p.k_c


EXERCISE = Exercise(
    name="macs_and_params",
    lab=2,
    task="Count the multiply-accumulates of a layer, and its parameters with bias.",
    reference=macs_and_params,
    cases=layers,
    misconceptions=[
        Misconception(
            "input size", _input_size,
            symptom="You counted a MAC for each weight at each *input* pixel.",
            concept="Work is done where a result is written: count output pixels, and what each "
            "needs. There are fewer of them than input pixels once the stride is above 1 or the "
            "padding is short.",
            line="Compute `o_h` and `o_w` first, and use them in place of `i_h` and `i_w`."),
        Misconception(
            "stride ignored", _stride_ignored,
            symptom="Your count is right for stride 1 and too large for any other.",
            concept="A stride of 2 skips every other place, in each direction.",
            line="`o_h = (i_h + 2 * p_h - k_h) // s_h + 1`: divide by the stride, *then* add 1."),
        Misconception(
            "padding on one side", _one_padding,
            symptom="Your outputs are too small wherever there is padding.",
            concept="`p_h` rows of zeros go above the image *and* below it.",
            line="It is `i_h + 2 * p_h`, with the 2."),
        Misconception(
            "padding ignored", _padding_ignored,
            symptom="Your count is right without padding and too small with it.",
            concept="The kernel also visits places where it reaches over the edge, onto zeros. "
            "Each gives an output pixel.",
            line="The padded height is `i_h + 2 * p_h`."),
        Misconception(
            "one filter", _one_filter,
            symptom="Your MACs are too few, by a factor of `k_c`.",
            concept="Each output pixel has `k_c` values, and each of them reads the whole window "
            "with weights of its own.",
            line="Multiply the MACs by `k_c`."),
        Misconception(
            "flops", _flops,
            symptom="Your MACs are exactly twice what they should be.",
            concept="A MAC is one multiplication *and* the addition that goes with it. Counted "
            "one by one those are two FLOPs, but one MAC.",
            line="Take the factor of 2 away."),
        Misconception(
            "bias forgotten", _no_bias,
            symptom="The MACs are right. Some parameters are missing.",
            concept="Besides its weights, each filter has one number that is added to its result: "
            "the bias.",
            line="Add `k_c` to the parameters."),
        Misconception(
            "bias per pixel", _bias_per_pixel,
            symptom="The MACs are right. There are too many parameters.",
            concept="The bias is shared by all pixels, like the weights: one for each filter.",
            line="Add `k_c`, not `o_h * o_w * k_c`."),
        Misconception(
            "channels left out", _one_channel,
            symptom="Your counts are right for an image of one channel only.",
            concept="A window is `k_h * k_w` pixels of *all* input channels.",
            line="The window holds `k_h * k_w * i_c` values."),
        Misconception(
            "order", _swapped,
            symptom="Both numbers are there, in the other order.",
            concept="The caller takes the result apart as `macs, params = ...`.",
            line="`return macs, params`"),
        Misconception(
            "bias as a MAC", _bias_as_mac,
            symptom="The parameters are right. Your MACs are too many, by one for each output "
                    "value.",
            concept="Adding the bias multiplies nothing: it is an addition, and no MAC.",
            line="MACs: output values times `k_h * k_w * i_c`, and nothing more."),
        Misconception(
            "filters of one channel", _filters_as_windows,
            symptom="The MACs are right. With more than one channel your parameters are too "
                    "few.",
            concept="A filter has a weight for each value of its window, so for each input "
                    "channel.",
            line="`k_h * k_w * i_c * k_c` weights."),
        Misconception(
            "true division", _true_division,
            symptom="Your MACs are a float, and too many where a window does not fit whole.",
            concept="`/` always gives a float. Output pixels come in whole numbers.",
            line="`//` where you divide by the stride."),
        Misconception(
            "parts of windows", _parts_of_windows,
            symptom="Your MACs are right where the stride divides evenly, else too many: parts of "
                    "windows are counted.",
            concept="`o_h` and `o_w` are whole numbers, each by itself. Made whole after the "
                    "product, it is too late.",
            line="`o_h = (i_h + 2 * p_h - k_h) // s_h + 1`, with `//`, and no `int` behind it.",
            choices={"whole": (round,)}),
        Misconception(
            "rounded up", _rounded_up,
            symptom="Your MACs are right where the stride divides evenly, else too many: a window "
                    "too much down or across.",
            concept="A window that would hang over the edge is left out.",
            line="`//` rounds down: no `ceil` here."),
        Misconception(
            "bias for each plane of a filter", _bias_for_each_plane,
            symptom="The MACs are right. Your parameters are right for one input channel; with "
                    "more there are too many biases.",
            concept="A filter has a plane of weights for each input channel, but adds all its "
                    "products to *one* sum, and one bias to that.",
            line="`k_h * k_w * i_c * k_c + k_c`: the bias stands outside the bracket with `i_c`."),
        Misconception(
            "first place forgotten", _first_place_forgotten,
            symptom="Your MACs are too few: the output lacks a row and a column.",
            concept="The steps are the gaps between places; there is one place more than gaps.",
            line="Add 1 after the division by the stride."),
        Misconception(
            "one stride for both axes",
            lambda image, kernel, stride, padding: macs_and_params(
                image, kernel, stride[:1] * 2, padding),
            symptom="Your MACs are right where both strides are equal.",
            concept="The stride is a pair: `s_h` goes down, `s_w` across.",
            line="In the line for `o_w`, divide by `s_w`."),
        Misconception(
            "one padding for both axes",
            lambda image, kernel, stride, padding: macs_and_params(
                image, kernel, stride, padding[:1] * 2),
            symptom="Your MACs are right where both paddings are equal.",
            concept="Padding is a pair: `p_h` rows of zeros, `p_w` columns.",
            line="In the line for `o_w`, add `2 * p_w`."),
        Misconception(
            "bias for each input channel",
            lambda image, kernel, stride, padding: (
                macs_and_params(image, kernel, stride, padding)[0],
                problem_of(image, kernel, stride, padding).params + image[2]),
            symptom="The MACs are right. You have a bias for each *input* channel.",
            concept="A bias is added to a sum, and there is a sum for each filter.",
            line="Add `k_c` to the weights, not `i_c`."),
    ],
)
