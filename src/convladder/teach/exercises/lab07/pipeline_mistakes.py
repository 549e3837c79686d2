"""Usual mistakes of a product with copies on their way: in what is stored, and what is cleared."""

from __future__ import annotations

from ...grading.exercise import Misconception
from ..lab06.sources import edited
from .pipeline import IF_NEXT, SOURCE

OF_A = "fetch(&a_tile[to][y][x], &a[row * k + next + x], row < m && next + x < k);"
OF_B = "fetch(&b_tile[to][y][x], &b[(next + y) * n + column], next + y < k && column < n);"
LOAD = (
    "extern",
    "__device__ float load(const float *from, bool inside)\n"
    "{\n    return inside ? *from : 0.0f;\n}\n\nextern",
)
# Loaded before the sums and stored behind them, with no copy at all.
THROUGH_REGISTERS = edited(
    SOURCE,
    LOAD,
    (
        SOURCE[SOURCE.index("        if (s + 1 < slices)") : SOURCE.index("        for (int i")],
        "        float of_a = load(&a[row * k + next + x], row < m && next + x < k);\n"
        "        float of_b = load(&b[(next + y) * n + column], next + y < k && column < n);\n",
    ),
    ("fetch(&a_tile[0][y][x], &", "a_tile[0][y][x] = load(&"),
    ("fetch(&b_tile[0][y][x], &", "b_tile[0][y][x] = load(&"),
    ("    __pipeline_commit();\n", "    __syncthreads();\n"),
    (
        "b_tile[s % 2][i][x];\n",
        "b_tile[s % 2][i][x];\n"
        "        a_tile[to][y][x] = of_a;\n"
        "        b_tile[to][y][x] = of_b;\n",
    ),
)

STORED_AND_CLEARED = [
    Misconception(
        "one factor loaded as before, but for its first slice",
        edited(
            SOURCE,
            LOAD,
            (OF_B, OF_B.replace("fetch(&b_tile[to][y][x], &", "b_tile[to][y][x] = load(&")),
        ),
        symptom="The values are right, but behind the first slice only about half of what you load "
        "is on its way while you sum.",
        concept="What comes by an ordinary store counts as waited for, in every slice.",
        line="`__pipeline_memcpy_async` in the loop too, for `a` and for `b`.",
    ),
    Misconception(
        "through registers, and a slice beyond",
        THROUGH_REGISTERS,
        symptom="The values are right, but they come into the tiles by ordinary stores, and zeros "
        "even behind the last slice.",
        concept="An ordinary store counts as waited for, even if its value was loaded into a "
        "register before the sums. `__pipeline_memcpy_async` goes past the registers.",
        line="`if (s + 1 < slices)`, and in it `__pipeline_memcpy_async` into the other place, "
        "before the sums; then a commit, `__pipeline_wait_prior(1)` and a barrier. Another "
        "barrier stays behind the sums.",
    ),
    Misconception(
        "one more slice that no sum hides",
        edited(SOURCE, (IF_NEXT, "        {\n")),
        symptom="The values are right, but about as much as one slice more than the first comes "
        "into the tiles while nobody sums.",
        concept="Two things can make it so. Zeros are ordinary stores, and count: behind the last "
        "slice none are needed. And copies count that a round waits for too early.",
        line="`if (s + 1 < slices)` around the copies and their zeros, with `(k + 15) / 16` "
        "slices; and wait only for what this round sums.",
    ),
    Misconception(
        "a zero before each copy",
        edited(SOURCE, ("    if (inside)\n", "    *to = 0.0f;\n    if (inside)\n")),
        symptom="The values are right, but each place gets a value by an ordinary store, and a "
        "copy besides: more bytes than the exercise before.",
        concept="Ordinary stores count, zeros too. A place that a copy fills needs no zero.",
        line="A copy *or* a zero: `if (inside) __pipeline_memcpy_async(to, from, 4); else "
        "*to = 0.0f;`",
    ),
    Misconception(
        "sum begun anew",
        edited(SOURCE, ("        for (int i", "        sum = 0;\n        for (int i")),
        symptom="Up to `k` = 16 all is right; then you keep the last slice's sum only.",
        concept="Each slice adds its part to the same sum, and only all of them are the value.",
        line="`float sum = 0;` stands before the loop over slices, `c[...] = sum` behind it.",
    ),
    Misconception(
        "cleared once, before the loop",
        edited(
            SOURCE,
            ("    else\n        *to = 0.0f;\n", ""),
            (
                "    float sum = 0;\n",
                "    float sum = 0;\n    for (int place = 0; place < 2; place++)\n"
                "        a_tile[place][y][x] = b_tile[place][y][x] = 0.0f;\n",
            ),
        ),
        symptom="Where `k` is a multiple of 16, or less than 32, all is right; else values of the "
        "slice two before it are summed once more with the last slice.",
        concept="A place is filled anew every second round, and what is not copied stays as it "
        "was. Zeros from before the loop are gone once a slice was there.",
        line="No zeros before the loop; in every round one wherever there is nothing to copy: `if "
        "(inside) __pipeline_memcpy_async(to, from, 4); else *to = 0.0f;`",
    ),
]
