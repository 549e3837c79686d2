"""Lab 17, exercise 6: what a training step makes, if only every k-th map is kept."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit


def training_order(layers, every):
    order = [f"x{at}" for at in range(1, layers + 1)] + [f"g{layers}"]
    for begin in reversed(range(0, layers, every)):
        end = min(begin + every, layers)
        if end < layers:
            order += [f"x{at}" for at in range(begin + 1, end)]
        order += [f"g{at - 1}" for at in range(end, begin, -1)]
    return order


EXERCISE = Exercise(
    name="training_order",
    lab=17,
    task="List what a training step makes, in order, if only every k-th map is kept.",
    solution=training_order,
    cases=lambda rng: [
        (4, 2),
        (6, 3),
        (whole(rng, 9, 30), whole(rng, 2, 5)),
        (8, 3),
        (5, 1),
        (4, 4),
        (7, 3),
    ],
    valid=lambda layers, every: layers > 0 and every > 0,
    mend="From the last segment to the first: `x` of `range(begin + 1, end)`, unless the segment "
    "is the last one, then `g{at - 1}` for `at` in `range(end, begin, -1)`",
    misconceptions=[
        Misconception(
            "nothing recomputed",
            edit("if end < layers:", "if False:"),
            "You make each map once.",
            "Maps that were not kept are gone, and the backward pass needs them again.",
        ),
        Misconception(
            "the last segment recomputed",
            edit("if end < layers:", "if True:"),
            "You make maps of the last segment twice.",
            "The forward pass has just made them, and they are still there.",
        ),
        Misconception(
            "kept maps recomputed",
            [
                edit("range(begin + 1, end)", "range(begin + 1, end + 1)"),
                edit("range(begin + 1, end)", "range(max(begin, 1), end)"),
            ],
            "You make maps again that were kept.",
            "The maps at multiples of `every` are kept. A segment begins after one of them and "
            "ends before the next.",
        ),
        Misconception(
            "a number of segments in place of their length",
            edit(
                "range(0, layers, every)",
                "range(0, layers, -(-layers // every))",
                "begin + every",
                "begin + -(-layers // every)",
            ),
            "You cut the layers into `every` segments.",
            "`every` is the length of a segment: every `every`-th map is kept.",
        ),
        Misconception(
            "gradients from first to last",
            edit("range(end, begin, -1)", "range(begin + 1, end + 1)"),
            "The segments come in the right order, and their gradients the wrong way round.",
            "Within a segment too the gradient of a map needs that of the map after it.",
        ),
        Misconception(
            "all maps before all gradients",
            lambda layers, every: sorted(
                training_order(layers, every), key=lambda name: name[0] == "g"
            ),
            "You make all maps again before the first gradient.",
            "Then all of them are in memory at once, which is what recomputing avoids.",
        ),
    ],
)
