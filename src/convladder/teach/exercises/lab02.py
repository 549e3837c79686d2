"""Lab 02: count what a layer costs, fold a batch norm, add up float16 without losing it."""

from __future__ import annotations

import numpy as np

from ...problem import ConvProblem
from ..exercise import Exercise, Misconception
from ..photo import photo

# image (i_h, i_w, i_c), kernel (k_h, k_w, k_c), stride (s_h, s_w), padding (p_h, p_w)
LAYERS = [
    ((4, 4, 1), (3, 3, 1), (1, 1), (0, 0)),
    ((5, 4, 2), (3, 2, 3), (1, 1), (0, 0)),
    ((9, 12, 3), (3, 5, 4), (2, 3), (1, 2)),
    ((224, 224, 3), (3, 3, 32), (2, 2), (1, 1)),
    ((28, 28, 256), (3, 3, 512), (1, 1), (1, 1)),
]


def _problem(image, kernel, stride, padding) -> ConvProblem:
    return ConvProblem(1, *image, *kernel, stride, padding)


# --- 1: MACs and parameters -------------------------------------------------------------------


def macs_and_params(image, kernel, stride, padding):
    p = _problem(image, kernel, stride, padding)
    return p.macs, p.params + p.k_c


def _input_size(image, kernel, stride, padding):
    p = _problem(image, kernel, stride, padding)
    return p.i_h * p.i_w * p.k_c * p.window, p.params + p.k_c


def _stride_ignored(image, kernel, stride, padding):
    return macs_and_params(image, kernel, (1, 1), padding)


def _one_padding(image, kernel, stride, padding):
    p = _problem(image, kernel, stride, padding)
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
    p = _problem(image, kernel, stride, padding)
    return p.macs, p.params


def _bias_per_pixel(image, kernel, stride, padding):
    p = _problem(image, kernel, stride, padding)
    return p.macs, p.params + p.pixels * p.k_c


def _one_channel(image, kernel, stride, padding):
    return macs_and_params((*image[:2], 1), kernel, stride, padding)


def _swapped(image, kernel, stride, padding):
    return macs_and_params(image, kernel, stride, padding)[::-1]


Exercise(
    name="macs_and_params",
    lab=2,
    task="Count the multiply-accumulates of a layer, and its parameters with bias.",
    reference=macs_and_params,
    cases=lambda rng: LAYERS,
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
    ],
)


# --- 2: memory accesses by the naive rule -----------------------------------------------------


def naive_accesses(image, kernel, stride, padding, depthwise):
    if depthwise:
        one = _problem((*image[:2], 1), (*kernel[:2], 1), stride, padding)
        return (image[2] * one.accesses(bias=True)).total
    return _problem(image, kernel, stride, padding).accesses(bias=True).total


def _read_once(image, kernel, stride, padding, depthwise):
    p = _problem(image, kernel, stride, padding)
    reads = p.i_h * p.i_w * p.i_c
    if depthwise:
        return reads + p.pixels * p.i_c + p.k_h * p.k_w * p.i_c + p.i_c
    return reads + p.pixels * p.k_c + p.params + p.k_c


def _shared_window(image, kernel, stride, padding, depthwise):
    p = _problem(image, kernel, stride, padding)
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
    p = _problem(image, kernel, stride, padding)
    outputs = p.pixels * (p.i_c if depthwise else p.k_c)
    return naive_accesses(image, kernel, stride, padding, depthwise) - outputs


def _weights_each_time(image, kernel, stride, padding, depthwise):
    p = _problem(image, kernel, stride, padding)
    weights = p.i_c * (p.k_h * p.k_w + 1) if depthwise else p.params + p.k_c
    return naive_accesses(image, kernel, stride, padding, depthwise) + (p.pixels - 1) * weights


def _accesses_without_bias(image, kernel, stride, padding, depthwise):
    bias = image[2] if depthwise else kernel[2]
    return naive_accesses(image, kernel, stride, padding, depthwise) - bias


def _as_bytes(image, kernel, stride, padding, depthwise):
    return 4 * naive_accesses(image, kernel, stride, padding, depthwise)


Exercise(
    name="naive_accesses",
    lab=2,
    task="Count memory accesses by the naive rule, also for a depthwise layer.",
    reference=naive_accesses,
    cases=lambda rng: [(*layer, False) for layer in LAYERS] + [(*layer, True) for layer in LAYERS],
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
    ],
)


# --- 3: the least time, from the roofline -----------------------------------------------------


def least_seconds(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = _problem(image, kernel, stride, padding)
    return max(p.flops / flops_per_s, p.compulsory_bytes() / bytes_per_s)


def _time(p, flops, moved, flops_per_s, bytes_per_s):
    return max(flops / flops_per_s, moved / bytes_per_s)


def _quickest(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = _problem(image, kernel, stride, padding)
    return min(p.flops / flops_per_s, p.compulsory_bytes() / bytes_per_s)


def _in_turn(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = _problem(image, kernel, stride, padding)
    return p.flops / flops_per_s + p.compulsory_bytes() / bytes_per_s


def _values_as_bytes(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = _problem(image, kernel, stride, padding)
    return _time(p, p.flops, p.compulsory_bytes(1), flops_per_s, bytes_per_s)


def _macs_as_flops(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = _problem(image, kernel, stride, padding)
    return _time(p, p.macs, p.compulsory_bytes(), flops_per_s, bytes_per_s)


def _naive_bytes(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = _problem(image, kernel, stride, padding)
    return _time(p, p.flops, 4 * p.accesses().total, flops_per_s, bytes_per_s)


def _padding_moved(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = _problem(image, kernel, stride, padding)
    zeros = 4 * p.i_c * (p.padded_h * p.padded_w - p.i_h * p.i_w)
    return _time(p, p.flops, p.compulsory_bytes() + zeros, flops_per_s, bytes_per_s)


def _weights_unmoved(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = _problem(image, kernel, stride, padding)
    return _time(p, p.flops, p.compulsory_bytes() - 4 * p.params, flops_per_s, bytes_per_s)


def _arithmetic_only(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    return _problem(image, kernel, stride, padding).flops / flops_per_s


def _traffic_only(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    return _problem(image, kernel, stride, padding).compulsory_bytes() / bytes_per_s


MACHINES = [(100e9, 20e9), (2000e9, 50e9)]  # FLOP/s, bytes/s: one core, many cores
TIMED = [
    ((2, 2, 1), (1, 1, 1), (1, 1), (0, 0)),
    ((9, 12, 3), (3, 5, 4), (2, 3), (1, 2)),
    ((56, 56, 64), (3, 3, 64), (1, 1), (1, 1)),
    ((28, 28, 2), (3, 3, 2), (1, 1), (1, 1)),
    ((1, 1, 4096), (1, 1, 1000), (1, 1), (0, 0)),
]

Exercise(
    name="least_seconds",
    lab=2,
    task="Predict the least time of a layer from a machine's two limits.",
    reference=least_seconds,
    cases=lambda rng: [(*layer, *machine) for machine in MACHINES for layer in TIMED],
    misconceptions=[
        Misconception(
            "the smaller of two times", _quickest,
            symptom="Your time is too short: it belongs to the limit that does *not* bind.",
            concept="The layer is done when its arithmetic *and* its traffic are done, so the "
            "longer of the two decides. (Of *rates*, the roofline takes the smaller. Of times, "
            "the larger.)",
            line="`max` in place of `min`."),
        Misconception(
            "one after the other", _in_turn,
            symptom="Your time is the sum of the two.",
            concept="A processor computes while it loads. The least time is that of the slower "
            "one alone.",
            line="`max(a, b)` in place of `a + b`."),
        Misconception(
            "values as bytes", _values_as_bytes,
            symptom="Your traffic is four times too small.",
            concept="A float32 is four bytes, and the machine's limit is in bytes a second.",
            line="Multiply the number of values by 4."),
        Misconception(
            "MACs as FLOPs", _macs_as_flops,
            symptom="Your arithmetic takes half the time it should.",
            concept="The peak is in FLOP/s, and a MAC is two FLOPs.",
            line="`2 * macs / flops_per_s`"),
        Misconception(
            "naive accesses as traffic", _naive_bytes,
            symptom="Your time is far too long: it moves each window anew.",
            concept="The roofline asks for the traffic that cannot be avoided: each input value "
            "and each weight once in, each output value once out.",
            line="Bytes: 4 times the sum of the three arrays' sizes."),
        Misconception(
            "padding moved", _padding_moved,
            symptom="You move a little too much wherever there is padding.",
            concept="The zeros around the image are not stored anywhere: nobody reads them from "
            "memory.",
            line="The image has `i_h * i_w * i_c` values, without the padding."),
        Misconception(
            "weights left out", _weights_unmoved,
            symptom="Your time is far too short for layers with many weights.",
            concept="The weights lie in memory as well and must be read once. In a fully "
            "connected layer they are nearly all of the traffic.",
            line="Add `k_h * k_w * i_c * k_c` values to the traffic."),
        Misconception(
            "arithmetic only", _arithmetic_only,
            symptom="Your time is right where arithmetic is the limit, else too short.",
            concept="A layer with little work for each byte waits for memory.",
            line="Compute the time of the traffic too, and take the longer one."),
        Misconception(
            "traffic only", _traffic_only,
            symptom="Your time is right where memory is the limit, else too short.",
            concept="A layer with much work for each byte waits for its arithmetic.",
            line="Compute the time of the arithmetic too, and take the longer one."),
    ],
)


# --- 4: folding a batch norm ------------------------------------------------------------------


def fold(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale, (bias - mean) * scale + beta


def _epsilon_outside(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / (np.sqrt(variance) + np.float32(epsilon))
    return w * scale, (bias - mean) * scale + beta


def _epsilon_forgotten(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, beta, mean, variance, 0.0)


def _not_a_deviation(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / (variance + np.float32(epsilon))
    return w * scale, (bias - mean) * scale + beta


def _bias_unscaled(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale, bias - mean * scale + beta


def _bias_dropped(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, np.zeros_like(bias), gamma, beta, mean, variance, epsilon)


def _mean_forgotten(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, beta, np.zeros_like(mean), variance, epsilon)


def _mean_unscaled(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale, bias * scale - mean + beta


def _gamma_forgotten(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, np.ones_like(gamma), beta, mean, variance, epsilon)


def _wrong_axis(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale[:, None], (bias - mean) * scale + beta


def _weights_kept(w, bias, gamma, beta, mean, variance, epsilon):
    return w.copy(), fold(w, bias, gamma, beta, mean, variance, epsilon)[1]


def _layers_with_norm(rng):
    cases = []
    for k_h, k_w, i_c, k_c in ((1, 1, 2, 2), (3, 2, 4, 4), (3, 5, 3, 7)):
        w = rng.standard_normal((k_h, k_w, i_c, k_c), dtype=np.float32)
        bias, beta, mean = rng.standard_normal((3, k_c), dtype=np.float32)
        gamma = rng.uniform(0.5, 2, k_c).astype(np.float32)
        variance = rng.uniform(0.01, 4, k_c).astype(np.float32)
        cases.append((w, bias, gamma, beta, mean, variance, 0.01))
    return cases


Exercise(
    name="fold",
    lab=2,
    task="Fold a batch norm into the weights and the bias of the convolution before it.",
    reference=fold,
    cases=_layers_with_norm,
    misconceptions=[
        Misconception(
            "epsilon outside the root", _epsilon_outside,
            symptom="Your values are a little off, most where the variance is small.",
            concept="Epsilon keeps the root away from zero, so it is added to the variance, under "
            "the root.",
            line="`np.sqrt(variance + epsilon)`"),
        Misconception(
            "epsilon forgotten", _epsilon_forgotten,
            symptom="Your values are a little too large, most where the variance is small.",
            concept="The network was trained with epsilon in place, so it belongs to the function "
            "that you fold.",
            line="Look at what stands under `np.sqrt`: add `epsilon` there."),
        Misconception(
            "variance for deviation", _not_a_deviation,
            symptom="Your scale is too large for small variances and too small for large ones.",
            concept="A batch norm divides by the standard deviation: the *root* of the variance.",
            line="Divide by `np.sqrt(variance + epsilon)`, not by what stands under the root."),
        Misconception(
            "bias not scaled", _bias_unscaled,
            symptom="The weights are right and the bias is not: part of it was not scaled.",
            concept="The batch norm comes after the convolution added its bias, so it scales that "
            "bias too.",
            line="Put the bias in the bracket that is scaled: `(bias - mean) * scale + beta`"),
        Misconception(
            "bias dropped", _bias_dropped,
            symptom="The weights are right; the convolution's own bias is gone.",
            concept="`conv(x, w) + bias` is what gets normalised, all of it.",
            line="The bracket is `(bias - mean)`, not `(-mean)`."),
        Misconception(
            "mean forgotten", _mean_forgotten,
            symptom="The weights are right; the bias knows nothing of the mean.",
            concept="The norm subtracts the mean before it scales. What is subtracted from every "
            "pixel alike is a bias.",
            line="The bracket is `(bias - mean)`, not `bias` alone."),
        Misconception(
            "mean not scaled", _mean_unscaled,
            symptom="The weights are right; in the bias, the mean was not scaled.",
            concept="The norm subtracts the mean first and scales afterwards.",
            line="Put bias and mean in one bracket: `(bias - mean) * scale + beta`"),
        Misconception(
            "gamma forgotten", _gamma_forgotten,
            symptom="Your scale makes all channels alike; the trained one does not.",
            concept="After it normalised a channel, the norm multiplies it by the trained `gamma`.",
            line="Divide `gamma` by the root, not 1."),
        Misconception(
            "wrong axis", _wrong_axis,
            symptom="The bias is right; the weights were scaled along another axis.",
            concept="There is a scale for each *output* channel. In `w[k_h, k_w, i_c, k_c]` that is "
            "the last axis, which NumPy lines up with a vector by itself.",
            line="`w * scale`, with no further axis: no `[:, None]`, no transpose."),
        Misconception(
            "weights kept", _weights_kept,
            symptom="The bias is right; the weights are as they were.",
            concept="A scaled sum is a sum of scaled terms: to scale the result, scale each "
            "weight of that filter.",
            line="`w * scale`"),
    ],
)


# --- 5: float16 data, added up without losing it ----------------------------------------------


def channel_means(image):
    return image.mean(axis=(0, 1), dtype=np.float64).astype(np.float32)


def _float16_sum(image):
    total = np.zeros(image.shape[2], np.float16)
    for row in image.reshape(-1, image.shape[2]):
        total += row
    return total.astype(np.float32) / np.float32(image.shape[0] * image.shape[1])


def _float16_sum_and_mean(image):
    total = np.zeros(image.shape[2], np.float16)
    for row in image.reshape(-1, image.shape[2]):
        total += row
    return (total / np.float16(image.shape[0] * image.shape[1])).astype(np.float32)


def _rounded_at_the_end(image):
    return channel_means(image).astype(np.float16).astype(np.float32)


def _not_divided(image):
    return image.sum(axis=(0, 1), dtype=np.float64).astype(np.float32)


def _all_channels(image):
    return np.full(image.shape[2], image.mean(dtype=np.float32))


def _divided_by_all(image):
    return _not_divided(image) / np.float32(image.size)


def _feature_maps(rng):
    small = np.arange(8, dtype=np.float16).reshape(2, 2, 2)
    signed = (rng.standard_normal((96, 80, 5)) + [-0.5, 0.4, 1, -2, 0.3]).astype(np.float16)
    # Not larger: beyond that, float32 added up in a row is out of the tolerance itself.
    return [(small,), (signed,), (photo(96).astype(np.float16),)]


Exercise(
    name="channel_means",
    lab=2,
    task="Average each channel of a float16 image, without losing it on the way.",
    reference=channel_means,
    cases=_feature_maps,
    misconceptions=[
        Misconception(
            "float16 accumulator", _float16_sum,
            symptom="Small images are right. For large ones the sum stops growing on the way.",
            concept="A float16 has 11 significant bits. Once the sum is 2048 times as large as "
            "what is added, adding changes nothing. Converting *after* the sum comes too late.",
            line="`image.sum(axis=(0, 1), dtype=np.float32)`: or convert the image first."),
        Misconception(
            "float16 to the end", _float16_sum_and_mean,
            symptom="Small images are right. For large ones sum and mean are lost in float16.",
            concept="A float16 has 11 significant bits: a large sum swallows what is added. Use a "
            "wider accumulator from the first addition on.",
            line="`image.mean(axis=(0, 1), dtype=np.float32)`"),
        Misconception(
            "rounded at the end", _rounded_at_the_end,
            symptom="Your means are nearly right: they agree to three digits.",
            concept="The sum was done in float32, and the result then went through float16, which "
            "keeps 11 bits. NumPy's `mean` does so by itself: it gives back the dtype it was "
            "given.",
            line="Tell it what to give back: `mean(..., dtype=np.float32)`."),
        Misconception(
            "not divided", _not_divided,
            symptom="You returned sums.",
            concept="A mean is the sum over all pixels, divided by how many there are.",
            line="Divide by `i_h * i_w`."),
        Misconception(
            "over all channels", _all_channels,
            symptom="All your means are the same number.",
            concept="Each channel has a mean of its own, so the last axis must stay.",
            line="`axis=(0, 1)`"),
        Misconception(
            "divided by all values", _divided_by_all,
            symptom="Your means are too small, by the number of channels.",
            concept="A channel has one value at each pixel: divide by the pixels, not by all "
            "values of the image.",
            line="`image.shape[0] * image.shape[1]` in place of `image.size`."),
    ],
)
