"""Lab 06, exercise 3: a kernel that reads out of bounds on odd sizes, to be mended."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from .sources import blocks, counting, edited

BLOCK = 16, 8

SOURCE = r"""
extern "C" __global__ void pool(const float *x, float *y, int i_h, int i_w)
{
    int o_h = (i_h + 1) / 2, o_w = (i_w + 1) / 2;
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    int h = blockIdx.y * blockDim.y + threadIdx.y;
    if (h >= o_h || w >= o_w) return;
    float best = x[2 * h * i_w + 2 * w];
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            if (2 * h + a < i_h && 2 * w + b < i_w)
                best = fmaxf(best, x[(2 * h + a) * i_w + 2 * w + b]);
    y[h * o_w + w] = best;
}
"""
TEST = "            if (2 * h + a < i_h && 2 * w + b < i_w)\n"
UPDATE = "best = fmaxf(best, x[(2 * h + a) * i_w + 2 * w + b]);"
GIVEN = edited(SOURCE, (TEST, ""))


def _tested(test: str) -> str:
    return edited(SOURCE, ("2 * h + a < i_h && 2 * w + b < i_w", test))


def pool(x):
    i_h, i_w = x.shape
    even = np.pad(x, ((0, i_h % 2), (0, i_w % 2)), constant_values=-np.inf)
    return even.reshape((i_h + 1) // 2, 2, (i_w + 1) // 2, 2).max(axis=(1, 3))


def _output(x):
    return (x.shape[0] + 1) // 2, (x.shape[1] + 1) // 2


EXERCISE = Exercise(
    name="pool",
    lab=6,
    reference=pool,
    task="Mend a maximum over windows of 2 × 2 pixels that fails on images of odd size.",
    cases=lambda rng: [
        (-counting(4, 4),),
        (-counting(3, 5),),
        *(
            (np.float32(scale) * (rng.standard_normal(shape, dtype=np.float32) - 2),)
            for shape, scale in (((5, 6), 1), ((6, 5), 1), ((17, 35), 1e30))
        ),
    ],  # below any guess
    kernel=KernelTask(
        name="pool",
        solution=SOURCE,
        arguments=lambda x: (x, OUT, *x.shape),
        launch=lambda x: (blocks((_output(x)[1], 16), (_output(x)[0], 8)), BLOCK),
    ),
    misconceptions=[
        Misconception(
            "as it was given",
            GIVEN,
            symptom="On even sizes all is right. On odd ones the last windows stick out of the "
            "image.",
            concept="5 columns give 3 windows, and the last has one column only. Its other half "
            "is the beginning of the next row, or behind the array.",
            line="Inside the loops, take a pixel only if `2 * h + a < i_h && 2 * w + b < i_w`.",
        ),
        Misconception(
            "only inside the array",
            _tested("(2 * h + a) * i_w + 2 * w + b < i_h * i_w"),
            symptom="Nothing is read outside the array any more, but with an odd width the last "
            "column can be wrong.",
            concept="The pixel to the right of a row's last one is the first of the next row: "
            "inside the array, and not inside the window.",
            line="`2 * h + a < i_h && 2 * w + b < i_w`: row and column, each by its own size.",
        ),
        Misconception(
            "only the rows",
            _tested("2 * h + a < i_h"),
            symptom="With an odd width the last windows take in what lies right of the image.",
            concept="Right of a row memory goes on with the next row, and behind the last row "
            "nothing is there. Neither belongs to the window.",
            line="The test needs both: `2 * h + a < i_h && 2 * w + b < i_w`, with `<`.",
        ),
        Misconception(
            "only the columns",
            _tested("2 * w + b < i_w"),
            symptom="With an odd height the last windows read a row below the image.",
            concept="The last window has one row only if `i_h` is odd.",
            line="Rows and columns: `2 * h + a < i_h && 2 * w + b < i_w`, with `<`.",
        ),
        Misconception(
            "tested one too far",
            _tested("2 * h + a <= i_h && 2 * w + b <= i_w"),
            symptom="You read pixels that lie outside the image.",
            concept="The last row is `i_h - 1`: row `i_h` is outside. And a pixel is inside only "
            "if its row *and* its column are. What is outside must not even be read.",
            line="Before the read: `2 * h + a < i_h && 2 * w + b < i_w`, with `<` and `&&`.",
        ),
        Misconception(
            "zeros outside",
            edited(
                SOURCE,
                (
                    TEST + " " * 16 + UPDATE,
                    (
                        "            best = fmaxf(best, 2 * h + a < i_h && 2 * w + b < i_w\n"
                        "                ? x[(2 * h + a) * i_w + 2 * w + b] : 0.0f);"
                    ),
                ),
            ),
            symptom="No fault, but a window that sticks out gives 0 if its pixels are negative.",
            concept="Zero is nothing for a sum, but not for a maximum: it beats every negative "
            "number. What is outside the image must not take part.",
            line="Skip what is outside with an `if`; no 0 takes part for it.",
        ),
        Misconception(
            "begun with 0",
            edited(SOURCE, ("float best = x[2 * h * i_w + 2 * w];", "float best = 0;")),
            symptom="No fault, but where all pixels are negative you get 0.",
            concept="A maximum begins with one of its values, or with minus infinity.",
            line="`float best = x[2 * h * i_w + 2 * w];`: this pixel is always there.",
        ),
        Misconception(
            "size rounded down",
            edited(GIVEN, ("(i_h + 1) / 2", "i_h / 2"), ("(i_w + 1) / 2", "i_w / 2")),
            symptom="Where a side is odd you leave out the last windows; with an odd width the "
            "rows of `y` behind the first begin too early as well.",
            concept="The output keeps its shape, `(i_h + 1) / 2` by `(i_w + 1) / 2`: the last "
            "window is smaller, but it is there.",
            line="Leave `o_h` and `o_w` as they were, and take a pixel only if `2 * h + a < i_h "
            "&& 2 * w + b < i_w`.",
        ),
        Misconception(
            "windows moved back",
            edited(
                GIVEN,
                (
                    "float best = x[2 * h * i_w + 2 * w];",
                    "int r = min(2 * h, i_h - 2), q = min(2 * w, i_w - 2);\n"
                    "    float best = x[r * i_w + q];",
                ),
                ("(2 * h + a) * i_w + 2 * w + b", "(r + a) * i_w + q + b"),
            ),
            symptom="No fault, but the last windows look at pixels of their neighbours.",
            concept="Moved back into the image, the last window has two columns again: one of "
            "its own, and one that belongs to the window before.",
            line="Let the window begin at `2 * h`, `2 * w`, and skip what is outside.",
        ),
        Misconception(
            "border windows left out",
            edited(
                GIVEN,
                (
                    "if (h >= o_h || w >= o_w) return;",
                    "if (2 * h + 1 >= i_h || 2 * w + 1 >= i_w) return;",
                ),
            ),
            symptom="No fault, but with an odd height the last row of `y` is NaN, and with an odd "
            "width the last column.",
            concept="A thread that returns writes nothing. The windows at the border have fewer "
            "pixels, not none.",
            line="`if (h >= o_h || w >= o_w) return;` as it was given; in the loops a pixel only "
            "if `2 * h + a < i_h && 2 * w + b < i_w`.",
        ),
        Misconception(
            "the output's sizes",
            _tested("2 * h + a < o_h && 2 * w + b < o_w"),
            symptom="No fault, but windows beyond the first half of the image lose pixels.",
            concept="`o_h` and `o_w` count windows. `2 * h + a` and `2 * w + b` count pixels.",
            line="Compare with `i_h` and `i_w`.",
        ),
        Misconception(
            "read before the test",
            edited(
                SOURCE,
                (
                    TEST + " " * 16 + UPDATE,
                    (
                        "        {\n            float value = x[(2 * h + a) * i_w + 2 * w + b];\n"
                        "            if (2 * h + a < i_h && 2 * w + b < i_w)\n"
                        "                best = fmaxf(best, value);\n        }"
                    ),
                ),
            ),
            symptom="What is outside takes no part any more, but you read it all the same.",
            concept="The read itself is the fault: there may be no memory at that place.",
            line="Put the read behind the test: `if (...) best = fmaxf(best, x[...]);`",
        ),
        Misconception(
            "the smallest",
            edited(SOURCE, ("fmaxf(", "fminf(")),
            symptom="You take the smallest pixel of each window.",
            concept="Max pooling keeps the largest.",
            line="`fmaxf`.",
        ),
        Misconception(
            "one row of the window",
            edited(SOURCE, ("a < 2; a++", "a < 1; a++")),
            symptom="Your windows have one row: you miss the largest pixel where it is in the "
            "other one.",
            concept="A window is 2 × 2: `a` counts its rows, 0 and 1.",
            line="`a < 2`, and `b < 2`.",
        ),
        Misconception(
            "width of x in y",
            edited(SOURCE, ("y[h * o_w + w]", "y[h * i_w + w]")),
            symptom="The first row is right, the others lie too far apart.",
            concept="`y` has rows of `o_w` values: half as many as `x`, rounded up.",
            line="`y[h * o_w + w]`.",
        ),
        Misconception(
            "windows a pixel apart",
            edited(SOURCE, ("2 * h", "h"), ("2 * w", "w")),
            symptom="Your windows overlap: they begin at neighbouring pixels.",
            concept="Windows of 2 × 2 lie side by side, so the next begins two pixels on.",
            line="`2 * h + a` and `2 * w + b`, and `best` begins with `x[2 * h * i_w + 2 * w]`.",
        ),
        Misconception(
            "begun with the smallest positive number",
            edited(
                SOURCE, ("float best = x[2 * h * i_w + 2 * w];", "float best = 1.17549435e-38f;")
            ),
            symptom="No fault, but where all pixels are negative you get almost 0.",
            concept="The smallest number above zero (`FLT_MIN`) is larger than every negative one.",
            line="`float best = x[2 * h * i_w + 2 * w];`, or `-INFINITY` by its CUDA name "
            "`-CUDART_INF_F` of `<math_constants.h>`.",
        ),
        Misconception(
            "begun with some negative number",
            edited(SOURCE, ("float best = x[2 * h * i_w + 2 * w];", "float best = -1e6f;")),
            symptom="Where all pixels of a window are less than your beginning, that is what comes "
            "out.",
            concept="Whatever number you choose, pixels may be smaller. A pixel of the window is "
            "never wrong, and minus infinity neither.",
            line="`float best = x[2 * h * i_w + 2 * w];`",
        ),
        Misconception(
            "begun with -1",
            edited(SOURCE, ("float best = x[2 * h * i_w + 2 * w];", "float best = -1.0f;")),
            symptom="No value is less than -1, where some should be.",
            concept="A maximum begins with something that every pixel beats, or with a pixel.",
            line="`float best = x[2 * h * i_w + 2 * w];`, the window's first pixel.",
        ),
        Misconception(
            "the sum",
            edited(
                SOURCE, (UPDATE, "best = (a || b ? best : 0) + x[(2 * h + a) * i_w + 2 * w + b];")
            ),
            symptom="You add up the pixels of a window.",
            concept="A maximum keeps one of them.",
            line="`best = fmaxf(best, ...)`.",
        ),
        Misconception(
            "the mean",
            edited(
                SOURCE,
                (UPDATE, "best = (a || b ? best : 0) + x[(2 * h + a) * i_w + 2 * w + b] / 4;"),
            ),
            symptom="You average the pixels of a window.",
            concept="Average pooling is another layer. This one keeps the largest pixel.",
            line="`best = fmaxf(best, ...)`, and nothing divided by 4.",
        ),
        *(
            Misconception(
                f"the last {which} left out",
                _tested(f"2 * h + a < {rows} && 2 * w + b < {columns}"),
                symptom=f"Pixels of the image's last {which} are left out, as if they were outside.",
                concept=f"The last {which} is inside: {numbers} if counted from 0.",
                line=line,
            )
            for which, rows, columns, numbers, line in (
                (
                    "row and last column",
                    "i_h - 1",
                    "i_w - 1",
                    "numbers `i_h - 1` and `i_w - 1`",
                    "`2 * h + a < i_h && 2 * w + b < i_w`.",
                ),
                ("row", "i_h - 1", "i_w", "number `i_h - 1`", "`2 * h + a < i_h`, no 1 less."),
                ("column", "i_h", "i_w - 1", "number `i_w - 1`", "`2 * w + b < i_w`, no 1 less."),
            )
        ),
        Misconception(
            "begun with the image's first pixel",
            edited(SOURCE, ("float best = x[2 * h * i_w + 2 * w];", "float best = x[0];")),
            symptom="No value is less than the image's first pixel.",
            concept="A maximum begins with one of its own values: another one may be larger.",
            line="`float best = x[2 * h * i_w + 2 * w];`, of its own window.",
        ),
        Misconception(
            "side by side in memory",
            edited(
                SOURCE,
                ("x[(2 * h + a) * i_w + 2 * w + b]", "x[2 * h * i_w + 2 * w + 2 * a + b]"),
                ("2 * w + b < i_w", "2 * w + 2 * a + b < i_w"),
            ),
            symptom="You take pixels of one row, side by side.",
            concept="The lower two of a window are a row further on, `i_w` pixels.",
            line="`x[(2 * h + a) * i_w + 2 * w + b]`, if `2 * h + a < i_h && 2 * w + b < i_w`.",
        ),
        Misconception(
            "sizes exchanged in the test",
            _tested("2 * h + a < i_w && 2 * w + b < i_h"),
            symptom="You test rows by the width, and columns by the height.",
            concept="`i_h` counts rows, `i_w` columns.",
            line="`2 * h + a < i_h`, `2 * w + b < i_w`.",
        ),
        Misconception(
            "the last windows always cut",
            _tested("!(h == o_h - 1 && a == 1) && !(w == o_w - 1 && b == 1)"),
            symptom="Where a side is odd it is right; where it is even the last row or column of "
            "the image is left out.",
            concept="The last window sticks out only where the size is odd.",
            line="Ask whether the pixel is there, not whether the window is the last: `2 * h + a "
            "< i_h && 2 * w + b < i_w`.",
        ),
        Misconception(
            "one pixel of a window that sticks out",
            edited(
                SOURCE,
                (TEST, ""),
                (
                    "    for (int a = 0",
                    "    if (2 * h + 1 < i_h && 2 * w + 1 < i_w)\n    for (int a = 0",
                ),
            ),
            symptom="No fault, but of a window that sticks out you take the first pixel only.",
            concept="Where the window has one column, it still has two rows: the pixel below takes "
            "part as well.",
            line="Ask for each pixel by itself, inside the loops, and not once for the window.",
        ),
        Misconception(
            "whole numbers",
            edited(SOURCE, ("float best", "int best")),
            symptom="Where pixels are no whole numbers, your maxima lose their fractions.",
            concept="Pixels are floats, and so is the largest. Wherever a float becomes an `int`, "
            "what is behind the point is cut off.",
            line="`float best`, and no `int` or `(int)` between `x` and `y`.",
        ),
    ],
)
