"""Where to cut: shares of a whole, and the rows of an image that a band of outputs needs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...core.problem import ConvProblem


def shares(whole: int, parts: int) -> list[range]:
    """Cut `whole` things in `parts` runs whose lengths differ by one at most, longer ones first.

    Fewer things than parts give fewer runs: none is empty. Raises `ValueError` for less than one
    thing or part.
    """
    if whole < 1 or parts < 1:
        raise ValueError(f"cannot cut {whole} things into {parts} shares; both are 1 or more")
    parts = min(parts, whole)
    size, extra = divmod(whole, parts)
    ends = [size * i + min(i, extra) for i in range(parts + 1)]
    return [range(a, b) for a, b in itertools.pairwise(ends)]


@dataclass(frozen=True)
class Band:
    """Output rows `[begin, stop)` of a layer, and what they are made of.

    `first`, `last`: the rows `[first, last)` of the image that the windows reach; `top`, `bottom`:
    rows of zeros above and below, which only a band at the image's own border has.
    """

    begin: int
    stop: int
    first: int
    last: int
    top: int
    bottom: int

    @property
    def rows(self) -> int:
        """Return the number of output rows."""
        return self.stop - self.begin

    @property
    def height(self) -> int:
        """Return the number of rows that the layer reads, zeros included."""
        return self.top + self.last - self.first + self.bottom


def band(problem: ConvProblem, begin: int, stop: int) -> Band:
    """Return the band of image rows that output rows `[begin, stop)` of `problem` need.

    Row `h` has its window on padded rows `s_h·h` to `s_h·h + d_h·(k_h - 1)`, and image row `r` is
    padded row `r + p_h`. Raises `ValueError` for rows that the output has not.
    """
    p = problem
    if not 0 <= begin < stop <= p.o_h:
        raise ValueError(f"rows {begin} to {stop} are no part of an output of o_h={p.o_h} rows")
    upper, lower = p.s_h * begin - p.p_h, p.s_h * (stop - 1) + p.reach_h - p.p_h
    first, last = min(max(upper, 0), p.i_h), max(min(lower, p.i_h), 0)
    last = max(first, last)  # windows of padding alone
    top = min(max(-upper, 0), lower - upper)
    return Band(begin, stop, first, last, top, lower - upper - top - (last - first))


def bands(problem: ConvProblem, parts: int) -> list[Band]:
    """Return the output's rows in `parts` shares, with what each needs; fewer if rows are fewer."""
    return [band(problem, rows.start, rows.stop) for rows in shares(problem.o_h, parts)]


def banded(problem: ConvProblem, piece: Band) -> ConvProblem:
    """Return the problem that a band poses: its rows with zeros in place, padded sideways only."""
    return replace(problem, i_h=piece.height, padding=(0, problem.p_w))


def needed(problems: Sequence[ConvProblem], begin: int, stop: int) -> list[Band]:
    """Return the bands of all layers, in order, that rows `[begin, stop)` of the last one need.

    The halo grows with every layer that one goes back: neighbours compute some rows both.
    """
    found = []
    for problem in reversed(problems):
        found.append(band(problem, begin, stop))
        begin, stop = found[-1].first, found[-1].last
        if begin == stop:
            raise ValueError(
                f"rows {found[-1].begin} to {found[-1].stop} of {problem} lie in its "
                "padding: nothing of the image goes in; use less padding"
            )
    return found[::-1]


def check_pairs(layers: int) -> None:
    """Raise `ValueError` for an odd number of layers, which cannot be cut in pairs."""
    if layers % 2:
        raise ValueError(f"{layers} layers make no pairs; cut by channels instead")


def halo_rows(problem: ConvProblem, parts: int) -> int:
    """Count the rows wanted by more than one of `parts` bands, once for each extra one."""
    cut = bands(problem, parts)
    return sum(max(0, a.last - b.first) for a, b in itertools.pairwise(cut))
