"""Lab 17, exercise 3: the pixels that some outputs depend on."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit

# (window, stride, padding) of each layer
ONE = [(3, 1, 1)]
TWO = [(3, 1, 1), (3, 1, 1)]
POOLED = [(3, 1, 1), (2, 2, 0), (5, 1, 0)]
STRIDED = [(7, 2, 3), (3, 2, 1), (3, 1, 0)]
SHORTCUT = [(3, 1, 1), (1, 2, 0), (2, 3, 0)]  # strides larger than their windows


def pixels_needed(layers, begin, end):
    for k, s, p in reversed(layers):
        begin, end = s * begin - p, s * (end - 1) - p + k
    return begin, end


def drawn(rng):
    layers = [(whole(rng, 3, 7), whole(rng, 1, 3), whole(rng, 0, 2)) for _ in range(4)]
    begin = whole(rng, 5, 20)
    return layers, begin, begin + whole(rng, 1, 9)


STEP = "s * begin - p, s * (end - 1) - p + k"

EXERCISE = Exercise(
    name="pixels_needed",
    lab=17,
    task="Find the pixels that outputs begin to end of a stack of layers depend on.",
    solution=pixels_needed,
    cases=lambda rng: [
        (ONE, 4, 8),
        (TWO, 4, 8),
        (POOLED, 3, 4),
        drawn(rng),
        (STRIDED, 0, 2),
        (SHORTCUT, 2, 4),
    ],
    valid=lambda layers, begin, end: (
        0 <= begin < end and all(k > 0 and s > 0 and 0 <= p < k for k, s, p in layers)
    ),
    mend="`begin, end = s * begin - p, s * (end - 1) - p + k` for each `k, s, p` in "
    "`reversed(layers)`",
    misconceptions=[
        Misconception(
            "layers from first to last",
            edit("reversed(layers)", "layers"),
            "Right where all layers are alike.",
            "The outputs are those of the last layer, so begin there and walk back.",
        ),
        Misconception(
            "no strides",
            edit(STEP, "begin - p, end - 1 - p + k"),
            "Right where every stride is 1.",
            "Output `i` reads from `s * i - p` on.",
        ),
        Misconception(
            "padding left out or added",
            [
                edit(STEP, "s * begin, s * (end - 1) + k"),
                edit(STEP, "s * begin + p, s * (end - 1) + p + k"),
            ],
            "You find as many pixels as there should be, but too far to the right.",
            "Padding lies before pixel 0, so windows begin `p` pixels earlier.",
        ),
        Misconception(
            "a window too many",
            edit("(end - 1)", "end"),
            "You find too many pixels on the right.",
            "`end` is not included: the last output is `end - 1`.",
        ),
        Misconception(
            "half a window on each side",
            [
                edit(STEP, "s * begin - k // 2, s * (end - 1) + k // 2 + 1"),
                edit(STEP, "s * begin - p, s * (end - 1) + p + 1"),
            ],
            "Right where `k` is `2p + 1`.",
            "The window begins `p` pixels before `s * i` and is `k` long, whatever `k` is.",
        ),
        Misconception(
            "a cut at the image's edge",
            edit("s * begin - p,", "max(s * begin - p, 0),"),
            "Right in the middle of an image. At its left edge you begin at 0.",
            "The exercise asks for padding too: a negative pixel is a zero that is needed.",
        ),
    ],
)
