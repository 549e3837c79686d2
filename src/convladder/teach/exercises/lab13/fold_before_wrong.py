"""A batch norm folded forwards, right and as learners fold it: lab 13, exercise 2."""

from __future__ import annotations

import numpy as np


def folded(w, bias, scale, shift):
    """Fold into the weights along their input channels, and into the bias through them."""
    return (np.float32(w * scale[:, np.newaxis]),
            np.float32(bias + np.einsum("abck,c->k", w, shift)))


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
    return (np.float32(w * scale[:, np.newaxis]),
            np.float32(bias * scale + np.einsum("abck,c->k", w, shift)))


def first_channel_of_the_shift(w, bias, *norm):
    scale, shift = terms(*norm)
    return np.float32(w * scale[:, np.newaxis]), np.float32(bias + w.sum((0, 1, 2)) * shift[0])


def mean_of_the_window(w, bias, *norm):
    scale, shift = terms(*norm)
    return (np.float32(w * scale[:, np.newaxis]),
            np.float32(bias + np.einsum("abck,c->k", w, shift) / (w.shape[0] * w.shape[1])))


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


def summed_over_outputs(w, bias, *norm):
    scale, shift = terms(*norm)
    return (np.float32(w * scale[:, np.newaxis]),
            np.float32(bias + np.einsum("abck,k->c", w, shift)))
