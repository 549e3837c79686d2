"""Lab 02, exercise 2: memory accesses by the naive rule."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from . import accesses_wrong as wrong
from .layers import accesses, layers


def naive_accesses(image, kernel, stride, padding, depthwise):
    return accesses(image, kernel, stride, padding, depthwise)


EXERCISE = Exercise(
    name="naive_accesses",
    lab=2,
    task="Count memory accesses by the naive rule, also for a depthwise layer.",
    reference=naive_accesses,
    cases=lambda rng: [(*layer, depthwise) for depthwise in (False, True) for layer in layers(rng)],
    misconceptions=[
        Misconception(
            "input read once",
            wrong.read_once,
            symptom="You let each input value be read once.",
            concept="That is the *compulsory* count, the least possible. The naive rule lets each "
            "output value fetch its whole window anew.",
            line="Reads of the image: values in a window, times output *values*.",
        ),
        Misconception(
            "window shared by filters",
            wrong.shared_window,
            symptom="In full layers your reads of the image are too few by a factor of `k_c`.",
            concept="By the naive rule even the filters share nothing: each of the `k_c` values of "
            "an output pixel reads the window for itself.",
            line="`k_h * k_w * i_c` reads for each of the `o_h * o_w * k_c` output values.",
        ),
        Misconception(
            "depthwise counted with i_c squared",
            wrong.dense_depthwise,
            symptom="Your depthwise layer costs as much as a full one with `i_c` filters.",
            concept="A depthwise filter looks at one channel, its own. So a window has "
            "`k_h * k_w` values, and there are `i_c` filters of that size: the channels come in "
            "once, not squared.",
            line="Set both the window's and the filter's channels to 1, count, and multiply by "
            "`i_c`.",
        ),
        Misconception(
            "flag ignored",
            wrong.flag_ignored,
            symptom="`depthwise=True` gives the same count as `depthwise=False`.",
            concept="A depthwise layer is `i_c` small problems of one channel and one filter each; "
            "`k_c` plays no part.",
            line="Where `depthwise` is true, count with `i_c = k_c = 1`, and take that `i_c` "
            "times.",
        ),
        Misconception(
            "one channel of many",
            wrong.one_of_depthwise,
            symptom="Your depthwise count is that of one channel.",
            concept="There is a problem for each channel, and they are all done.",
            line="Multiply the whole count by `i_c` where `depthwise` is true.",
        ),
        Misconception(
            "output not written",
            wrong.unwritten,
            symptom="Your total is short by one access for each output value.",
            concept="A result must be written to memory, which is an access as well.",
            line="Add the number of output values: `o_h * o_w * k_c`, or `o_h * o_w * i_c` in a "
            "depthwise layer.",
        ),
        Misconception(
            "one output for each pixel",
            wrong.one_output_for_each_pixel,
            symptom="Depthwise layers are right. Full ones lack `k_c - 1` accesses for each pixel "
            "of the output.",
            concept="Each of the `k_c` filters makes an output channel of its own, so a pixel of "
            "the output has `k_c` values, and each of them is written.",
            line="Count `o_h * o_w * k_c` writes in a full layer, `o_h * o_w * i_c` in a depthwise "
            "one.",
        ),
        Misconception(
            "weights read for every pixel",
            wrong.weights_each_time,
            symptom="Your total is too large: the weights are in it once for each output pixel.",
            concept="The rule reads weights once, since they are few enough to be kept near the "
            "processor. It is the image that it fetches again and again.",
            line="Add the weights and the biases once.",
        ),
        Misconception(
            "bias left out",
            wrong.accesses_without_bias,
            symptom="Your total is short by the number of biases.",
            concept="The biases are parameters too, and are read once as well.",
            line="Add one for each filter: `k_c`, or `i_c` in a depthwise layer.",
        ),
        Misconception(
            "bytes",
            wrong.as_bytes,
            symptom="Your total is exactly four times what it should be.",
            concept="Accesses count values. How many bytes a value has is a separate question.",
            line="Each access counts 1, however many bytes it moves.",
        ),
        Misconception(
            "a window for each input pixel",
            wrong.image_read_for_each_pixel,
            symptom="Your reads belong to a result as large as the image.",
            concept="Windows are read for output values. With a stride, or without padding, "
            "there are fewer of them than input pixels.",
            line="Windows are read for `o_h * o_w` places, not for `i_h * i_w`.",
        ),
        Misconception(
            "output read as well",
            wrong.outputs_read_too,
            symptom="Your total is too large by one access for each output value.",
            concept="By the naive rule the sum grows in a register, and is written once when it "
            "is done.",
            line="Count each output value once: written, not read. And each bias once: not for "
            "each output value.",
        ),
        Misconception(
            "k_c in a depthwise layer",
            wrong.filters_in_depthwise,
            symptom="Full layers are right; depthwise ones are `k_c` times too large.",
            concept="In a depthwise layer each input channel has one filter, and makes one "
            "output channel.",
            line="`k_c` is no factor of anything where `depthwise` is true.",
        ),
        Misconception(
            "k_c outputs in a depthwise layer",
            wrong.outputs_of_depthwise,
            symptom="Full layers are right. In a depthwise one you count `k_c` output channels.",
            concept="A depthwise layer gives as many channels as it takes: `i_c`. The pointwise "
            "layer behind it, a layer of its own, makes `k_c` of them.",
            line="Where `depthwise` is true: `o_h * o_w * i_c` output values, and `i_c` filters of "
            "`k_h * k_w` weights and a bias.",
            choices={"weights": ("k_c", "both")},
        ),
        Misconception(
            "k_c in a depthwise layer's parameters",
            wrong.parameters_of_depthwise,
            symptom="Full layers are right. In a depthwise one `k_c` is among your parameters.",
            concept="There are `i_c` filters, of `k_h * k_w` weights and a bias each.",
            line="`i_c * (k_h * k_w + 1)` parameters where `depthwise` is true.",
            choices={"biases": ("i_c", "both", "all")},
        ),
        Misconception(
            "a weight for each MAC",
            wrong.weight_for_each_mac,
            symptom="Your total has a second access for each multiply-accumulate, beside its value "
            "of the window.",
            concept="A MAC needs a value, a weight and a sum. The rule counts the values each "
            "time and the weights once; the sum grows in a register.",
            line="Values of windows, plus outputs, plus `k_h * k_w * i_c * k_c + k_c`, or `i_c * "
            "(k_h * k_w + 1)` in a depthwise layer: no factor of 2, and no `o_h * o_w` with "
            "the weights.",
            choices={"once": (0,)},
        ),
        Misconception(
            "image read as well",
            wrong.image_read_as_well,
            symptom="Your total is too large by the values of the image.",
            concept="The windows are all that is read of the image. By the naive rule it is not "
            "read once more as a whole.",
            line="Values of windows, outputs, weights, biases: four terms, none with `i_h * i_w`.",
        ),
        Misconception(
            "one bias for the layer",
            wrong.one_bias,
            symptom="Your total is a little too small, wherever there is more than one bias.",
            concept="Each filter has a bias of its own.",
            line="Read `k_c` biases (`i_c` in a depthwise layer), not one.",
        ),
        Misconception(
            "one bias in a depthwise layer",
            wrong.one_bias_in_depthwise,
            symptom="Full layers are right. Depthwise ones lack `i_c - 1` accesses.",
            concept="A depthwise layer has a filter for each of its `i_c` channels, and with each "
            "of these filters comes a bias.",
            line="Where `depthwise` is true, add `i_c` for the biases: `k_h * k_w * i_c + i_c` "
            "parameters.",
        ),
        Misconception(
            "bias read for each output",
            wrong.bias_for_each_output,
            symptom="Your total is too large: in place of a bias for each filter it has an access "
            "more for each output value.",
            concept="An output value is written once, and its sum is kept in a register before. "
            "A filter's bias is read once for all its outputs, like the weights.",
            line="The output values once, and `k_c` biases in all (`i_c` in a depthwise layer).",
        ),
        Misconception(
            "no bias in a depthwise layer",
            wrong.no_bias_in_depthwise,
            symptom="Full layers are right. Depthwise ones lack a bias for each channel.",
            concept="A depthwise filter adds a bias to its sums like any other.",
            line="Add `i_c`, one bias for each filter, where `depthwise` is true.",
        ),
        Misconception(
            "k_c over i_c filters for each channel",
            wrong.several_for_each_channel,
            symptom="Full layers are right. In a depthwise one `k_c` decides how many filters each "
            "channel has.",
            concept="There are depthwise layers with several filters for each channel. Here each "
            "of the `i_c` channels has one, whatever `k_c` is.",
            line="In a depthwise layer: `i_c` filters, and `k_c` nowhere.",
        ),
        Misconception(
            "one filter for all channels",
            wrong.one_depthwise_filter,
            symptom="Full layers are right. In a depthwise one you count the weights of a single "
            "filter.",
            concept="Each of the `i_c` channels has a filter of its own, with weights and a bias "
            "of its own.",
            line="`k_h * k_w` weights and a bias for each of the `i_c` channels.",
            choices={"biases": ("all",)},
        ),
        Misconception(
            "reads of all channels, outputs of one",
            wrong.outputs_of_one,
            symptom="Full layers are right. In a depthwise one you count the reads of the image "
            "for all channels, and the outputs for one only.",
            concept="Each of the `i_c` channels writes its own outputs, and has its own weights "
            "and bias. So all four terms are there `i_c` times.",
            line="All four terms `i_c` times: `i_c * (reads + outputs + weights + 1)`, each for "
            "one channel.",
            choices={"weights": (False, True), "biases": (False, True)},
        ),
        Misconception(
            "stride ignored",
            lambda image, kernel, stride, padding, depthwise: accesses(
                image, kernel, (1, 1), padding, depthwise
            ),
            symptom="Your total is that of stride 1, whatever the stride.",
            concept="A stride of 2 leaves out every second place, in each direction.",
            line="`o_h = (i_h + 2 * p_h - k_h) // s_h + 1`, and so for `o_w`.",
        ),
        Misconception(
            "padding ignored",
            lambda image, kernel, stride, padding, depthwise: accesses(
                image, kernel, stride, (0, 0), depthwise
            ),
            symptom="Your total is that of the layer without padding.",
            concept="Windows that hang over the edge make output values too. (Reads of zeros "
            "are counted like any other.)",
            line="The padded image has `i_h + 2 * p_h` rows and `i_w + 2 * p_w` columns.",
        ),
        Misconception(
            "zeros not read",
            wrong.zeros_unread,
            symptom="You are right without padding. With it your reads are too few: those of zeros "
            "are missing.",
            concept="The rule counts all of a window, as if the zeros were stored. Each output "
            "value reads as many values as any other.",
            line="`k_h * k_w` reads a channel for each output value, on the border too.",
        ),
        Misconception(
            "depthwise reads all channels",
            wrong.depthwise_reads_all,
            symptom="Full layers are right. In a depthwise one each output reads all channels of "
            "its window.",
            concept="Each channel has a filter of its own, which sees that channel alone.",
            line="`k_h * k_w` reads for each of the `o_h * o_w * i_c` outputs.",
        ),
    ],
)
