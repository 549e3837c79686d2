"""Lab 02, exercise 4: folding a batch norm."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import fold_wrong as wrong
from .norm import fold


def _layers_with_norm(rng):
    cases = []
    for k_h, k_w, i_c, k_c in ((1, 1, 2, 2), (3, 2, 4, 4), (3, 5, 3, 7)):
        w = rng.standard_normal((k_h, k_w, i_c, k_c), dtype=np.float32)
        bias, beta, mean = rng.standard_normal((3, k_c), dtype=np.float32)
        gamma = rng.uniform(0.5, 2, k_c).astype(np.float32)
        gamma[1::2] *= -1  # a trained one may have either sign
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
            "epsilon outside the root",
            wrong.by(lambda gamma, variance, epsilon: gamma / (np.sqrt(variance) + epsilon)),
            symptom="Your scale is a little off, in every channel.",
            concept="Epsilon keeps the root away from zero, so it is added to the variance, under "
            "the root.",
            line="`np.sqrt(variance + epsilon)`",
        ),
        Misconception(
            "epsilon added to the scale",
            wrong.by(lambda gamma, variance, epsilon: gamma / np.sqrt(variance) + epsilon),
            symptom="Your scale is off, by about epsilon itself where the variance is large.",
            concept="Without brackets, `gamma / np.sqrt(variance) + epsilon` adds epsilon last. "
            "It belongs to the variance.",
            line="Brackets around `variance + epsilon`, and the root of that.",
        ),
        Misconception(
            "epsilon forgotten",
            wrong.epsilon_forgotten,
            symptom="Your scale is a little too far from 0, most where the variance is small.",
            concept="The network was trained with epsilon in place, so it belongs to the function "
            "that you fold.",
            line="What stands under the root is `variance + epsilon`, with the argument `epsilon`, "
            "however small it is.",
        ),
        Misconception(
            "epsilon subtracted",
            wrong.by(
                lambda gamma, variance, epsilon: (
                    gamma / np.sqrt(np.maximum(variance - epsilon, 1e-12))
                )
            ),
            symptom="Your scale is too far from 0, most where the variance is small: epsilon was "
            "taken away.",
            concept="Epsilon keeps the root away from 0, so it is added.",
            line="`np.sqrt(variance + epsilon)`, with a plus.",
        ),
        Misconception(
            "one variance for all channels",
            wrong.by(lambda gamma, variance, epsilon: gamma / np.sqrt(variance.mean() + epsilon)),
            symptom="You divide all channels by the same deviation.",
            concept="Each channel was normalised by its own variance.",
            line="`variance` itself under the root, without a mean: it has a value for each "
            "channel.",
        ),
        Misconception(
            "variance for deviation",
            wrong.by(lambda gamma, variance, epsilon: gamma / (variance + epsilon)),
            symptom="Your scale is too far from 0 for variances below about 1, and too near it for "
            "those above.",
            concept="A batch norm divides by the standard deviation: the *root* of the variance.",
            line="Divide by `np.sqrt(variance + epsilon)`, once: not by what is under the root.",
        ),
        Misconception(
            "bias not scaled",
            wrong.bias_unscaled,
            symptom="The weights are right; in the new bias, the convolution's own bias was not "
            "scaled.",
            concept="The batch norm comes after the convolution added its bias, so it scales that "
            "bias too.",
            line="Put the bias in the bracket that is scaled: `(bias - mean) * scale + beta`",
        ),
        Misconception(
            "bias dropped",
            wrong.bias_dropped,
            symptom="The weights are right; the convolution's own bias is gone.",
            concept="`conv(x, w) + bias` is what gets normalised, all of it.",
            line="`(bias - mean) * scale + beta`: `bias` stands in it, beside the mean.",
        ),
        Misconception(
            "mean forgotten",
            wrong.mean_forgotten,
            symptom="The weights are right; the bias knows nothing of the mean.",
            concept="The norm subtracts the mean before it scales. What is subtracted from every "
            "pixel alike is a bias.",
            line="`(bias - mean) * scale + beta`: the mean is taken away before the scale.",
        ),
        Misconception(
            "mean not scaled",
            wrong.mean_unscaled,
            symptom="The weights are right; in the bias, the mean was not scaled.",
            concept="The norm subtracts the mean first and scales afterwards.",
            line="Bias and mean are scaled together: `(bias - mean) * scale + beta`",
        ),
        Misconception(
            "gamma under the root",
            wrong.by(lambda gamma, variance, epsilon: np.sqrt(gamma**2 / (variance + epsilon))),
            symptom="Where `gamma` is negative, your scale has the wrong sign.",
            concept="A trained `gamma` is often negative, and its sign counts. A square loses it, "
            "and no root gives it back; `np.abs` loses it too.",
            line="`gamma / np.sqrt(variance + epsilon)`: `gamma` outside the root, as it is.",
        ),
        Misconception(
            "gamma forgotten",
            wrong.gamma_forgotten,
            symptom="Your scale is the right one divided by `gamma`.",
            concept="After it normalised a channel, the norm multiplies it by the trained `gamma`.",
            line="Divide `gamma` by the root, not 1.",
        ),
        Misconception(
            "deviation forgotten",
            wrong.by(lambda gamma, variance, epsilon: gamma + 0 * variance),
            symptom="Your scale is `gamma` alone.",
            concept="Before `gamma` multiplies it, the norm divides what it gets by the standard "
            "deviation.",
            line="`gamma / np.sqrt(variance + epsilon)`, for weights and bias.",
        ),
        Misconception(
            "wrong axis",
            wrong.wrong_axis,
            symptom="The weights are scaled along another axis than their last one; where the "
            "shapes do not fit, that fails.",
            concept="There is a scale for each *output* channel. In `w[k_h, k_w, i_c, k_c]` that "
            "is the last axis, which NumPy lines up with a vector by itself.",
            line="`w * scale`, both as they are: one scale for each place of the last axis.",
            choices={"behind": (1, 2, 3), "in_a_copy": (False, True)},
        ),
        Misconception(
            "input channels scaled",
            wrong.input_channels_scaled,
            symptom="The bias is right. The weights are scaled along axis 2, by one scale for each "
            "*input* channel.",
            concept="The norm comes behind the convolution: it has a scale for each of the `k_c` "
            "filters, and that multiplies all weights of the filter.",
            line="`w * scale`: the filters are the last axis of `w`.",
        ),
        Misconception(
            "weights kept",
            wrong.weights_kept,
            symptom="The bias is right; the weights are as they were.",
            concept="A scaled sum is a sum of scaled terms: to scale the result, scale each "
            "weight of that filter.",
            line="`w * scale`",
        ),
        Misconception(
            "order",
            lambda *layer: fold(*layer)[::-1],
            symptom="Both arrays are there, in the other order.",
            concept="The caller takes the result apart as `new_w, new_bias = ...`.",
            line="`return new_w, new_bias`",
        ),
        Misconception(
            "bias as it was",
            wrong.bias_as_it_was,
            symptom="The weights are right. The bias has not changed at all.",
            concept="The norm also shifts: what it subtracts and adds for every pixel alike can "
            "only go into the bias.",
            line="`new_bias = (bias - mean) * scale + beta`",
        ),
        Misconception(
            "beta forgotten",
            wrong.beta_forgotten,
            symptom="The weights are right; the bias lacks `beta`.",
            concept="After the scale, the norm adds the trained `beta` to every pixel of the "
            "channel.",
            line="`(bias - mean) * scale + beta`: `beta` comes last, and is not scaled.",
        ),
        Misconception(
            "beta scaled",
            wrong.beta_scaled,
            symptom="The weights are right; in the bias, `beta` was scaled as well.",
            concept="The norm adds `beta` last, after it has scaled.",
            line="`beta` stands outside the bracket: `(bias - mean) * scale + beta`.",
        ),
        Misconception(
            "mean added",
            wrong.mean_added,
            symptom="The weights are right; in the bias the mean has the wrong sign.",
            concept="The norm takes the mean away from `y`, so that its average becomes 0.",
            line="`bias - mean` in the bracket.",
        ),
        Misconception(
            "bracket turned round",
            lambda w, bias, gamma, beta, mean, variance, epsilon: fold(
                w, 2 * mean - bias, gamma, beta, mean, variance, epsilon
            ),
            symptom="The weights are right; in the bias, the bracket of bias and mean has the "
            "wrong sign.",
            concept="The norm takes the mean away from what the convolution gives, and not the "
            "other way round.",
            line="`bias - mean`, not `mean - bias`.",
        ),
        Misconception(
            "scale upside down",
            wrong.by(lambda gamma, variance, epsilon: np.sqrt(variance + epsilon) / gamma),
            symptom="Your scale is one over the right one.",
            concept="The norm divides by the deviation and multiplies by `gamma`.",
            line="`gamma / np.sqrt(variance + epsilon)`",
        ),
        Misconception(
            "multiplied by the deviation",
            wrong.by(lambda gamma, variance, epsilon: gamma * np.sqrt(variance + epsilon)),
            symptom="You multiply by the standard deviation, where the norm divides by it.",
            concept="Dividing by the deviation makes all channels vary alike, and `gamma` then "
            "says how much.",
            line="`gamma / np.sqrt(variance + epsilon)`, with `/`.",
        ),
        Misconception(
            "mean and beta on the weights",
            wrong.shifted_weights,
            choices={"beta_too": (True,)},
            symptom="The bias is right. The weights are not only scaled: something was added to "
            "them, or taken away.",
            concept="Weights multiply pixels, so what is added to a weight grows with the image. A "
            "shift that is the same for every pixel belongs to the bias.",
            line="`w * scale`, and nothing else.",
        ),
        Misconception(
            "mean or beta times gamma",
            wrong.times_gamma,
            choices={"what": ("beta",)},
            symptom="The weights are right; in the bias, `mean` or `beta` is multiplied by `gamma` "
            "alone.",
            concept="The mean gets the whole scale, `gamma` over the deviation, and `beta` gets "
            "none of it.",
            line="`(bias - mean) * scale + beta`.",
        ),
        Misconception(
            "squared in place of the root",
            wrong.squared,
            symptom="Your scale is off, most where the variance is far from 1.",
            concept="`variance` is a square already: its *root* is the deviation.",
            line="`np.sqrt(variance + epsilon)`, with nothing squared.",
            choices={"power": (0.5,)},
        ),
        Misconception(
            "gamma in the bias only",
            wrong.gamma_behind_the_root,
            symptom="The bias is right; the weights were divided by the deviation and no more.",
            concept="`gamma` multiplies all of what was normalised: the sum of products too.",
            line="Use the same `scale` for weights and bias.",
        ),
        Misconception(
            "gamma in the weights only",
            wrong.without_bias,
            symptom="The weights are right; in the bias `gamma` is missing.",
            concept="The bias and the mean are normalised with the sum, and so multiplied by "
            "`gamma` like it.",
            line="One `scale`, with `gamma` in it, for both.",
        ),
        Misconception(
            "bias shifted, not scaled",
            lambda w, bias, gamma, beta, mean, variance, epsilon: (
                fold(w, bias, gamma, beta, mean, variance, epsilon)[0],
                bias - mean + beta,
            ),
            symptom="The weights are right; in the bias nothing was scaled.",
            concept="The scale belongs to all that the norm divides: the sum of products, the "
            "bias, the mean.",
            line="`(bias - mean) * scale + beta`, with these brackets.",
        ),
        Misconception(
            "float64",
            lambda *layer: tuple(each.astype(np.float64) for each in fold(*layer)),
            symptom="Your values are right, in float64.",
            concept="A network's weights are float32. `np.float64(epsilon)`, or an array "
            "without a dtype, makes more of them.",
            line="`.astype(np.float32)` of both results.",
        ),
        Misconception(
            "the bare variance",
            wrong.by(lambda gamma, variance, epsilon: gamma / variance),
            symptom="Your scale is `gamma` over the variance itself, with no epsilon.",
            concept="A norm divides by the standard deviation, the root of variance plus epsilon.",
            line="Take the root, after epsilon was added.",
        ),
    ],
)
