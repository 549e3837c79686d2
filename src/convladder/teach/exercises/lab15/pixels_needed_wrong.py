"""Intervals taken back through layers, as learners do it: lab 15, exercise 3."""

from __future__ import annotations

from ...grading.exercise import Misconception


def back(
    low=lambda begin, k, s, p: s * begin - p,
    high=lambda end, k, s, p: s * (end - 1) - p + k,
    turned=reversed,
    after=lambda a, b: (a, b),
):
    def through(layers, begin, end):
        for k, s, p in turned(layers):
            begin, end = after(low(begin, k, s, p), high(end, k, s, p))
        return begin, end

    return through


PADDINGS_AND_ENDS = [
    Misconception(
        "one layer too few",
        lambda layers, begin, end, left=0: back()(
            [layer for at, layer in enumerate(layers) if at != left % len(layers)], begin, end
        ),
        choices={"left": (-1,)},
        symptom="You leave out one layer, the first or the last.",
        concept="From the outputs to the image it takes a step for each layer.",
        line="`for k, s, p in reversed(layers)`, all of them.",
    ),
    Misconception(
        "padding times the stride",
        back(
            low=lambda begin, k, s, p: s * (begin - p),
            high=lambda end, k, s, p: s * (end - 1 - p) + k,
        ),
        symptom="Right where a layer with padding has no stride.",
        concept="Padding is counted in pixels of the layer's *input*, so it is taken off after "
        "the stride has brought you there.",
        line="`s * begin - p`: the stride multiplies the place, not the padding.",
    ),
    Misconception(
        "padding times the stride, at one end",
        back(low=lambda begin, k, s, p: s * (begin - p)),
        symptom="Where a layer has padding and a stride, your interval begins too early.",
        concept="First to the window's place in the padded input, then `p` back.",
        line="`begin = s * begin - p`.",
    ),
    Misconception(
        "paddings added without the strides",
        lambda layers, begin, end: tuple(
            at - back()(layers, 0, 1)[0] - sum(p for *_, p in layers)
            for at in back()(layers, begin, end)
        ),
        symptom="As many pixels as there should be. Where a layer with padding stands behind "
        "a stride, they are too far right.",
        concept="Padding is counted in values of the map that its layer reads. Behind a stride "
        "of 2 each of them is two pixels of the image.",
        line="Each `p` times the strides of the layers before it: `pad += p * jump`.",
    ),
    Misconception(
        "padding on the far side too",
        back(high=lambda end, k, s, p: s * (end - 1) + k + p),
        symptom="Your interval begins where it should, and ends too late wherever a layer has "
        "padding.",
        concept="Padding moves all places of a layer by `p`: a window that begins at `s * h "
        "- p` ends `k` further on.",
        line="`- p` at both ends: `s * (end - 1) - p + k`.",
    ),
    Misconception(
        "the last pixel itself",
        lambda layers, begin, end: (
            back()(layers, begin, end)[0],
            back()(layers, begin, end)[1] - 1,
        ),
        symptom="Your interval ends with the last pixel that is needed.",
        concept="`end` is not included, on the way in and on the way out.",
        line="One more: the place behind the last pixel.",
    ),
    Misconception(
        "padding on both sides",
        back(low=lambda begin, k, s, p: s * begin - p, high=lambda end, k, s, p: s * end + p),
        symptom="Your begin is right. The end is told by the padding: right where `k` is"
        " `2·p + s`.",
        concept="How far the last window reaches is told by its width. Padding says only "
        "where window 0 begins.",
        line="The last window begins at `s * (end - 1) - p`, and is `k` long.",
    ),
    Misconception(
        "padding twice at the end",
        back(high=lambda end, k, s, p: s * (end - 1) - 2 * p + k),
        symptom="Your begin is right. The end is too early wherever a layer has padding.",
        concept="Places move by `p`, whichever end of the window they are.",
        line="`- p`, once, at either end.",
    ),
    Misconception(
        "a step for each output",
        back(high=lambda end, k, s, p: s * end - p + max(k - s, 0)),
        symptom="Right where no stride is larger than its window; else your interval ends too "
        "late.",
        concept="A window of 1 with a stride of 2 skips every other place: behind the last "
        "window nothing more is needed, so `k - s` may be below 0.",
        line="`s * end - p + (k - s)`, which is `s * (end - 1) - p + k`.",
    ),
    Misconception(
        "layers of one pixel skipped",
        lambda layers, begin, end: back()([layer for layer in layers if layer[0] > 1], begin, end),
        symptom="You leave out layers whose window is 1.",
        concept="They have no halo, but they may have a stride, and padding.",
        line="The same two lines for every layer.",
    ),
    Misconception(
        "padding at the far end, the last pixel",
        back(high=lambda end, k, s, p: s * (end - 1) + p + k - 1),
        symptom="Your begin is right. Your end has `p` added, not taken off, and is the place "
        "of a last pixel, not the one behind it.",
        concept="Padding moves both ends of a window by `p` the same way. And intervals here "
        "do not include their end.",
        line="`s * (end - 1) - p + k`.",
    ),
    Misconception(
        "padding at the near end only",
        back(high=lambda end, k, s, p: s * (end - 1) + k),
        symptom="Your begin is right. Wherever a layer has padding, your end is too late.",
        concept="A window that begins `p` places earlier ends `p` places earlier.",
        line="`end = s * (end - 1) - p + k`: `- p` there, too.",
    ),
    Misconception(
        "cut off between the layers",
        back(low=lambda begin, k, s, p: s * max(begin, 0) - p),
        symptom="Right where the interval begins at 0 or above in every map between; else your "
        "own begins too late.",
        concept="A window may begin in the padding of a map between. What the layer before "
        "would have to reach for that, these numbers count as well.",
        line="Leave negative places as they are, at the end and on the way.",
    ),
    Misconception(
        "every window as if it were odd",
        back(high=lambda end, k, s, p: s * (end - 1) - p + 2 * (k // 2) + 1),
        symptom="Right where every `k` is odd; a layer with an even one makes your interval end "
        "too late.",
        concept="A window of 2 has no middle: half of it on either side of a place would be 3 "
        "places.",
        line="`end = s * (end - 1) - p + k`, whatever `k` is.",
    ),
]
