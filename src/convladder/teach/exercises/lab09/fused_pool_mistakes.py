"""Usual mistakes of a kernel with a pool behind its sums, with their hints: lab 09, exercise 4."""

from __future__ import annotations

from ...grading.exercise import Misconception
from ..lab06.sources import edited
from .pooled import AGAIN, LAST, LOOP, MOST, ONE_BY_ONE, SOURCE

MISTAKES = [
    Misconception(
        "a pixel at a time",
        edited(SOURCE, (LOOP, ONE_BY_ONE)),
        symptom="The values are right, but `w` is loaded four times.",
        concept="Four pixels meet the same weights. A thread that has all four sums at hand "
        "loads each weight once.",
        line="In the loop over `c` once `float v = w[...]`, then four sums with `v`.",
    ),
    Misconception(
        "through memory",
        edited(SOURCE, (LAST, AGAIN)),
        symptom="One kernel, but `y` is read and written again for each pixel.",
        concept="What a thread keeps in `y` goes through memory. All four sums are its own: "
        "the largest can stay in a register.",
        line="Take the largest of four registers, and store once.",
    ),
    Misconception(
        "the mean",
        edited(SOURCE, (MOST, "(sum[0] + sum[1] + sum[2] + sum[3]) / 4")),
        symptom="You take the mean of the four.",
        concept="This pool takes the largest.",
        line="`fmaxf(fmaxf(a, b), fmaxf(c, d))`.",
    ),
    Misconception(
        "their sum",
        edited(SOURCE, (MOST, "sum[0] + sum[1] + sum[2] + sum[3]")),
        symptom="You add the four pixels up.",
        concept="A pool keeps one of four values, the largest.",
        line="`fmaxf` of two pairs, then of these.",
    ),
    Misconception(
        "largest of the inputs",
        edited(
            SOURCE,
            (
                LOOP,
                """for (int c = 0; c < i_c; c++)
        sum[0] += fmaxf(fmaxf(at[c], at[i_c + c]),
                        fmaxf(at[i_w * i_c + c], at[(i_w + 1) * i_c + c])) * w[c * k_c + n];
    sum[1] = sum[2] = sum[3] = sum[0];
""",
            ),
        ),
        symptom="You take the largest of the inputs, and convolve that.",
        concept="The pool comes after the sums: with a negative weight the largest input gives "
        "the smallest product.",
        line="Four sums first, then the largest of them.",
    ),
    Misconception(
        "largest begins at zero",
        edited(SOURCE, (MOST, f"fmaxf({MOST}, 0.0f)")),
        symptom="Too large where the largest sum is negative and the bias is positive; right "
        "elsewhere.",
        concept="You cut off at zero before the bias is added. ReLU comes last.",
        line="The largest of the four bare sums, then the bias, then `fmaxf(..., 0.0f)`.",
    ),
    Misconception(
        "bias after the ReLU",
        edited(SOURCE, ("fmaxf(most + bias[n], 0.0f)", "fmaxf(most, 0.0f) + bias[n]")),
        symptom="You cut off at zero and go on adding.",
        concept="ReLU cannot change places with an addition. (With the largest it can, and so "
        "can the bias: that is why one of each is enough.)",
        line="`fmaxf(most + bias[n], 0.0f)`.",
    ),
    Misconception(
        "bias in the loop",
        edited(
            SOURCE,
            (
                "float v = w[c * k_c + n];",
                "float v = w[c * k_c + n];\n"
                "        sum[0] += bias[n];\n"
                "        sum[1] += bias[n];\n"
                "        sum[2] += bias[n];\n"
                "        sum[3] += bias[n];",
            ),
            ("most + bias[n]", "most"),
        ),
        symptom="The bias is added once for each input channel.",
        concept="An epilogue comes after the sum over channels.",
        line="Move `bias[n]` behind the loop.",
    ),
    Misconception(
        "bias forgotten",
        edited(SOURCE, ("most + bias[n]", "most")),
        symptom="Your values are those without a bias.",
        concept="Each output channel has a bias, added before the ReLU.",
        line="`most + bias[n]`.",
    ),
    Misconception(
        "bias of the pixel",
        edited(SOURCE, ("bias[n]", "bias[q % k_c]")),
        symptom="Your bias changes with the pixel, where it should with the filter.",
        concept="The bias has a value for each output channel, the same for all pixels.",
        line="`bias[n]`.",
    ),
    Misconception(
        "no ReLU",
        edited(SOURCE, ("fmaxf(most + bias[n], 0.0f)", "most + bias[n]")),
        symptom="Positive values are right, and there are negative ones.",
        concept="ReLU is `max(0, ...)`.",
        line="`fmaxf(..., 0.0f)` around all of it.",
    ),
    Misconception(
        "four pixels in a row",
        edited(
            SOURCE,
            ("at[i_w * i_c + c]", "at[2 * i_c + c]"),
            ("at[(i_w + 1) * i_c + c]", "at[3 * i_c + c]"),
        ),
        symptom="Your four pixels lie side by side in one row.",
        concept="The square's lower two are a whole image row further on, `i_w * i_c` values.",
        line="`at[i_w * i_c + c]` and `at[(i_w + 1) * i_c + c]`.",
    ),
    Misconception(
        "squares that overlap",
        edited(SOURCE, ("q / o_w * 2 * i_w + q % o_w * 2", "q / o_w * i_w + q % o_w")),
        symptom="The first pixel of `y` is right; your squares overlap.",
        concept="The pool has a stride of 2: pixel q begins at row 2 (q / o_w), column "
        "2 (q % o_w).",
        line="`(q / o_w * 2 * i_w + q % o_w * 2) * i_c`.",
    ),
    Misconception(
        "rows of the output as wide as the input",
        edited(SOURCE, ("o_w = i_w / 2", "o_w = i_w")),
        symptom="The first row of `y` is computed rightly; `q` is taken apart as if a row of "
        "`y` had `i_w` pixels.",
        concept="`q` counts pooled pixels, of which a row has `i_w / 2`.",
        line="`o_w = i_w / 2`, also where you divide `q`.",
    ),
    Misconception(
        "width rounded up",
        edited(SOURCE, ("o_w = i_w / 2;", "o_w = (i_w + 1) / 2;")),
        symptom="Where the image has an odd width, your rows of `y` are one pixel too long.",
        concept="A last column without a partner is left out, and so is a last row: both sizes are "
        "rounded down.",
        line="`i_w / 2` pixels in a row of `y`, and `i_h / 2` rows.",
    ),
    Misconception(
        "weights transposed",
        edited(SOURCE, ("w[c * k_c + n]", "w[n * i_c + c]")),
        symptom="Right with one filter or one input channel; else you read `w` as if each "
        "filter lay in one piece.",
        concept="`w` is `[i_c, k_c]`: from one input channel to the next it is a whole row, "
        "`k_c` values.",
        line="`w[c * k_c + n]`.",
    ),
    Misconception(
        "no bounds check",
        edited(SOURCE, ("    if (q >= i_h / 2 * o_w || n >= k_c) return;\n", "")),
        symptom="Threads of the last blocks that have no value read and write all the same.",
        concept="The grid is rounded up to whole blocks.",
        line="`if (q >= i_h / 2 * o_w || n >= k_c) return;`",
    ),
    Misconception(
        "bias for one of four",
        edited(
            SOURCE, ("float sum[4] = {};", "float sum[4] = {bias[n]};"), ("most + bias[n]", "most")
        ),
        symptom="The bias reaches one pixel of four.",
        concept="All four pixels have the same bias. Which is the largest shows where all of "
        "them have it, or none.",
        line="Add it once to the largest: `fmaxf(most + bias[n], 0.0f)`.",
    ),
    Misconception(
        "pixels without their channels",
        edited(
            SOURCE, ("(q / o_w * 2 * i_w + q % o_w * 2) * i_c", "(q / o_w * 2 * i_w + q % o_w * 2)")
        ),
        symptom="Right with one channel; else all squares but the first begin too early.",
        concept="In `x[i_h, i_w, i_c]` from one pixel to the next it is `i_c` values.",
        line="`x + (q / o_w * 2 * i_w + q % o_w * 2) * i_c`.",
    ),
    *(
        Misconception(
            f"{which} left out",
            edited(
                SOURCE,
                (
                    MOST,
                    "fmaxf(fmaxf({}), {})".format(
                        ", ".join(f"sum[{n}]" for n in others[:2]), f"sum[{others[2]}]"
                    ),
                ),
            ),
            symptom=f"The {which} of each four pixels is left out: right where another one is the "
            "largest.",
            concept=f"A pool of 2 × 2 takes the largest of four, the {which} one too.",
            line=f"A sum with {at} for the {which} one, begun at 0, among those that are compared.",
        )
        for which, at, others in (
            ("upper left", "`at[c]`", (1, 2, 3)),
            ("upper right", "`at[i_c + c]`", (0, 2, 3)),
            ("lower left", "`at[i_w * i_c + c]`", (0, 1, 3)),
            ("lower right", "`at[(i_w + 1) * i_c + c]`", (0, 1, 2)),
        )
    ),
    Misconception(
        "rows of x counted in pixels",
        edited(
            SOURCE,
            ("at[i_w * i_c + c]", "at[i_w + c]"),
            ("at[(i_w + 1) * i_c + c]", "at[i_w + 1 + c]"),
        ),
        symptom="With one input channel all is right; else the lower two pixels are wrong.",
        concept="The pixel below is a row further: `i_w` pixels of `i_c` values each.",
        line="`at[i_w * i_c + c]`.",
    ),
    Misconception(
        "four pixels, by number",
        edited(
            SOURCE,
            ("(q / o_w * 2 * i_w + q % o_w * 2) * i_c", "4 * q * i_c"),
            ("at[i_w * i_c + c]", "at[2 * i_c + c]"),
            ("at[(i_w + 1) * i_c + c]", "at[3 * i_c + c]"),
        ),
        symptom="You take pixels 4q to 4q + 3, one after the other in memory.",
        concept="A square of 2 × 2 has two pixels of one row and two of the next.",
        line="Its first pixel is number `q / o_w * 2 * i_w + q % o_w * 2`; the lower two are "
        "`i_w` further.",
    ),
    Misconception(
        "the mean of what ReLU leaves",
        edited(
            SOURCE,
            (
                LAST,
                "float all = 0;\n    for (int i = 0; i < 4; i++)\n"
                "        all += fmaxf(sum[i] + bias[n], 0.0f);\n"
                "    y[q * k_c + n] = all / 4;",
            ),
        ),
        symptom="You average the four pixels, where the largest is wanted.",
        concept="This pool keeps one of four values and drops the others.",
        line="`fmaxf` of the four.",
    ),
    Misconception(
        "two pixels on, whatever the row",
        edited(SOURCE, ("q / o_w * 2 * i_w + q % o_w * 2", "2 * q")),
        symptom="The first row of `y` is right; the squares below it begin too early.",
        concept="Behind a row of squares a whole row of pixels is left out: the lower one.",
        line="`q / o_w * 2` rows down, `q % o_w * 2` columns across.",
    ),
    Misconception(
        "the smallest of four",
        edited(SOURCE, (MOST, MOST.replace("fmaxf", "fminf"))),
        symptom="You keep the smallest of the four.",
        concept="The pool takes the largest.",
        line="Of two the larger one goes on: `fmaxf`.",
    ),
    Misconception(
        "only the upper two",
        edited(SOURCE, (MOST, "fmaxf(sum[0], sum[1])")),
        symptom="Your largest is that of two pixels, side by side.",
        concept="A square has two rows: the lower one is `i_w` pixels further.",
        line="Also the sums with `at[i_w * i_c + c]` and `at[(i_w + 1) * i_c + c]`.",
    ),
    Misconception(
        "only the left two",
        edited(SOURCE, (MOST, "fmaxf(sum[0], sum[2])")),
        symptom="Your largest is that of two pixels, one below the other.",
        concept="A square has two columns.",
        line="Also the sums with `at[i_c + c]` and `at[(i_w + 1) * i_c + c]`.",
    ),
    Misconception(
        "height of the pooled image for its width",
        edited(SOURCE, ("o_w = i_w / 2;", "o_w = i_h / 2;"), ("i_h / 2 * o_w", "i_w / 2 * o_w")),
        symptom="Where the image is square all is right; else your pooled pixels are numbered "
        "by rows too short or too long.",
        concept="Pooled pixels are counted row by row, `i_w / 2` of them in a row.",
        line="`o_w = i_w / 2`, and `i_h / 2` such rows where `q` is tested.",
    ),
    Misconception(
        "rows of the image twice the pooled ones",
        edited(
            SOURCE,
            ("q / o_w * 2 * i_w", "q / o_w * 2 * 2 * o_w"),
            ("at[i_w * i_c + c]", "at[2 * o_w * i_c + c]"),
            ("at[(i_w + 1) * i_c + c]", "at[(2 * o_w + 1) * i_c + c]"),
        ),
        symptom="Right where the image has an even width; else all rows of pixels but the "
        "first are taken from too early in `x`.",
        concept="With an odd width the last column is left out of the pool, but it lies in "
        "`x` all the same.",
        line="A row of `x` is `i_w` pixels long, odd or even.",
    ),
    Misconception(
        "neighbours a value apart",
        edited(
            SOURCE,
            ("at[i_c + c]", "at[1 + c]"),
            ("at[(i_w + 1) * i_c + c]", "at[i_w * i_c + 1 + c]"),
        ),
        symptom="With one input channel all is right; else the right two pixels of a square "
        "begin one value on, not one pixel.",
        concept="In `x[i_h, i_w, i_c]` the next pixel is `i_c` values on.",
        line="`at[i_c + c]` and `at[(i_w + 1) * i_c + c]`.",
    ),
    Misconception(
        "filters first in y",
        edited(SOURCE, ("y[q * k_c + n]", "y[n * (i_h / 2 * o_w) + q]")),
        symptom="With one filter or one pixel all is right; else your values stand in another"
        " order: filter by filter.",
        concept="`y` is `[o_h, o_w, k_c]`: the filter moves fastest.",
        line="`y[q * k_c + n]`.",
    ),
    Misconception(
        "bias four times",
        edited(SOURCE, ("most + bias[n]", "most + 4 * bias[n]")),
        symptom="The bias is in your values four times.",
        concept="The largest of four sums is one sum, and gets one bias.",
        line="The bias once, to the largest of the bare sums.",
    ),
    Misconception(
        "weights' rows as long as the pixel",
        edited(SOURCE, ("w[c * k_c + n]", "w[c * i_c + n]")),
        symptom="Right with one input channel, or with as many filters; else rows of `w` "
        "begin in the wrong place.",
        concept="A row of `w[i_c, k_c]` has a weight for each filter.",
        line="From one input channel to the next it is `k_c` values.",
    ),
    Misconception(
        "a diagonal of four",
        edited(SOURCE, (MOST, "fmaxf(sum[0], sum[3])")),
        symptom="Of each four pixels only the upper left and the lower right count.",
        concept="A pool looks at all four.",
        line="Also the sums with `at[i_c + c]` and `at[i_w * i_c + c]`.",
    ),
    Misconception(
        "rows of y as wide as the image",
        edited(SOURCE, ("y[q * k_c + n]", "y[(q / o_w * i_w + q % o_w) * k_c + n]")),
        symptom="The first row of `y` is right; the next ones are stored too far on.",
        concept="A row of `y` has `i_w / 2` pixels.",
        line="`q` is the number of the pixel in `y` already: `y[q * k_c + n]`.",
    ),
]
