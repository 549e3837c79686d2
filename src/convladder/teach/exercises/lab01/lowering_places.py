"""Mistakes of a lowering about which places there are, and where they begin."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Misconception
from . import lowering_wrong as wrong

PLACES = [
    Misconception(
        "last places never written",
        wrong.last_places_unwritten,
        choices={"axis": (1, 2, None), "left": (np.nan, 0.0)},
        symptom="Nothing was written for the last windows down, the last ones across, or both.",
        concept="There are `o_h` rows of windows, 0 to `o_h - 1`, and `o_w` windows in each. "
        "`range(o_h)` ends there by itself.",
        line="`range(o_h)` and `range(o_w)`, or slices as long, with nothing taken off.",
    ),
    Misconception(
        "padding counted in steps",
        wrong.padding_in_steps,
        symptom="You are right for a stride of 1, and without padding. Elsewhere your windows "
        "begin too far up or to the left.",
        concept="Padding is in pixels, whatever the stride is: the first window begins `p_h` rows "
        "above the image, not `s_h * p_h`.",
        line="In the image without its zeros, the window of output (h, v) begins at row "
        "`s_h * h - p_h`, column `s_w * v - p_w`.",
    ),
]
