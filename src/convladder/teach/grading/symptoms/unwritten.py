"""Where NaN comes from: memory that nobody has written, which is NaN in a check, or a sum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..answer import Answer
from ..stand_ins import zeroed
from .places import places

WRITTEN = "what nobody has written is NaN here, and what is computed from it"
EMPTY = ", as memory is here that nobody has written"
COMPUTED = (
    "what was filled with NaN and is not written is NaN, and so are 0/0 and the root of a "
    "negative number"
)
FILLED = -1.6947395e38  # what the emulator has put into a variable: cuda/emulator/toolchain.py


def unwritten(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    """Yield where an array has NaN and should not."""
    bad = np.isnan(got) & ~np.isnan(expected)
    if not bad.any():
        return
    if bad.all():
        yield f"Every value is NaN{EMPTY}."
    for where in places(bad):  # elsewhere values may be wrong as well
        yield f"There is NaN only {where.split(': ')[0]}: {WRITTEN}."
    yield f"There is NaN among your values: {WRITTEN}."


def not_begun(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    """Yield what a kernel's sums are that nobody has begun: of this very number, and no other that
    is as low, as -FLT_MAX and -infinity are, with which a maximum begins."""
    if np.isclose(got[wrong], FILLED, rtol=1e-6, atol=0).all():
        yield (
            "Your wrong values are about -1.7e38: so begins a variable to which nothing was "
            "assigned, as in `float sum;`."
        )


def with_cause(said: str, answer: Answer, args: tuple) -> str:
    """Return a sentence on NaN with what gives NaN in this answer.

    args: of a case on which there is NaN. It is run once more, with zeros where nothing is written.
    """
    if WRITTEN not in said and EMPTY not in said:
        return said
    if answer.exercise.kernel:
        return said.replace("nobody has written", "no thread has written")
    with zeroed():
        again = answer.run(args)
    if not has_nan(again.value):
        return said
    return said.replace(WRITTEN, COMPUTED).replace(EMPTY, f": {COMPUTED}")


def has_nan(value: Any) -> bool:
    """Return whether there is NaN in an array, or in one of the items of a result."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f" and bool(np.isnan(value).any())
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, (tuple, list)) and any(map(has_nan, value))
