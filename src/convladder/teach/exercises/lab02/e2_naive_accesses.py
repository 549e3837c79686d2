"""Lab 02, exercise 2: memory accesses by the naive rule."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from .layers import layers, problem_of


def naive_accesses(image, kernel, stride, padding, depthwise):
    if depthwise:
        one = problem_of((*image[:2], 1), (*kernel[:2], 1), stride, padding)
        return (image[2] * one.accesses(bias=True)).total
    return problem_of(image, kernel, stride, padding).accesses(bias=True).total


def _read_once(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    reads = p.i_h * p.i_w * p.i_c
    if depthwise:
        return reads + p.pixels * p.i_c + p.k_h * p.k_w * p.i_c + p.i_c
    return reads + p.pixels * p.k_c + p.params + p.k_c


def _shared_window(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    if depthwise:
        return naive_accesses(image, kernel, stride, padding, True)
    return p.pixels * p.window + p.pixels * p.k_c + p.params + p.k_c


def _dense_depthwise(image, kernel, stride, padding, depthwise):
    if depthwise:
        kernel = (*kernel[:2], image[2])
    return naive_accesses(image, kernel, stride, padding, False)


def _flag_ignored(image, kernel, stride, padding, depthwise):
    return naive_accesses(image, kernel, stride, padding, False)


def _one_of_depthwise(image, kernel, stride, padding, depthwise):
    total = naive_accesses(image, kernel, stride, padding, depthwise)
    return total // image[2] if depthwise else total


def _unwritten(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    outputs = p.pixels * (p.i_c if depthwise else p.k_c)
    return naive_accesses(image, kernel, stride, padding, depthwise) - outputs


def _weights_each_time(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    weights = p.i_c * (p.k_h * p.k_w + 1) if depthwise else p.params + p.k_c
    return naive_accesses(image, kernel, stride, padding, depthwise) + (p.pixels - 1) * weights


def _accesses_without_bias(image, kernel, stride, padding, depthwise):
    bias = image[2] if depthwise else kernel[2]
    return naive_accesses(image, kernel, stride, padding, depthwise) - bias


def _as_bytes(image, kernel, stride, padding, depthwise):
    return 4 * naive_accesses(image, kernel, stride, padding, depthwise)


def _image_read_for_each_pixel(image, kernel, stride, padding, depthwise):
    """Count window reads for each pixel of the input."""
    p = problem_of(image, kernel, stride, padding)
    right = naive_accesses(image, kernel, stride, padding, depthwise)
    window = p.k_h * p.k_w * p.i_c * (1 if depthwise else p.k_c)
    return right + (p.i_h * p.i_w - p.pixels) * window


def _outputs_read_too(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    outputs = p.pixels * (p.i_c if depthwise else p.k_c)
    return naive_accesses(image, kernel, stride, padding, depthwise) + outputs


def _filters_in_depthwise(image, kernel, stride, padding, depthwise):
    return naive_accesses(image, kernel, stride, padding, depthwise) * (
        kernel[2] if depthwise else 1)


def _one_bias(image, kernel, stride, padding, depthwise):
    biases = image[2] if depthwise else kernel[2]
    return naive_accesses(image, kernel, stride, padding, depthwise) - biases + 1


def _depthwise_reads_all(image, kernel, stride, padding, depthwise):
    right = naive_accesses(image, kernel, stride, padding, depthwise)
    p = problem_of(image, kernel, stride, padding)
    return right + depthwise * p.pixels * p.i_c * (p.window - p.k_h * p.k_w)


EXERCISE = Exercise(
    name="naive_accesses",
    lab=2,
    task="Count memory accesses by the naive rule, also for a depthwise layer.",
    reference=naive_accesses,
    cases=lambda rng: [(*layer, depthwise) for depthwise in (False, True) for layer in layers(rng)],
    misconceptions=[
        Misconception(
            "input read once", _read_once,
            symptom="You let each input value be read once.",
            concept="That is the *compulsory* count, the least possible. The naive rule lets each "
            "output value fetch its whole window anew.",
            line="Reads of the image: values in a window, times output *values*."),
        Misconception(
            "window shared by filters", _shared_window,
            symptom="Your reads of the image are too few by a factor of `k_c`.",
            concept="By the naive rule even the filters share nothing: each of the `k_c` values of "
            "an output pixel reads the window for itself.",
            line="Multiply by `o_h * o_w * k_c`, not by `o_h * o_w`."),
        Misconception(
            "depthwise counted with i_c squared", _dense_depthwise,
            symptom="Your depthwise layer costs as much as a full one with `i_c` filters.",
            concept="A depthwise filter looks at one channel, its own. So a window has "
            "`k_h * k_w` values, and there are `i_c` filters of that size: the channels come in "
            "once, not squared.",
            line="Set both the window's and the filter's channels to 1, count, and multiply by "
            "`i_c`."),
        Misconception(
            "flag ignored", _flag_ignored,
            symptom="`depthwise=True` gives the same count as `depthwise=False`.",
            concept="A depthwise layer is `i_c` small problems of one channel and one filter each; "
            "`k_c` plays no part.",
            line="Begin with `if depthwise:`, or set `i_c, k_c, times = 1, 1, i_c` there."),
        Misconception(
            "one channel of many", _one_of_depthwise,
            symptom="Your depthwise count is that of one channel.",
            concept="There is a problem for each channel, and they are all done.",
            line="Multiply the whole count by `i_c`."),
        Misconception(
            "output not written", _unwritten,
            symptom="Your total is short by one access for each output value.",
            concept="A result must be written to memory, which is an access as well.",
            line="Add the number of output values."),
        Misconception(
            "weights read for every pixel", _weights_each_time,
            symptom="Your total is too large: the weights are in it once for each output pixel.",
            concept="The rule reads weights once, since they are few enough to be kept near the "
            "processor. It is the image that it fetches again and again.",
            line="Add the weights and the biases once."),
        Misconception(
            "bias left out", _accesses_without_bias,
            symptom="Your total is short by a few.",
            concept="The biases are parameters too, and are read once as well.",
            line="Add one for each filter: `k_c`, or `i_c` in a depthwise layer."),
        Misconception(
            "bytes", _as_bytes,
            symptom="Your total is exactly four times what it should be.",
            concept="Accesses count values. How many bytes a value has is a separate question.",
            line="Take the 4 away."),
        Misconception(
            "a window for each input pixel", _image_read_for_each_pixel,
            symptom="Your reads belong to a result as large as the image.",
            concept="Windows are read for output values. With a stride, or without padding, "
                    "there are fewer of them than input pixels.",
            line="`o_h * o_w` in place of `i_h * i_w`."),
        Misconception(
            "output read as well", _outputs_read_too,
            symptom="Your total is too large by one access for each output value.",
            concept="By the naive rule the sum grows in a register, and is written once when it "
                    "is done.",
            line="Count each output value once: written, not read."),
        Misconception(
            "k_c in a depthwise layer", _filters_in_depthwise,
            symptom="Full layers are right; depthwise ones are `k_c` times too large.",
            concept="In a depthwise layer each input channel has one filter, and makes one "
                    "output channel.",
            line="Leave `k_c` out where `depthwise` is true."),
        Misconception(
            "one bias for the layer", _one_bias,
            symptom="Your total is a little too small, wherever there is more than one filter.",
            concept="Each filter has a bias of its own.",
            line="Read `k_c` biases (`i_c` in a depthwise layer), not one."),
        Misconception(
            "stride ignored",
            lambda image, kernel, stride, padding, depthwise: naive_accesses(
                image, kernel, (1, 1), padding, depthwise),
            symptom="Layers of stride 1 are right, others come out too large.",
            concept="A stride of 2 leaves out every second place, in each direction.",
            line="`o_h = (i_h + 2 * p_h - k_h) // s_h + 1`"),
        Misconception(
            "padding ignored",
            lambda image, kernel, stride, padding, depthwise: naive_accesses(
                image, kernel, stride, (0, 0), depthwise),
            symptom="Layers without padding are right, others come out too small.",
            concept="Windows that hang over the edge make output values too. (Reads of zeros "
                    "are counted like any other.)",
            line="The padded image has `i_h + 2 * p_h` rows."),
        Misconception(
            "depthwise reads all channels", _depthwise_reads_all,
            symptom="Full layers are right. In a depthwise one each output reads all channels of "
                    "its window.",
            concept="Each channel has a filter of its own, which sees that channel alone.",
            line="`k_h * k_w` reads for each of the `o_h * o_w * i_c` outputs."),
    ],
)
