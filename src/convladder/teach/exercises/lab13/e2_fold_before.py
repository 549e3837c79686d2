"""Lab 13, exercise 2: a batch norm that stands before a convolution."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import fold_before_wrong as wrong


def fold_before(w, bias, gamma, beta, mean, variance, epsilon):
    scale = gamma / np.sqrt(variance + epsilon)
    return wrong.folded(w, bias, scale, beta - mean * scale)


def _cases(rng):
    cases = []
    for k_h, k_w, channels in ((1, 1, 2), (2, 3, 3), (3, 3, 4)):
        w = rng.standard_normal((k_h, k_w, channels, channels), np.float32)
        bias, gamma, beta, mean = (rng.standard_normal(channels, np.float32) for _ in range(4))
        variance = rng.uniform(0.01, 0.2, channels).astype(np.float32)
        cases.append((w, bias, gamma, beta, mean, variance, 0.01))
    return cases


EXERCISE = Exercise(
    name="fold_before",
    lab=13,
    reference=fold_before,
    cases=_cases,
    task="Fold a batch norm forwards, into the convolution that reads its result.",
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "along the output channels",
            wrong.output_axis,
            symptom="The weights are scaled along the wrong one of their two axes of channels.",
            concept="This norm stands *before* the convolution: it scales what goes in. Each input "
            "channel has a factor, and `w` is `[k_h, k_w, i_c, k_c]`.",
            line="`w * scale` scales the last axis. You need `w * scale[:, None]`.",
        ),
        Misconception(
            "as if it stood behind",
            wrong.folded_behind,
            symptom="You fold the norm as if it followed the convolution.",
            concept="Behind, a norm scales each output channel, and the bias with it. Before, it "
            "changes the inputs: their scale goes into the weights, and their shift comes "
            "out as a sum over the whole window.",
            line="`w * scale[:, None]`, and `bias` plus the sum of `w[a, b, c, k] * shift[c]` over "
            "a, b and c.",
        ),
        Misconception(
            "channel by channel",
            wrong.channel_by_channel,
            symptom="You give each *output* channel one factor and one shift of the norm.",
            concept="The norm's channels are those that go *in*. Each of their factors belongs to "
            "all weights that read the channel, and each shift reaches every output "
            "through those weights.",
            line="`w * scale[:, None]`, and `(w * shift[:, None]).sum((0, 1, 2))` to the bias.",
        ),
        Misconception(
            "shift as it is",
            wrong.shift_as_it_is,
            symptom="The weights are right. To the bias you add the shift itself.",
            concept="The shift of input channel c passes through the convolution like any value: "
            "it is multiplied by every weight that reads the channel.",
            line='`bias + np.einsum("abck,c->k", w, shift)`',
        ),
        Misconception(
            "shift along the output channels",
            wrong.shift_of_outputs,
            symptom="The weights are right. In the bias, the shifts lie along the wrong axis.",
            concept="Output channel k collects the shifts of *all* input channels, each times the "
            "weights from there to k.",
            line="`(w * shift[:, None]).sum((0, 1, 2))`",
        ),
        Misconception(
            "bias lost",
            lambda w, bias, *norm: fold_before(w, 0 * bias, *norm),
            symptom="The weights are right. The bias that the convolution had is gone.",
            concept="The convolution still adds its own bias; the norm's share comes on top.",
            line="`bias + ...`",
        ),
        Misconception(
            "shift through scaled weights",
            wrong.shift_twice_scaled,
            symptom="The weights are right. The shift was scaled once too often.",
            concept="`x * scale + shift`: the shift is added after the scale. So it meets the "
            "weights as they were.",
            line="`shift = beta - mean * scale`, scaled no further, and its sum for the bias with "
            "the old `w`.",
        ),
        Misconception(
            "one tap of the window",
            wrong.one_tap,
            choices={"of": (lambda size: size // 2, lambda size: size - 1)},
            symptom="With a window of 1 × 1 all is right; with a larger one the bias has the "
            "shift of one of its places alone.",
            concept="Every pixel of the window carries the shift, so all of its weights count.",
            line="Sum over the first two axes of `w` too.",
        ),
        Misconception(
            "epsilon forgotten",
            lambda *args: wrong.folded_with(
                lambda gamma, variance, epsilon: gamma / np.sqrt(variance), *args
            ),
            symptom="Your scale is too far from 0, and most where the variance is small.",
            concept="A norm divides by the root of variance *plus epsilon*, and was trained so.",
            line="`scale = gamma / np.sqrt(variance + epsilon)`",
        ),
        Misconception(
            "epsilon outside the root",
            lambda *args: wrong.folded_with(
                lambda gamma, variance, epsilon: gamma / (np.sqrt(variance) + epsilon), *args
            ),
            symptom="Your scale is off, and most where the variance is small.",
            concept="Epsilon is added to the variance, before the root is taken.",
            line="`np.sqrt(variance + epsilon)`: one root, of the sum.",
        ),
        Misconception(
            "variance without a root",
            lambda *args: wrong.folded_with(
                lambda gamma, variance, epsilon: gamma / (variance + epsilon), *args
            ),
            symptom="Your scale is too far from 0 where the variance is below one.",
            concept="The values are divided by their deviation, and that is the variance's root.",
            line="`scale = gamma / np.sqrt(variance + epsilon)`, divided once.",
        ),
        Misconception(
            "mean not scaled",
            wrong.mean_as_it_is,
            symptom="The weights are right; in the bias the mean is not scaled.",
            concept="The norm takes the mean from `x` before it scales: both are scaled.",
            line="Multiply the mean by the scale before you take it from beta.",
        ),
        Misconception(
            "mean added",
            wrong.mean_added,
            symptom="The weights are right; in the bias the mean has the wrong sign.",
            concept="`gamma * (x - mean) / deviation + beta` is `x * scale + (beta - mean * "
            "scale)`.",
            line="`shift = beta - mean * scale`",
        ),
        Misconception(
            "bias as it was",
            lambda w, bias, *norm: (fold_before(w, bias, *norm)[0], bias),
            symptom="The weights are right. The bias has not changed.",
            concept="What the norm adds to every pixel comes out of the convolution as a "
            "constant: a bias.",
            line="`bias` plus the sum of `w[a, b, c, k] * shift[c]`.",
        ),
        Misconception(
            "weights as they were",
            lambda w, bias, *norm: (w, fold_before(w, bias, *norm)[1]),
            symptom="The bias is right. The weights have not changed.",
            concept="The convolution reads `x`, no longer the normalised map: its weights must "
            "scale it.",
            line="`w * scale[:, None]`",
        ),
        Misconception(
            "bias scaled",
            wrong.bias_scaled,
            symptom="The weights are right; the convolution's own bias was scaled.",
            concept="This norm comes *before* the convolution, whose bias is added after both.",
            line="`bias + ...`, with no factor in front of it.",
        ),
        Misconception(
            "one channel's shift for all",
            wrong.first_channel_of_the_shift,
            symptom="The weights are right; in the bias all channels have the shift of the first.",
            concept="Each input channel has a shift of its own, and weights of its own.",
            line='Multiply before you add up: `np.einsum("abck,c->k", w, shift)`.',
        ),
        Misconception(
            "averaged over the window",
            wrong.mean_of_the_window,
            symptom="With a window of 1 × 1 you are right; with a larger one what you add to the "
            "bias is divided by the window's places.",
            concept="A convolution adds up its window, it does not average it.",
            line="Add up over the first two axes, and divide by nothing.",
        ),
        Misconception(
            "gamma forgotten",
            lambda w, bias, gamma, *rest: fold_before(w, bias, np.ones_like(gamma), *rest),
            symptom="Weights and bias lack the trained `gamma`.",
            concept="A norm divides by the deviation and multiplies by `gamma`.",
            line="`scale = gamma / np.sqrt(variance + epsilon)`, for weights and shift alike.",
        ),
        Misconception(
            "beta forgotten",
            lambda w, bias, gamma, beta, *rest: fold_before(w, bias, gamma, 0 * beta, *rest),
            symptom="The weights are right; in the bias `beta` is missing.",
            concept="The norm adds `beta` to each input channel, and that passes through the "
            "weights.",
            line="`shift = beta - mean * scale`, with `beta` in front.",
        ),
        Misconception(
            "arguments changed",
            wrong.in_place,
            symptom="Your result may be right, but the arguments are no longer what they were.",
            concept="`*=`, `+=`, `out=` and `w[...] =` write into the arrays that you were given.",
            line="`w * scale[:, None]` makes an array of its own, and so does `bias + ...`.",
        ),
        Misconception(
            "mean left out",
            wrong.mean_left_out,
            symptom="The weights are right. In the bias the mean is missing.",
            concept="`gamma * (x - mean) / root + beta` is `x * scale + shift`, with "
            "`beta - mean * scale` for the shift.",
            line="`shift = beta - mean * scale`.",
        ),
        Misconception(
            "mean without gamma",
            wrong.mean_without_gamma,
            symptom="The weights are right. In the bias the mean is divided by the root, and not "
            "multiplied by `gamma`.",
            concept="What stands before `x` stands before the mean: `gamma * (x - mean) / root`.",
            line="`shift = beta - mean * scale`, with the whole scale.",
        ),
        Misconception(
            "summed over the output channels",
            wrong.summed_over_outputs,
            choices={"of": ("c",)},
            symptom="The weights are right. What you add to the bias has a value for each *input*"
            " channel.",
            concept="The bias has one for each output channel: the sum runs over the window and "
            "the input channels.",
            line='`np.einsum("abck,c->k", w, shift)`: what stays is `k`.',
        ),
    ],
)
