"""What an amount of workspace may be of: a layer's lowered matrix, a copy of an argument.

By its size alone, so that it is compared with mistakes of the same size, and not told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...problem import ConvProblem

NEAR = 0.15  # share of an amount within which workspace is about that much
CLEAR = 0.03  # share within which two amounts cannot be told apart


def amounts_of(exercise: Any, args: tuple, result: int) -> dict[str, int]:
    """Return bytes by what has so many: of the layer, of arguments, of `result` bytes."""
    found: dict[str, int] = dict(exercise.amounts(*args)) if exercise.amounts else {}
    for p in (arg for arg in args if isinstance(arg, ConvProblem)):
        padded = 4 * p.i_n * p.padded_h * p.padded_w * p.i_c
        found |= {
            "MEC's lowered matrix L": p.mec_bytes(),
            "im2col's matrix": p.im2col_bytes(),
            "two such L, or one in float64": 2 * p.mec_bytes(),
            "two of im2col's matrices, or one in float64": 2 * p.im2col_bytes(),
            "MEC's lowered matrix L and the padded image": p.mec_bytes() + padded,
            "im2col's matrix and the padded image": p.im2col_bytes() + padded,
            "the padded image": padded,
            "two padded images, or one in float64": 2 * padded,
        }
    for name, arg in zip(exercise.parameters, args):
        if isinstance(arg, np.ndarray):
            found[f"a copy of `{name}`"] = arg.nbytes
            found[f"a copy of `{name}` in float64, or two"] = 2 * arg.nbytes
    if result:
        found |= {
            f"{name} and a second result": size + result
            for name, size in found.items()
            if name in ("MEC's lowered matrix L", "im2col's matrix")
        }
        found["a second result"] = result
        found["a result of 8 bytes a value, as float64 and int64 have"] = 2 * result
        found["three results, or one in float64 beside another"] = 3 * result
    return found


def about(needed: Sequence[int], amounts: Sequence[Mapping[str, int]]) -> frozenset[str]:
    """Return what workspace is about in each case that was measured: the nearest, and its like."""
    names = [name for name in amounts[0] if all(name in one for one in amounts)]
    off = {
        name: max(
            abs(mine - one[name]) / max(one[name], 1)
            for mine, one in zip(needed, amounts, strict=True)
        )
        for name in names
    }
    least = min(off.values(), default=1.0)
    return frozenset(name for name in names if off[name] <= min(NEAR, least + CLEAR))


def kinds(names: frozenset[str]) -> set[str]:
    """Return what amounts are of, without what comes on top of it."""
    return {name.split(" and ")[0] for name in names}
