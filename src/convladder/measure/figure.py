"""A measured number that says so where it was disturbed, wherever it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from ..text import labelled

LEAST_SHARE = 0.9  # of a core: a section that received less was disturbed
SLACK = 1.02  # a limit and what comes near it differ by so much from one moment to the next
PERCENT = 100  # what was multiplied by it is in percent


class Figure(float):
    """A float that knows how it was measured, and carries that through arithmetic.

    `share`: of a core, received while it was measured, 0 to 1; None where the system does not
    tell. `disturbed`: whether to say so beside the number, as `f"{figure:.2f}"`, `print` and the
    tables do. `clock`: what counted the seconds, "wall" or "thread".
    """

    whole = 1  # what a share of all would be: 100 in percent

    def __new__(
        cls,
        value: float,
        share: float | None = None,
        *,
        disturbed: bool | None = None,
        clock: str = "wall",
    ) -> Figure:
        """Make one; it counts as disturbed below a share of 0.9, unless `disturbed` says more."""
        self = super().__new__(cls, value)
        self.share, self.clock = share, clock
        self.disturbed = share is not None and share < LEAST_SHARE
        if disturbed is not None:
            self.disturbed = disturbed
        return self

    def __getnewargs_ex__(self):
        return (float(self), self.share), {"disturbed": self.disturbed, "clock": self.clock}

    def __format__(self, spec: str) -> str:
        return labelled(format(float(self), spec), self)

    def __repr__(self) -> str:
        return labelled(repr(float(self)), self)

    __str__ = __repr__

    def __round__(self, digits: int | None = None):
        if digits is None:
            return Whole(round(float(self)), self)
        return self.of(round(float(self), digits), self)

    def __neg__(self):
        return self.of(-float(self), self)

    def __abs__(self):
        return self.of(abs(float(self)), self)

    @staticmethod
    def middle(value: float, parts: Sequence[float]) -> Figure:
        """Return `value`, a median or quartile of `parts`: as disturbed as the middle one."""
        shares = [part.share for part in parts if getattr(part, "share", None) is not None]
        disturbed = sum(getattr(part, "disturbed", False) for part in parts)
        return Figure(
            value,
            median(shares) if shares else None,
            disturbed=2 * disturbed > len(parts),
            clock=getattr(parts[0], "clock", "wall"),
        )

    @staticmethod
    def of(value: float, *parts: object) -> Figure:
        """Return `value`, which was made from `parts`: as disturbed as the worst of them."""
        figures = [part for part in parts if isinstance(part, Figure)]
        shares = [part.share for part in figures if part.share is not None]
        clocks = {part.clock for part in figures}
        return Figure(
            value,
            min(shares, default=None),
            clock=clocks.pop() if len(clocks) == 1 else "mixed",
            disturbed=any(part.disturbed for part in figures),
        )


class Whole(int):
    """A figure rounded to a whole number, which serves wherever one is asked for."""

    def __new__(cls, value: int, figure: Figure) -> Whole:
        """Make one of `figure`, rounded to `value`."""
        self = super().__new__(cls, value)
        self.disturbed = figure.disturbed
        return self

    def __format__(self, spec: str) -> str:
        return labelled(format(int(self), spec), self)

    def __repr__(self) -> str:
        return labelled(int.__repr__(self), self)

    __str__ = __repr__


class Limit(Figure):
    """A measured limit: what divides a rate by it is a share, and a share above 1 was disturbed.

    Of the two readings one must be wrong: nothing is faster than the limit.
    """

    @staticmethod
    def at(rate: float) -> Limit:
        """Return a measured rate as a limit, as disturbed as it is."""
        return Limit(
            rate,
            getattr(rate, "share", None),
            disturbed=getattr(rate, "disturbed", False),
            clock=getattr(rate, "clock", "wall"),
        )

    def __rtruediv__(self, rate: object):
        share = Figure.__rtruediv__(self, rate)
        if share is NotImplemented:
            return share
        return above_is_disturbed(share, getattr(rate, "whole", 1))


def above_is_disturbed(share: float, whole: int = 1) -> Figure:
    """Return a share of a limit; one above `whole` is labelled, however quiet its measurement."""
    share = Figure.of(float(share), share)
    share.disturbed |= share > SLACK * whole
    return share


def _carrying(name: str):
    plain = getattr(float, name)

    def operation(self, other):
        result = plain(self, other)
        if result is NotImplemented:
            return result
        result = self.of(result, self, other)
        if name in ("__mul__", "__rmul__") and other == PERCENT:
            result.whole = PERCENT  # `100 * rate / limit` is as good as `100 * (rate / limit)`
        return result

    operation.__name__ = name
    return operation


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"):
    setattr(Figure, f"__{_name}__", _carrying(f"__{_name}__"))
