"""Which kind of answer an exercise asks for."""

from __future__ import annotations

from typing import Any

from .answer import Answer, PythonAnswer, Value
from .exercise import Exercise


def answer_to(exercise: Exercise, given: Any, watch: bool = True) -> Answer:
    """Return `given` as the kind of answer that the exercise asks for."""
    if exercise.kernel:
        from .cuda import CudaAnswer  # a compiler and the emulator

        return CudaAnswer(exercise, given, watch)
    if exercise.cases is None:
        return Value(exercise, given)
    return PythonAnswer(exercise, given, watch)
