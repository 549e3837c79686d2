"""Bits in bytes, as learners pack them: lab 14, exercise 6."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Misconception


def coded(u, bits):
    each = (u.astype(np.int64)[:, np.newaxis] >> np.arange(bits)) & 1
    return each.astype(np.uint8).ravel()


def other_code(q, bits, code=lambda q, bits: np.where(q < 0, 2 ** (bits - 1) - q, q)):
    """Code values by sign and size, or otherwise."""
    return np.packbits(coded(code(q.astype(np.int64), bits), bits), bitorder="little")


def rest_in_front(q, bits):
    each = coded(q.astype(np.int64) + 2 ** (bits - 1), bits)
    return np.packbits(np.append(np.zeros(-each.size % 8, np.uint8), each), bitorder="little")


def lost_at_the_end(q, bits):
    """Drop what of a value goes beyond its first byte."""
    packed = np.zeros(-(-len(q) * bits // 8), np.uint8)
    for at, u in enumerate(q.astype(np.int64) + 2 ** (bits - 1)):
        packed[at * bits // 8] |= (int(u) << at * bits % 8) & 255
    return packed


MORE = (
    Misconception(
        "another code",
        other_code,
        choices={
            "code": (
                lambda q, bits: np.where(q < 0, -2 * q - 1, 2 * q),
                lambda q, bits: np.where(q > 0, 2 * q - 1, -2 * q),
                lambda q, bits: q - q.min(),
                lambda q, bits: q + 2 ** (bits - 1) + 1,
                lambda q, bits: 2 ** (bits - 1) - q,
            )
        },
        symptom="The bits are where they should be, but they are those of another number than "
        "`q + 2**(bits - 1)`.",
        concept="Signs can be stored in many ways. Here an offset makes all values positive, the "
        "same for every array.",
        line="`u = q.astype(int) + 2**(bits - 1)`.",
    ),
    Misconception(
        "unused bits in front",
        rest_in_front,
        symptom="Right where the bits fill their bytes; else the unused ones come first.",
        concept="The first value begins in the lowest bit of byte 0. What is left over is at the "
        "end.",
        line="Zeros behind the row of bits; `np.packbits` does so by itself.",
    ),
    Misconception(
        "lost at a byte's end",
        lost_at_the_end,
        symptom="Right for bits that divide 8; with others, what of a value goes beyond the end "
        "of a byte is lost.",
        concept="The highest bits of such a value are the lowest ones of the next byte.",
        line="Write the rest into the next byte, `u >> (8 - at)`; or make one long row of bits.",
    ),
)
