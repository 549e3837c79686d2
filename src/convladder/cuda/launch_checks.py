"""A launch checked before it begins: sizes against the chip, arguments against the kernel."""

from __future__ import annotations

import numbers
import operator
import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .backend import native
from .chips import CHIPS
from .errors import LaunchError
from .signature import Parameter, dtype_of
from .tensor_map import TensorMap

CHIP = CHIPS["sm_90"]  # in shared memory the most generous; in all else every chip is like it
NUMBERS: tuple[type[Any], ...] = (numbers.Number, np.generic)


@dataclass(frozen=True)
class Shape:
    """A launch's shape: `grid` in blocks, `block` in threads, each (x, y, z)."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int = 0


@dataclass(frozen=True)
class Watch:
    """The part of a launch that is kept in order: a block, by its number, and some of its warps.

    whole: their steps and the block's barriers too, not their requests alone.
    """

    block: int = 0
    warps: tuple[int, ...] = (0,)
    whole: bool = False


def shape(key: object) -> Shape:
    """Make a shape from `grid, block` or `grid, block, shared_bytes`. Raises `LaunchError`."""
    if not isinstance(key, tuple) or len(key) not in (2, 3):
        raise LaunchError(
            f"kernel[{key!r}] gives no launch; write kernel[grid, block] or "
            "kernel[grid, block, shared_bytes]; grid and block are numbers or tuples (x, y, z)"
        )
    grid, block = _three("grid", key[0], CHIP.grid_dims), _three("block", key[1], CHIP.block_dims)
    threads = int(np.prod(block))
    if threads > CHIP.threads_per_block:
        raise LaunchError(
            f"block={key[1]!r} has {threads} threads; a block has {CHIP.threads_per_block} at "
            "most, so take more and smaller blocks"
        )
    shared = whole(key[2], "shared_bytes") if len(key) == 3 else 0
    if shared < 0:
        raise LaunchError(f"shared_bytes={shared} is negative; 0 asks for none")
    if shared > CHIP.shared_per_block:
        raise LaunchError(
            f"shared_bytes={shared} is more than a block can have ({CHIP.shared_per_block} on an "
            f"{CHIP.arch} chip; {CHIP.shared_static} on older ones and without asking)"
        )
    return Shape(grid, block, shared)


def whole(value: Any, what: str) -> int:
    """Return a whole number as an int. Raises `LaunchError` for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        raise LaunchError(f"{what}={value!r} is not a whole number") from None


def _three(what: str, value: object, most: Sequence[int]) -> tuple[int, int, int]:
    sides = tuple(value) if isinstance(value, tuple | list) else (value,)
    if not 1 <= len(sides) <= 3:
        raise LaunchError(f"{what}={value!r} has {len(sides)} sides; 1 to 3 are possible")
    sides = tuple(whole(side, what) for side in sides)
    for axis, side, limit in zip("xyz", sides, most):
        if not 1 <= side <= limit:
            raise LaunchError(f"{what}={value!r}: its {axis} is {side}; 1 to {limit} are possible")
    return (*sides, 1, 1)[:3]


def checked(
    kernel: str, parameters: Sequence[Parameter], arguments: Sequence[Any], array_type: type[Any]
) -> list[Any]:
    """Return the arguments, numbers in NumPy's right types, None for a null pointer.

    Raises `LaunchError`.
    """
    if len(arguments) != len(parameters):
        wanted = ", ".join(map(str, parameters)) or "nothing"
        raise LaunchError(
            f"{kernel} takes {len(parameters)} argument{'s' * (len(parameters) != 1)} ({wanted}), "
            f"not {len(arguments)}"
        )
    return [
        _array(kernel, p, value, array_type) if p.pointer else _number(kernel, p, value)
        for p, value in zip(parameters, arguments, strict=True)
    ]


def _array(kernel: str, p: Parameter, value: Any, array_type: type[Any]) -> Any:
    if value is None:  # a null pointer
        return None
    if isinstance(value, np.ndarray):
        raise LaunchError(
            f"{kernel}: {p.name} is a NumPy array, which lies in the host's memory; pass "
            f"cuda.to_device({p.name})"
        )
    if not isinstance(value, array_type) and hasattr(value, "get") and hasattr(value, "shape"):
        raise LaunchError(
            f"{kernel}: {p.name} is an array of another backend than the kernel; "
            "give cuda.to_device and cuda.empty the kernel's, backend="
        )
    if not isinstance(value, array_type):
        raise LaunchError(
            f"{kernel}: {p} takes a device array, not {reprlib.repr(value)}; are the arguments "
            "in the kernel's order, and arrays passed through cuda.to_device?"
        )
    if p.dtype is not None and value.dtype != p.dtype:
        raise LaunchError(
            f"{kernel}: {p} takes an array of {p.dtype}, not of {value.dtype}; convert it before "
            f"cuda.to_device, with .astype(np.{p.dtype})"
        )
    flags = getattr(value, "flags", None)
    if flags is not None and not flags.c_contiguous:
        raise LaunchError(f"{kernel}: {p.name} is a view with gaps; pass a contiguous copy")
    return value


def _structure(kernel: str, p: Parameter, value: Any) -> Any:
    """A structure's bytes, as an array without axes; a tensor map as it is."""
    if isinstance(value, TensorMap) and (p.dtype is None or p.dtype.itemsize == value.nbytes):
        return value
    members = dtype_of(p.type.split()[-1])  # of a vector, which may come as a row of them
    if (
        not isinstance(value, np.void | np.ndarray)
        or value.dtype.hasobject
        or (value.dtype.kind != "V" and (members is None or value.dtype != members))
    ):
        raise LaunchError(
            f"{kernel}: {p} takes a structure, not {value!r}; make one with "
            "np.array((...), dtype), of fields in the same order"
        )
    if p.dtype is not None and value.nbytes != p.dtype.itemsize:
        raise LaunchError(
            f"{kernel}: {p} has {p.dtype.itemsize} bytes, the value for it "
            f"{value.nbytes}; np.dtype([...], align=True) lays fields out as C++ "
            "does"
        )
    return np.frombuffer(native(np.asarray(value)).tobytes(), f"V{value.nbytes}").reshape(())


def _number(kernel: str, p: Parameter, value: Any) -> Any:
    if (
        isinstance(value, TensorMap)
        or p.dtype is None
        and getattr(getattr(value, "dtype", None), "kind", "") == "V"
        or (p.dtype is not None and p.dtype.kind == "V")
    ):
        return _structure(kernel, p, value)
    if isinstance(value, array_types()) and value.shape:
        raise LaunchError(f"{kernel}: {p} takes a number, not an array of {list(value.shape)}")
    if not isinstance(value, NUMBERS):
        raise LaunchError(f"{kernel}: {p} takes a number, not {reprlib.repr(value)}")
    if p.dtype is None:  # a template decides: NumPy's numbers know their type
        return value if isinstance(value, np.generic) else np.dtype(type(value)).type(value)
    if p.dtype.kind in "iu":
        if isinstance(value, complex | np.complexfloating) or value % 1 != 0:  # NaN and inf too
            raise LaunchError(f"{kernel}: {p} takes a whole number, not {value!r}")
        info = np.iinfo(p.dtype)
        if not info.min <= int(value) <= info.max:
            raise LaunchError(f"{kernel}: {p} cannot hold {value}; {info.min} to {info.max} fit")
        return p.dtype.type(int(value))
    if isinstance(value, complex | np.complexfloating):
        raise LaunchError(f"{kernel}: {p} takes a real number, not {value!r}")
    return p.dtype.type(value)


def no_such_variable(file: str, name: str, known: Iterable[str]) -> LaunchError:
    """Return the error for a constant that the source does not have."""
    return LaunchError(
        f"{file} has no __constant__ or __device__ variable {name!r}; it has "
        f"{', '.join(known) or 'none'}"
    )


def too_much(name: str, room: int, values: np.ndarray) -> LaunchError:
    """Return the error for values that do not fit into a variable of `room` bytes."""
    return LaunchError(
        f"{name} has {room} bytes; {values.dtype}{list(values.shape)} has {values.nbytes}"
    )


def array_types() -> tuple[type[Any], ...]:
    """Return the types of what looks like an array, on any backend."""
    from .emulator.arrays import DeviceArray

    return (np.ndarray, DeviceArray)
