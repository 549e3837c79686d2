"""Lab 02, exercise 4: folding a batch norm."""

import numpy as np

from ..draws import real, wholes
from ..exercise import Exercise, Misconception, edit


def fold(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + np.float32(epsilon))
    return w * scale, (bias - mean) * scale + beta


def cases(rng):
    drawn = (*wholes(rng, 1, 4), *wholes(rng, 3, 9))
    return [
        ((1, 1, 1, 1), 0.01),
        ((1, 1, 2, 2), 0.01),
        ((3, 2, 4, 4), 0.01),
        ((3, 5, 3, 7), 0.01),
        (drawn, real(rng, 0.01, 0.1)),
    ]


def layer_and_norm(fill, weights, epsilon):
    """A `gamma` of either sign, as training leaves it, and small and large variances."""
    w, (bias, gamma, beta, mean) = fill(*weights), fill(4, weights[3])
    return w, bias, gamma, beta, mean, np.maximum(fill(weights[3]) ** 2, np.float32(0.01)), epsilon


SCALE = "gamma / np.sqrt(variance + np.float32(epsilon))"
BIAS = "(bias - mean) * scale + beta"

EXERCISE = Exercise(
    name="fold",
    lab=2,
    task="Fold a batch norm into the weights and the bias of the convolution before it.",
    solution=fold,
    cases=cases,
    inputs=layer_and_norm,
    valid=lambda weights, epsilon: min(weights) > 0,
    mend="`scale = gamma / np.sqrt(variance + epsilon)`, then `w * scale` and "
    "`(bias - mean) * scale + beta`",
    misconceptions=[
        Misconception(
            "epsilon outside the root",
            [
                edit(SCALE, "gamma / (np.sqrt(variance) + np.float32(epsilon))"),
                edit(SCALE, "gamma / np.sqrt(variance) + np.float32(epsilon)"),
            ],
            "Your scale is a little off, in every channel.",
            "Epsilon keeps the root away from zero, so it is added to the variance, under the "
            "root.",
        ),
        Misconception(
            "epsilon forgotten",
            edit("variance + np.float32(epsilon)", "variance"),
            "Your scale is a little too far from 0, most where the variance is small.",
            "The network was trained with epsilon, so it is part of the function that you fold.",
        ),
        Misconception(
            "the variance in place of the deviation",
            edit("np.sqrt(variance + np.float32(epsilon))", "(variance + np.float32(epsilon))"),
            "Your scale is too far from 0 for variances below 1, and too near it for larger ones.",
            "A batch norm divides by the standard deviation, the root of the variance.",
        ),
        Misconception(
            "a bias that isn't scaled",
            edit(BIAS, "bias - mean * scale + beta"),
            "The weights are right. In the new bias, the convolution's own bias isn't scaled.",
            "The batch norm comes after the convolution has added its bias, so it scales that bias "
            "too.",
        ),
        Misconception(
            "the convolution's bias dropped",
            edit(BIAS, "beta - mean * scale"),
            "The weights are right. The new bias lacks the convolution's own.",
            "The whole of `conv(x, w) + bias` gets normalised.",
        ),
        Misconception(
            "the weights' axes confused",
            [
                edit("w * scale", "w * scale.reshape(-1, 1)"),
                edit("w * scale", "w * scale.reshape(-1, 1, 1, 1)"),
            ],
            "The weights are scaled along another axis than their last one, or that fails.",
            "There is a scale for each output channel. In `w[k_h, k_w, i_c, k_c]` that is the last "
            "axis, which NumPy lines up with a vector by itself.",
        ),
    ],
)
