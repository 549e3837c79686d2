"""Lab 15, exercise 3: the pixels that a piece of a stack's output needs."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole
from . import pixels_needed_wrong as wrong


def pixels_needed(layers, begin, end):
    return wrong.back()(layers, begin, end)


def _halo_once(layers, begin, end):
    for k, s, p in reversed(layers[1:]):
        begin, end = s * begin, s * end
    k, s, p = layers[0]
    return s * begin - p, s * (end - 1) - p + k


def _sum_of_halos(layers, begin, end):
    step = 1
    for _, s, _ in layers:
        step *= s
    return (
        step * begin - sum(p for *_, p in layers),
        step * (end - 1) + 1 + sum(k - 1 - p for k, _, p in layers),
    )


ONE = [(3, 1, 1)]
TWO = [(3, 1, 1), (3, 1, 1)]
POOLED = [(3, 1, 1), (2, 2, 0), (5, 1, 0)]
STRIDED = [(7, 2, 3), (3, 2, 1), (3, 1, 0)]
SHORTCUT = [(3, 1, 1), (1, 2, 0), (2, 3, 0)]  # strides larger than their windows


def _drawn(rng):
    layers = [(whole(rng, 3, 7), whole(rng, 1, 3), whole(rng, 0, 2)) for _ in range(4)]
    begin = whole(rng, 5, 20)
    return layers, begin, begin + whole(rng, 1, 9)


EXERCISE = Exercise(
    name="pixels_needed",
    lab=15,
    reference=pixels_needed,
    task="Find the pixels that outputs begin to end of a stack of layers depend on.",
    cases=lambda rng: [
        (ONE, 4, 8),
        (TWO, 4, 8),
        (POOLED, 3, 4),
        _drawn(rng),
        (STRIDED, 0, 2),
        (SHORTCUT, 2, 4),
    ],
    misconceptions=[
        Misconception(
            "halo counted once",
            _halo_once,
            symptom="One layer is right; with more of them the halos of all but the first are "
            "missing.",
            concept="Each layer's windows reach beyond what they are asked for, so each adds a "
            "halo of its own to that of the layers after it.",
            line="Do the same step for every layer: `begin = s * begin - p`, "
            "`end = s * (end - 1) - p + k`.",
        ),
        Misconception(
            "halos added without the strides",
            _sum_of_halos,
            symptom="Right where no layer but the last has a stride; else you may find too few "
            "pixels.",
            concept="A halo of one value on a map after a stride of 2 is two pixels of the map "
            "before it. Widths of halos are multiplied on their way back.",
            line="Go back layer by layer with the whole interval, not with a sum of `k - 1`.",
        ),
        Misconception(
            "stride ignored",
            wrong.back(
                low=lambda begin, k, s, p: begin - p, high=lambda end, k, s, p: end - 1 - p + k
            ),
            symptom="Right where every stride is 1.",
            concept="Output 5 of a layer with stride 2 looks at inputs from 10 on.",
            line="`s * begin - p` and `s * (end - 1) - p + k`.",
        ),
        Misconception(
            "first layer first",
            wrong.back(turned=list),
            symptom="Right where all layers are alike.",
            concept="You are given outputs of the *last* layer: its inputs are outputs of the one "
            "before, and so on down to the image.",
            line="`for k, s, p in reversed(layers)`.",
        ),
        Misconception(
            "padding ignored",
            wrong.back(
                low=lambda begin, k, s, p: s * begin, high=lambda end, k, s, p: s * (end - 1) + k
            ),
            symptom="As many pixels as there should be, but too far right.",
            concept="With padding p the first window begins p places before the map.",
            line="Take `p` off both ends.",
        ),
        Misconception(
            "a window too many",
            wrong.back(high=lambda end, k, s, p: s * end - p + k),
            symptom="You find too many pixels on the right.",
            concept="`end` is not among the outputs: the last one is `end - 1`, and its window "
            "begins at `s * (end - 1) - p`.",
            line="`end = s * (end - 1) - p + k`.",
        ),
        Misconception(
            "ends with the last pixel",
            wrong.back(high=lambda end, k, s, p: s * (end - 1) - p + k - 1),
            symptom="You lose pixels on the right: one of each layer's input.",
            concept="Intervals here do not include their end, like `range` and slices.",
            line="In each layer the end is that of the last window: `s * (end - 1) - p + k`.",
        ),
        Misconception(
            "windows side by side",
            wrong.back(high=lambda end, k, s, p: s * end - p),
            symptom="Your right end is that of windows side by side, `s` places each.",
            concept="n outputs with a stride of s need `(n - 1)·s + k` inputs, not `n·s`.",
            line="The last output's window begins at `s * (end - 1) - p`, and is `k` wide.",
        ),
        Misconception(
            "padding for the halo",
            wrong.back(high=lambda end, k, s, p: s * (end - 1) + p + 1),
            symptom="Where a `k` is not `2·p + 1`, your right end is wrong; the left one is right.",
            concept="What is needed beyond the last output follows from the window. A layer "
            "without padding has a halo too.",
            line="The last window begins at `s * (end - 1) - p`, and is `k` wide.",
        ),
        Misconception(
            "half a window on either side",
            wrong.back(
                low=lambda begin, k, s, p: s * begin - k // 2,
                high=lambda end, k, s, p: s * (end - 1) + k // 2 + 1,
            ),
            symptom="Right where `k` is `2·p + 1`; else your interval begins or ends elsewhere.",
            concept="A window begins `p` places before the map, whatever its own width: with p = 0 "
            "output 0 begins at 0.",
            line="From `s * begin - p` on; and up to `k` behind the begin of the last window, "
            "`s * (end - 1) - p`.",
        ),
        Misconception(
            "cut off at the edge",
            wrong.back(after=lambda a, b: (max(a, 0), b)),
            symptom="Right in the middle of an image; at its left edge you begin at 0.",
            concept="What lies below 0 is padding. This exercise wants to know how much of it "
            "there is, so leave negative places as they are.",
            line="Nothing is cut off here: no `max(..., 0)`. (In the next exercise you will need "
            "it.)",
        ),
        Misconception(
            "last layer only",
            lambda layers, begin, end: wrong.back()(layers[-1:], begin, end),
            symptom="You find what the last layer needs of the map before it, not of the image.",
            concept="Each layer reads the one before, down to the image.",
            line="Go on with the result, through all layers.",
        ),
        Misconception(
            "first layer only",
            lambda layers, begin, end: wrong.back()(layers[:1], begin, end),
            symptom="Right for one layer; with more you leave out those behind the first.",
            concept="You are given outputs of the *last* layer.",
            line="`for k, s, p in reversed(layers)`, with no `return` in the loop.",
        ),
        Misconception(
            "begin and length",
            lambda layers, begin, end: (
                pixels_needed(layers, begin, end)[0],
                pixels_needed(layers, begin, end)[1] - pixels_needed(layers, begin, end)[0],
            ),
            symptom="Your second number is how many pixels are needed.",
            concept="An interval is where it begins and where it ends.",
            line="`begin, end`; or, of a count, `begin, begin + count`.",
        ),
        Misconception(
            "padding added",
            wrong.back(
                low=lambda begin, k, s, p: s * begin + p,
                high=lambda end, k, s, p: s * (end - 1) + p + k,
            ),
            symptom="Your interval is too far right, by twice the padding.",
            concept="Padding puts zeros *before* the map, so that window 0 begins at `-p`.",
            line="`s * begin - p`",
        ),
        Misconception(
            "one pixel for a stride",
            wrong.back(high=lambda end, k, s, p: s * end - p + k - 1),
            symptom="Right where no layer has a stride; else you find too many pixels.",
            concept="The last window is number `end - 1`. A window before it begins `s` pixels "
            "earlier, not one.",
            line="`s * (end - 1) - p + k`: one is taken off before the stride multiplies.",
        ),
        Misconception(
            "divided by the stride",
            wrong.back(
                low=lambda begin, k, s, p: begin // s - p,
                high=lambda end, k, s, p: (end - 1) // s - p + k,
            ),
            symptom="Right without strides; else your intervals come out too short.",
            concept="On the way back to the image intervals grow: a stride of 2 makes two "
            "pixels of one output.",
            line="Multiply by `s`.",
        ),
        *wrong.PADDINGS_AND_ENDS,
    ],
)
