"""Lab 06, exercise 1: two outputs with three taps, by four multiplications."""

import numpy as np

from ..exercise import Exercise, Misconception, edit
from ..mocks.multiplier import Multiplier


def four_products(d, g, multiply):
    one = multiply(d[0] - d[2], g[0])
    two = multiply(d[1] + d[2], (g[0] + g[1] + g[2]) / 2)
    three = multiply(d[2] - d[1], (g[0] - g[1] + g[2]) / 2)
    four = multiply(d[3] - d[1], g[2])
    return one + two + three, two - three + four


def made_of_its_products(answer):
    """Judge whether the outputs are sums of what `multiply` returned, with constant factors."""
    rng, products, outputs = np.random.default_rng(0), [], []
    for _ in range(12):
        d, g, multiply = rng.integers(-9, 10, 4), rng.integers(-9, 10, 3), Multiplier()
        outputs.append(answer(d.astype(float).tolist(), g.astype(float).tolist(), multiply))
        products.append(multiply.made)
    if not all(products):  # an answer in another process keeps its products to itself
        return None
    found = np.linalg.lstsq(np.array(products), np.array(outputs), rcond=None)[0]
    if np.abs(products @ found - outputs).max() < 1e-6:
        return None
    return "computes products of values from `d` with values from `g` without `multiply`."


OUTPUTS = "one + two + three, two - three + four"
HALVES = ("(g[0] + g[1] + g[2]) / 2", "(g[0] - g[1] + g[2]) / 2")

EXERCISE = Exercise(
    name="four_products",
    lab=6,
    task="Two outputs of a filter with three taps, for four multiplications.",
    solution=four_products,
    cases=lambda rng: [
        ([1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 0.0]),
        ([2.0, -1.0, 0.0, 5.0], [1.0, 2.0, 4.0]),
        *(tuple(rng.integers(-9, 10, n).astype(float).tolist() for n in (4, 3)) for _ in range(3)),
    ],
    inputs=lambda fill, d, g: (d, g, Multiplier()),
    valid=lambda d, g: len(d) == 4 and len(g) == 3,
    usage=made_of_its_products,
    mend="`two = multiply(d[1] + d[2], (g[0] + g[1] + g[2]) / 2)`, `three = multiply(d[2] - d[1], "
    "(g[0] - g[1] + g[2]) / 2)`; return `one + two + three, two - three + four`",
    misconceptions=[
        Misconception(
            "six products",
            lambda d, g, multiply: tuple(
                sum(multiply(d[j + t], g[t]) for t in range(3)) for j in range(2)
            ),
            "The values are right, but `multiply` was called six times.",
            "The two outputs share products: the middle two belong to both.",
        ),
        Misconception(
            "no halves",
            edit(HALVES[0], HALVES[0][:-4], HALVES[1], HALVES[1][:-4]),
            "The middle products count twice as much as they should.",
            "The points 1 and -1 differ by 2, and interpolation divides by that difference.",
        ),
        Misconception(
            "a wrong sign of a product",
            [
                edit(OUTPUTS, "one + two + three, two + three + four"),
                edit("d[2] - d[1]", "d[1] - d[2]"),
                edit("d[3] - d[1]", "d[1] - d[3]"),
            ],
            "One product has the wrong sign, in one output or in both.",
            "Write out what `g[0]`, `g[1]` and `g[2]` get in each output, and compare with "
            "`d[0]*g[0] + d[1]*g[1] + d[2]*g[2]`.",
        ),
        Misconception(
            "a missing difference",
            [
                edit("d[0] - d[2]", "d[0]"),
                edit("d[3] - d[1]", "d[3]"),
                edit("d[0] - d[2]", "d[0] + d[2]"),
            ],
            "One output is off by a product that should cancel.",
            "The first and the last product subtract what the middle ones bring along.",
            mend="`one = multiply(d[0] - d[2], g[0])`, `four = multiply(d[3] - d[1], g[2])`",
        ),
        Misconception(
            "a flipped filter",
            edit("    one =", "    g = g[::-1]\n    one ="),
            "Right where the filter reads the same from both ends.",
            "Output 0 begins with `d[0]*g[0]`: the filter isn't flipped.",
            mend="`one = multiply(d[0] - d[2], g[0])`, `four = multiply(d[3] - d[1], g[2])`",
        ),
    ],
)
