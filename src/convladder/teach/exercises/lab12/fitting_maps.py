"""Usual mistakes about the maps of an image, with their hints: lab 12, exercise 3."""

from __future__ import annotations

from ...grading.exercise import Misconception
from .fitting import RESERVED, by


def beside_the_largest(maps, room, blocks, side=1):
    """Let the largest map and that on one side of it be together."""
    at = maps.index(max(maps)) + side
    floats = max(maps) + (maps[at] if 0 <= at < len(maps) else 0)
    return (room // blocks - RESERVED) // (4 * floats)


MAPS = [
    Misconception(
        "all maps at once",
        by(sum),
        symptom="You keep every map to the end.",
        concept="When a layer has read its input, nobody needs it any more: its room can hold "
        "the layer after the next.",
        line="The most that is there at one time: a map and the one made from it.",
    ),
    Misconception(
        "the largest map alone",
        by(max),
        symptom="You promise room for too many images: a layer's input and output are there at "
        "the same time.",
        concept="While a layer runs, its input is still read and its output is already written.",
        line="`max(one + other for one, other in zip(maps, maps[1:]))`.",
    ),
    Misconception(
        "the two largest",
        by(lambda maps: sum(sorted(maps)[-2:])),
        symptom="Right where the two largest maps are neighbours, as in LeNet; else you find "
        "room for too few.",
        concept="Two maps are there together only if one is made from the other.",
        line="Take sums of *neighbours* in the list.",
    ),
    Misconception(
        "first and second",
        by(lambda maps: maps[0] + maps[1]),
        symptom="Right where the first layer needs the most.",
        concept="A later layer may need more room than the first.",
        line="The largest sum over all pairs of neighbours.",
    ),
    Misconception(
        "every second pair",
        by(lambda maps: max(map(sum, zip(maps[::2], maps[1::2])))),
        symptom="Right where the first map, the third or the fifth begins the largest pair; "
        "pairs that begin with the second or the fourth do not count with you.",
        concept="A map is the output of one layer and the input of the next: all but the "
        "first and the last belong to two pairs.",
        line="`zip(maps, maps[1:])`; by index, `range(len(maps) - 1)`, with no step of 2.",
    ),
    Misconception(
        "all outputs, and the first input",
        by(lambda maps: maps[0] + max(maps[1:])),
        symptom="You keep the pixels to the end, beside the largest of the other maps.",
        concept="When the first layer is done, nobody reads the pixels any more.",
        line="Neighbours in the list: `zip(maps, maps[1:])`.",
    ),
    Misconception(
        "three maps at a time",
        by(lambda maps: max(map(sum, zip(maps, maps[1:], maps[2:] + [0])))),
        symptom="You keep three maps, where two are needed at a time.",
        concept="A layer reads one map and writes the next. What comes after that is not "
        "there yet.",
        line="`one + other`, two neighbours.",
    ),
    Misconception(
        "the largest map twice",
        by(lambda maps: 2 * max(maps)),
        symptom="Right where the largest map has a neighbour of its size; else you keep room that "
        "nobody needs.",
        concept="Two buffers as large as the largest map are one way, and more than is needed.",
        line="The largest sum of two neighbours.",
    ),
    Misconception(
        "two buffers in turn",
        by(lambda maps: max(maps[::2]) + max(maps[1::2])),
        symptom="You keep room for two maps that need not be there at the same time: the "
        "largest of every second one, and of the others.",
        concept="Two buffers in turn must each hold their largest map. With room that is "
        "given out anew at each layer, a map and the next are enough.",
        line="`max(one + other for one, other in zip(maps, maps[1:]))`, neighbours only.",
    ),
    Misconception(
        "the least moment",
        by(lambda maps: min(map(sum, zip(maps, maps[1:])))),
        symptom="Right where all layers need as much; else you take the layer that needs least.",
        concept="An image must go through *all* layers, so the room must do for the worst.",
        line="`max`, not `min`.",
    ),
    Misconception(
        "the average moment",
        by(lambda maps: sum(map(sum, zip(maps, maps[1:]))) // (len(maps) - 1)),
        symptom="Right where all layers need as much; else you take their average.",
        concept="Room that does on average is too little at the worst moment.",
        line="`max(...)` over the layers, with no division.",
    ),
    Misconception(
        "the last map beside the first",
        by(lambda maps: max(maps[i - 1] + maps[i] for i in range(len(maps)))),
        symptom="You also take the first map and the last one for neighbours.",
        concept="In Python index -1 is the last item. The logits are not the pixels' input.",
        line="`range(1, len(maps))`, where you look back at `maps[i - 1]`.",
    ),
    Misconception(
        "around the largest map",
        by(
            lambda maps: (
                max(maps)
                + max(
                    maps[max(0, maps.index(max(maps)) - 1) : maps.index(max(maps))]
                    + maps[maps.index(max(maps)) + 1 : maps.index(max(maps)) + 2]
                )
            )
        ),
        symptom="You look at the largest map and its neighbours only.",
        concept="Two middling maps may need more together than the largest one and a small one.",
        line="The largest *sum* of two neighbours, wherever it is.",
    ),
    Misconception(
        "the largest map and the next",
        beside_the_largest,
        choices={"side": (-1,)},
        symptom="You look at one pair with the largest map in it. Another may be larger: with its "
        "other neighbour, or without it.",
        concept="The largest map is once an output and once an input; and two middling neighbours "
        "can be more than a large one beside a small one.",
        line="`max(a + b for a, b in zip(maps, maps[1:]))`, of all pairs.",
    ),
    Misconception(
        "the last layer not looked at",
        lambda maps, room, blocks, alone=False: (
            (room // blocks - RESERVED)
            // (
                4
                * max(
                    [
                        *(maps[:1] if alone is False else maps if alone else ()),
                        *map(sum, zip(maps[:-1], maps[1:-1])),
                    ]
                )
            )
        ),
        symptom="Right where the last layer is not the worst moment; else you promise more "
        "images than fit, or, where it is the only layer, have nothing to compare.",
        concept="The last layer has an input and an output too: the logits must be kept somewhere.",
        line="All neighbours: by index, `range(len(maps) - 1)`, no fewer.",
        choices={"alone": (True, None)},
    ),  # None: nothing in its place, also where it is all
    Misconception(
        "the first layer not looked at",
        lambda maps, room, blocks, alone=True: (
            (room // blocks - RESERVED)
            // (4 * max([*(maps[-1:] if alone else ()), *map(sum, zip(maps[1:], maps[2:]))]))
        ),
        choices={"alone": (None,)},
        symptom="Right where the first layer is not the worst moment; else you promise more "
        "images than fit, or, where it is the only layer, have nothing to compare.",
        concept="The pixels are in shared memory too, as the first layer's input.",
        line="`zip(maps, maps[1:])`: pairs from the first map on.",
    ),
    Misconception(
        "all outputs at once",
        by(lambda maps: sum(maps[1:])),
        symptom="You keep all outputs to the end, and not the pixels.",
        concept="A layer's output is read by the next layer, and then its room is free. And "
        "the first layer needs its pixels.",
        line="Two neighbours at a time: `one + other`.",
    ),
]
