"""Batch norms as lab 02's learners fold them wrongly: exercise 4."""

from __future__ import annotations

import numpy as np

from .norm import fold


def by(scaled):
    """Fold with the scale `scaled(gamma, variance, epsilon)`."""

    def wrong(w, bias, gamma, beta, mean, variance, epsilon):
        scale = scaled(gamma, variance, np.float32(epsilon))
        return w * scale, (bias - mean) * scale + beta

    return wrong


def epsilon_forgotten(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, beta, mean, variance, 0.0)


def bias_unscaled(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale, bias - mean * scale + beta


def bias_dropped(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, np.zeros_like(bias), gamma, beta, mean, variance, epsilon)


def mean_forgotten(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, beta, np.zeros_like(mean), variance, epsilon)


def mean_unscaled(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale, bias * scale - mean + beta


def gamma_forgotten(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, np.ones_like(gamma), beta, mean, variance, epsilon)


def wrong_axis(w, bias, gamma, beta, mean, variance, epsilon, behind=1, in_a_copy=False):
    """Scale another axis than the last; NumPy words its error otherwise if that is done in place."""
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    new_w, factors = w.copy(), scale.reshape(-1, *[1] * behind)
    if in_a_copy:
        new_w *= factors
    else:
        new_w = w * factors
    return new_w, (bias - mean) * scale + beta


def input_channels_scaled(w, bias, gamma, beta, mean, variance, epsilon):
    """Scale along the input channels, by as many of the scales as there are such channels."""
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    new_w, count = w.copy(), min(w.shape[2], len(scale))
    new_w[:, :, :count] *= scale[:count, np.newaxis]
    return new_w, (bias - mean) * scale + beta


def weights_kept(w, bias, gamma, beta, mean, variance, epsilon):
    return w.copy(), fold(w, bias, gamma, beta, mean, variance, epsilon)[1]


def bias_as_it_was(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, beta, mean, variance, epsilon)[0], bias.copy()


def beta_forgotten(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, np.zeros_like(beta), mean, variance, epsilon)


def beta_scaled(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale, (bias - mean + beta) * scale


def mean_added(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, beta, -mean, variance, epsilon)


def shifted_weights(w, bias, gamma, beta, mean, variance, epsilon, beta_too=False):
    new_w, new_bias = fold(w - mean, bias, gamma, beta, mean, variance, epsilon)
    return new_w + beta * np.float32(beta_too), new_bias


def times_gamma(w, bias, gamma, beta, mean, variance, epsilon, what="mean"):
    new_w, _ = fold(w, bias, gamma, beta, mean, variance, epsilon)
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    if what == "mean":
        return new_w, bias * scale - mean * gamma + beta
    return new_w, (bias - mean) * scale + beta * gamma


def squared(w, bias, gamma, beta, mean, variance, epsilon, power=1.0):
    scale = gamma / (variance**2 + np.float32(epsilon)) ** np.float32(power)
    return w * scale, (bias - mean) * scale + beta


def gamma_behind_the_root(w, bias, gamma, beta, mean, variance, epsilon):
    """Scale the weights by the norm without gamma."""
    return (
        fold(w, bias, np.ones_like(gamma), beta, mean, variance, epsilon)[0],
        fold(w, bias, gamma, beta, mean, variance, epsilon)[1],
    )


def without_bias(w, bias, gamma, beta, mean, variance, epsilon):
    """Leave gamma out of the bias alone."""
    return (
        fold(w, bias, gamma, beta, mean, variance, epsilon)[0],
        fold(w, bias, np.ones_like(gamma), beta, mean, variance, epsilon)[1],
    )
