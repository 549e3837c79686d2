"""A batch norm folded forwards, right and as learners fold it: lab 13, exercise 2."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Misconception


def folded(w, bias, scale, shift):
    """Fold into the weights along their input channels, and into the bias through them."""
    return (
        np.float32(w * scale[:, np.newaxis]),
        np.float32(bias + np.einsum("abck,c->k", w, shift)),
    )


def terms(gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + epsilon)
    return scale, beta - mean * scale


def output_axis(w, bias, *norm):
    scale, shift = terms(*norm)
    return np.float32(w * scale), np.float32(bias + np.einsum("abck,c->k", w, shift))


def shift_as_it_is(w, bias, *norm):
    scale, shift = terms(*norm)
    return np.float32(w * scale[:, np.newaxis]), np.float32(bias + shift)


def shift_twice_scaled(w, bias, *norm):
    scale, shift = terms(*norm)
    scaled = w * scale[:, np.newaxis]
    return np.float32(scaled), np.float32(bias + np.einsum("abck,c->k", scaled, shift))


def one_tap(w, bias, *norm, of=lambda size: 0):
    scale, shift = terms(*norm)
    a, b = map(of, w.shape[:2])
    return np.float32(w * scale[:, np.newaxis]), np.float32(bias + shift @ w[a, b])


def folded_behind(w, bias, *norm):
    scale, shift = terms(*norm)
    return np.float32(w * scale), np.float32(bias * scale + shift)


def channel_by_channel(w, bias, *norm):
    scale, shift = terms(*norm)
    return np.float32(w * scale), np.float32(bias + shift)


def folded_with(scale_of, w, bias, gamma, beta, mean, variance, epsilon):
    scale = scale_of(gamma, variance, epsilon)
    return folded(w, bias, scale, beta - mean * scale)


def mean_added(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + epsilon)
    return folded(w, bias, scale, beta + mean * scale)


def shift_of_outputs(w, bias, *norm):
    scale, shift = terms(*norm)
    return np.float32(w * scale[:, np.newaxis]), np.float32(bias + (w * shift).sum((0, 1, 2)))


def mean_as_it_is(w, bias, gamma, beta, mean, variance, epsilon):
    return folded(w, bias, gamma / np.sqrt(variance + epsilon), beta - mean)


def bias_scaled(w, bias, *norm):
    scale, shift = terms(*norm)
    return (
        np.float32(w * scale[:, np.newaxis]),
        np.float32(bias * scale + np.einsum("abck,c->k", w, shift)),
    )


def first_channel_of_the_shift(w, bias, *norm):
    scale, shift = terms(*norm)
    return np.float32(w * scale[:, np.newaxis]), np.float32(bias + w.sum((0, 1, 2)) * shift[0])


def mean_of_the_window(w, bias, *norm):
    scale, shift = terms(*norm)
    return (
        np.float32(w * scale[:, np.newaxis]),
        np.float32(bias + np.einsum("abck,c->k", w, shift) / (w.shape[0] * w.shape[1])),
    )


def in_place(w, bias, *norm):
    scale, shift = terms(*norm)
    bias += np.einsum("abck,c->k", w, shift)
    w *= scale[:, np.newaxis]
    return w, bias


def mean_left_out(w, bias, gamma, beta, mean, variance, epsilon):
    return folded(w, bias, gamma / np.sqrt(variance + epsilon), beta)


def mean_without_gamma(w, bias, gamma, beta, mean, variance, epsilon):
    root = np.sqrt(variance + epsilon)
    return folded(w, bias, gamma / root, beta - mean / root)


def summed_over_outputs(w, bias, *norm, of="k"):
    scale, shift = terms(*norm)
    return (
        np.float32(w * scale[:, np.newaxis]),
        np.float32(bias + np.einsum(f"abck,{of}->c", w, shift)),
    )


def by_one_row(w, bias, gamma, beta, mean, variance, epsilon, axis=0, at=0):
    """Sum the shift over one row, or column (axis=1), of the window."""
    scale = gamma / np.sqrt(variance + epsilon)
    part = np.take(w, [at], axis)
    return w * scale[:, None], bias + np.einsum("abck,c->k", part, beta - mean * scale)


MORE = (
    Misconception(
        "beta scaled",
        lambda w, bias, gamma, beta, mean, variance, epsilon: folded(
            w,
            bias,
            gamma / np.sqrt(variance + epsilon),
            (beta - mean) * gamma / np.sqrt(variance + epsilon),
        ),
        symptom="The weights are right. In the bias, `beta` is scaled as well.",
        concept="`gamma * (x - mean) / root + beta`: only the bracket is scaled.",
        line="`shift = beta - mean * scale`, with `beta` as it is.",
    ),
    Misconception(
        "scale upside down",
        lambda *args: folded_with(
            lambda gamma, variance, epsilon: np.sqrt(variance + epsilon) / gamma, *args
        ),
        symptom="Your scale is one over what it should be.",
        concept="A norm multiplies by `gamma` and divides by the root.",
        line="`gamma / np.sqrt(variance + epsilon)`.",
    ),
    Misconception(
        "epsilon behind the division",
        lambda *args: folded_with(
            lambda gamma, variance, epsilon: gamma / np.sqrt(variance) + epsilon, *args
        ),
        symptom="Your scale is that without epsilon, and epsilon on top.",
        concept="Epsilon keeps the root from 0, so it is added to the variance.",
        line="`gamma / np.sqrt(variance + epsilon)`, with brackets round the sum.",
    ),
    Misconception(
        "variance squared",
        lambda *args: folded_with(
            lambda gamma, variance, epsilon: gamma / np.sqrt(variance**2 + epsilon), *args
        ),
        symptom="Your scale comes of the variance squared.",
        concept="The variance is the deviation's square already.",
        line="`np.sqrt(variance + epsilon)`.",
    ),
    Misconception(
        "one row of the window",
        by_one_row,
        choices={"axis": (0, 1), "at": (0, -1)},
        symptom="The weights are right. The bias has the shift of one row, or one column, of the "
        "window.",
        concept="The shift is in every pixel of the window, and each comes with its own weight.",
        line="Sum over both first axes of `w`, and over the input channels.",
    ),
)
