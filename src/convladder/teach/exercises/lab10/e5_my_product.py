"""Lab 10, exercise 5: float32's digits from tensor cores, for as little as possible."""

from __future__ import annotations

from functools import partial

import numpy as np

from ....number_formats import BFLOAT16, rounded
from ...grading import stages
from ...grading.exercise import Exercise, Misconception
from ....exercises.mocks.tensor_cores import TensorCores, matrix
from .products import (
    bfloats,
    cut_off,
    products,
    scaled_halves,
    scaled_once,
    three,
    through_float16,
)

MOST_UNITS = 6
NEARLY = 1e-3  # of the same: what one product in float16 or TF32 may be off by
THREE = ((0, 0), (0, 1), (1, 0))
LIMIT = 1e-6  # of the sum of |a·b|: what float32 itself may be off by, with 256 products


def my_product(a, b, multiply):
    return three(a, b, multiply)


def accept(a, b, multiply, product):
    if not isinstance(product, np.ndarray) or product.shape != (a.shape[0], b.shape[1]):
        shape = getattr(product, "shape", type(product).__name__)
        return stages.WRONG_SHAPE, (
            f"returned {shape}; an array of shape ({a.shape[0]}, {b.shape[1]}) is wanted."
        )
    if product.dtype != np.float32:
        return stages.WRONG_SHAPE, f"returned an array of dtype {product.dtype}, not float32."
    left, right = (np.asarray(each, np.float64) for each in (a, b))
    if not np.isfinite(product).all():
        return stages.WRONG_VALUES, (
            "returned NaN or infinity. float16 ends at 65,504: what is larger becomes infinite."
        )
    right_one, scale = left @ right, abs(left) @ abs(right)
    error = float((abs(product - right_one) / scale).max())
    with np.errstate(divide="ignore"):
        power = np.rint(np.log2(np.linalg.norm(product) / np.linalg.norm(right_one)))
    if (
        power
        and np.isfinite(power)
        and (abs(product / 2.0**power - right_one) / scale).max() <= NEARLY
    ):
        return stages.WRONG_VALUES, (
            f"is 2 to the power of {power:.0f} times what it should be: whatever scales `a` "
            "and `b` must be undone in the result, once each."
        )
    if not error <= LIMIT:
        shown = f"{error:.0e}" if error > 2 * LIMIT else f"{error:.1e}"
        return stages.WRONG_VALUES, (
            f"is off by {shown} of the sum of |a·b| on this case; float32 itself stays below "
            f"{LIMIT:.0e}."
        )
    return None


def _cases(rng: np.random.Generator) -> list[tuple]:
    toy = np.array([[1.0001, 3]], np.float32), np.array([[1.0002], [0.1]], np.float32)
    drawn = [(*map(matrix, toy), TensorCores(MOST_UNITS))]
    # With few products a sum, errors do not even out.
    for big, little, depth in ((1, 1, 256), (3e5, 2e-7, 256), (1, 1, 3)):
        a = rng.standard_normal((24, depth), dtype=np.float32) * np.float32(big)
        b = rng.standard_normal((depth, 16), dtype=np.float32) * np.float32(little)
        drawn.append((matrix(a), matrix(b), TensorCores(MOST_UNITS)))
    return drawn


EXERCISE = Exercise(
    name="my_product",
    lab=10,
    reference=my_product,
    accept=accept,
    cases=_cases,
    task="A product with float32's digits from tensor cores, for six units or fewer.",
    calls_allowed=("convladder.teach.mocks.tensor_cores",),
    misconceptions=[
        Misconception(
            "one product in TF32",
            lambda a, b, multiply: multiply(a, b, "TF32"),
            symptom="You keep three digits: the worst error is some 1e-4.",
            concept="One product reads ten bits of fraction of each number. What it does not read "
            "must come in by other products.",
            line="`large, small = split_tf32(a)`, the same for `b`, and besides large·large the "
            "products of a large part and a small one. (small·small is too little to be "
            "seen.)",
        ),
        Misconception(
            "one product in float16",
            lambda a, b, multiply: multiply(a, b, "float16"),
            symptom="Three digits where numbers are near 1; nothing usable where they are large.",
            concept="float16 has ten bits of fraction as TF32 has, but ends at 65,504.",
            line="Divide each matrix by a power of two, multiply the result by both; and three "
            "products, of large parts and small ones.",
        ),
        Misconception(
            "one product in bfloat16",
            lambda a, b, multiply: multiply(a, b, "bfloat16"),
            symptom="Products of larger matrices are off by some 1e-3: you keep two digits.",
            concept="bfloat16 has seven bits of fraction: three of its numbers make a float32.",
            line="Three parts of each matrix, and of their nine products the six with i + j <= 2, "
            "counted from 0.",
        ),
        Misconception(
            "large by large and one more",
            lambda a, b, multiply, more=(0, 1): products(a, b, multiply, [(0, 0), more]),
            symptom="You are nearer than one product, but by less than a digit.",
            concept="What rounding lost of `a` counts as much as what it lost of `b`.",
            line="large·large + small·large + large·small.",
            choices={"more": [(1, 0)]},
        ),
        Misconception(
            "all four",
            lambda a, b, multiply: products(a, b, multiply, [(0, 0), (0, 1), (1, 0), (1, 1)]),
            symptom="The digits are there, for eight units.",
            concept="small·small is at most 2⁻²² of the whole, mostly far less: within the 1e-06 "
            "that is allowed.",
            line="Leave small·small out.",
        ),
        Misconception(
            "all nine of bfloat16",
            lambda a, b, multiply: bfloats(a, b, multiply, 4),
            symptom="The digits are there, for nine units.",
            concept="Of nine products of three parts, those of the last parts are too small to "
            "matter.",
            line="Products of parts i and j with i + j <= 2, counted from 0: six.",
        ),
        Misconception(
            "three of bfloat16",
            lambda a, b, multiply, more=(), to=rounded: products(
                a,
                b,
                multiply,
                [(0, 0), (0, 1), (1, 0), *more],
                "bfloat16",
                BFLOAT16.fraction,
                to=to,
            ),
            symptom="Your error is that of bfloat16 parts of which a product as large as 2⁻¹⁶ of "
            "the whole is missing.",
            concept="Two bfloat16 numbers keep 16 bits of a float32's 24: a third part is needed, "
            "and of the products all that are larger than the error you may make.",
            line="Three parts, and the products with i + j <= 2, counted from 0; or, of the two "
            "parts of `split_tf32`, all but small·small, in TF32.",
            choices={"more": ((), ((1, 1),)), "to": (rounded, cut_off)},
        ),
        Misconception(
            "without middle by middle",
            lambda a, b, multiply, more=((2, 2),): products(
                a,
                b,
                multiply,
                [(0, 0), (0, 1), (1, 0), (0, 2), (2, 0), *more],
                "bfloat16",
                BFLOAT16.fraction,
                3,
            ),
            symptom="Good enough where a sum has 256 products, since errors even out; where it has "
            "three, some 1e-5 is missing.",
            concept="Of three bfloat16 parts, middle·middle is up to 2⁻¹⁶ of the whole, as much as "
            "large·small. small·small is up to 2⁻³²: too little to be seen.",
            line="Six products, those with i + j <= 2, counted from 0: (1, 1) is one of them, "
            "(2, 2) is not.",
            choices={"more": ((),)},
        ),
        Misconception(
            "one of the third parts left out",
            lambda a, b, multiply, more=(0, 2): products(
                a,
                b,
                multiply,
                [(0, 0), (0, 1), (1, 0), (1, 1), more],
                "bfloat16",
                BFLOAT16.fraction,
                3,
            ),
            symptom="Of bfloat16 parts, the third one of one matrix never meets the first one of "
            "the other.",
            concept="The third part of `a` by the first of `b` is as large as the first of `a` by "
            "the third of `b`: up to 2⁻¹⁶ of the whole.",
            line="The six products with i + j <= 2, and no others: with (0, 2) also (2, 0).",
            choices={"more": ((2, 0),)},
        ),
        Misconception(
            "too large for float16",
            lambda a, b, multiply: scaled_halves(a, b, multiply, scaled=False),
            symptom="Right where numbers are near 1; large ones become infinite, and NaN with "
            "them.",
            concept="float16 has few exponents. A power of two for each matrix brings its largest "
            "value near 1, and costs no digit.",
            line="*Divide* each matrix by such a power before it is split, `2.0 ** np.floor("
            "np.log2(abs(a).max()))`, and multiply the result by both; or make all products "
            "in TF32, which has float32's range.",
        ),
        Misconception(
            "scale not undone",
            partial(scaled_halves, back=(False, False)),
            symptom="Your result is too small or too large by a power of two.",
            concept="What a matrix is divided by before the products, their sum must be multiplied "
            "by, and the other way round.",
            line="After `a / one` and `b / other`: the sum of the products, times `one * other`.",
            choices={
                "back": (
                    (False, False),
                    (True, False),
                    (False, True),
                    (-1, -1),
                    (2, 0),
                    (0, 2),
                    (2, 2),
                ),
                "whole": (np.floor, np.ceil),
            },
        ),
        Misconception(
            "on the processor",
            lambda a, b, multiply: np.asarray(a) @ np.asarray(b),
            symptom="Nothing went through `multiply`.",
            concept="The task is to make these digits from products of few bits.",
            line='`multiply(large_a, large_b, "TF32")`, and so on.',
        ),
        Misconception(
            "result through float16",
            lambda a, b, multiply: through_float16(three(a, b, multiply)),
            symptom="The products have the digits, and then the result is rounded, to ten bits.",
            concept="Products are added up in float32, and the result has float32's digits as long "
            "as it stays one.",
            line="Return the sum of the products as it is, without `.astype(np.float16)` or "
            "`to_tf32`.",
        ),
        Misconception(
            "only one of the two scaled",
            lambda a, b, multiply: scaled_halves(a, b, multiply, which=(True, False)),
            symptom="One matrix is brought near 1 for float16, the other is not.",
            concept="float16's smallest step is 6e-8: numbers about 1e-7 have no digits there, "
            "large ones become infinite.",
            line="A power of two for `a` and one for `b`; multiply the result by both.",
        ),
        Misconception(
            "a mixed product subtracted",
            lambda a, b, multiply, less=((0, 1), (1, 0)): (
                products(a, b, multiply, [pair for pair in THREE if pair not in less])
                - products(a, b, multiply, less)
            ),
            symptom="Your error is that of a small part that is subtracted where it should be "
            "added: mostly worse than that of one product.",
            concept="`x - large` is the small part, so `x` is their *sum*.",
            line="`x - large`, not `large - x`, and `+` between the three products.",
            choices={"less": (((0, 1),), ((1, 0),))},
        ),
        Misconception(
            "TF32 parts in another format",
            lambda a, b, multiply, format="bfloat16": products(
                a, b, multiply, [(0, 0), (0, 1), (1, 0)], format
            ),
            symptom="What goes into large·large has more bits than bfloat16, which multiplies it.",
            concept="`multiply` rounds what it is given: parts must be numbers of the format that "
            "multiplies them. bfloat16 has seven bits, TF32 and float16 have ten.",
            line='`"TF32"` for parts of `split_tf32`; or three parts rounded to bfloat16, and six '
            "products.",
        ),
        Misconception(
            "mixed products in bfloat16",
            lambda a, b, multiply, formats=("bfloat16", "bfloat16"): (
                products(a, b, multiply, [(0, 0)])
                + products(a, b, multiply, [(0, 1)], formats[0])
                + products(a, b, multiply, [(1, 0)], formats[1])
            ),
            symptom="Nearly enough: a product of a large part and a small one is rounded to "
            "bfloat16, and that is off by some 1e-6.",
            concept="A mixed product is up to 2⁻¹¹ of the whole, and bfloat16 rounds it by up to "
            "2⁻⁸ of itself, for each factor.",
            line="The mixed products in the format of the first one; or all of it from three "
            "bfloat16 parts.",
            choices={"formats": (("TF32", "bfloat16"), ("bfloat16", "TF32"))},
        ),
        Misconception(
            "products of three bfloat16 parts missing",
            lambda a, b, multiply, pairs=((0, 0), (1, 0), (0, 1), (0, 2)): products(
                a, b, multiply, pairs, "bfloat16", BFLOAT16.fraction, 3
            ),
            symptom="Your error is that of three bfloat16 parts of which one or more products with "
            "i + j <= 2 are missing, counted from 0.",
            concept="Product (i, j) is up to 2⁻⁸ of the whole for each of i + j steps: 1, then two "
            "of 2⁻⁸, then three of 2⁻¹⁶.",
            line="(0, 0), (0, 1), (1, 0), (0, 2), (1, 1) and (2, 0), each of them once.",
            choices={
                "pairs": (
                    ((0, 0), (1, 0), (0, 1), (2, 0)),
                    ((0, 0), (0, 1), (0, 2)),
                    ((0, 0), (1, 0), (2, 0)),
                    ((0, 0), (0, 1), (0, 2), (1, 1), (2, 0)),
                    ((0, 0), (1, 0), (0, 2), (1, 1), (2, 0)),
                    ((0, 0), (1, 0), (0, 1), (0, 2), (1, 1), (1, 1)),
                )
            },
        ),
        Misconception(
            "scaled, and one product",
            scaled_once,
            symptom="Nothing is infinite any more, but you keep three digits.",
            concept="The scale brings numbers into float16's range. Its ten bits stay ten.",
            line="Split what is scaled: large·large, small·large and large·small.",
        ),
    ],
)
