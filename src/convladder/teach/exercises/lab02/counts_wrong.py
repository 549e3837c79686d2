"""MACs and parameters as lab 02's learners count them wrongly: exercise 1."""

from __future__ import annotations

from .layers import counts, problem_of


def input_size(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.i_h * p.i_w * p.k_c * p.window, p.params + p.k_c


def across_first(image, kernel, stride, padding):
    """Read both pairs as (across, down)."""
    return counts(image, kernel, stride[::-1], padding[::-1])


def stride_ignored(image, kernel, stride, padding):
    return counts(image, kernel, (1, 1), padding)


def one_padding(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    o_h = (p.i_h + p.p_h - p.k_h) // p.s_h + 1
    o_w = (p.i_w + p.p_w - p.k_w) // p.s_w + 1
    return o_h * o_w * p.k_c * p.window, p.params + p.k_c


def padding_ignored(image, kernel, stride, padding):
    return counts(image, kernel, stride, (0, 0))


def one_filter(image, kernel, stride, padding):
    macs, params = counts(image, kernel, stride, padding)
    return macs // kernel[2], params


def flops(image, kernel, stride, padding):
    macs, params = counts(image, kernel, stride, padding)
    return 2 * macs, params


def no_bias(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.params


def bias_per_pixel(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.params + p.pixels * p.k_c


def weights_for_each_pixel(image, kernel, stride, padding, biases="one"):
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.macs + p.k_c * (1 if biases == "one" else p.pixels)


def kernel_divided(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    o_h, o_w = p.padded_h - p.k_h // p.s_h + 1, p.padded_w - p.k_w // p.s_w + 1
    return o_h * o_w * p.params, p.params + p.k_c


def divided_too_late(image, kernel, stride, padding, start=1):
    """Count (i + 2p - k + 1) // s places; start=0: those that a range leaves in which ends early."""
    p = problem_of(image, kernel, stride, padding)
    o_h, o_w = (
        (last + 1) // s if start else -(-last // s)
        for last, s in ((p.padded_h - p.k_h, p.s_h), (p.padded_w - p.k_w, p.s_w))
    )
    return o_h * o_w * p.params, p.params + p.k_c


def one_channel(image, kernel, stride, padding):
    return counts((*image[:2], 1), kernel, stride, padding)


def swapped(image, kernel, stride, padding):
    return counts(image, kernel, stride, padding)[::-1]


def bias_as_mac(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.macs + p.pixels * p.k_c, p.params + p.k_c


def filters_as_windows(image, kernel, stride, padding):
    """Give each filter one channel, as a depthwise layer would."""
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.k_h * p.k_w * p.k_c + p.k_c


def macs_of_one_channel(image, kernel, stride, padding):
    macs, params = counts(image, kernel, stride, padding)
    return macs // image[2], params


def params_of_one_filter(image, kernel, stride, padding, biases="one"):
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.window + (1 if biases == "one" else p.k_c)


def true_division(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    o_h = (p.padded_h - p.k_h) / p.s_h + 1
    o_w = (p.padded_w - p.k_w) / p.s_w + 1
    return o_h * o_w * p.params, p.params + p.k_c


def parts_of_windows(image, kernel, stride, padding, whole=int):
    macs, params = true_division(image, kernel, stride, padding)
    return whole(macs), params


def rounded_up(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    o_h, o_w = -(-(p.padded_h - p.k_h) // p.s_h) + 1, -(-(p.padded_w - p.k_w) // p.s_w) + 1
    return o_h * o_w * p.params, p.params + p.k_c


def without_the_zeros(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)

    def on_the_image(i, k, s, pad, o):
        return sum(max(0, min(i, s * at - pad + k) - max(0, s * at - pad)) for at in range(o))

    return (
        on_the_image(p.i_h, p.k_h, p.s_h, p.p_h, p.o_h)
        * on_the_image(p.i_w, p.k_w, p.s_w, p.p_w, p.o_w)
        * p.i_c
        * p.k_c,
        p.params + p.k_c,
    )


def bias_for_each_plane(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.params + p.i_c * p.k_c


def first_place_forgotten(image, kernel, stride, padding):
    p = problem_of(image, kernel, stride, padding)
    return (p.o_h - 1) * (p.o_w - 1) * p.params, p.params + p.k_c
