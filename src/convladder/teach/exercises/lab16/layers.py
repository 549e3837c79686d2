"""What the exercises of lab 16 share: layers to cut, and bands right and wrong."""

from __future__ import annotations

from collections.abc import Callable

from ....problem import ConvProblem
from ..lab03.layers import PROBLEM, image, kernel

__all__ = [
    "DEEP",
    "PADDED",
    "PLAIN",
    "PROBLEM",
    "SKIPPING",
    "STRIDED",
    "TALL",
    "WIDE_HALO",
    "bands_by",
    "image",
    "kernel",
    "rounded_shares",
    "shares_of",
]

PADDED = ConvProblem(1, 8, 5, 1, 3, 3, 1, padding=1)
PLAIN = ConvProblem(1, 9, 4, 2, 3, 2, 3)
STRIDED = ConvProblem(2, 12, 7, 2, 3, 3, 2, stride=2, padding=1)
DEEP = ConvProblem(1, 15, 9, 2, 5, 3, 3, stride=(1, 2), padding=(2, 1))
TALL = ConvProblem(1, 25, 4, 1, 4, 2, 2, stride=(3, 1), padding=(2, 0))
SKIPPING = ConvProblem(1, 12, 4, 1, 2, 2, 1, stride=(3, 1))  # rows that no window reads
WIDE_HALO = ConvProblem(1, 6, 4, 1, 5, 3, 1, padding=(2, 1))  # the second row's is in the padding


def shares_of(rows: int, parts: int) -> list[tuple[int, int]]:
    """Return each part's (begin, stop), the longer ones first; fewer where there are fewer rows."""
    size, extra = divmod(rows, parts)
    ends = [size * i + min(i, extra) for i in range(min(rows, parts) + 1)]
    return list(zip(ends, ends[1:]))


def rounded_shares(rows: int, parts: int) -> list[tuple[int, int]]:
    """Return parts whose ends are rounded, so that longer ones stand anywhere."""
    parts = min(rows, parts)
    ends = [round(i * rows / parts) for i in range(parts + 1)]
    return list(zip(ends, ends[1:]))


def bands_by(
    shares: Callable = shares_of,
    upper: Callable | None = None,
    lower: Callable | None = None,
    zeros: Callable | None = None,
) -> Callable:
    """Make a cut by its rules: padded rows where a band begins and ends, zeros above and below.

    `upper(p, begin)`, `lower(p, stop)`: in rows of the image, before anything is cut off.
    `zeros(p, wanted, image)`: (top, bottom) from the rows wanted and those that the image has.
    """
    upper = upper or (lambda p, begin: p.s_h * begin - p.p_h)
    lower = lower or (lambda p, stop: p.s_h * (stop - 1) + p.k_h - p.p_h)
    zeros = zeros or (lambda p, want, have: (have[0] - want[0], want[1] - have[1]))

    def cut(problem, parts):
        found = []
        for begin, stop in shares(problem.o_h, parts):
            want = upper(problem, begin), lower(problem, stop)
            have = max(0, want[0]), min(problem.i_h, want[1])
            found.append((*have, *zeros(problem, want, have)))
        return tuple(found)

    return cut
