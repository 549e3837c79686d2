"""Lab 02, exercise 4: folding a batch norm."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception


def fold(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale, (bias - mean) * scale + beta


def _epsilon_outside(w, bias, gamma, beta, mean, variance, epsilon, last=False):
    root, least = np.sqrt(variance), np.float32(epsilon)
    scale = gamma / root + least if last else gamma / (root + least)
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


def _wrong_axis(w, bias, gamma, beta, mean, variance, epsilon, behind=1):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale.reshape(-1, *[1] * behind), (bias - mean) * scale + beta


def _weights_kept(w, bias, gamma, beta, mean, variance, epsilon):
    return w.copy(), fold(w, bias, gamma, beta, mean, variance, epsilon)[1]


def _bias_as_it_was(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, beta, mean, variance, epsilon)[0], bias.copy()


def _beta_forgotten(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, np.zeros_like(beta), mean, variance, epsilon)


def _beta_scaled(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale, (bias - mean + beta) * scale


def _mean_added(w, bias, gamma, beta, mean, variance, epsilon):
    return fold(w, bias, gamma, beta, -mean, variance, epsilon)


def _divided(w, bias, gamma, beta, mean, variance, epsilon):
    scale = np.sqrt(variance + np.float32(epsilon)) / gamma
    return w * scale, (bias - mean) * scale + beta


def _squared(w, bias, gamma, beta, mean, variance, epsilon, power=1.0):
    scale = gamma / (variance**2 + np.float32(epsilon))**np.float32(power)
    return w * scale, (bias - mean) * scale + beta


def _gamma_behind_the_root(w, bias, gamma, beta, mean, variance, epsilon):
    """Scale the weights by the norm without gamma."""
    return (fold(w, bias, np.ones_like(gamma), beta, mean, variance, epsilon)[0],
            fold(w, bias, gamma, beta, mean, variance, epsilon)[1])


def _without_bias(w, bias, gamma, beta, mean, variance, epsilon):
    """Leave gamma out of the bias alone."""
    return (fold(w, bias, gamma, beta, mean, variance, epsilon)[0],
            fold(w, bias, np.ones_like(gamma), beta, mean, variance, epsilon)[1])


def _layers_with_norm(rng):
    cases = []
    for k_h, k_w, i_c, k_c in ((1, 1, 2, 2), (3, 2, 4, 4), (3, 5, 3, 7)):
        w = rng.standard_normal((k_h, k_w, i_c, k_c), dtype=np.float32)
        bias, beta, mean = rng.standard_normal((3, k_c), dtype=np.float32)
        gamma = rng.uniform(0.5, 2, k_c).astype(np.float32)
        variance = rng.uniform(0.01, 4, k_c).astype(np.float32)
        cases.append((w, bias, gamma, beta, mean, variance, 0.01))
    return cases


EXERCISE = Exercise(
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
            line="`np.sqrt(variance + epsilon)`", choices={"last": (True,)}),
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
            symptom="The bias is right; the weights are scaled along another axis, or the scale "
                    "does not fit them.",
            concept="There is a scale for each *output* channel. In `w[k_h, k_w, i_c, k_c]` that "
            "is the last axis, which NumPy lines up with a vector by itself.",
            line="`w * scale`, with no further axis: no `[:, None]`, no transpose.",
            choices={"behind": (2, 3)}),
        Misconception(
            "weights kept", _weights_kept,
            symptom="The bias is right; the weights are as they were.",
            concept="A scaled sum is a sum of scaled terms: to scale the result, scale each "
            "weight of that filter.",
            line="`w * scale`"),
        Misconception(
            "bias as it was", _bias_as_it_was,
            symptom="The weights are right. The bias has not changed at all.",
            concept="The norm also shifts: what it subtracts and adds for every pixel alike can "
                    "only go into the bias.",
            line="`new_bias = (bias - mean) * scale + beta`"),
        Misconception(
            "beta forgotten", _beta_forgotten,
            symptom="The weights are right; the bias lacks `beta`.",
            concept="After the scale, the norm adds the trained `beta` to every pixel of the "
                    "channel.",
            line="`... + beta`, behind the bracket."),
        Misconception(
            "beta scaled", _beta_scaled,
            symptom="The weights are right; in the bias, `beta` was scaled as well.",
            concept="The norm adds `beta` last, after it has scaled.",
            line="`beta` stands outside the bracket: `(bias - mean) * scale + beta`."),
        Misconception(
            "mean added", _mean_added,
            symptom="The weights are right; in the bias the mean has the wrong sign.",
            concept="The norm takes the mean away from `y`, so that its average becomes 0.",
            line="`bias - mean` in the bracket."),
        Misconception(
            "scale upside down", _divided,
            symptom="Your scale is one over the right one.",
            concept="The norm divides by the deviation and multiplies by `gamma`.",
            line="`gamma / np.sqrt(variance + epsilon)`"),
        Misconception(
            "squared in place of the root", _squared,
            symptom="Your scale is far off, most where the variance is far from 1.",
            concept="`variance` is a square already: its *root* is the deviation.",
            line="`np.sqrt(...)`, not `** 2`.", choices={"power": (0.5,)}),
        Misconception(
            "gamma in the bias only", _gamma_behind_the_root,
            symptom="The bias is right; the weights were divided by the deviation and no more.",
            concept="`gamma` multiplies all of what was normalised: the sum of products too.",
            line="Use the same `scale` for weights and bias."),
        Misconception(
            "gamma in the weights only", _without_bias,
            symptom="The weights are right; in the bias `gamma` is missing.",
            concept="The bias and the mean are normalised with the sum, and so multiplied by "
                    "`gamma` like it.",
            line="One `scale`, with `gamma` in it, for both."),
        Misconception(
            "bias shifted, not scaled",
            lambda w, bias, gamma, beta, mean, variance, epsilon: (
                fold(w, bias, gamma, beta, mean, variance, epsilon)[0], bias - mean + beta),
            symptom="The weights are right; in the bias nothing was scaled.",
            concept="The scale belongs to all that the norm divides: the sum of products, the "
                    "bias, the mean.",
            line="`* scale` behind the bracket of bias and mean."),
        Misconception(
            "float64", lambda *layer: tuple(each.astype(np.float64) for each in fold(*layer)),
            symptom="Your values are right, in float64.",
            concept="A network's weights are float32. `np.float64(epsilon)`, or an array "
                    "without a dtype, makes more of them.",
            line="`.astype(np.float32)` at the end."),
        Misconception(
            "the bare variance",
            lambda w, bias, gamma, beta, mean, variance, epsilon: (
                w * (gamma / variance), (bias - mean) * (gamma / variance) + beta),
            symptom="Your scale is far off: you divide by the variance itself, without epsilon.",
            concept="A norm divides by the standard deviation, the root of variance plus "
                    "epsilon.",
            line="Take the root, after epsilon was added."),
    ],
)
