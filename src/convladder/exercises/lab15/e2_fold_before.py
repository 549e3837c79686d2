"""Lab 15, exercise 2: a batch norm before a convolution."""

import numpy as np

from ..draws import whole
from ..exercise import Exercise, Misconception, edit


def fold_before(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + epsilon)
    shift = beta - mean * scale
    return w * scale[:, None], bias + np.einsum("abck,c->k", w, shift)


def layer_and_norm(fill, k_h, k_w, channels, epsilon):
    bias, gamma, beta, mean, spread = (fill(channels) for _ in range(5))
    variance = 0.01 + np.abs(spread) / 10
    return fill(k_h, k_w, channels, channels), bias, gamma, beta, mean, variance, epsilon


SUM = 'np.einsum("abck,c->k", w, shift)'

EXERCISE = Exercise(
    name="fold_before",
    lab=15,
    task="Fold a batch norm forwards, into the convolution that reads its result.",
    solution=fold_before,
    cases=lambda rng: [
        (1, 1, 2, 0.01),
        (2, 3, 3, 0.01),
        (3, 3, 4, 0.01),
        (whole(rng, 2, 5), whole(rng, 2, 5), whole(rng, 3, 8), 0.01),
    ],
    inputs=layer_and_norm,
    valid=lambda k_h, k_w, channels, epsilon: min(k_h, k_w, channels) > 0 <= epsilon,
    mend="`scale = gamma / np.sqrt(variance + epsilon)`; the weights are `w * scale[:, None]`, and "
    f"the bias is `bias + {SUM}` with `shift = beta - mean * scale`",
    misconceptions=[
        Misconception(
            "a scale along the output channels",
            edit("scale[:, None]", "scale"),
            "The bias is right, but the weights are scaled along the wrong axis.",
            "This norm scales the *input* of the convolution, so each input channel has a factor, "
            "and `w` has the axes `[k_h, k_w, i_c, k_c]`.",
        ),
        Misconception(
            "a norm after the convolution",
            edit("scale[:, None]", "scale", f"bias + {SUM}", "bias * scale + shift"),
            "You fold the norm as if it followed the convolution.",
            "After a convolution, a norm scales each output channel and its bias. Before one, "
            "its shift reaches the output as a sum over the window.",
        ),
        Misconception(
            "a shift that meets no weights",
            edit(SUM, "shift"),
            "Your bias is wrong, because the shift is added to it as it is.",
            "The shift is part of the convolution's input, so every weight that reads the channel "
            "multiplies it.",
        ),
        Misconception(
            "a shift through the scaled weights",
            edit(SUM, 'np.einsum("abck,c->k", w * scale[:, None], shift)'),
            "Your weights are right, but the bias holds the scale twice.",
            "The shift is added after the scale, so it meets the weights as they were.",
        ),
        Misconception(
            "the shift of one tap",
            [
                edit(SUM, "shift @ w[0, 0]"),
                edit(SUM, "shift @ w[len(w) // 2, w.shape[1] // 2]"),
            ],
            "Kernels of one pixel are right. In larger ones your bias is too small or too large.",
            "The shift lies under every place of the window, so all `k_h * k_w` places are summed.",
        ),
        Misconception(
            "a wrong standard deviation",
            [
                edit("np.sqrt(variance + epsilon)", "np.sqrt(variance)"),
                edit("np.sqrt(variance + epsilon)", "(np.sqrt(variance) + epsilon)"),
                edit("np.sqrt(variance + epsilon)", "(variance + epsilon)"),
            ],
            "Both of your results are wrong, because the scale is.",
            "A norm divides by the standard deviation, the root of variance *plus* epsilon.",
        ),
    ],
)
