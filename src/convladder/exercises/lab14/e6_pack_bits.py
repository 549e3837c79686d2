"""Lab 14, exercise 6: integers of a few bits without a bit between them."""

import numpy as np

from ..exercise import Exercise, Misconception, edit


def pack_bits(q, bits):
    u = q.astype(int) + 2 ** (bits - 1)
    each = (u[:, np.newaxis] >> np.arange(bits)) & 1
    return np.packbits(each.astype(np.uint8).ravel(), bitorder="little")


def drawn(rng, count, bits):
    high = 2 ** (bits - 1) - 1
    return rng.integers(-high, high + 1, count).tolist(), bits


OFFSET = "q.astype(int) + 2 ** (bits - 1)"
PACK = 'return np.packbits(each.astype(np.uint8).ravel(), bitorder="little")'

EXERCISE = Exercise(
    name="pack_bits",
    lab=14,
    task="Store integers of a few bits in bytes, one bit behind the other.",
    solution=pack_bits,
    cases=lambda rng: [
        ([-3, 0, 3], 3),
        drawn(rng, 9, 4),
        drawn(rng, 50, 3),
        drawn(rng, 33, 2),
        drawn(rng, 11, 5),
        drawn(rng, 10, 8),
    ],
    inputs=lambda fill, q, bits: (np.array(q, np.int8), bits),
    valid=lambda q, bits: 2 <= bits <= 8 and all(abs(each) < 2 ** (bits - 1) for each in q),
    mend="`u = q.astype(int) + 2**(bits - 1)`; bit `k` of it is `(u >> k) & 1`, `k` upwards; "
    '`np.packbits(all_bits, bitorder="little")`',
    misconceptions=[
        Misconception(
            "no offset",
            edit(OFFSET, "q.astype(int)"),
            "The highest bit of each value is the opposite of the right one.",
            "The format stores `q + 2**(bits - 1)`, which is never negative.",
        ),
        Misconception(
            "another offset",
            [
                edit("2 ** (bits - 1)", "2 ** (bits - 1) - 1"),
                edit("2 ** (bits - 1)", "2**bits // 4"),
            ],
            "Your stored numbers are too small.",
            "The offset maps the least code of the grid, `-2**(bits - 1)`, to 0.",
        ),
        Misconception(
            "an offset added in int8",
            edit(OFFSET, "q + 2 ** (bits - 1)"),
            "With 8 bits NumPy refuses: int8 has no 128.",
            "`q` is int8, and the result of the addition is too. Widen first.",
        ),
        Misconception(
            "the highest bit first",
            edit("np.arange(bits)", "np.arange(bits)[::-1]"),
            "Each value's bits are in the opposite order.",
            "Little endian: the value's lowest bit comes first.",
        ),
        Misconception(
            "bytes filled from the top",
            [
                edit('bitorder="little"', 'bitorder="big"'),
                edit(
                    'bitorder="little"',
                    'bitorder="big"',
                    "np.arange(bits)",
                    "np.arange(bits)[::-1]",
                ),
            ],
            "The bits of each byte are in the opposite order.",
            "`np.packbits` fills a byte from its highest bit unless `bitorder` says otherwise.",
        ),
        Misconception(
            "a byte for each value",
            edit(PACK, "return u.astype(np.uint8)"),
            "You return as many bytes as there are values.",
            "Eight bits are kept for `bits`. In one long row of bits no bit is lost.",
        ),
        Misconception(
            "no value across a byte's end",
            edit(
                "each = ",
                "fit = 8 // bits\n    u = np.append(u, [0] * (-len(u) % fit))\n    each = ",
                PACK,
                "each = np.pad(each.reshape(-1, fit * bits), ((0, 0), (0, 8 - fit * bits)))\n"
                '    return np.packbits(each.astype(np.uint8), axis=1, bitorder="little").ravel()',
            ),
            "Right where `bits` divides 8. Otherwise you return too many bytes.",
            "Values may begin in one byte and end in the next.",
        ),
        Misconception(
            "the rest left out",
            edit(
                "each.astype(np.uint8).ravel()",
                "each.astype(np.uint8).ravel()[: each.size // 8 * 8]",
            ),
            "The last byte is missing where the bits don't fill it.",
            "The number of bytes is rounded up, and the last one ends with zeros.",
        ),
        Misconception(
            "bit by bit",
            edit("np.uint8).ravel()", "np.uint8).T.ravel()"),
            "All lowest bits come first, then all second ones.",
            "The bits of one value stay together: `[count, bits]`, flattened row by row.",
        ),
    ],
)
