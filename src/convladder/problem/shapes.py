"""What follows from a convolution's fields by geometry alone, and what its counts are made of."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Accesses:
    """Reads and writes of single values (not bytes), by the naive model of `accesses`."""

    input: int
    output: int
    weights: int

    @property
    def total(self) -> int:
        return self.input + self.output + self.weights

    def __add__(self, other: Accesses) -> Accesses:
        """Two layers, one after the other."""
        if not isinstance(other, Accesses):
            return NotImplemented
        return Accesses(
            self.input + other.input, self.output + other.output, self.weights + other.weights
        )

    def __rmul__(self, times: int) -> Accesses:
        """The same layer `times` times: `256 * one_channel` is a depthwise layer."""
        return Accesses(times * self.input, times * self.output, times * self.weights)


class Shapes:
    """Sides and shapes of a convolution, for a class that has the fields of `ConvProblem`."""

    i_n: int
    i_h: int
    i_w: int
    i_c: int
    k_h: int
    k_w: int
    k_c: int
    stride: Any  # pairs (vertical, horizontal)
    padding: Any
    dilation: Any
    groups: int

    @property
    def s_h(self) -> int:
        return self.stride[0]

    @property
    def s_w(self) -> int:
        return self.stride[1]

    @property
    def p_h(self) -> int:
        return self.padding[0]

    @property
    def p_w(self) -> int:
        return self.padding[1]

    @property
    def d_h(self) -> int:
        return self.dilation[0]

    @property
    def d_w(self) -> int:
        return self.dilation[1]

    @property
    def padded_h(self) -> int:
        """Return the rows of the image with its zero padding."""
        return self.i_h + 2 * self.p_h

    @property
    def padded_w(self) -> int:
        """Return the columns of the image with its zero padding."""
        return self.i_w + 2 * self.p_w

    @property
    def reach_h(self) -> int:
        """Return the rows from a window's first to its last, gaps included: `d_h·(k_h - 1) + 1`."""
        return self.d_h * (self.k_h - 1) + 1

    @property
    def reach_w(self) -> int:
        """Return the columns from a window's first to its last: `d_w·(k_w - 1) + 1`."""
        return self.d_w * (self.k_w - 1) + 1

    @property
    def o_h(self) -> int:
        return (self.padded_h - self.reach_h) // self.s_h + 1

    @property
    def o_w(self) -> int:
        return (self.padded_w - self.reach_w) // self.s_w + 1

    @property
    def group_i_c(self) -> int:
        """Return the channels that a filter reads: `i_c / groups`."""
        return self.i_c // self.groups

    @property
    def group_k_c(self) -> int:
        """Return the filters of a group: `k_c / groups`."""
        return self.k_c // self.groups

    @property
    def depthwise(self) -> bool:
        """Return whether each of several channels is a group of its own, with one filter or more.

        `k_c / i_c` is then the depthwise multiplier.
        """
        return self.groups == self.i_c > 1

    @property
    def input_shape(self) -> tuple[int, int, int, int]:
        return self.i_n, self.i_h, self.i_w, self.i_c

    @property
    def kernel_shape(self) -> tuple[int, int, int, int]:
        return self.k_h, self.k_w, self.group_i_c, self.k_c

    @property
    def output_shape(self) -> tuple[int, int, int, int]:
        return self.i_n, self.o_h, self.o_w, self.k_c

    def _check(self) -> None:
        """Raise `ValueError` if the window exceeds the image or groups do not divide channels."""
        for kernel, image, pad, d in (
            ("k_h", "i_h", self.p_h, self.d_h),
            ("k_w", "i_w", self.p_w, self.d_w),
        ):
            k, room = getattr(self, kernel), getattr(self, image) + 2 * pad
            if d * (k - 1) + 1 > room:
                reach = f" with dilation {d}, over {d * (k - 1) + 1} pixels," if d > 1 else ""
                raise ValueError(
                    f"{kernel}={k}{reach} is larger than the padded image: "
                    f"{image} + 2·padding = {room}; use {kernel} of 1 to {(room - 1) // d + 1}, "
                    "or more padding"
                )
        for name in ("i_c", "k_c"):
            if getattr(self, name) % self.groups:
                raise ValueError(
                    f"groups={self.groups} does not divide {name}={getattr(self, name)}; use a "
                    "number that divides both i_c and k_c (depthwise: i_c itself)"
                )


def whole(field: str, value: Any, least: int) -> int:
    """Return `value` as an int. Raises `TypeError` for a fraction, `ValueError` below `least`."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"{field}={value!r} is not a whole number; use an int of {least} or more"
        ) from None
    if number < least:
        raise ValueError(f"{field}={number} is too small; use {least} or more")
    return number


def pair(field: str, value: object, least: int) -> tuple[int, int]:
    """Return an int twice, or a pair (vertical, horizontal) as it is. Raises as `whole` does."""
    if isinstance(value, (tuple, list)):
        if len(value) != 2:
            raise ValueError(
                f"{field}={value!r} has {len(value)} entries; use an int, or a pair "
                "(vertical, horizontal)"
            )
        down, across = (whole(field, part, least) for part in value)
        return down, across
    both = whole(field, value, least)
    return both, both
