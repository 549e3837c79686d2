"""Usual mistakes about the room and its bytes, with their hints: lab 12, exercise 3."""

from __future__ import annotations

from ...grading.exercise import Misconception
from .fitting import RESERVED, images_that_fit, together

ROOM = [
    Misconception(
        "floats for bytes",
        lambda maps, room, blocks: (room // blocks - RESERVED) // together(maps),
        symptom="Your numbers are about four times too large.",
        concept="A map's size is in values; a float32 has four bytes.",
        line="`4 * ...` in the divisor.",
    ),
    Misconception(
        "nothing reserved",
        lambda maps, room, blocks: room // blocks // (4 * together(maps)),
        symptom="Sometimes you promise more images than fit.",
        concept="The system keeps 1,024 bytes of shared memory for itself with each block.",
        line="Subtract 1024 from each block's part.",
    ),
    Misconception(
        "reserved once",
        lambda maps, room, blocks: (room - RESERVED) // blocks // (4 * together(maps)),
        symptom="Right for one block; for more you sometimes promise more images than fit.",
        concept="*Each* block has 1,024 bytes less.",
        line="`room // blocks - 1024`: all 1,024 bytes, from each block's part.",
    ),
    Misconception(
        "images of all blocks",
        lambda maps, room, blocks: blocks * images_that_fit(maps, room, blocks),
        symptom="Right for one block; else you count the images of all blocks.",
        concept="The question is how many images *a block* takes.",
        line="Do not multiply by `blocks`.",
    ),
    Misconception(
        "one block has it all",
        lambda maps, room, blocks: images_that_fit(maps, room, 1),
        symptom="You give the whole of the shared memory to one block.",
        concept="Blocks on one multiprocessor share it: two of them get half each, and one can "
        "compute while the other waits.",
        line="`room // blocks`.",
    ),
    Misconception(
        "rounded up",
        lambda maps, room, blocks: -(-(room // blocks - RESERVED) // (4 * together(maps))),
        symptom="You count an image that fits in part only.",
        concept="Half an image in shared memory is of no use.",
        line="Round down: `//`, and nothing added.",
    ),
    Misconception(
        "true division",
        lambda maps, room, blocks: (room / blocks - RESERVED) / (4 * together(maps)),
        symptom="You return a float.",
        concept="Images come whole.",
        line="`//` where you divide by the bytes of an image.",
    ),
    Misconception(
        "reserved for each image",
        lambda maps, room, blocks: room // blocks // (4 * together(maps) + RESERVED),
        symptom="You subtract the 1,024 bytes for each image.",
        concept="The system keeps them once with each *block*.",
        line="Subtract 1024 from the block's part, then divide by an image's bytes.",
    ),
    Misconception(
        "two bytes a float",
        lambda maps, room, blocks: (room // blocks - RESERVED) // (2 * together(maps)),
        symptom="Your numbers are about twice too large.",
        concept="A float has four bytes; two are a half.",
        line="A factor of 4 in the divisor, not of 2.",
    ),
    Misconception(
        "bytes rounded to KiB",
        lambda maps, room, blocks: (
            (room // blocks // 1024 * 1024 - RESERVED) // (4 * together(maps))
        ),
        symptom="Sometimes you are an image too low: you round the block's part down to whole KiB.",
        concept="The room is counted in bytes.",
        line="`room // blocks - 1024`, as it is.",
    ),
    Misconception(
        "a thousand for a KiB",
        lambda maps, room, blocks: (room // blocks - 1000) // (4 * together(maps)),
        symptom="Sometimes you promise an image too many: you take off 1,000 bytes.",
        concept="What the system keeps with each block is a KiB, 1,024 bytes.",
        line="`room // blocks - 1024`.",
    ),
    Misconception(
        "not divided by the blocks",
        lambda maps, room, blocks: (room - blocks * RESERVED) // (4 * together(maps)),
        symptom="Right for one block; else you give each block the room of all.",
        concept="What is left of the room when each block's 1,024 bytes are off is for all "
        "blocks together.",
        line="`room // blocks` first, then `- 1024`.",
    ),
    Misconception(
        "rounded to the nearest",
        lambda maps, room, blocks: round((room / blocks - RESERVED) / (4 * together(maps))),
        symptom="Sometimes you promise an image too many: one that fits for more than its half.",
        concept="A part of an image in shared memory is of no use.",
        line="`//`, which rounds down.",
    ),
    Misconception(
        "reserved on top",
        lambda maps, room, blocks: (room // blocks + RESERVED) // (4 * together(maps)),
        symptom="You find room for more than there is: 1,024 bytes are added.",
        concept="The system keeps them for itself: they are gone for the block.",
        line="A minus before 1024.",
    ),
    Misconception(
        "1,024 floats",
        lambda maps, room, blocks: (room // blocks // 4 - RESERVED) // together(maps),
        symptom="You take off 1,024 floats, four times as much as the system keeps.",
        concept="The system keeps 1,024 *bytes* with each block.",
        line="Subtract 1024 while you count bytes, and divide by 4 after that.",
    ),
    Misconception(
        "rounded in two places",
        lambda maps, room, blocks: (
            room // blocks // (4 * together(maps)) - RESERVED // (4 * together(maps))
        ),
        symptom="Sometimes you promise an image too many: you round what is reserved by itself.",
        concept="1,024 bytes that are less than an image still may be what the last image lacks.",
        line="One division: `(room // blocks - 1024) // (4 * floats)`.",
    ),
    Misconception(
        "whole halves of a warp",
        lambda maps, room, blocks, of=16, least=True: (
            lambda fit: fit if least and fit < of else fit // of * of
        )(images_that_fit(maps, room, blocks)),
        symptom="Your larger numbers are rounded down, to a multiple of 16 or 32.",
        concept="That the ladder's kernel takes 16 is its own choice. Asked is how many fit.",
        line="The quotient as it is.",
        choices={"of": (16, 32), "least": (True, False)},
    ),
]
