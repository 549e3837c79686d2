"""Lab 13, exercise 6: integers of a few bits without a bit between them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...grading.exercise import Exercise, Misconception


def _packed(
    offset: bool = True, order: Callable = lambda bits: np.arange(bits),
    whole: Callable | None = None, bitorder: str = "little",
) -> Callable:  # fmt: skip
    def pack_bits(q, bits):
        u = q.astype(np.int64) + (2 ** (bits - 1) if offset else 0)
        each = (u[:, np.newaxis] >> order(bits)) & 1
        if whole is not None:
            each = whole(each, bits)
        return np.packbits(each.astype(np.uint8).ravel(), bitorder=bitorder)

    return pack_bits


pack_bits = _packed()


def _in_bytes(each, bits):
    """Pack as many as fit into a byte, none across its end."""
    fit = 8 // bits
    spare = -len(each) % fit
    each = np.concatenate([each, np.zeros((spare, bits), each.dtype)]).reshape(-1, fit * bits)
    return np.pad(each, ((0, 0), (0, 8 - fit * bits)))


def _dropped(each, bits):
    flat = each.ravel()
    return flat[: len(flat) // 8 * 8]


def _cases(rng: np.random.Generator) -> list[tuple]:
    def some(count, bits):
        high = 2 ** (bits - 1) - 1
        return rng.integers(-high, high + 1, count).astype(np.int8), bits

    return [(np.array([-3, 0, 3], np.int8), 3), some(9, 4), some(50, 3), some(33, 2), some(11, 5),
            some(10, 8)]


EXERCISE = Exercise(
    name="pack_bits", lab=13, reference=pack_bits, cases=_cases,
    task="Store integers of a few bits in bytes, one bit behind the other.",
    misconceptions=[
        Misconception(
            "sign without its offset", _packed(offset=False),
            symptom="The number of bytes is right. What is stored are the last bits of negative "
                    "numbers as they are.",
            concept="What is asked for is `q + 2**(bits - 1)`, which is never negative.",
            line="Add the offset in a wider type: `q.astype(int) + 2**(bits - 1)`."),
        Misconception(
            "highest bit first", _packed(order=lambda bits: np.arange(bits)[::-1]),
            symptom="Each value's bits are in the opposite order.",
            concept="The lowest bit comes first, as in the worked case.",
            line="`(u >> k) & 1` for `k` from 0 up."),
        Misconception(
            "bytes filled from the top", _packed(bitorder="big"),
            symptom="Each byte's bits are in the opposite order.",
            concept="`np.packbits` fills a byte from its highest bit, unless you say otherwise.",
            line="`np.packbits(..., bitorder=\"little\")`"),
        Misconception(
            "as numbers are written",
            _packed(order=lambda bits: np.arange(bits)[::-1], bitorder="big"),
            symptom="Each value begins with its highest bit, and each byte too.",
            concept="That is how one writes numbers down. Here, as in most memories, the lowest "
                    "bit comes first, in values and in bytes.",
            line="`np.arange(bits)` upwards, and `bitorder=\"little\"`."),
        Misconception(
            "a byte each", lambda q, bits: (q.astype(np.int64) + 2 ** (bits - 1)).astype(np.uint8),
            symptom="You return as many bytes as there are values.",
            concept="A value of 3 bits in a byte of its own wastes 5.",
            line="Write out all bits, then let `np.packbits` gather eight at a time."),
        Misconception(
            "none across a byte's end", _packed(whole=_in_bytes),
            symptom="Right for bits that divide 8; with 3 or 5 you need too many bytes.",
            concept="Two values of 3 bits leave two bits of a byte over. The third value begins "
                    "there and goes on in the next byte.",
            line="Make one long row of all bits before you cut it into bytes."),
        Misconception(
            "rest dropped", _packed(whole=_dropped),
            symptom="The last byte is missing where the bits do not fill it.",
            concept="9 values of 3 bits are 27 bits: 4 bytes, of which the last has 5 bits over.",
            line="Round the number of bytes up; `np.packbits` does so by itself."),
    ],
)
