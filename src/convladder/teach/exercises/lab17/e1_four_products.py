"""Lab 17, exercise 1: two outputs of three taps for four multiplications."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Flaw, Misconception
from ....exercises.mocks.multiplier import Multiplier


def _made(
    first=lambda d: d[0] - d[2],
    third=lambda d: d[2] - d[1],
    half=2,
    last=1,
    turn=1,
    one_half=None,
    minus=-1,
    plus=1,
    taps=-1,
    both=0,
    fourth=lambda d: d[3] - d[1],
):
    """Make an answer from its parts, each of which may be wrong."""

    def answer(d, g, multiply, taps=taps):
        a, b, c = g[::turn]
        one = multiply(first(d), a)
        two = multiply(d[1] + d[2], (a + b + c) / half)
        three = multiply(third(d), (a + taps * b + taps * taps * c) / (one_half or half))
        four = multiply(fourth(d), c)
        return one + two + plus * three + both * four, two + minus * three + last * four

    return answer


def four_products(d, g, multiply):
    return _made()(d, g, multiply)


def _six(d, g, multiply):
    return tuple(sum(multiply(d[j + t], g[t]) for t in range(3)) for j in range(2))


def _cases(rng: np.random.Generator) -> list[tuple]:
    given = [([1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 0.0]), ([2.0, -1.0, 0.0, 5.0], [1.0, 2.0, 4.0])]
    given += [
        (
            rng.integers(-9, 10, 4).astype(float).tolist(),
            rng.integers(-9, 10, 3).astype(float).tolist(),
        )
        for _ in range(3)
    ]
    return [(d, g, Multiplier()) for d, g in given]


def _halves_cut(d, g, multiply, whole=lambda total: total // 2):
    """Halve the sums of `g` to whole numbers."""
    two = multiply(d[1] + d[2], whole(g[0] + g[1] + g[2]))
    three = multiply(d[2] - d[1], whole(g[0] - g[1] + g[2]))
    return (multiply(d[0] - d[2], g[0]) + two + three, two - three + multiply(d[3] - d[1], g[2]))


def _halved_by_multiply(d, g, multiply, before=False):
    def half(value, factor):
        return (
            multiply(value, multiply(factor, 0.5))
            if before
            else multiply(multiply(value, factor), 0.5)
        )

    two, three = half(d[1] + d[2], g[0] + g[1] + g[2]), half(d[2] - d[1], g[0] - g[1] + g[2])
    return (multiply(d[0] - d[2], g[0]) + two + three, two - three + multiply(d[3] - d[1], g[2]))


def made_of_its_products(answer):
    """Judge whether outputs are sums of what `multiply` returned, with the same factors always.

    An answer in another process, as grading has it, keeps its products to itself: None.
    """
    rng, products, outputs = np.random.default_rng(0), [], []
    for _ in range(12):
        d, g, multiply = rng.integers(-9, 10, 4), rng.integers(-9, 10, 3), Multiplier()
        outputs.append(answer(d.astype(float).tolist(), g.astype(float).tolist(), multiply))
        products.append(multiply.made)
    if not all(products):
        return None
    found = np.linalg.lstsq(np.array(products), np.array(outputs), rcond=None)[0]
    if np.abs(products @ found - outputs).max() < 1e-6:
        return None
    return Flaw(
        "products beside `multiply`",
        "your outputs are more than sums of the four "
        "products that `multiply` made: others were made without it.",
    )


def _beside(d, g, multiply, last=True):
    """Make six products, of which `multiply` is told four."""
    if last:
        return (
            multiply(d[0], g[0]) + multiply(d[1], g[1]) + d[2] * g[2],
            multiply(d[1], g[0]) + multiply(d[2], g[1]) + d[3] * g[2],
        )
    return (
        sum(multiply(d[t], g[t]) for t in range(3)),
        multiply(d[1], g[0]) + d[2] * g[1] + d[3] * g[2],
    )


EXERCISE = Exercise(
    name="four_products",
    lab=17,
    reference=four_products,
    cases=_cases,
    use=made_of_its_products,
    task="Two outputs of a filter with three taps, for four multiplications.",
    calls_allowed=("convladder.teach.mocks.multiplier",),
    misconceptions=[
        Misconception(
            "six products",
            _six,
            symptom="The values are right, and `multiply` was called six times.",
            concept="Each of the four products belongs to a point: 0, 1, -1 and infinity. There "
            "the signal has one value and the filter has one. The two in the middle are "
            "made once and serve both outputs.",
            line="`two = multiply(d[1] + d[2], (g[0] + g[1] + g[2]) / 2)` is the one of the point "
            "1: once, for both outputs, and halved by `/`, not by `multiply`.",
        ),
        Misconception(
            "halves forgotten",
            _made(half=1),
            symptom="The two middle products count twice as much as they should.",
            concept="The values at 1 and -1 are added and subtracted. What both have in common "
            "comes twice, so each is halved, once, on the filter's side.",
            line="`(g[0] + g[1] + g[2]) / 2` and `(g[0] - g[1] + g[2]) / 2`, and each product "
            "added or taken away once.",
        ),
        Misconception(
            "halved on both sides",
            _made(half=4),
            symptom="The two middle products count half as much as they should.",
            concept="Each is halved once, and two halves are a quarter. The filter's side is the "
            "place for it: a filter is transformed once and then used for every tile.",
            line="`/ 2` for both sums of `g`, and nowhere else: neither for what comes from `d`, "
            "nor for what the products give.",
        ),
        Misconception(
            "the last product taken away",
            _made(last=-1),
            symptom="The first output is right. The second is off by twice the last product.",
            concept="With `d[3] - d[1]` in the last product, it has to be added: `d[3]*g[2]` "
            "belongs to the second output with a plus.",
            line="`four` is added where it is `(d[3] - d[1]) * g[2]`, and taken away where it is "
            "`(d[1] - d[3]) * g[2]`.",
        ),
        Misconception(
            "the difference turned round",
            _made(third=lambda d: d[1] - d[2]),
            symptom="Both outputs are off by twice the third product.",
            concept="The third product has the wrong sign, in itself or where it is added. Made "
            "of `d[2] - d[1]`, it is added to the first output and taken from the second.",
            line="`three = multiply(d[2] - d[1], (g[0] - g[1] + g[2]) / 2)`, then `+ three` in "
            "the first output and `- three` in the second.",
        ),
        Misconception(
            "the first value alone",
            _made(first=lambda d: d[0]),
            symptom="The second output is right. The first is off by `d[2] * g[0]`.",
            concept="The two middle products add up to `d[1]*g[1] + d[2]*(g[0] + g[2])`. The term "
            "`d[2]*g[0]` is too much, and the first product takes it back.",
            line="`one = multiply(d[0] - d[2], g[0])`.",
        ),
        Misconception(
            "halves cut off",
            _halves_cut,
            choices={"whole": (lambda total: int(total / 2), lambda total: round(total / 2))},
            symptom="Right where `g[0] + g[1] + g[2]` is even; else your two middle products are "
            "of whole numbers, where there is a half.",
            concept="Half of a sum of `g` need not be a whole number, even if all taps are.",
            line="`/ 2`, with nothing cut to whole numbers: no `// 2`, no rounding, no `int`.",
        ),
        Misconception(
            "flipped filter",
            _made(turn=-1),
            symptom="Right where the filter reads the same from both ends.",
            concept="Mathematics turns the filter round before it slides. Deep learning does not.",
            line="Output 0 begins with `d[0]*g[0]`: exchange `g[0]` and `g[2]`.",
        ),
        Misconception(
            "outputs exchanged",
            lambda d, g, multiply: four_products(d, g, multiply)[::-1],
            symptom="Both outputs are right, in the wrong order.",
            concept="The first one begins with `d[0]`.",
            line="First that of `d[0]` to `d[2]`, then that of `d[1]` to `d[3]`.",
        ),
        Misconception(
            "one output only",
            lambda d, g, multiply: four_products(d, g, multiply)[0],
            symptom="You return the first output alone.",
            concept="The four products make two outputs.",
            line="Return the pair.",
        ),
        Misconception(
            "signs of the middle exchanged",
            _made(last=-1, third=lambda d: d[1] - d[2]),
            symptom="Both outputs are off: the third product has the wrong sign, and the fourth "
            "too.",
            concept="At the point -1 odd places change their sign, and infinity's product is "
            "added.",
            line="With `d[2] - d[1]` and `d[3] - d[1]`: `one + two + three`, and `two - three + "
            "four`.",
        ),
        Misconception(
            "the taps' sum alone",
            _made(third=lambda d: d[2] + d[1]),
            symptom="Your two middle products have the same factor from `d`.",
            concept="One belongs to the point 1, the other to -1: there the signal is `d[2] - "
            "d[1]`.",
            line="`d[2] - d[1]` in the third product.",
        ),
        Misconception(
            "one not halved",
            _made(one_half=1),
            symptom="The product of the point -1 counts twice as much as it should, in both "
            "outputs.",
            concept="Both sums of `g`, with a plus and with a minus, are halved: the two points "
            "1 and -1 are two apart.",
            line="`multiply(d[2] - d[1], (g[0] - g[1] + g[2]) / 2)`, added once and taken away "
            "once.",
        ),
        Misconception(
            "the first difference turned round",
            _made(first=lambda d: d[2] - d[0]),
            symptom="The second output is right. The first one is off by twice the first product.",
            concept="At the point 0 only `d[0]` and `d[2]` are left, as `d[0] - d[2]`.",
            line="`multiply(d[0] - d[2], g[0])`, added to the first output.",
        ),
        Misconception(
            "halved by `multiply`",
            _halved_by_multiply,
            symptom="Four products, and two more calls that halve.",
            concept="`multiply` counts what costs: products of something from `d` with something "
            "from `g`. Halving sums of `g` is done once for all tiles, and is free.",
            line="`multiply(d[1] + d[2], (g[0] + g[1] + g[2]) / 2)`.",
            choices={"before": (True,)},
        ),
        Misconception(
            "plus in both outputs",
            _made(minus=1),
            symptom="The first output is right. In the second the third product has the wrong "
            "sign.",
            concept="At the point -1 the second output, the factor of x, changes its sign.",
            line="`one + two + three` first, then `two - three + four`.",
        ),
        Misconception(
            "another point for the third product",
            _made(third=lambda d: d[2] - d[1], taps=2),
            symptom="Your third product does not belong to the point -1: its factor from `g` is "
            "another.",
            concept="A filter's value at a point is `g[0] + p*g[1] + p*p*g[2]`: at -1 the middle "
            "tap changes its sign, and nothing else.",
            line="`(g[0] - g[1] + g[2]) / 2`.",
            choices={"taps": (-2, 1)},
        ),
        Misconception(
            "products beside `multiply`",
            _beside,
            symptom="The values are right, but some products of values from `d` with values from "
            "`g` did not go through `multiply`.",
            concept="A product costs what it costs, whoever makes it. With four of them both "
            "outputs can be made, if each is one of a sum from `d` with a sum from `g`.",
            line="No `*` and no `@` between something from `d` and something from `g`.",
            choices={"last": (False,)},
        ),
        Misconception(
            "the third product in one output alone",
            _made(minus=0),
            symptom="The first output is right. In the second the third product is missing.",
            concept="Both middle products serve both outputs: added in the first, and with the "
            "third taken away in the second.",
            line="`two - three + four`.",
        ),
        Misconception(
            "minus in both outputs",
            _made(plus=-1),
            symptom="The second output is right. In the first the third product has the wrong "
            "sign.",
            concept="The first output takes the values at 1 and at -1 as they are: both are added.",
            line="`one + two + three`.",
        ),
        Misconception(
            "the first sum",
            _made(first=lambda d: d[0] + d[2]),
            symptom="The second output is right. The first is off by `2 * d[2] * g[0]`.",
            concept="The middle products bring `d[2]*g[0]` into the first output, where it does "
            "not belong. The first product has to take it back.",
            line="A minus: `multiply(d[0] - d[2], g[0])`.",
        ),
        Misconception(
            "the last product in both",
            _made(both=1),
            symptom="The second output is right. The first has the last product too much.",
            concept="`d[3]` is read by the second output alone, so the product that has it "
            "belongs there alone.",
            line="`one + two + three` for the first.",
        ),
        Misconception(
            "the last value alone",
            _made(fourth=lambda d: d[3]),
            symptom="The first output is right. The second is off by `d[1] * g[2]`.",
            concept="The two middle products leave `d[1]*(g[0] + g[2])` in the second output. "
            "`d[1]*g[2]` is too much, and the last product takes it back.",
            line="`four = multiply(d[3] - d[1], g[2])`.",
        ),
    ],
)
