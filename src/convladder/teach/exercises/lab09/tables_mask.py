"""Usual mistakes of the mask, with their hints: lab 09, exercise 1."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Misconception
from . import tables_wrong as wrong

MASKS = [
    Misconception(
        "index tested, not row and column",
        wrong.edited(there=wrong.index_tested),
        symptom="Your mask lets places in that lie in another row of the image, or in another"
        " image.",
        concept="An index within the array may still be wrong: column -1 is the end of the row "
        "before, and row -1 of the second image lies in the first one.",
        line="`(row >= 0) & (row < i_h)`, the column alike, before they become an index.",
    ),
    Misconception(
        "one row too many",
        wrong.one_too_far,
        symptom="Your mask goes one too far: it counts row `i_h` or column `i_w` as inside, or "
        "both.",
        concept="Counted from 0, the last row is `i_h - 1`.",
        line="`row < i_h` and `column < i_w`.",
        choices={"down": (1, 0), "across": (0, 1)},
    ),
    Misconception(
        "padding behind the image let in",
        wrong.edited(there=wrong.behind_let_in),
        symptom="Padding above and to the left is masked, padding below and to the right is let "
        "in.",
        concept="The image ends at row `i_h` and column `i_w`, counted without the padding: what "
        "lies beyond is padding again.",
        line="Row below `i_h` and column below `i_w`: the image's own sides, for each place.",
    ),
    Misconception(
        "whole windows only",
        wrong.edited(there=wrong.whole_windows),
        symptom="Windows that lie wholly in the image are right; of the others you mask every "
        "place.",
        concept="Of a window that hangs over the edge some places lie in the image: each has an "
        "entry of its own.",
        line="`(h * s_h - p_h)[:, None] + a` and `(v * s_w - p_w)[:, None] + b`, a test for each "
        "place.",
    ),
    Misconception(
        "row or column",
        wrong.edited(there=wrong.either),
        symptom="Your mask lets a place in where its row *or* its column is in the image.",
        concept="A place beside the image has a row that exists, and a column that does not.",
        line="In: the row is in `&` the column is in. Out: the row is out `|` the column is.",
    ),
    Misconception(
        "nothing masked",
        wrong.edited(there=lambda there, p: np.ones_like(there)),
        symptom="Your mask lets everything in, padding too.",
        concept="Padding is nowhere in `x`: base and step lead to some value there, and to the "
        "wrong one.",
        line="`(row >= 0) & (row < i_h) & (column >= 0) & (column < i_w)`.",
    ),
    Misconception(
        "mask turned round",
        wrong.edited(there=lambda there, p: ~there),
        symptom="Your mask marks the padding.",
        concept="`there` says where a value *is*.",
        line="`~` before your mask, or `&` between `0 <= row < i_h` and the column's test.",
    ),
    Misconception(
        "rows tested alone",
        wrong.edited(there=wrong.rows_tested),
        symptom="Rows above and below the image are masked, columns beside it are not.",
        concept="A window can hang over the left or the right edge, too.",
        line="Test the column as you test the row.",
    ),
    Misconception(
        "first row and column masked",
        wrong.first_masked,
        symptom="Row 0 and column 0 of the image count as outside for you.",
        concept="Rows go from 0 to `i_h - 1`, columns from 0 to `i_w - 1`: 0 is inside.",
        line="`>= 0`, so that 0 is in.",
    ),
    Misconception(
        "a mask for each value",
        wrong.edited(there=lambda there, p: np.repeat(there, p.i_c, axis=1)),
        symptom="Your mask has a column for each channel of a place.",
        concept="All channels of a place are in the image, or none: one bit says it for all.",
        line="Rows and columns of the `k_h * k_w` places, without the channel.",
    ),
    Misconception(
        "mask down the window's columns",
        wrong.edited(there=wrong.down_the_columns),
        symptom="Base and step are right, and the columns of your mask stand in another order.",
        concept="Places are counted as the step counts them: along a row of the window first.",
        line="Place `a * k_w + b` is row `a`, column `b` of the window: `b` counts fastest.",
    ),
    Misconception(
        "mask turned over",
        wrong.edited(there=lambda there, p: there.T.copy()),
        symptom="Your mask has the places down and the pixels across.",
        concept="`there[m, place]`: a row for each output pixel, as in the matrix.",
        line="`rows[:, None]` are the pixels, the window's places go across.",
    ),
    Misconception(
        "stride forgotten in the mask",
        wrong.masked_with(stride=(1, 1)),
        symptom="Base and step are right, and your mask with strides of 1; else it tests rows"
        " and columns of windows that lie one apart.",
        concept="The place that is tested is the one that is read: row `h * s_h - p_h + a`.",
        line="The same row and column for the mask as for the base.",
    ),
    Misconception(
        "padding forgotten in the mask",
        wrong.masked_with(pad=False),
        symptom="Base and step are right, and your mask without padding; else it tests places"
        " `p_h` rows and `p_w` columns too far on.",
        concept="The window begins `p_h` rows above the image. These are the rows that are "
        "not there.",
        line="`row = h * s_h - p_h + a` is what must lie from 0 to `i_h - 1`.",
    ),
    Misconception(
        "columns tested alone",
        wrong.edited(there=wrong.columns_tested),
        symptom="Columns beside the image are masked, rows above and below it are not.",
        concept="A window can hang over the upper or the lower edge, too.",
        line="Test the row as you test the column.",
    ),
    Misconception(
        "index tested within its image",
        wrong.edited(there=wrong.index_tested_by_image),
        symptom="Your mask is right without padding beside the image; with it, places of "
        "another row are let in.",
        concept="A place to the left of a row is the end of the row before: it lies in the "
        "image, but is not the pixel that is meant.",
        line="`(row >= 0) & (row < i_h)`, the column alike; not the index that they make.",
    ),
]
