"""Lab 14, exercise 3: a scale for each output channel."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import channel_scales_wrong as wrong


def _whole_range(w, bits, gaps=1, constant=1):
    """Divide from the least to the largest; `constant`: of a channel of one number, but 0."""
    flat = w.reshape(-1, w.shape[-1])
    scales = _scales(np.ptp(flat, axis=0), 2**bits - gaps)
    return np.where(np.ptp(flat, axis=0) + (flat[0] == 0) == 0, constant, scales).astype(np.float32)


def _scales(largest, steps):
    with np.errstate(divide="ignore", invalid="ignore"):  # a grid of one bit has no step
        scale = largest / np.float32(steps)
    return np.where(scale > 0, scale, 1).astype(np.float32)


def channel_scales(w, bits):
    return _scales(np.abs(w).max(axis=(0, 1, 2)), 2 ** (bits - 1) - 1)


def _cases(rng: np.random.Generator) -> list[tuple]:
    small = np.array([[1, -4], [-2, 3]], np.float32).reshape(1, 2, 1, 2)
    w = rng.standard_normal((3, 3, 5, 5)).astype(np.float32)
    # Small weights, equal ones, a zero among others, a sum of 0.
    few = np.array([[0.004, 0.35, 0.7, 0.21], [-0.0063, 0.35, 0, -0.21]], np.float32)
    dead = rng.standard_normal((5, 5, 6, 6)).astype(np.float32)
    dead *= np.float32([1, 1, 0, 1, 1e-4, 1e-10])
    return [
        (small, 3),
        (w, 8),
        (w, 4),
        (few.reshape(1, 2, 1, 4), 4),
        (dead, 8),
        (w * np.float32(1e-9), 8),
    ]


def _largest_as_it_is(w, bits, bare=False):
    most = w.max(axis=(0, 1, 2))
    steps = 2 ** (bits - 1) - 1
    return (most / np.float32(steps)).astype(np.float32) if bare else _scales(most, steps)


def _small_is_nothing(w, bits, limit=1e-2, of=1):
    """Give 1 to a channel whose largest weight, or whose scale (of=0), is below the limit."""
    scale = channel_scales(w, bits)
    told = np.abs(w).max(axis=(0, 1, 2)) if of else scale
    return np.where(told < limit, 1, scale).astype(np.float32)


def _kept_from_0(w, bits, least=1e-2, how=np.maximum, of=1):
    """Keep the largest weights, or the scales (of=0), away from 0."""
    most, steps = np.abs(w).max(axis=(0, 1, 2)), np.float32(2 ** (bits - 1) - 1)
    return (how(most, least) / steps if of else how(most / steps, least)).astype(np.float32)


def _least(w, bits, side=lambda least: -least, one=lambda scale: scale == 0):
    scale = side(w.min(axis=(0, 1, 2))) / np.float32(2 ** (bits - 1) - 1)
    return np.where(one(scale), 1, scale).astype(np.float32)


def _one_if(condition):
    def scales(w, bits, condition=condition):
        return np.where(condition(w), 1, channel_scales(w, bits)).astype(np.float32)

    return scales


EXERCISE = Exercise(
    name="channel_scales",
    lab=14,
    reference=channel_scales,
    cases=_cases,
    task="Give each output channel's weights the scale of a symmetric grid.",
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "largest without its sign",
            _largest_as_it_is,
            choices={"bare": (True,)},
            symptom="Channels whose most extreme weight is negative are wrong.",
            concept="A symmetric grid must reach as far down as up. A weight of -4 needs as long a "
            "range as one of 4.",
            line="`np.abs(w).max(...)`",
        ),
        Misconception(
            "channels of the input",
            lambda w, bits: _scales(np.abs(w).max(axis=(0, 1, 3)), 2 ** (bits - 1) - 1),
            symptom="You reduced over the wrong axis: there is a scale for each *input* channel.",
            concept="A sum runs over all input channels. A scale can be taken out of it only if it "
            "is the same for all its terms: one for each output channel.",
            line="`w` is [k_h, k_w, i_c, k_c]: reduce over the axes (0, 1, 2).",
        ),
        Misconception(
            "one for the layer",
            lambda w, bits: np.full(w.shape[3], _scales(np.abs(w).max(), 2 ** (bits - 1) - 1)),
            symptom="All your scales are the same: that of the largest channel.",
            concept="Then a channel of small weights has few steps to be told by.",
            line="A largest weight for each output channel: `np.abs(w).max(axis=(0, 1, 2))`.",
        ),
        Misconception(
            "one step too many",
            lambda w, bits: _scales(np.abs(w).max(axis=(0, 1, 2)), 2 ** (bits - 1)),
            symptom="Your scales are too small, by one part in `2**(bits - 1)`.",
            concept="A symmetric grid of 8 bits goes from -127 to 127. The largest weight would "
            "become 128, which no int8 holds.",
            line="Divide by `2**(bits - 1) - 1`.",
        ),
        Misconception(
            "gaps of an affine grid",
            lambda w, bits: _scales(2 * np.abs(w).max(axis=(0, 1, 2)), 2**bits - 1),
            symptom="Your scales are too small, by one part in `2**bits - 1`.",
            concept="From `-largest` to `largest` a symmetric grid has `2**bits - 2` gaps: it "
            "leaves one of the `2**bits` codes unused, which an affine one uses.",
            line="`largest / (2**(bits - 1) - 1)`.",
        ),
        Misconception(
            "127 whatever the bits",
            lambda w, bits: _scales(np.abs(w).max(axis=(0, 1, 2)), 127),
            symptom="Right for 8 bits, too small for fewer.",
            concept="With 4 bits the last step is 7, and the largest weight is to be there.",
            line="Divide by `2**(bits - 1) - 1`, of the bits that are asked for.",
        ),
        Misconception(
            "the whole range",
            _whole_range,
            symptom="Your scales follow the whole range of a channel, from its least weight to its "
            "largest.",
            concept="Without a zero point, 0 stays in the middle, and the longer side decides.",
            line="The largest size of a weight, over `2**(bits - 1) - 1`.",
            choices={"gaps": (0, 1, 2), "constant": (0, 1)},
        ),
        Misconception(
            "dead channels",
            lambda w, bits: np.abs(w).max(axis=(0, 1, 2)) / np.float32(2 ** (bits - 1) - 1),
            symptom="Right, but for a channel of nothing but zeros, whose scale is 0 or next to "
            "it.",
            concept="Weights are divided by their scale, and 0/0 is no number. For zeros any scale "
            "would do; here it is 1.",
            line="`np.where(scale > 0, scale, 1)`",
        ),
        Misconception(
            "upside down",
            lambda w, bits: (1 / channel_scales(w, bits)).astype(np.float32),
            symptom="Your scales are one over the right ones.",
            concept="The scale is what one step is worth: the largest weight is as many steps "
            "away from 0 as the grid has on a side.",
            line="The largest weight over the number of steps.",
        ),
        Misconception(
            "float64",
            lambda w, bits: channel_scales(w, bits).astype(np.float64),
            symptom="Your scales are right, in float64.",
            concept="Scales are stored with the network, a float32 for each channel.",
            line="`.astype(np.float32)` at the end.",
        ),
        Misconception(
            "axes kept",
            lambda w, bits: channel_scales(w, bits).reshape(1, 1, 1, -1),
            symptom="You return an array with four axes.",
            concept="One number for each channel is an array of one axis; NumPy lines it up "
            "with the last axis of `w` by itself.",
            line="No `keepdims=True`; or `.ravel()` of what you have.",
        ),
        Misconception(
            "the mean of the sizes",
            lambda w, bits: _scales(np.abs(w).mean(axis=(0, 1, 2)), 2 ** (bits - 1) - 1),
            symptom="Where a channel's weights differ in size your scale is too small: those above "
            "the mean would be cut off.",
            concept="The grid has to reach the channel's *largest* weight.",
            line="`np.abs(w).max(...)`, over all weights of the channel.",
        ),
        Misconception(
            "the smallest of the sizes",
            lambda w, bits: _scales(np.abs(w).min(axis=(0, 1, 2)), 2 ** (bits - 1) - 1),
            symptom="Your scales follow the smallest weight of a channel.",
            concept="The step belongs to the largest weight, so that nothing is cut off.",
            line="`np.abs(w).max(...)`: the largest size decides.",
        ),
        Misconception(
            "bits doubled, not halved",
            lambda w, bits: _scales(np.abs(w).max(axis=(0, 1, 2)), 2**bits - 1),
            symptom="Your scales are about half of what they should be.",
            concept="With a sign, half of the steps lie below 0: 8 bits go from -127 to 127.",
            line="`2**(bits - 1) - 1`",
        ),
        Misconception(
            "the largest, not the step",
            lambda w, bits: _scales(np.abs(w).max(axis=(0, 1, 2)), 1),
            symptom="You return the largest weights themselves.",
            concept="The scale is one step: the largest weight is the last of `2**(bits - 1) - "
            "1` steps.",
            line="Divide by the number of steps.",
        ),
        Misconception(
            "the spread in place of the largest",
            lambda w, bits, times=3: _scales(times * w.std(axis=(0, 1, 2)), 2 ** (bits - 1) - 1),
            symptom="Your scales follow the standard deviation of a channel.",
            concept="Weights beyond so many deviations would be cut off. Here the largest is to be "
            "the last step.",
            line="`np.abs(w).max(axis=(0, 1, 2))`",
            choices={"times": (1, 2, 4, 6)},
        ),
        Misconception(
            "the first axis kept",
            lambda w, bits: _scales(np.abs(w).max(axis=(1, 2, 3)), 2 ** (bits - 1) - 1),
            symptom="There is a scale for each row of the window, not for each output channel.",
            concept="Filters first is another library's order. Here `w` is `[k_h, k_w, i_c, k_c]`.",
            line="`axis=(0, 1, 2)`: all but the last.",
        ),
        Misconception(
            "the least without its sign",
            _least,
            choices={
                "side": (lambda least: -least, np.abs),
                "one": (lambda scale: scale <= 0, lambda scale: scale == 0),
            },
            symptom="Wrong only where a channel's most extreme weight is positive.",
            concept="A symmetric grid must reach as far up as down: neither `min` nor `max` of "
            "signed weights sees both ends.",
            line="First the sizes, then the largest: `np.abs(w).max(axis=(0, 1, 2))`.",
        ),
        Misconception(
            "small is nothing",
            _small_is_nothing,
            choices={"limit": (1e-3, 1e-4, 1e-5, 1e-6, 1e-8), "of": (1, 0)},
            symptom="Channels of small weights get 1, as if they were zeros.",
            concept="With a scale of 1 they are all rounded to 0, and the channel is lost. However "
            "small weights are, a grid of their own keeps them.",
            line="1 only where the largest size *is* 0: `np.where(most == 0, 1, most / steps)`.",
        ),
        Misconception(
            "a small number in place of 0",
            _kept_from_0,
            choices={
                "least": (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8),
                "how": (np.maximum, np.add),
                "of": (1, 0),
            },
            symptom="A small number keeps your scales away from 0, and changes more than the 0 of "
            "a channel of zeros.",
            concept="There are channels whose weights are as small as that. And a channel of "
            "nothing but zeros is to have 1.",
            line="`np.where(most == 0, 1, most / steps)`, with nothing added.",
        ),
        Misconception(
            "1 for the largest weight",
            lambda w, bits: _kept_from_0(w, bits, how=lambda most, _: np.where(most == 0, 1, most)),
            symptom="Right, but for a channel of nothing but zeros: there your scale is 1 over the "
            "number of steps.",
            concept="That is the scale of a channel whose largest weight is 1. Asked for there is "
            "a *scale* of 1.",
            line="`np.where(most == 0, 1, most / steps)`: the 1 is put in last.",
        ),
        Misconception(
            "a percentile of the sizes",
            lambda w, bits, share=99.9: _scales(
                np.percentile(np.abs(w), share, axis=(0, 1, 2)), 2 ** (bits - 1) - 1
            ),
            choices={"share": (90, 95, 99, 99.5, 99.99)},
            symptom="Your grid may end below a channel's largest weight.",
            concept="A percentile cuts off what is rare. That is a choice one can make for "
            "activations; here the largest weight is to be the last step.",
            line="`np.abs(w).max(axis=(0, 1, 2))`: the largest itself.",
        ),
        Misconception(
            "told by something else than the largest",
            _one_if(lambda w: w.std(axis=(0, 1, 2)) == 0),
            choices={
                "condition": (
                    lambda w: (w == 0).any(axis=(0, 1, 2)),
                    lambda w: w.sum(axis=(0, 1, 2)) == 0,
                    lambda w: np.abs(w.sum(axis=(0, 1, 2))) < 1e-6,
                )
            },
            symptom="You give 1 to a channel that holds more than zeros.",
            concept="Equal weights have no spread, and weights of either sign may add up to 0; a "
            "single zero says nothing of the others.",
            line="`np.abs(w).max(axis=(0, 1, 2)) == 0` is so of nothing but zeros.",
        ),
    ],
)
