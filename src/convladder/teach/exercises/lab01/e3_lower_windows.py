"""Lab 01, exercise 3: channels, stride, padding and a batch, windows in rows."""

from __future__ import annotations

from ...grading.exercise import Exercise
from .lowering import lower, lowering_cases
from .lowering_mistakes import MISTAKES


def lower_windows(x, k_h, k_w, stride, padding):
    """Lower float32 `x[i_n,i_h,i_w,i_c]` to float32 `[i_n·o_h·o_w, k_h·k_w·i_c]`."""
    return lower(x, k_h, k_w, stride, padding)


EXERCISE = Exercise(
    name="lower_windows",
    lab=1,
    task="im2col with channels, stride, padding and a batch: each window becomes a row.",
    reference=lower_windows,
    cases=lowering_cases,
    misconceptions=MISTAKES,
)
