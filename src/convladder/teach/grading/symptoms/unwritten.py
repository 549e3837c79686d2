"""Where NaN comes from: memory that nobody has written, which is NaN in a check, or a sum."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..answer import Answer
from ..stand_ins import zeroed

WRITTEN = "what nobody has written is NaN here, and what is computed from it"
EMPTY = ", as memory is here that nobody has written"
COMPUTED = ("what was filled with NaN and is not written is NaN, and so are 0/0 and the root of a "
            "negative number")


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
