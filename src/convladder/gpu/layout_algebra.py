"""Layouts: functions from coordinates to places in memory, written as shapes and strides.

The notation and the operations are those of CuTe, which CUTLASS is built on ("CuTe Layout Algebra"
in CUTLASS's documentation). NVIDIA's own Python version is the module `pycute` of the wheel
nvidia-cutlass, 6 MB to load for a file of this length; what is here agrees with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from ..core.problem import ConvProblem

Numbers = int | tuple  # a whole number, or a tuple of these


@dataclass(frozen=True)
class Layout:
    """`shape` and `stride` of one nesting: coordinate times stride, added up, is a place.

    A coordinate may be given whole, as a number for each mode, or as one number: it counts
    through the modes, the first the fastest.
    """

    shape: Numbers
    stride: Numbers

    def __post_init__(self) -> None:
        if not _alike(self.shape, self.stride):
            raise ValueError(
                f"shape {_text(self.shape)} and stride {_text(self.stride)} are not "
                "nested alike: give every number of the shape one stride"
            )

    def __call__(self, *coordinate: Numbers) -> int:
        """Return the place of a coordinate: `layout(row, column)`,
        or of a number that counts them.
        """
        return _place(
            coordinate[0] if len(coordinate) == 1 else coordinate, self.shape, self.stride
        )

    def __getitem__(self, mode: int) -> Layout:
        """Return one of the outermost modes by itself."""
        return Layout(self.shape[mode], self.stride[mode])

    @property
    def modes(self) -> list[tuple[int, int]]:
        """Return (number, stride) of all modes, without their nesting."""
        return list(zip(_flat(self.shape), _flat(self.stride), strict=True))

    @property
    def size(self) -> int:
        """Return how many coordinates there are."""
        return prod(_flat(self.shape))

    @property
    def cosize(self) -> int:
        """Return the values of memory from the first place to the last."""
        return 1 + sum((number - 1) * stride for number, stride in self.modes)

    def __str__(self) -> str:
        return f"{_text(self.shape)}:{_text(self.stride)}"


def coalesce(layout: Layout) -> Layout:
    """Return the same function of one number, with as few modes as it can have."""
    kept: list[tuple[int, int]] = []
    for number, stride in layout.modes:
        if number == 1:
            continue
        if kept and kept[-1][0] * kept[-1][1] == stride:  # it goes on where the last one ends
            kept[-1] = kept[-1][0] * number, kept[-1][1]
        else:
            kept.append((number, stride))
    return _of(kept)


def compose(outer: Layout, inner: Layout) -> Layout:
    """Return `outer(inner(i))` as a layout, nested as `inner`.

    Raises ValueError where that is no layout: where a tile does not divide what it is laid over.
    """
    if isinstance(inner.shape, tuple):
        parts = [compose(outer, inner[i]) for i in range(len(inner.shape))]
        return Layout(tuple(p.shape for p in parts), tuple(p.stride for p in parts))
    number, step, composed = inner.shape, inner.stride, []
    if step == 0:
        return inner
    modes = coalesce(outer).modes or [(1, 0)]
    for there, stride in modes[:-1]:
        if there % step and step % there:
            raise ValueError(f"{inner} over {outer}: steps of {step} do not fit a mode of {there}")
        here = min(max(1, there // step), number)
        if number % here:
            raise ValueError(
                f"{inner} over {outer}: {number} is not a multiple of the {here} that "
                f"a mode of {there} holds"
            )
        composed.append((here, step * stride))
        number, step = number // here, -(-step // there)
    composed.append((number, step * modes[-1][1]))
    return _of([mode for mode in composed if mode[0] > 1])


def divide(layout: Layout, tile: int) -> Layout:
    """Return a layout of one mode as (within a tile, which tile).

    Raises ValueError unless `tile` divides its size and fits its modes.
    """
    if layout.size % tile:
        raise ValueError(f"{layout} has size {layout.size}, not a multiple of {tile}")
    return compose(layout, Layout((tile, layout.size // tile), (1, tile)))


def _modes_of(p: ConvProblem) -> tuple[tuple, tuple]:
    return (p.o_w, p.o_h, p.i_n), (p.i_c, p.k_w, p.k_h)


def implicit_layout(problem: ConvProblem) -> Layout:
    """Return im2col's matrix `[pixels, window]` read straight from the image `x[i_n,i_h,i_w,i_c]`.

    Raises ValueError for a padded problem: a zero that is nowhere in memory has no place.
    """
    p = problem
    if p.p_h or p.p_w:
        raise ValueError(
            f"padding={p.padding}: a place outside of the image has no address, so "
            "no strides lead there; pad the image first, or test each place"
        )
    row = p.i_w * p.i_c
    return Layout(_modes_of(p), ((p.s_w * p.i_c, p.s_h * row, p.i_h * row), (1, p.i_c, row)))


def lowered_layout(problem: ConvProblem) -> Layout:
    """Return the same matrix where im2col has written it: `[i_n,o_h,o_w,k_h,k_w,i_c]`."""
    p = problem
    line = p.window
    return Layout(
        _modes_of(p), ((line, p.o_w * line, p.o_h * p.o_w * line), (1, p.i_c, p.k_w * p.i_c))
    )


def mec_layout(problem: ConvProblem) -> Layout:
    """Return the same matrix, read from MEC's `L[i_n,o_w,padded_h,k_w,i_c]`."""
    p = problem
    run = p.k_w * p.i_c
    return Layout(
        _modes_of(p), ((p.padded_h * run, p.s_h * run, p.o_w * p.padded_h * run), (1, p.i_c, run))
    )


def _of(modes: list[tuple[int, int]]) -> Layout:
    if len(modes) < 2:
        return Layout(*(modes[0] if modes else (1, 0)))
    return Layout(*map(tuple, zip(*modes, strict=True)))


def _flat(numbers: Numbers) -> Iterator[int]:
    if isinstance(numbers, tuple):
        for part in numbers:
            yield from _flat(part)
    else:
        yield numbers


def _alike(a: Numbers, b: Numbers) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_alike, a, b))
    return not isinstance(a, tuple) and not isinstance(b, tuple)


def _place(at: Numbers, shape: Numbers, stride: Numbers) -> int:
    if not isinstance(shape, tuple):
        return at * stride
    if isinstance(at, tuple):
        return sum(map(_place, at, shape, stride))
    place = 0
    for part, step in zip(shape[:-1], stride[:-1], strict=True):
        size = prod(_flat(part))
        place += _place(at % size, part, step)
        at //= size
    return place + _place(at, shape[-1], stride[-1])


def _text(numbers: Numbers) -> str:
    if isinstance(numbers, tuple):
        return f"({','.join(map(_text, numbers))})"
    return str(numbers)
