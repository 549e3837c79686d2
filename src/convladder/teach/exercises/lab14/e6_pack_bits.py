"""Lab 14, exercise 6: integers of a few bits without a bit between them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import pack_bits_wrong as wrong


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


def _cut_short(each, bits):
    """Pack as many as fit into a byte, and leave out what has no room in the right number."""
    return _in_bytes(each, bits)[: -(-len(each) * bits // 8)]


def _dropped(each, bits):
    flat = each.ravel()
    return flat[: len(flat) // 8 * 8]


def _offset_by(offset):
    """Add `offset(bits)` to what should be stored."""

    def wrong(q, bits):
        each = ((q.astype(np.int64) + offset(bits))[:, np.newaxis] >> np.arange(bits)) & 1
        return np.packbits(each.astype(np.uint8).ravel(), bitorder="little")

    return wrong


def _added_in_a_byte(q, bits):
    """Add the offset in int8, which NumPy refuses where it does not fit."""
    u = q + 2 ** (bits - 1)
    each = (u[:, np.newaxis] >> np.arange(bits)) & 1
    return np.packbits(each.astype(np.uint8).ravel(), bitorder="little")


def _a_byte_each(q, bits, side="low"):
    """Give each value a byte: in its low bits, in its high ones, or turned round in these."""
    u = (q.astype(np.int64) + 2 ** (bits - 1)).astype(np.uint8)
    if side == "turned":
        each = (u[:, np.newaxis] >> np.arange(bits).astype(np.uint8)) & 1
        return np.packbits(each, axis=1).ravel()
    return u << np.uint8(8 - bits) if side == "top" else u


def _bit_by_bit(q, bits):
    """Store all lowest bits first, then all second ones."""
    u = q.astype(np.int64) + 2 ** (bits - 1)
    each = (u[:, np.newaxis] >> np.arange(bits)) & 1
    return np.packbits(each.astype(np.uint8).T.ravel(), bitorder="little")


def _last_value_first(q, bits):
    return pack_bits(q[::-1], bits)


def _bits_unpacked(q, bits):
    u = q.astype(np.int64) + 2 ** (bits - 1)
    return ((u[:, np.newaxis] >> np.arange(bits)) & 1).astype(np.uint8).ravel()


def _filled_with_ones(q, bits):
    packed = pack_bits(q, bits)
    if over := len(q) * bits % 8:
        packed[-1] |= 256 - 2**over
    return packed


def _a_byte_more(q, bits):
    return np.append(pack_bits(q, bits), np.uint8(0))


def _cases(rng: np.random.Generator) -> list[tuple]:
    def some(count, bits):
        high = 2 ** (bits - 1) - 1
        return rng.integers(-high, high + 1, count).astype(np.int8), bits

    return [
        (np.array([-3, 0, 3], np.int8), 3),
        some(9, 4),
        some(50, 3),
        some(33, 2),
        some(11, 5),
        some(10, 8),
    ]


def _high_bits(q, bits):
    u = (q.astype(np.int64) + 2 ** (bits - 1)).astype(np.uint8)
    each = np.unpackbits(u[:, np.newaxis], axis=1, bitorder="little")[:, -bits:]
    return np.packbits(each.ravel(), bitorder="little")


EXERCISE = Exercise(
    name="pack_bits",
    lab=14,
    reference=pack_bits,
    cases=_cases,
    task="Store integers of a few bits in bytes, one bit behind the other.",
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "sign without its offset",
            _packed(offset=False),
            symptom="The number of bytes is right. Each value's highest bit is the wrong one of "
            "two.",
            concept="Without an offset, or with a multiple of `2**bits`, the last bits are those "
            "of `q` itself, negative or not. What is asked for is `q + 2**(bits - 1)`, "
            "which is never negative.",
            line="Add the offset in a wider type: `q.astype(int) + 2**(bits - 1)`.",
        ),
        Misconception(
            "highest bit first",
            _packed(order=lambda bits: np.arange(bits)[::-1]),
            symptom="Each value's bits are in the opposite order.",
            concept="The lowest bit comes first, as in the worked case.",
            line="`(u >> k) & 1` for `k` from 0 up.",
        ),
        Misconception(
            "bytes filled from the top",
            _packed(bitorder="big"),
            symptom="Each byte's bits are in the opposite order.",
            concept="The first bit written is the lowest of its byte. `np.packbits` begins with "
            "the highest, unless you say otherwise.",
            line='`np.packbits(..., bitorder="little")`; by hand, bit i of the row adds '
            "`2**(i % 8)`.",
        ),
        Misconception(
            "as numbers are written",
            _packed(order=lambda bits: np.arange(bits)[::-1], bitorder="big"),
            symptom="Each value begins with its highest bit, and each byte too.",
            concept="That is how one writes numbers down. Here, as in most memories, the lowest "
            "bit comes first, in values and in bytes.",
            line='`np.arange(bits)` upwards, and `bitorder="little"`.',
        ),
        Misconception(
            "a byte each",
            _a_byte_each,
            choices={"side": ("top", "turned")},
            symptom="You return as many bytes as there are values.",
            concept="A value of 3 bits in a byte of its own wastes 5.",
            line="`bits` bits of each value, all in one long row; then let `np.packbits` gather "
            "eight at a time.",
        ),
        Misconception(
            "none across a byte's end",
            _packed(whole=_in_bytes),
            symptom="Right for bits that divide 8; with others no value of yours goes across the "
            "end of a byte.",
            concept="Two values of 3 bits leave two bits of a byte over. The third value begins "
            "there and goes on in the next byte.",
            line="Make one long row of all bits before you cut it into bytes.",
        ),
        Misconception(
            "none across a byte's end, and too few bytes",
            _packed(whole=_cut_short),
            symptom="Right for bits that divide 8; with others no value of yours goes across the "
            "end of a byte, and the last ones have no place.",
            concept="With 3 bits a third value begins in the first byte and goes on in the second: "
            "that is how they all fit.",
            line="One row of all bits first, then bytes of eight.",
        ),
        Misconception(
            "rest dropped",
            _packed(whole=_dropped),
            symptom="The last byte is missing where the bits do not fill it.",
            concept="9 values of 3 bits are 27 bits: 4 bytes, of which the last has 5 bits over.",
            line="Round the number of bytes up; `np.packbits` does so by itself.",
        ),
        Misconception(
            "offset one too small",
            _offset_by(lambda bits: 2 ** (bits - 1) - 1),
            symptom="Each of your values is one too small: the least one becomes 0.",
            concept="`q` goes from `-(2**(bits-1) - 1)` on, so with an offset of `2**(bits-1)` "
            "the least value is 1, and 0 is never used. That wastes a code, and is how "
            "the format is defined.",
            line="`q + 2**(bits - 1)`: with 3 bits, `q + 4`.",
        ),
        Misconception(
            "half of the range rounded",
            _offset_by(lambda bits: 2 ** (bits // 2)),
            symptom="Your offset is too small, from 3 bits on.",
            concept="Half of the range of `bits` bits is `2**bits / 2`, not `2**(bits / 2)`.",
            line="`2**(bits - 1)`",
        ),
        Misconception(
            "offset added in int8",
            _added_in_a_byte,
            symptom="With 8 bits the offset is 128, and NumPy says that int8 has no such number.",
            concept="`q` is int8, from -128 to 127, and a sum with a Python number stays int8.",
            line="`q.astype(int) + 2**(bits - 1)`: widen first, then add.",
        ),
        Misconception(
            "bit by bit",
            _bit_by_bit,
            symptom="All lowest bits come first, then all second ones.",
            concept="Each value's bits stay together: one value is finished before the next "
            "begins.",
            line="`[count, bits]`, values as rows, before you `ravel`.",
        ),
        Misconception(
            "last value first",
            _last_value_first,
            symptom="Your values come in the opposite order.",
            concept="The first value's lowest bit is the lowest bit of byte 0.",
            line="Value i begins at bit `i * bits`, counted from the lowest bit of byte 0.",
        ),
        Misconception(
            "a bit in each byte",
            _bits_unpacked,
            symptom="You return a byte for each bit.",
            concept="Eight bits go into one byte.",
            line='`np.packbits(..., bitorder="little")` around it.',
        ),
        Misconception(
            "rest filled with ones",
            _filled_with_ones,
            symptom="Only the unused bits of the last byte are wrong.",
            concept="What is left of the last byte is 0, so that equal weights make equal files.",
            line="Begin with zeros; `np.packbits` does so by itself.",
        ),
        Misconception(
            "a byte too many",
            _a_byte_more,
            symptom="Your result ends with a byte that nobody needs.",
            concept="`count * bits` bits are `ceil(count * bits / 8)` bytes.",
            line="Round up, `-(-count * bits // 8)`, and return no more bytes than that.",
        ),
        Misconception(
            "dtype int64",
            lambda q, bits: pack_bits(q, bits).astype(np.int64),
            symptom="Your values are right, each of them in eight bytes.",
            concept="Packing is about bytes: eight bits for a number from 0 to 255.",
            line="`.astype(np.uint8)`; `np.packbits` gives it.",
        ),
        Misconception(
            "last byte first",
            lambda q, bits: pack_bits(q, bits)[::-1].copy(),
            symptom="Your bytes are right, the last one comes first.",
            concept="The first eight bits are byte 0.",
            line='Byte 0 stands first: `.to_bytes(length, "little")`, and nothing turned round.',
        ),
        Misconception(
            "the high bits",
            _high_bits,
            symptom="You keep the highest bits of each byte, not the lowest.",
            concept="A value has `bits` bits, and they are the lowest of its byte.",
            line="`(u >> k) & 1` for `k` from 0 to `bits - 1`; or, of `np.unpackbits` with "
            '`bitorder="little"`, the first `bits`.',
        ),
    ],
)
