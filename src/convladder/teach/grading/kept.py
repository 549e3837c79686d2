"""Whether an answer hands out memory that it keeps, and writes into it again when it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .compare import same
from .run import Attempt

KEEPS = (
    "hands out memory that it keeps: what it returned is another result after a later call. "
    "Make a new array in each call."
)


def keeps_result(run: Callable[[tuple], Attempt], args: tuple) -> bool:
    """Return whether a call with other values changes what a call with `args` has returned."""
    first = run(args).value
    if not isinstance(first, np.ndarray):
        return False
    before = first.copy()
    # Larger and turned round: neither a share of the largest nor a mean stays as it is.
    run(
        tuple(
            np.flip(arg) * arg.dtype.type(1 + (arg.dtype.kind == "f"))
            if isinstance(arg, np.ndarray) and arg.dtype.kind in "iuf"
            else arg
            for arg in args
        )
    )
    return not same(before, first)


def is_overwritten(attempt: Attempt, later: Sequence[Attempt], again: Callable[[], bool]) -> bool:
    """Return whether a wrong result is that only because a later call wrote into its memory.

    again: tells whether one more call with the same arguments is right.
    """
    return (
        isinstance(attempt.value, np.ndarray)
        and any(
            isinstance(other.value, np.ndarray) and np.may_share_memory(attempt.value, other.value)
            for other in later
        )
        and again()
    )
