"""Lab 05, exercise 4: an image from channels last into blocks of channels."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import blocks_wrong as wrong
from .blocks_wrong import to_blocks

EXERCISE = Exercise(
    name="to_blocks",
    lab=5,
    reference=to_blocks,
    contiguous=True,
    task="Bring an image from NHWC's order into blocks of channels, NCHWc's.",
    cases=lambda rng: [
        (np.arange(1, 13, dtype=np.float32).reshape(1, 2, 6), 4),
        (rng.standard_normal((3, 2, 8), dtype=np.float32), 4),
        (rng.standard_normal((2, 5, 17), dtype=np.float32), 8),
        (rng.standard_normal((3, 4, 5), dtype=np.float32), 1),
        (rng.standard_normal((4, 3, 7), dtype=np.float32), 7),
        (rng.standard_normal((2, 2, 3), dtype=np.float32), 8),
    ],
    misconceptions=[
        Misconception(
            "rest of the channels dropped",
            wrong.dropped,
            symptom="The last block is missing where channels do not fill it.",
            concept="6 channels by blocks of 4 are two blocks; the second has two zeros a pixel.",
            line="Round the number of blocks up, `-(-c // block)`, with zeros behind the last "
            "channel: `filled[..., :c] = x`.",
            choices={"least": (0,)},
        ),
        Misconception(
            "reshaped only",
            wrong.reshaped,
            symptom="The shape is right, but the values lie as they lay before.",
            concept="`reshape` names values anew and moves none. A block must hold its channels of "
            "*every* pixel, so whole pixels must move apart.",
            line="Reshape to `[h, w, blocks, block]`, and then `transpose(2, 0, 1, 3).copy()`.",
        ),
        Misconception(
            "planes",
            wrong.planes,
            symptom="Within a block, pixels lie side by side where channels should.",
            concept="NCHW has a plane for each channel. In NCHWc the channels of a block are the "
            "fastest axis, so that one vector holds them.",
            line="Planes in `[blocks, block, h, w]` become that by `transpose(0, 2, 3, 1).copy()`, "
            "pixels in `[h, w, blocks, block]` by `transpose(2, 0, 1, 3).copy()`.",
        ),
        Misconception(
            "channels dealt out",
            wrong.dealt,
            symptom="A block has every second or third channel.",
            concept="Channel `c` belongs to block `c // block`, at place `c % block`: a block is a "
            "row of neighbours.",
            line="Block `b` is channels `b * block` to `b * block + block - 1`; in a `reshape`, "
            "the channel axis splits into `[blocks, block]`.",
        ),
        Misconception(
            "blocks within the pixel",
            wrong.pixels_first,
            symptom="The blocks are not the first axis.",
            concept="A pixel's blocks lie a whole image apart: first comes the whole image of "
            "block 0, then that of block 1.",
            line="The axes of the result are `[blocks, h, w, block]`, and its values lie in this "
            "order: behind a `transpose`, `.copy()`.",
        ),
        Misconception(
            "a block of zeros",
            wrong.one_block_more,
            symptom="You have a block too many, of nothing but zeros.",
            concept="The last block is the one that holds the last channel. Where it is full, "
            "nothing is missing: `block - c % block` is `block` there, and not 0.",
            line="`-(-c // block)` blocks, or `-c % block` zeros.",
            choices={"wherever": (True,)},
        ),
        Misconception(
            "width before height",
            wrong.width_before_height,
            symptom="You are right for images of one row or one column; elsewhere pixels have "
            "changed places.",
            concept="Only the block comes to the front. Height and width stay as they are, one "
            "behind the other.",
            line="The height before the width: `transpose(2, 0, 1, 3)`, or places that count "
            "`h * w_all + v`.",
        ),
        Misconception(
            "width before height in the shape",
            lambda x, block: wrong.width_before_height(x, block, named=False),
            symptom="Your array is `[blocks, w, h, block]`: height and width have changed places.",
            concept="The block comes to the front, and the two axes of the image stay in their "
            "order behind it.",
            line="The result is `[blocks, h, w, block]`: of `[h, w, blocks, block]` that is "
            "`transpose(2, 0, 1, 3)`.",
        ),
        Misconception(
            "rest never written",
            wrong.rest_unwritten,
            symptom="There is NaN where the last block has no channels.",
            concept="`np.empty` holds anything, and a convolution adds up all channels of a block.",
            line="Begin with `np.zeros`.",
        ),
        Misconception(
            "float64",
            lambda x, block: to_blocks(x, block).astype(np.float64),
            symptom="Your values are right, in float64: half as many fit into a vector.",
            concept="`np.zeros` and `np.empty` make float64 unless they are told otherwise, and so "
            "does `np.array` of a list of Python's numbers.",
            line="Make the array in float32: `np.zeros(shape, np.float32)`.",
        ),
        Misconception(
            "seen from outside",
            lambda x, block: np.ascontiguousarray(
                to_blocks(x, block).transpose(1, 2, 0, 3)
            ).transpose(2, 0, 1, 3),
            symptom="The values are right. In memory they still lie pixel by pixel.",
            concept="`transpose` moves nothing, it changes strides, and `np.copy` keeps their "
            "order. Another order in memory is a copy in the order of the new axes.",
            line="Behind the last change of axes, by `transpose` or otherwise, `.copy()` or "
            "`np.ascontiguousarray`.",
        ),
        Misconception(
            "last block moved back",
            wrong.shifted,
            symptom="Where channels do not fill the last block, yours begins too early: it ends "
            "with the last channel.",
            concept="Block `b` begins at channel `b * block`, whether it is full or not.",
            line="Fill up with zeros behind the last channel; do not shift the block.",
        ),
        Misconception(
            "last channel repeated",
            wrong.edge,
            symptom="Where there is no channel stands a copy of the last one.",
            concept="A convolution adds up a block's channels, all of them. What is no channel "
            "must add nothing, and that is zero.",
            line="`np.pad` fills with zeros unless `mode` says otherwise; so does `np.zeros`.",
        ),
        Misconception(
            "zeros in front",
            wrong.zeros_in_front,
            choices={"last": (True,)},
            symptom="Your zeros stand in front of channels, where they should follow the last one.",
            concept="Block `b` begins with channel `b * block`, the last block too; what is "
            "missing is at the end.",
            line="`filled[..., :c] = x`; or `np.pad(x, ((0, 0), (0, 0), (0, more)))`, with the "
            "second number of the last pair; or `[..., :count]` of the last block for its "
            "`count` channels.",
        ),
        Misconception(
            "height for width",
            wrong.height_for_width,
            symptom="Images as high as wide are right; in others the rows of a block begin at the "
            "wrong places.",
            concept="A block has `h` rows of `w` pixels: from one row to the next it is `w` "
            "pixels, and `h` says only how many rows there are.",
            line="`((c // block * h_all + h) * w_all + v) * block + c % block`, with `w_all` "
            "pixels in a row.",
            choices={"guarded": (False,)},
        ),
        Misconception(
            "filled up behind everything",
            wrong.filled_at_the_end,
            symptom="Right where the channels fill their blocks; else all pixels but the first "
            "begin too early.",
            concept="`np.resize`, like an array's own `resize`, takes the values as they lie and "
            "makes room behind the last. Here each pixel needs room of its own.",
            line="`filled = np.zeros((h, w, blocks * block), np.float32)`, and then "
            "`filled[..., :c] = x`.",
            choices={"repeated": (False,)},
        ),
        Misconception(
            "channels shared out evenly",
            wrong.shared_out,
            symptom="You share the channels out evenly, so that a block that could be full is "
            "filled up with zeros.",
            concept="Channel `c` belongs to block `c // block`. Only the last block may have "
            "fewer channels than places.",
            line="`block` channels for each block: a pixel's zeros are all behind its last "
            "channel.",
        ),
        Misconception(
            "no wider than the image",
            wrong.no_wider_than_the_image,
            symptom="Where an image has fewer channels than a block, your last axis is too short.",
            concept="A block has `block` places whatever the image has, so that one vector holds "
            "it: what is missing is zeros.",
            line="The result is `[blocks, h, w, block]`, with `block` as it is given.",
        ),
    ],
)
