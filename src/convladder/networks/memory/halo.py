"""Which pixels a piece of a map is made of: one layer back, or a whole stack of layers.

All of it is arithmetic on intervals along one axis; height and width are alike. Background: Araujo,
Norris & Sim, "Computing Receptive Fields of Convolutional Neural Networks" (Distill, 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Slide(NamedTuple):
    """How a layer's window moves along one axis: its size, its steps, zeros put on either side."""

    k: int
    s: int = 1
    p: int = 0

    def size(self, i: int) -> int:
        """Return the number of outputs of `i` inputs. Raises `ValueError` where there are none."""
        if i + 2 * self.p < self.k:
            raise ValueError(
                f"a window of {self.k} does not fit into {i} pixels with padding "
                f"{self.p}; use a larger image or fewer layers"
            )
        return (i + 2 * self.p - self.k) // self.s + 1

    def inputs(self, begin: int, end: int) -> tuple[int, int]:
        """Return inputs `[begin, end)` of outputs `[begin, end)`; those off the map are zeros."""
        return self.s * begin - self.p, self.s * (end - 1) - self.p + self.k


@dataclass(frozen=True)
class Interval:
    """Part `[begin, end)` of a map that is there, and how many zeros its reader adds `before`."""

    begin: int
    end: int
    before: int = 0

    @property
    def size(self) -> int:
        return self.end - self.begin


def sizes(slides: Sequence[Slide], i: int) -> list[int]:
    """Return the sizes of all maps of a stack, from the image's `i` to the last output's."""
    found = [i]
    for slide in slides:
        found.append(slide.size(found[-1]))
    return found


def spans(slides: Sequence[Slide], i: int, begin: int, end: int) -> list[Interval]:
    """Return the part of each map that outputs `[begin, end)` of a stack need, from the image on.

    Each layer widens the interval, and each map cuts it off at its own edges: beyond them there are
    zeros, which are not values of any layer.
    """
    maps = sizes(slides, i)
    if not 0 <= begin < end <= maps[-1]:
        raise ValueError(f"outputs {begin} to {end} are not within the stack's {maps[-1]}")
    found = [Interval(begin, end)]
    for slide, size in zip(reversed(slides), reversed(maps[:-1]), strict=True):
        low, high = slide.inputs(found[0].begin, found[0].end)
        found.insert(0, Interval(max(low, 0), min(high, size), max(-low, 0)))
    return found


def field(slides: Sequence[Slide]) -> tuple[int, int, int]:
    """Return `(size, step, first)` of a stack: pixels that one output sees, how far its neighbour's
    lie, and where those of output 0 begin (below 0: in the padding)."""
    size, step, first = 1, 1, 0
    for k, s, p in slides:
        size, first = size + (k - 1) * step, first - p * step
        step *= s
    return size, step, first
