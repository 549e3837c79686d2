"""`ConvProblem`: how one is described, what it costs; and the layers that have a name.

Notation is that of Cho & Brand, "MEC: Memory-efficient Convolution for Deep Neural Network"
(ICML 2017): `i_n i_h i_w i_c` for the input, `k_h k_w k_c` for the kernel, `o_h o_w` for the
output, `s_h s_w` for the stride, `p_h p_w` for the zero padding on each side; and, beyond the
paper, `d_h d_w` for the dilation.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

FORM = "224x224x3,7x7x64,s1,p1"


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


MOST = 2**31 - 1  # of a side or a step, which kernels keep as int32


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

    @cached_property
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
    """Return `value` as an int. Raises `TypeError` for a fraction, `ValueError` below `least` or
    beyond `MOST`.
    """
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
    if number > MOST:
        raise ValueError(f"{field}={number} is too large; use {MOST} or less")
    return number


def pair(field: str, value: object, least: int) -> tuple[int, int]:
    """Return an int twice, or a pair (vertical, horizontal) as it is. Raises as `whole` does."""
    if type(value) is int and least <= value <= MOST:
        return value, value
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


@dataclass(frozen=True, repr=False)
class ConvProblem(Shapes):
    """The shapes of one convolution: `x[i_n,i_h,i_w,i_c]` by `w[k_h,k_w,i_c/groups,k_c]`.

    `stride`, `padding` and `dilation` take an int or a pair (vertical, horizontal) and are kept as
    pairs. Dilation `d` reads every d-th pixel: tap `a` of a window lies `d·a` rows down. Each of
    `groups` sees `i_c/groups` channels and makes `k_c/groups`: group g the g-th run of both. A
    shape that cannot be convolved raises `ValueError` (`TypeError` if it is not whole numbers)
    that names the field, its value and what would be valid.
    """

    i_n: int
    i_h: int
    i_w: int
    i_c: int
    k_h: int
    k_w: int
    k_c: int
    stride: Any = 1
    padding: Any = 0
    # No part of the hash or, by default, of the text: problems without them are as ever.
    dilation: Any = field(default=1, hash=False)
    groups: int = field(default=1, hash=False)

    def __post_init__(self) -> None:
        for name in ("i_n", "i_h", "i_w", "i_c", "k_h", "k_w", "k_c", "groups"):
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= MOST:  # a call for each takes longer
                self._set(name, whole(name, value, least=1))
        for name, least in (("stride", 1), ("padding", 0), ("dilation", 1)):
            self._set(name, pair(name, getattr(self, name), least))
        self._check()

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        shown = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if f.hash is not False or getattr(self, f.name) not in (1, (1, 1))
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    # --- building one -------------------------------------------------------------------------

    @classmethod
    def from_arrays(cls, x, w, stride=1, padding=0, dilation=1, groups=1) -> ConvProblem:
        """Return the problem that `x[i_n,i_h,i_w,i_c]` and `w[k_h,k_w,i_c/groups,k_c]` pose.

        Raises `ValueError` for a wrong rank or for channels that do not match.
        """
        for name, array, axes in (("x", x, "i_n,i_h,i_w,i_c"), ("w", w, "k_h,k_w,i_c,k_c")):
            if array.ndim != 4:
                raise ValueError(
                    f"{name} has {array.ndim} axes, shape {array.shape}; it needs 4: {name}[{axes}]"
                )
        groups = whole("groups", groups, least=1)
        if groups > 1 and x.shape[3] != w.shape[2] * groups:
            raise ValueError(
                f"x has i_c={x.shape[3]} channels (its last axis), and w of shape {w.shape} takes "
                f"{w.shape[2]} a group (its third axis) in groups={groups}, {w.shape[2] * groups} "
                "in all; i_c must be that many"
            )
        if groups == 1 and x.shape[3] != w.shape[2]:
            raise ValueError(
                f"x has i_c={x.shape[3]} channels (its last axis) and w has i_c={w.shape[2]} "
                f"(its third axis, of shape {w.shape}); they must be equal"
            )
        return cls(*x.shape, *w.shape[:2], w.shape[3], stride, padding, dilation, groups)

    @classmethod
    def parse(cls, text: str) -> ConvProblem:
        """Read `cv1` to `cv12`, `report`, or a text such as `224x224x3,7x7x64,s1,p1`.

        The first part is the image `i_h x i_w x i_c`, with a leading `i_n` if there are four
        numbers; the second the kernel `k_h x k_w x k_c`; then stride, padding, dilation and
        groups, each optional, as `s2` or `s2x1`, `p1`, `d2`, `g4`. Raises `ValueError`.
        """
        name = text.strip().lower()
        if name == "report":
            return REPORT
        if name in PAPER:
            return PAPER[name]
        match = re.fullmatch(
            r"(?:(\d+)x)?(\d+)x(\d+)x(\d+),(\d+)x(\d+)x(\d+)"
            r"(?:,s(\d+)(?:x(\d+))?)?(?:,p(\d+)(?:x(\d+))?)?"
            r"(?:,d(\d+)(?:x(\d+))?)?(?:,g(\d+))?",
            name.replace(" ", ""),
        )
        if not match:
            raise ValueError(
                f"{text!r} is not a convolution; write one of {', '.join(PAPER)}, report, "
                f"or image, kernel, stride, padding as in {FORM}"
            )
        numbers = [None if part is None else int(part) for part in match.groups()]
        sides, (s_h, s_w, p_h, p_w, d_h, d_w, groups) = numbers[:7], numbers[7:]

        def both(down: int | None, across: int | None, default: int) -> tuple[int, int]:
            down = default if down is None else down
            return down, down if across is None else across

        return cls(
            1 if sides[0] is None else sides[0],
            *sides[1:],
            both(s_h, s_w, 1),
            both(p_h, p_w, 0),
            both(d_h, d_w, 1),
            1 if groups is None else groups,
        )

    def with_batch(self, i_n: int) -> ConvProblem:
        """Return the same layer over `i_n` images."""
        return replace(self, i_n=i_n)

    def __str__(self) -> str:
        batch = f"{self.i_n}x" if self.i_n > 1 else ""
        stride, padding, dilation = (
            str(a) if a == b else f"{a}x{b}" for a, b in (self.stride, self.padding, self.dilation)
        )
        return (
            f"{batch}{self.i_h}x{self.i_w}x{self.i_c},{self.k_h}x{self.k_w}x{self.k_c},"
            f"s{stride},p{padding}{f',d{dilation}' * (dilation != '1')}"
            f"{f',g{self.groups}' * (self.groups > 1)}"
        )

    @property
    def one_group(self) -> ConvProblem:
        """Return the problem that each group poses alone."""
        if self.groups == 1:
            return self
        return replace(self, i_c=self.group_i_c, k_c=self.group_k_c, groups=1)

    # --- counts -------------------------------------------------------------------------------

    @property
    def window(self) -> int:
        """Return how many values one output value is made of: `k_h·k_w·i_c/groups`."""
        return self.k_h * self.k_w * self.group_i_c

    @property
    def pixels(self) -> int:
        """Return how many output pixels the whole batch has: `i_n·o_h·o_w`."""
        return self.i_n * self.o_h * self.o_w

    @property
    def macs(self) -> int:
        """Count multiply-accumulates, those on padding included: every method here does them."""
        return self.pixels * self.window * self.k_c

    @property
    def flops(self) -> int:
        """Count floating-point operations: a multiply and an add for each of `macs`."""
        return 2 * self.macs

    @property
    def params(self) -> int:
        """Count the weights, without bias."""
        return self.window * self.k_c

    def accesses(self, bias: bool = False) -> Accesses:
        """Count memory accesses, in values, as if only the weights were ever kept in a cache.

        Each output value reads its whole window and is written once; each weight (and bias) is
        read once. An upper bound, good for comparing layers of one kind (chapter 02). Model:
        M. Hollemans, "How fast is my model?"; worked numbers of Captain1986,
        "Estimating the memory accesses of CNN models" (docs/sources.md).
        """
        outputs = self.pixels * self.k_c
        return Accesses(
            input=self.window * outputs,
            output=outputs,
            weights=self.params + (self.k_c if bias else 0),
        )

    def compulsory_bytes(self, itemsize: int = 4) -> int:
        """Return the least traffic: input and weights read once, output written once."""
        image = self.i_n * self.i_h * self.i_w * self.i_c
        return itemsize * (image + self.params + self.pixels * self.k_c)

    def im2col_bytes(self, itemsize: int = 4) -> int:
        """Return the bytes of im2col's matrix: `i_n·o_h·o_w` windows of `k_h·k_w·i_c` values.

        In groups, of one of them: they follow one another in the same memory.
        """
        return itemsize * self.pixels * self.window

    def mec_bytes(self, itemsize: int = 4) -> int:
        """Return the bytes of MEC's matrix `L[i_n, o_w, i_h, k_w, i_c]` (paper, section 3.1).

        `i_h` counts the padded rows: the partitions of `L` must find the zeros there. In groups, of
        one of them, as in `im2col_bytes`.
        """
        return itemsize * self.i_n * self.o_w * self.padded_h * self.k_w * self.group_i_c

    @property
    def mec_ratio(self) -> float:
        """Return how many times smaller MEC's matrix is: `o_h·k_h / i_h`, about `k_h/s_h`."""
        return self.im2col_bytes() / self.mec_bytes()


# The twelve layers that the MEC paper measures (its table 2), for one image.
PAPER: dict[str, ConvProblem] = {
    f"cv{number}": ConvProblem(1, size, size, i_c, kernel, kernel, k_c, stride)
    for number, (size, i_c, kernel, k_c, stride) in enumerate(
        [
            (227, 3, 11, 96, 4),
            (231, 3, 11, 96, 4),
            (227, 3, 7, 64, 2),
            (224, 64, 7, 64, 2),
            (24, 96, 5, 256, 1),
            (12, 256, 3, 512, 1),
            (224, 3, 3, 64, 1),
            (112, 64, 3, 128, 1),
            (56, 64, 3, 64, 1),
            (28, 128, 3, 128, 1),
            (14, 256, 3, 256, 1),
            (7, 512, 3, 512, 1),
        ],
        start=1,
    )
}

# The layer that the MEC report measures (docs/sources.md). Its 220×220 output needs the padding.
REPORT = ConvProblem(1, 224, 224, 3, 7, 7, 64, padding=1)
