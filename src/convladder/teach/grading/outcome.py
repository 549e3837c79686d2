"""What one attempt came to, as far as it is compared with another's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .compare import same
from .faults import FaultyKernel
from .run import Attempt, explain


@dataclass(frozen=True)
class Outcome:
    """What is compared of an attempt. Of an exception, only its text: it may hold on to arrays."""

    value: Any
    strides: tuple[int, ...]  # of an array; that of one item says nothing, and is left out
    changed: tuple[int, ...]
    views: tuple[int, ...]
    objection: str | None
    error: str | None
    fault: FaultyKernel | None

    @classmethod
    def of(cls, attempt: Attempt) -> Outcome:
        """Return the outcome of `attempt`."""
        value, error = attempt.value, attempt.error
        strides = (
            tuple(stride for size, stride in zip(value.shape, value.strides) if size > 1)
            if isinstance(value, np.ndarray)
            else ()
        )
        return cls(
            value,
            strides,
            attempt.changed,
            attempt.views,
            attempt.objection,
            None if error is None else explain(error),
            error if isinstance(error, FaultyKernel) else None,
        )

    def like(self, other: Outcome) -> bool:
        """Return whether two attempts came to the same, but for rounding, wherever it lies."""
        if self.fault or other.fault:
            return bool(self.fault and other.fault and self.fault.like(other.fault))
        return (self.changed, self.objection, self.error) == (
            other.changed,
            other.objection,
            other.error,
        ) and same(self.value, other.value)
