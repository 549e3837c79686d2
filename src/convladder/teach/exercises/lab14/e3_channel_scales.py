"""Lab 14, exercise 3: a scale for each output channel."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception


def _scales(largest, steps):
    with np.errstate(divide="ignore", invalid="ignore"):  # a grid of one bit has no step
        scale = largest / np.float32(steps)
    return np.where(scale > 0, scale, 1).astype(np.float32)


def channel_scales(w, bits):
    return _scales(np.abs(w).max(axis=(0, 1, 2)), 2 ** (bits - 1) - 1)


def _cases(rng: np.random.Generator) -> list[tuple]:
    small = np.array([[1, -4], [-2, 3]], np.float32).reshape(1, 2, 1, 2)
    w = rng.standard_normal((3, 3, 5, 5)).astype(np.float32)
    dead = rng.standard_normal((5, 5, 6, 6)).astype(np.float32)
    dead[..., 2] = 0
    return [(small, 3), (w, 8), (w, 4), (dead, 8)]


def _largest_as_it_is(w, bits, bare=False):
    most = w.max(axis=(0, 1, 2))
    steps = 2 ** (bits - 1) - 1
    return (most / np.float32(steps)).astype(np.float32) if bare else _scales(most, steps)


EXERCISE = Exercise(
    name="channel_scales", lab=14, reference=channel_scales, cases=_cases,
    task="Give each output channel's weights the scale of a symmetric grid.",
    misconceptions=[
        Misconception(
            "largest without its sign", _largest_as_it_is, choices={"bare": (True,)},
            symptom="Channels whose most extreme weight is negative are wrong.",
            concept="A symmetric grid must reach as far down as up. A weight of -4 needs as long a "
                    "range as one of 4.",
            line="`np.abs(w).max(...)`"),
        Misconception(
            "channels of the input",
            lambda w, bits: _scales(np.abs(w).max(axis=(0, 1, 3)), 2 ** (bits - 1) - 1),
            symptom="You reduced over the wrong axis: there is a scale for each *input* channel.",
            concept="A sum runs over all input channels. A scale can be taken out of it only if it "
                    "is the same for all its terms: one for each output channel.",
            line="`w` is [k_h, k_w, i_c, k_c]: reduce over the axes (0, 1, 2)."),
        Misconception(
            "one for the layer",
            lambda w, bits: np.full(w.shape[3], _scales(np.abs(w).max(), 2 ** (bits - 1) - 1)),
            symptom="All your scales are the same: that of the largest channel.",
            concept="Then a channel of small weights has few steps to be told by.",
            line="Give `max` the argument `axis=(0, 1, 2)`."),
        Misconception(
            "one step too many",
            lambda w, bits: _scales(np.abs(w).max(axis=(0, 1, 2)), 2 ** (bits - 1)),
            symptom="All your scales are too small, by one part in 128 for 8 bits.",
            concept="A symmetric grid of 8 bits goes from -127 to 127. The largest weight would "
                    "become 128, which no int8 holds.",
            line="Divide by `2**(bits - 1) - 1`."),
        Misconception(
            "127 whatever the bits",
            lambda w, bits: _scales(np.abs(w).max(axis=(0, 1, 2)), 127),
            symptom="Right for 8 bits, too small for fewer.",
            concept="With 4 bits the last step is 7, and the largest weight is to be there.",
            line="`2**(bits - 1) - 1` in place of 127."),
        Misconception(
            "the whole range",
            lambda w, bits, gaps=1: _scales(w.max(axis=(0, 1, 2)) - w.min(axis=(0, 1, 2)),
                                            2**bits - gaps),
            symptom="Your scales are those of an affine grid.",
            concept="Without a zero point, 0 stays in the middle, and the longer side decides.",
            line="The largest size of a weight, over `2**(bits - 1) - 1`.",
            choices={"gaps": (0, 2)}),
        Misconception(
            "dead channels",
            lambda w, bits: (np.abs(w).max(axis=(0, 1, 2)) / np.float32(2 ** (bits - 1) - 1)),
            symptom="Right, but for a channel of nothing but zeros, whose scale is 0 or next to "
                    "it.",
            concept="Weights are divided by their scale, and 0/0 is no number. For zeros any scale "
                    "will do.",
            line="`np.where(scale > 0, scale, 1)`"),
        Misconception(
            "upside down", lambda w, bits: (1 / channel_scales(w, bits)).astype(np.float32),
            symptom="Your scales are one over the right ones.",
            concept="The scale is what one step is worth: the largest weight is as many steps "
                    "away from 0 as the grid has on a side.",
            line="The largest weight over the number of steps."),
        Misconception(
            "float64", lambda w, bits: channel_scales(w, bits).astype(np.float64),
            symptom="Your scales are right, in float64.",
            concept="Scales are stored with the network, a float32 for each channel.",
            line="`.astype(np.float32)` at the end."),
        Misconception(
            "axes kept", lambda w, bits: channel_scales(w, bits).reshape(1, 1, 1, -1),
            symptom="You return an array with four axes.",
            concept="One number for each channel is an array of one axis; NumPy lines it up "
                    "with the last axis of `w` by itself.",
            line="No `keepdims=True`."),
        Misconception(
            "the mean of the sizes",
            lambda w, bits: _scales(
                np.abs(w).mean(axis=(0, 1, 2)), 2 ** (bits - 1) - 1),
            symptom="Your scales are too small: all weights above the mean would be cut off.",
            concept="The grid has to reach the channel's *largest* weight.",
            line="`.max(...)`, not `.mean(...)`."),
        Misconception(
            "the smallest of the sizes",
            lambda w, bits: _scales(
                np.abs(w).min(axis=(0, 1, 2)), 2 ** (bits - 1) - 1),
            symptom="Your scales are far too small.",
            concept="The step belongs to the largest weight, so that nothing is cut off.",
            line="`.max(...)`, not `.min(...)`."),
        Misconception(
            "bits doubled, not halved",
            lambda w, bits: _scales(
                np.abs(w).max(axis=(0, 1, 2)), 2**bits - 1),
            symptom="Your scales are about half of what they should be.",
            concept="With a sign, half of the steps lie below 0: 8 bits go from -127 to 127.",
            line="`2**(bits - 1) - 1`"),
        Misconception(
            "the largest, not the step",
            lambda w, bits: _scales(np.abs(w).max(axis=(0, 1, 2)), 1),
            symptom="You return the largest weights themselves.",
            concept="The scale is one step: the largest weight is the last of `2**(bits - 1) - "
                    "1` steps.",
            line="Divide by the number of steps."),
        Misconception(
            "the spread in place of the largest",
            lambda w, bits, times=3: _scales(
                times * w.std(axis=(0, 1, 2)), 2 ** (bits - 1) - 1),
            symptom="Your scales follow the standard deviation of a channel.",
            concept="Weights beyond so many deviations would be cut off. Here the largest is to be "
                    "the last step.",
            line="`np.abs(w).max(axis=(0, 1, 2))`", choices={"times": (1, 2, 4, 6)}),
        Misconception(
            "the first axis kept", lambda w, bits: _scales(
                np.abs(w).max(axis=(1, 2, 3)), 2 ** (bits - 1) - 1),
            symptom="There is a scale for each row of the window, not for each output channel.",
            concept="Filters first is another library's order. Here `w` is `[k_h, k_w, i_c, "
                    "k_c]`.",
            line="`axis=(0, 1, 2)`: all but the last."),
    ],
)
