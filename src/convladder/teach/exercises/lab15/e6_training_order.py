"""Lab 15, exercise 6: the order of a training step that keeps every k-th map."""

from __future__ import annotations

from ....memory.recompute import training_steps
from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole
from . import training_order_wrong as wrong
from .training_order_wrong import order


def training_order(layers, every):
    return [name for name, _ in training_steps(layers, every)]


def _whole_segments(layers, every, first=0):
    """Leave the short segment at the end out; first: 1 to have the first gradient all the same."""
    whole = layers // every * every
    return (
        training_order(layers, every)
        if whole == layers
        else [
            name
            for name in training_order(layers, every)
            if name[0] == "x" or int(name[1:]) < whole or first and name == f"g{layers}"
        ]
    )


EXERCISE = Exercise(
    name="training_order",
    lab=15,
    reference=training_order,
    task="List what a training step makes, in order, if only every k-th map is kept.",
    cases=lambda rng: [
        (4, 2),
        (6, 3),
        (whole(rng, 9, 30), whole(rng, 2, 5)),
        (8, 3),
        (5, 1),
        (4, 4),
        (7, 3),
    ],
    misconceptions=[
        Misconception(
            "all maps again first",
            wrong.maps_first,
            symptom="You make all maps again before the first gradient.",
            concept="Then all maps are there at once, and nothing is saved. A segment's maps are "
            "made when its gradients need them.",
            line="For each segment from behind: its maps, then its gradients.",
        ),
        Misconception(
            "a number of segments",
            wrong.number_of_segments,
            symptom="You cut the layers into `every` segments.",
            concept="`every` says how many layers a segment has: kept are the maps `every`, "
            "`2·every`, ...",
            line="`range(0, layers, every)` gives the begins.",
        ),
        Misconception(
            "nothing made again",
            lambda layers, every: training_order(layers, layers),
            symptom="You make each map once.",
            concept="Maps between two that are kept were dropped on the way forward. The gradients "
            "need them, so they must be made again.",
            line="Before the gradients of a segment: `x` from `begin + 1` to `end - 1`. The last "
            "segment needs none: its maps are still there.",
        ),
        Misconception(
            "last segment made again",
            wrong.last_again,
            symptom="You make maps of the last segment twice.",
            concept="The way back begins where the way forward has just ended: those maps are "
            "still there.",
            line="Make a segment again, from `begin + 1` on, only if its `end` is below `layers`.",
            choices={
                "late": (False, True),
                "first": (lambda begin: max(begin, 1), lambda begin: begin + 1),
            },
        ),
        Misconception(
            "kept maps made again",
            lambda layers, every, first=lambda begin: begin + 1: order(
                layers,
                every,
                lambda begin, end: range(first(begin), end + 1) if end < layers else (),
            ),
            choices={"first": (lambda begin: max(begin, 1), lambda begin: begin)},
            symptom="You make maps at the end of a segment again, which were kept.",
            concept="Maps `every`, `2·every`, ... are what was kept. Only those between them are "
            "gone.",
            line="`range(begin + 1, end)` stops before `end`.",
        ),
        Misconception(
            "again from the image",
            lambda layers, every: order(
                layers, every, lambda begin, end: range(1, end) if end < layers else ()
            ),
            symptom="You start from the image for each segment.",
            concept="The map at the segment's begin was kept so that you need not go further back.",
            line="The first map to make again is `begin + 1`.",
        ),
        Misconception(
            "again from behind",
            lambda layers, every: order(
                layers, every, lambda begin, end: range(end - 1, begin, -1) if end < layers else ()
            ),
            symptom="You make a segment's maps again from its end.",
            concept="Whichever way you go, a map is made from the one before it.",
            line="`range(begin + 1, end)`, upwards.",
        ),
        Misconception(
            "segments from the end",
            wrong.from_the_end,
            symptom="Right where `every` divides `layers`; else your segments can begin at maps "
            "that were not kept.",
            concept="Kept are `every`, `2·every`, ... counted from the image. The segment at the "
            "end is the short one.",
            line="`for begin in reversed(range(0, layers, every))`.",
        ),
        Misconception(
            "a kept map's gradient late",
            wrong.gradient_late,
            symptom="Right for one segment, or if `every` is 1; else the gradient of a kept map "
            "comes behind maps that are made again.",
            concept="The gradient of the map at a segment's begin belongs to that segment: all "
            "that it reads is there. Only then can the segment's maps be dropped.",
            line="For a segment, `g` from `end - 1` down to `begin`; `g` of `layers` stands before "
            "all segments.",
        ),
        Misconception(
            "segments from the end, and a gradient late",
            lambda layers, every: wrong.gradient_late(layers, every, backwards=True),
            symptom="The gradient with which a segment of yours should end comes behind the maps "
            "of the next; and where `every` does not divide `layers`, your segments begin "
            "at maps that were not kept.",
            concept="A segment goes down to the gradient of the map that it began with. And its "
            "begin is a kept map: `every`, `2·every`, ... counted from the image.",
            line="`for begin in reversed(range(0, layers, every))`, and in it `g` down to `begin`, "
            "that included.",
        ),
        Misconception(
            "again for each gradient",
            wrong.for_each,
            symptom="You make a segment's maps again for each of its gradients.",
            concept="Made once, they can stay until the way back has passed through the segment. "
            "That is where the memory of one segment goes.",
            line="All of a segment's maps first, then all of its gradients.",
            choices={"reach": (0,)},
        ),
        Misconception(
            "segments from the front",
            lambda layers, every: order(
                layers,
                every,
                lambda begin, end: range(begin + 1, end) if end < layers else (),
                segments=lambda found: found,
            ),
            symptom="Your segments come from the image on, in the order of the way forward.",
            concept="A gradient needs that of the layer after it: the way back starts at the end.",
            line="Go through the segments in reverse.",
        ),
        Misconception(
            "forward within a segment",
            lambda layers, every: order(
                layers,
                every,
                lambda begin, end: range(begin + 1, end) if end < layers else (),
                back=lambda begin, end: range(begin + 1, end + 1),
            ),
            symptom="The segments come in the right order, their gradients the wrong way round.",
            concept="Within a segment, too, `g5` is made before `g4`, which reads it.",
            line='`f"g{at - 1}"` for `at` in `range(end, begin, -1)`.',
        ),
        Misconception(
            "short segment lost",
            _whole_segments,
            choices={"first": (1,)},
            symptom="Right where `every` divides `layers`; else gradients of the last, shorter "
            "segment are missing.",
            concept="The last segment may be shorter than the others.",
            line="A segment ends at `min(begin + every, layers)`.",
        ),
        Misconception(
            "gradient of the last map missing",
            lambda layers, every: [
                name for name in training_order(layers, every) if name != f"g{layers}"
            ],
            symptom="Your list lacks the first gradient.",
            concept="The way back begins with the gradient of the last map; all others are made "
            "from it.",
            line='`f"g{layers}"` right after the way forward.',
        ),
        Misconception(
            "gradient of the image missing",
            lambda layers, every: training_order(layers, every)[:-1],
            symptom="Your list ends a step too early.",
            concept='`"g0"`, the gradient of the image, is asked for too.',
            line="`range(end, begin, -1)` gives `at`; the gradient made there is `at - 1`.",
        ),
        Misconception(
            "the image made",
            lambda layers, every: ["x0", *training_order(layers, every)],
            symptom="Your list begins with the image.",
            concept="The image is given. The first thing made is `x1`.",
            line="`range(1, layers + 1)`",
        ),
        Misconception(
            "counted by every, not in segments",
            lambda layers, every: order(
                layers, every + 1, lambda begin, end: range(begin + 1, end) if end < layers else ()
            ),
            symptom="Your segments are one layer too long.",
            concept="Between two kept maps there are `every - 1` others: `every` layers make a "
            "segment.",
            line="`range(0, layers, every)`",
        ),
        Misconception(
            "the way back alone",
            lambda layers, every: training_order(layers, every)[layers:],
            symptom="Your list begins with the gradients.",
            concept="The maps of the way forward are made as well, each of them once at first.",
            line='`[f"x{at}" for at in range(1, layers + 1)]` comes first.',
        ),
        Misconception(
            "one list for each segment",
            lambda layers, every: [
                training_order(layers, every)[:layers],
                training_order(layers, every)[layers:],
            ],
            symptom="You return lists within a list.",
            concept="Asked for is one list of names, in the order in which they are made.",
            line="`order += [...]` adds names; `order.append([...])` adds a list.",
        ),
        Misconception(
            "a map, a gradient, a map",
            wrong.map_by_map,
            symptom="Within a segment you make one map, then a gradient, then the next map.",
            concept="To make a map one needs the one before it, back to the kept one: all of them "
            "are made before the first gradient of the segment.",
            line="First `x` of the segment, from the front; then its `g`, from behind.",
        ),
        Misconception(
            "the kept map made again, too",
            lambda layers, every: order(
                layers, every, lambda begin, end: range(begin, end) if end < layers else ()
            ),
            symptom="You make a segment's first map again, which was kept, or is the image.",
            concept="Kept are the maps at the segments' begins. The first one that is gone is the"
            " one behind.",
            line="`range(begin + 1, end)`.",
        ),
        Misconception(
            "the kept map made again, but not the image",
            lambda layers, every: order(
                layers, every, lambda begin, end: range(max(begin, 1), end) if end < layers else ()
            ),
            symptom="You make the map at a segment's begin again, which was kept.",
            concept="The image need not be made, since it is there. Neither need `every`, "
            "`2·every`, ...: they were kept.",
            line="`range(begin + 1, end)`, for all segments alike.",
        ),
        Misconception(
            "first segment as it is",
            lambda layers, every: order(
                layers,
                every,
                lambda begin, end: range(begin + 1, end) if 0 < begin and end < layers else (),
            ),
            symptom="You make no map of the first segment again, where there are several segments.",
            concept="Of the first segment only the image and the map at its end are kept. Those "
            "between them are gone, as in every other segment but the last.",
            line="Only the segment whose `end` is `layers` is left out.",
        ),
        Misconception(
            "gradients by the layer's number",
            lambda layers, every: order(
                layers,
                every,
                lambda begin, end: range(begin + 1, end) if end < layers else (),
                back=lambda begin, end: range(end + 1, begin + 1, -1),
            ),
            symptom="Your gradients are numbered one too high: the first is there twice, and `g0`"
            " is missing.",
            concept="On the way back through layer `at` the gradient of its *input* is made, `g` "
            "with `at - 1`.",
            line='`f"g{at - 1}"` for `at` from `end` down to `begin + 1`.',
        ),
    ],
)
