"""Lab 14, exercise 3: how many images a block can keep in shared memory."""

from ..draws import whole, wholes
from ..exercise import Exercise, Misconception, edit

LENET = [784, 864, 256, 120, 84, 10]  # values of each map


def images_that_fit(maps, room, blocks):
    together = max(one + other for one, other in zip(maps, maps[1:]))
    return (room // blocks - 1024) // (4 * together)


PAIRS = "max(one + other for one, other in zip(maps, maps[1:]))"
RESULT = "(room // blocks - 1024) // (4 * together)"

EXERCISE = Exercise(
    name="images_that_fit",
    lab=14,
    task="Count the images whose maps fit into shared memory, for blocks that share it.",
    solution=images_that_fit,
    cases=lambda rng: [
        ([100, 50], 10_000, 1),
        ([100, 50, 90, 80], 40_000, 1),
        (LENET, 233_472, 2),
        (LENET, 233_472, 1),
        (LENET, 167_936, 2),
        (list(wholes(rng, 20, 300, 5)), whole(rng, 100_000, 233_472), whole(rng, 1, 3)),
        ([200, 10, 190, 20], 20_480, 1),
        ([10, 90, 40, 80, 30], 30_000, 1),
        ([64, 64, 64], 16_384, 4),
        ([100, 50], 1024 + 3 * 600 - 1, 1),
        ([784, 3456, 864], 102_400, 1),
        ([10, 180, 190, 20, 300], 20_480, 1),
    ],
    valid=lambda maps, room, blocks: (
        len(maps) > 1 and min(maps) > 0 and blocks > 0 and room >= 1024 * blocks
    ),
    mend="`(room // blocks - 1024) // (4 * together)`, where `together` is the largest sum of two "
    "neighbouring maps",
    misconceptions=[
        Misconception(
            "all maps at once",
            edit(PAIRS, "sum(maps)"),
            "You find room for too few images.",
            "A map is dead once the next one is made from it. Only two neighbours coexist.",
        ),
        Misconception(
            "only the largest map",
            [
                edit(PAIRS, "max(maps)"),
                edit(PAIRS, "sum(sorted(maps)[-2:])"),
                edit(PAIRS, "2 * max(maps)"),
            ],
            "You look for the largest maps, wherever they are.",
            "A layer's input and output are needed together: look for the largest sum of two "
            "neighbours.",
        ),
        Misconception(
            "values in place of bytes",
            edit("(4 * together)", "together"),
            "You find room for about four times too many images.",
            "A float32 value has four bytes.",
        ),
        Misconception(
            "reserved bytes miscounted",
            [
                edit(" - 1024", ""),
                edit("- 1024", "- 4 * 1024"),
                edit("(room // blocks - 1024)", "((room - 1024) // blocks)"),
            ],
            "Sometimes your count is off.",
            "The system reserves 1,024 bytes of each block's shared memory.",
        ),
        Misconception(
            "the room of all blocks for one",
            [
                edit("room // blocks", "room"),
                edit(RESULT, f"{RESULT} * blocks"),
            ],
            "One block is right. With more you find another number.",
            "Each block has its part of the room, and each part loses 1,024 bytes.",
        ),
    ],
)
