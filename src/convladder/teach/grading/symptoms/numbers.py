"""What wrong numbers of several cases have in common: a factor, an amount, an argument."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, isclose, isfinite
from numbers import Real

FEW_PERCENT = 0.1  # below which a whole number is off by so many, rather than by a share of it


def number_symptoms(
    pairs: Sequence[tuple[float, float]], named: Sequence[Mapping[str, float]], what: str = "answer"
) -> list[str]:
    """Return sentences that are true of all (expected, got), the most telling first.

    pairs: of the wrong cases. named: for each of them, what its arguments are called and are.
    """
    if not pairs or not all(isfinite(got) for _, got in pairs):
        return []
    each = f"Every wrong {what}" if len(pairs) > 1 else f"The {what}"
    return list(_sentences(pairs, named, each))


def _sentences(
    pairs: Sequence[tuple[float, float]], named: Sequence[Mapping[str, float]], each: str
) -> Iterator[str]:
    several = len({expected for expected, _ in pairs}) > 1
    if several and all(got == pairs[0][1] for _, got in pairs):
        yield f"{each} is {pairs[0][1] + 0.0:.6g}, whatever is asked."  # + 0.0: no "-0"
    if several and all(_same(-expected, got) and got for expected, got in pairs):
        yield f"{each} has the wrong sign."
    if several and all(expected and _same(1 / expected, got) for expected, got in pairs):
        yield f"{each} is 1 over what it should be: upside down."
    if several and all(_same(1 - expected, got) for expected, got in pairs):
        yield f"{each} is 1 minus what it should be."
    factors = [got / expected if expected else None for expected, got in pairs]
    apart = [got - expected for expected, got in pairs]
    if all(_same(expected, got) for expected, got in pairs):
        return  # only their type is not the one that is wanted
    if (
        several
        and None not in factors
        and factors[0]
        and all(_same(factors[0], f) for f in factors)
    ):
        yield f"{each} is {times(factors[0])} it should be."
    if several and all(_same(apart[0], a) for a in apart):
        yield f"{each} is too {'large' if apart[0] > 0 else 'small'} by {abs(apart[0]):.6g}."
    if several:
        yield from _equal_to_an_argument(factors, apart, pairs, named, each)
    if len(pairs) > 3 and any(expected != int(expected) for expected, _ in pairs):
        for name, rounded in (("down", floor), ("up", ceil)):
            if all(rounded(expected) == got for expected, got in pairs):
                yield f"{each} is the right number rounded {name}."
    if sum(abs(expected) > 0.1 for expected, _ in pairs) > 2:
        for digits in (1, 2, 3):
            if all(round(expected, digits) == got for expected, got in pairs):
                yield (
                    f"{each} is the right number rounded to {digits} "
                    f"digit{'s' * (digits > 1)} behind the point."
                )
                break
    if all(abs(a) == 1 for a in apart) and all(abs(expected) > 1 for expected, _ in pairs):
        yield f"{each} is off by one."
    shares = [abs(got / expected - 1) for expected, got in pairs if expected]
    whole = all(float(number).is_integer() for pair in pairs for number in pair)
    if len(shares) == len(pairs) and max(shares) < 0.01 and not whole:
        yield f"{each} is nearly right: less than 1 % off."
    if len(pairs) > 1:
        for sign, word in ((1, "large"), (-1, "small")):
            if all(sign * a > 0 for a in apart):
                by = (
                    f", by {min(map(abs, apart)):,.0f} to {max(map(abs, apart)):,.0f}"
                    if whole and len(shares) == len(pairs) and max(shares) < FEW_PERCENT
                    else _by_how_much(factors)
                )
                yield f"{each} is too {word}{by}."


def _equal_to_an_argument(
    factors: Sequence[float | None],
    apart: Sequence[float],
    pairs: Sequence[tuple[float, float]],
    named: Sequence[Mapping[str, float]],
    each: str,
) -> Iterator[str]:
    shared = [name for name in named[0] if all(name in one for one in named)]
    varying = [name for name in shared if len({one[name] for one in named}) > 1]
    rules = (
        (lambda i, v: factors[i] and _same(factors[i], v), "too large by the factor `{}`"),
        (
            lambda i, v: factors[i] and v and _same(factors[i], 1 / v),
            "too small by the factor `{}`",
        ),
        (lambda i, v: _same(apart[i], v), "too large by `{}`"),
        (lambda i, v: _same(apart[i], -v), "too small by `{}`"),
        (lambda i, v: _same(pairs[i][1], v), "equal to `{}`"),
    )
    for holds, words in rules:
        names = [
            name for name in varying if all(holds(i, one[name]) for i, one in enumerate(named))
        ]
        if len(names) == 1:
            yield f"{each} is {words.format(names[0])}."
            return
    yield from _of_two_arguments(factors, named, each)


def _of_two_arguments(
    factors: Sequence[float | None], named: Sequence[Mapping[str, float]], each: str
) -> Iterator[str]:
    """Say which argument seems to stand where another one should, in products."""
    if None in factors or len(set(factors)) < 2:
        return
    names = [name for name in named[0] if all(one.get(name) for one in named)]
    found = [
        (a, b)
        for a in names
        for b in names
        if a != b and all(_same(factor, one[a] / one[b]) for factor, one in zip(factors, named))
    ]
    if len(found) == 1:
        a, b = found[0]
        yield f"{each} is the right one times `{a}` over `{b}`."


def _by_how_much(factors: Sequence[float | None]) -> str:
    known = [f for f in factors if f and f > 0]
    if len(known) < len(factors):
        return ""  # of another sign it is off by no factor
    low, high = min(known), max(known)
    if low > 1 and high / low > 1.02:
        return (
            f", by {_share(low)} to {_share(high)}"
            if low >= 1.01
            else (f", by up to {_share(high)}")
        )
    return ""


def _share(factor: float) -> str:
    return f"{100 * (factor - 1):.0f} %" if factor < 2 else f"a factor of {factor:.3g}"


def _same(a: float, b: float) -> bool:
    return isclose(a, b, rel_tol=1e-6, abs_tol=1e-12)


def is_number(value: object) -> bool:
    """Return whether `value` is a number, and no truth value."""
    return isinstance(value, Real) and not isinstance(value, bool)


def times(factor: float) -> str:
    """Return a factor in words: "twice as large as", "half of what", "7 times smaller than"."""
    sign = "the negative of what it should be, and " * (factor < 0)
    factor = abs(factor)
    for number, words in (
        (2, "twice as large as"),
        (1 / 2, "half of what"),
        (1 / 4, "a quarter of what"),
    ):
        if abs(factor - number) < 1e-5 * number:
            return sign + words
    turned_round = 1 / factor
    if factor < 1 and abs(turned_round - round(turned_round)) < 1e-4 * turned_round:
        return f"{sign}{round(turned_round):,} times smaller than"
    return f"{sign}{factor:,.4g} times as large as"
