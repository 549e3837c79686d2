"""Lab 05, exercise 4: an image from channels last into blocks of channels."""

import numpy as np

from ..draws import whole, wholes
from ..exercise import Exercise, Misconception, edit


def to_blocks(x, block):
    h, w, c = x.shape
    blocks = -(-c // block)
    filled = np.zeros((h, w, blocks * block), np.float32)
    filled[:, :, :c] = x
    return filled.reshape(h, w, blocks, block).transpose(2, 0, 1, 3).copy()


ORDER = "filled.reshape(h, w, blocks, block).transpose(2, 0, 1, 3).copy()"
FILL = "filled[:, :, :c] = x"

EXERCISE = Exercise(
    name="to_blocks",
    lab=5,
    task="Bring an image from NHWC's order into blocks of channels, NCHWc's.",
    solution=to_blocks,
    cases=lambda rng: [
        *[((1, 2, 6), 4), ((3, 2, 8), 4), ((2, 5, 17), 8), ((3, 4, 5), 1), ((4, 3, 7), 7)],
        ((*wholes(rng, 2, 5), whole(rng, 9, 15)), 8),
        ((2, 2, 3), 8),
    ],
    inputs=lambda fill, image, block: (fill(*image), block),
    valid=lambda image, block: min(*image, block) > 0,
    contiguous=True,
    mend="`filled = np.zeros((h, w, blocks * block), np.float32)` with `blocks = -(-c // block)`; "
    f"`{FILL}`; then `{ORDER}`",
    misconceptions=[
        Misconception(
            "the last channels dropped",
            edit(
                *("-(-c // block)", "max(1, c // block)"),
                *(FILL, "filled[:, :, :c] = x[:, :, :blocks * block]"),
            ),
            "The last block is missing unless the channels fill it.",
            "6 channels in blocks of 4 make two blocks, and the second holds two zeros per pixel.",
        ),
        Misconception(
            "a reshape only",
            edit(
                ".reshape(h, w, blocks, block).transpose(2, 0, 1, 3)",
                ".reshape(blocks, h, w, block)",
            ),
            "The shape is right, but the values lie where they lay before.",
            "`reshape` moves no value. A block holds its channels of *every* pixel, so the values "
            "must move.",
        ),
        Misconception(
            "planes",
            edit("transpose(2, 0, 1, 3)", "transpose(2, 3, 0, 1).reshape(blocks, h, w, block)"),
            "Within a block, pixels lie side by side where channels should.",
            "NCHW has one plane per channel. In NCHWc the channels of a block are the fastest "
            "axis, so that one vector load reads them.",
        ),
        Misconception(
            "pixels before blocks",
            edit(".transpose(2, 0, 1, 3)", ""),
            "Your array has the axes `[h, w, blocks, block]`.",
            "In NCHWc the block is the slowest axis: all pixels of block 0, then all of block 1.",
        ),
        Misconception(
            "one block too many",
            edit("-(-c // block)", "c // block + 1"),
            "Channels that fill their blocks get a block of zeros too.",
            "`c // block + 1` is one too many without a remainder. `-(-c // block)` rounds up.",
        ),
    ],
)
