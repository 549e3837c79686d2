"""Accesses as lab 02's learners count them wrongly: exercise 2."""

from __future__ import annotations

from .counts_wrong import without_the_zeros
from .layers import accesses, problem_of


def read_once(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    reads = p.i_h * p.i_w * p.i_c
    if depthwise:
        return reads + p.pixels * p.i_c + p.k_h * p.k_w * p.i_c + p.i_c
    return reads + p.pixels * p.k_c + p.params + p.k_c


def shared_window(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    if depthwise:
        return accesses(image, kernel, stride, padding, True)
    return p.pixels * p.window + p.pixels * p.k_c + p.params + p.k_c


def dense_depthwise(image, kernel, stride, padding, depthwise):
    if depthwise:
        kernel = (*kernel[:2], image[2])
    return accesses(image, kernel, stride, padding, False)


def flag_ignored(image, kernel, stride, padding, depthwise):
    return accesses(image, kernel, stride, padding, False)


def one_of_depthwise(image, kernel, stride, padding, depthwise):
    total = accesses(image, kernel, stride, padding, depthwise)
    return total // image[2] if depthwise else total


def unwritten(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    outputs = p.pixels * (p.i_c if depthwise else p.k_c)
    return accesses(image, kernel, stride, padding, depthwise) - outputs


def weights_each_time(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    weights = p.i_c * (p.k_h * p.k_w + 1) if depthwise else p.params + p.k_c
    return accesses(image, kernel, stride, padding, depthwise) + (p.pixels - 1) * weights


def accesses_without_bias(image, kernel, stride, padding, depthwise):
    bias = image[2] if depthwise else kernel[2]
    return accesses(image, kernel, stride, padding, depthwise) - bias


def bias_for_each_output(image, kernel, stride, padding, depthwise):
    filters, p = image[2] if depthwise else kernel[2], problem_of(image, kernel, stride, padding)
    return accesses(image, kernel, stride, padding, depthwise) + (p.pixels - 1) * filters


def no_bias_in_depthwise(image, kernel, stride, padding, depthwise):
    return accesses(image, kernel, stride, padding, depthwise) - image[2] * depthwise


def several_for_each_channel(image, kernel, stride, padding, depthwise):
    if not depthwise:
        return accesses(image, kernel, stride, padding, False)
    filters = max(1, kernel[2] // image[2])
    return image[2] * accesses((*image[:2], 1), (*kernel[:2], filters), stride, padding, False)


def zeros_unread(image, kernel, stride, padding, depthwise):
    on_zeros = (
        problem_of(image, kernel, stride, padding).macs
        - without_the_zeros(image, kernel, stride, padding)[0]
    )
    return accesses(image, kernel, stride, padding, depthwise) - (
        on_zeros // (kernel[2] if depthwise else 1)
    )


def as_bytes(image, kernel, stride, padding, depthwise):
    return 4 * accesses(image, kernel, stride, padding, depthwise)


def image_read_for_each_pixel(image, kernel, stride, padding, depthwise):
    """Count window reads for each pixel of the input."""
    p = problem_of(image, kernel, stride, padding)
    right = accesses(image, kernel, stride, padding, depthwise)
    window = p.k_h * p.k_w * p.i_c * (1 if depthwise else p.k_c)
    return right + (p.i_h * p.i_w - p.pixels) * window


def outputs_read_too(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    outputs = p.pixels * (p.i_c if depthwise else p.k_c)
    return accesses(image, kernel, stride, padding, depthwise) + outputs


def filters_in_depthwise(image, kernel, stride, padding, depthwise):
    return accesses(image, kernel, stride, padding, depthwise) * (kernel[2] if depthwise else 1)


def counted(p, window, channels, weights, biases):
    """Count windows and results for each of `channels`, and parameters."""
    return p.pixels * channels * (window + 1) + weights + biases


def outputs_of_depthwise(image, kernel, stride, padding, depthwise, weights="i_c"):
    """Count k_c output channels in a depthwise layer, and filters of i_c, k_c or both."""
    if not depthwise:
        return accesses(image, kernel, stride, padding, False)
    p = problem_of(image, kernel, stride, padding)
    filters = {"i_c": p.i_c, "k_c": p.k_c, "both": p.i_c * p.k_c}[weights]
    return counted(
        p, p.k_h * p.k_w, p.k_c, p.k_h * p.k_w * filters, p.i_c if weights == "i_c" else p.k_c
    )


def parameters_of_depthwise(image, kernel, stride, padding, depthwise, biases="k_c"):
    """Count a full layer's parameters in a depthwise one: biases, weights, or both."""
    if not depthwise:
        return accesses(image, kernel, stride, padding, False)
    p = problem_of(image, kernel, stride, padding)
    weights = p.k_h * p.k_w * (p.i_c if biases == "k_c" else p.k_c)
    if biases == "all":
        weights = p.params
    return counted(p, p.k_h * p.k_w, p.i_c, weights, p.i_c if biases == "i_c" else p.k_c)


def one_depthwise_filter(image, kernel, stride, padding, depthwise, biases="one"):
    """Count one filter in a depthwise layer, with one bias or a bias for each channel."""
    if not depthwise:
        return accesses(image, kernel, stride, padding, False)
    p = problem_of(image, kernel, stride, padding)
    return counted(p, p.k_h * p.k_w, p.i_c, p.k_h * p.k_w, 1 if biases == "one" else p.i_c)


def outputs_of_one(image, kernel, stride, padding, depthwise, weights=False, biases=False):
    """Count a depthwise layer's reads for all channels, its outputs for one; the rest by choice."""
    if not depthwise:
        return accesses(image, kernel, stride, padding, False)
    p = problem_of(image, kernel, stride, padding)
    reads = p.i_c * p.pixels * p.k_h * p.k_w
    return reads + p.pixels + p.k_h * p.k_w * (p.i_c if weights else 1) + (p.i_c if biases else 1)


def weight_for_each_mac(image, kernel, stride, padding, depthwise, once=1):
    p = problem_of(image, kernel, stride, padding)
    right = accesses(image, kernel, stride, padding, depthwise)
    macs = p.macs // (p.k_c if depthwise else 1)
    weights = p.k_h * p.k_w * p.i_c if depthwise else p.params
    return right + macs - (1 - once) * weights


def image_read_as_well(image, kernel, stride, padding, depthwise):
    return accesses(image, kernel, stride, padding, depthwise) + image[0] * image[1] * image[2]


def one_bias(image, kernel, stride, padding, depthwise):
    biases = image[2] if depthwise else kernel[2]
    return accesses(image, kernel, stride, padding, depthwise) - biases + 1


def one_bias_in_depthwise(image, kernel, stride, padding, depthwise):
    return accesses(image, kernel, stride, padding, depthwise) - (image[2] - 1) * depthwise


def one_output_for_each_pixel(image, kernel, stride, padding, depthwise):
    p = problem_of(image, kernel, stride, padding)
    right = accesses(image, kernel, stride, padding, depthwise)
    return right if depthwise else right - p.pixels * (p.k_c - 1)


def depthwise_reads_all(image, kernel, stride, padding, depthwise):
    right = accesses(image, kernel, stride, padding, depthwise)
    p = problem_of(image, kernel, stride, padding)
    return right + depthwise * p.pixels * p.i_c * (p.window - p.k_h * p.k_w)
