"""Lab 16, exercise 6: integers of a few bits without a bit between them."""

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
    lab=16,
    task="Store integers of a few bits in bytes, one bit after the other.",
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
            "bytes filled from the highest bit",
            edit('bitorder="little"', 'bitorder="big"'),
            "The bits of each byte are in the opposite order.",
            "`np.packbits` fills a byte from its highest bit unless `bitorder` says otherwise.",
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
    ],
)
