"""Lab 12, exercise 3: how many images a block can keep in shared memory."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ..draws import whole, wholes

RESERVED = 1024  # bytes that the system keeps with each block, from compute capability 8.0 on


def images_that_fit(maps, room, blocks):
    return (room // blocks - RESERVED) // (4 * _together(maps))


def _together(maps):
    return max(one + other for one, other in zip(maps, maps[1:]))


def _by(floats):
    """Answer with another number of floats an image."""
    return lambda maps, room, blocks: (room // blocks - RESERVED) // (4 * floats(maps))


LENET = [784, 864, 256, 120, 84, 10]

EXERCISE = Exercise(
    name="images_that_fit", lab=12, reference=images_that_fit,
    task="Count the images whose maps fit into shared memory, for blocks that share it.",
    cases=lambda rng: [
        ([100, 50], 10_000, 1), ([100, 50, 90, 80], 40_000, 1), (LENET, 233_472, 2),
        (LENET, 233_472, 1), (LENET, 167_936, 2),
        (list(wholes(rng, 20, 300, 5)), whole(rng, 100_000, 233_472), whole(rng, 1, 3)),
        ([200, 10, 190, 20], 20_480, 1), ([10, 90, 40, 80, 30], 30_000, 1),
        ([64, 64, 64], 16_384, 4), ([784, 3456, 864], 102_400, 1)],
    misconceptions=[
        Misconception(
            "all maps at once", _by(sum),
            symptom="You keep every map to the end.",
            concept="When a layer has read its input, nobody needs it any more: its room can hold "
                    "the layer after the next.",
            line="The most that is there at one time: a map and the one made from it."),
        Misconception(
            "the largest map alone", _by(max),
            symptom="You promise room for too many images: a layer's input and output are there at "
                    "the same time.",
            concept="While a layer runs, its input is still read and its output is already "
                    "written.",
            line="`max(one + other for one, other in zip(maps, maps[1:]))`."),
        Misconception(
            "the two largest", _by(lambda maps: sum(sorted(maps)[-2:])),
            symptom="Right where the two largest maps are neighbours, as in LeNet; else you find "
                    "room for too few.",
            concept="Two maps are there together only if one is made from the other.",
            line="Take sums of *neighbours* in the list."),
        Misconception(
            "first and second", _by(lambda maps: maps[0] + maps[1]),
            symptom="Right where the first layer needs the most.",
            concept="A later layer may need more room than the first.",
            line="The largest sum over all pairs of neighbours."),
        Misconception(
            "every second pair", _by(lambda maps: max(map(sum, zip(maps[::2], maps[1::2])))),
            symptom="Right where the first map, the third or the fifth begins the largest pair; "
                    "pairs that begin with the second or the fourth do not count with you.",
            concept="A map is the output of one layer and the input of the next: all but the "
                    "first and the last belong to two pairs.",
            line="`zip(maps, maps[1:])`; by index, `range(len(maps) - 1)`, with no step of 2."),
        Misconception(
            "floats for bytes", lambda maps, room, blocks: (
                (room // blocks - RESERVED) // _together(maps)),
            symptom="Your numbers are about four times too large.",
            concept="A map's size is in values; a float32 has four bytes.",
            line="`4 * ...` in the divisor."),
        Misconception(
            "nothing reserved", lambda maps, room, blocks: (
                room // blocks // (4 * _together(maps))),
            symptom="Sometimes you promise more images than fit.",
            concept="The system keeps 1,024 bytes of shared memory for itself with each block.",
            line="Subtract 1024 from each block's part."),
        Misconception(
            "reserved once", lambda maps, room, blocks: (
                (room - RESERVED) // blocks // (4 * _together(maps))),
            symptom="Right for one block; for more you sometimes promise more images than fit.",
            concept="*Each* block has 1,024 bytes less.",
            line="`room // blocks - 1024`: all 1,024 bytes, from each block's part."),
        Misconception(
            "images of all blocks", lambda maps, room, blocks: (
                blocks * images_that_fit(maps, room, blocks)),
            symptom="Right for one block; else you count the images of all blocks.",
            concept="The question is how many images *a block* takes.",
            line="Do not multiply by `blocks`."),
        Misconception(
            "one block has it all", lambda maps, room, blocks: images_that_fit(maps, room, 1),
            symptom="You give the whole of the shared memory to one block.",
            concept="Blocks on one multiprocessor share it: two of them get half each, and one can "
                    "compute while the other waits.",
            line="`room // blocks`."),
        Misconception(
            "rounded up", lambda maps, room, blocks: (
                -(-(room // blocks - RESERVED) // (4 * _together(maps)))),
            symptom="You count an image that fits in part only.",
            concept="Half an image in shared memory is of no use.",
            line="Round down: `//`, and nothing added."),
        Misconception(
            "all outputs, and the first input", _by(lambda maps: maps[0] + max(maps[1:])),
            symptom="You keep the pixels to the end, beside the largest of the other maps.",
            concept="When the first layer is done, nobody reads the pixels any more.",
            line="Neighbours in the list: `zip(maps, maps[1:])`."),
        Misconception(
            "three maps at a time",
            _by(
                lambda maps: max(map(sum, zip(maps, maps[1:], maps[2:] + [0])))),
            symptom="You keep three maps, where two are needed at a time.",
            concept="A layer reads one map and writes the next. What comes after that is not "
                    "there yet.",
            line="`one + other`, two neighbours."),
        Misconception(
            "the largest map twice", _by(lambda maps: 2 * max(maps)),
            symptom="Right where the largest map has a neighbour of its size; else you find room "
                    "for too few.",
            concept="Two buffers as large as the largest map are one way, and more than is "
                    "needed.",
            line="The largest sum of two neighbours."),
        Misconception(
            "two buffers in turn", _by(lambda maps: max(maps[::2]) + max(maps[1::2])),
            symptom="You keep room for two maps that need not be there at the same time: the "
                    "largest of every second one, and of the others.",
            concept="Two buffers in turn must each hold their largest map. With room that is "
                    "given out anew at each layer, a map and the next are enough.",
            line="`max(one + other for one, other in zip(maps, maps[1:]))`, neighbours only."),
        Misconception(
            "true division",
            lambda maps, room, blocks: (room / blocks - RESERVED) / (4 * _together(maps)),
            symptom="You return a float.",
            concept="Images come whole.",
            line="`//` where you divide by the bytes of an image."),
        Misconception(
            "reserved for each image",
            lambda maps, room, blocks: (
                room // blocks // (4 * _together(maps) + RESERVED)),
            symptom="You subtract the 1,024 bytes for each image.",
            concept="The system keeps them once with each *block*.",
            line="Subtract 1024 from the block's part, then divide by an image's bytes."),
        Misconception(
            "two bytes a float",
            lambda maps, room, blocks: (
                (room // blocks - RESERVED) // (2 * _together(maps))),
            symptom="Your numbers are about twice too large.",
            concept="A float has four bytes; two are a half.",
            line="A factor of 4 in the divisor, not of 2."),
        Misconception(
            "bytes rounded to KiB",
            lambda maps, room, blocks: (
                (room // blocks // 1024 * 1024 - RESERVED) // (4 * _together(maps))),
            symptom="Sometimes you are an image too low: you round the block's part down to "
                    "whole KiB.",
            concept="The room is counted in bytes.",
            line="`room // blocks - 1024`, as it is."),
        Misconception(
            "a thousand for a KiB", lambda maps, room, blocks: (
                (room // blocks - 1000) // (4 * _together(maps))),
            symptom="Sometimes you promise an image too many: you take off 1,000 bytes.",
            concept="What the system keeps with each block is a KiB, 1,024 bytes.",
            line="`room // blocks - 1024`."),
        Misconception(
            "not divided by the blocks", lambda maps, room, blocks: (
                (room - blocks * RESERVED) // (4 * _together(maps))),
            symptom="Right for one block; else you give each block the room of all.",
            concept="What is left of the room when each block's 1,024 bytes are off is for all "
                    "blocks together.",
            line="`room // blocks` first, then `- 1024`."),
        Misconception(
            "rounded to the nearest", lambda maps, room, blocks: round(
                (room / blocks - RESERVED) / (4 * _together(maps))),
            symptom="Sometimes you promise an image too many: one that fits for more than its "
                    "half.",
            concept="A part of an image in shared memory is of no use.",
            line="`//`, which rounds down."),
        Misconception(
            "reserved on top", lambda maps, room, blocks: (
                (room // blocks + RESERVED) // (4 * _together(maps))),
            symptom="You find room for more than there is: 1,024 bytes are added.",
            concept="The system keeps them for itself: they are gone for the block.",
            line="A minus before 1024."),
        Misconception(
            "the last layer not looked at", lambda maps, room, blocks, alone=False: (
                room // blocks - RESERVED) // (4 * max(
                    [*(maps if alone else maps[:1]), *map(sum, zip(maps[:-1], maps[1:-1]))])),
            symptom="Right where the last layer is not the worst moment; else you promise more "
                    "images than fit.",
            concept="The last layer has an input and an output too: the logits must be kept "
                    "somewhere.",
            line="All neighbours: by index, `range(len(maps) - 1)`, no fewer.",
            choices={"alone": (True,)}),
        Misconception(
            "the first layer not looked at", lambda maps, room, blocks: (
                room // blocks - RESERVED) // (4 * max(
                    [maps[-1], *map(sum, zip(maps[1:], maps[2:]))])),
            symptom="Right where the first layer is not the worst moment; else you promise more "
                    "images than fit.",
            concept="The pixels are in shared memory too, as the first layer's input.",
            line="`zip(maps, maps[1:])`: pairs from the first map on."),
        Misconception(
            "whole halves of a warp", lambda maps, room, blocks, of=16, least=True: (
                lambda fit: fit if least and fit < of else fit // of * of)(
                    images_that_fit(maps, room, blocks)),
            symptom="Your larger numbers are rounded down, to a multiple of 16 or 32.",
            concept="That the ladder's kernel takes 16 is its own choice. Asked is how many fit.",
            line="The quotient as it is.",
            choices={"of": (16, 32), "least": (True, False)}),
        Misconception(
            "all outputs at once", _by(lambda maps: sum(maps[1:])),
            symptom="You keep all outputs to the end, and not the pixels.",
            concept="A layer's output is read by the next layer, and then its room is free. And "
                    "the first layer needs its pixels.",
            line="Two neighbours at a time: `one + other`."),
    ],
)
