"""Lab 06, exercise 6: a direct convolution of one's own, with as few sectors as one can."""

from __future__ import annotations

from ...grading.exercise import Exercise, KernelTask, Misconception
from .direct import PROBLEMS, SOURCE, arguments, cases, convolved, direct, value_launch
from .direct_mistakes import NUMBERED_AND_LAUNCHED

SECTORS = 46_080  # loads on the last case, as many as gpu_coalesced

EXERCISE = Exercise(
    name="my_direct",
    lab=6,
    reference=convolved,
    task="A direct convolution as a kernel of your own, with few sectors.",
    cases=cases(PROBLEMS),
    kernel=KernelTask(
        name="conv",
        solution=value_launch(SOURCE),
        arguments=arguments,
        budget=lambda x, w, problem: {"global_load_sectors": SECTORS},
    ),
    misconceptions=[
        *NUMBERED_AND_LAUNCHED,
        Misconception(
            "stride forgotten",
            direct(("(s_h * h + a) * i_w + s_w * v + b", "(h + a) * i_w + v + b")),
            symptom="With a stride of 1 all is right.",
            concept="The window of output pixel (h, v) begins at (s_h·h, s_w·v).",
            line="`(s_h * h + a) * i_w + s_w * v + b`.",
        ),
        Misconception(
            "weights with the filter first",
            direct(
                ("w[((a * k_w + b) * i_c + c) * k_c + k]", "w[((k * k_h + a) * k_w + b) * i_c + c]")
            ),
            symptom="With a single filter all is right.",
            concept="`w` is `[k_h, k_w, i_c, k_c]`: the filters are its last axis.",
            line="`w[((a * k_w + b) * i_c + c) * k_c + k]`.",
        ),
        Misconception(
            "weights as PyTorch has them",
            direct(
                ("w[((a * k_w + b) * i_c + c) * k_c + k]", "w[((k * i_c + c) * k_h + a) * k_w + b]")
            ),
            symptom="With a single channel and a single filter all is right.",
            concept="PyTorch's weights are `[k_c, i_c, k_h, k_w]`. Here `w` is "
            "`[k_h, k_w, i_c, k_c]`: the window's place comes first, the filter last.",
            line="`w[((a * k_w + b) * i_c + c) * k_c + k]`, from the slowest axis to the fastest.",
        ),
        Misconception(
            "weights with the channels last",
            direct(
                ("w[((a * k_w + b) * i_c + c) * k_c + k]", "w[((a * k_w + b) * k_c + k) * i_c + c]")
            ),
            symptom="With a single channel or a single filter all is right.",
            concept="`w` is `[k_h, k_w, i_c, k_c]`: a step in `c` skips all `k_c` filters.",
            line="Exchange `c` and `k`, and their sizes: `(... * i_c + c) * k_c + k`.",
        ),
        Misconception(
            "weights on their side",
            direct(("w[((a * k_w + b)", "w[((b * k_h + a)")),
            symptom="You read the window's weights column by column, and they lie row by row.",
            concept="`w` is `[k_h, k_w, i_c, k_c]`: from one row of the window to the next it is "
            "`k_w` places.",
            line="`w[((a * k_w + b) * i_c + c) * k_c + k]`: `a`, the row, counts slowest.",
        ),
        Misconception(
            "width of x in y",
            direct(("y[(h * o_w + v)", "y[(h * i_w + v)")),
            symptom="The first row is right, the others begin too late.",
            concept="`y` has rows of `o_w` pixels: without padding it is smaller than `x`.",
            line="`y[(h * o_w + v) * k_c + k]`.",
        ),
        Misconception(
            "flipped",
            direct(("w[((a * k_w + b)", "w[(((k_h - 1 - a) * k_w + k_w - 1 - b)")),
            symptom="Your kernel is turned by 180 degrees.",
            concept="The convolution of neural networks does not flip: weight (a, b) meets pixel "
            "(h + a, v + b).",
            line="`a` and `b` in `w` as they are in `x`.",
        ),
        Misconception(
            "sum begun anew",
            direct(("sum += x", "sum = x")),
            symptom="Your values are the last product only.",
            concept="The sum runs over the window and all channels.",
            line="`float sum = 0;` before all loops, and `sum +=` within.",
        ),
        Misconception(
            "stride within the window",
            direct(("(s_h * h + a) * i_w + s_w * v + b", "s_h * (h + a) * i_w + s_w * (v + b)")),
            symptom="With a stride of 1 all is right; else your windows have gaps.",
            concept="The stride moves the window. Inside it pixels are neighbours.",
            line="`(s_h * h + a) * i_w + s_w * v + b`: each stride with `h` or `v` alone.",
        ),
        Misconception(
            "strides exchanged",
            direct(("(s_h * h + a) * i_w + s_w * v + b", "(s_w * h + a) * i_w + s_h * v + b")),
            symptom="With the same stride in both directions all is right.",
            concept="`s_h` is how far a window moves down, and `s_w` how far to the right.",
            line="`s_h` with `h`, `s_w` with `v`.",
        ),
        Misconception(
            "height for width",
            direct(("(s_h * h + a) * i_w", "(s_h * h + a) * i_h")),
            symptom="On square images all is right.",
            concept="Going one row down skips a whole row of `i_w` pixels.",
            line="`(s_h * h + a) * i_w`.",
        ),
        Misconception(
            "channels first in y",
            direct(("y[(h * o_w + v) * k_c + k]", "y[(k * o_h + h) * o_w + v]")),
            symptom="With a single filter all is right; else you write a plane for each filter.",
            concept="`y` is `[o_h, o_w, k_c]`: the values of a pixel lie side by side.",
            line="`y[(h * o_w + v) * k_c + k]`: the last axis is `k`.",
        ),
        Misconception(
            "rows of x counted in pixels",
            direct(("* i_w + s_w * v + b) * i_c + c", "* i_w + s_w * v + b) + c")),
            symptom="With one channel all is right; else your windows overlap in memory.",
            concept="A pixel is `i_c` values long: pixel number p begins at `p * i_c`.",
            line="`x[((...) * i_w + ...) * i_c + c]`.",
        ),
        Misconception(
            "one channel only",
            direct(
                (
                    "            for (int c = 0; c < i_c; c++)\n",
                    "            for (int c = 0; c < 1; c++)\n",
                )
            ),
            symptom="With one channel all is right; else the other channels are left out.",
            concept="A filter looks at every channel of its window, and adds up all of them.",
            line="`for (int c = 0; c < i_c; c++)`.",
        ),
        Misconception(
            "channels of the output for those of the input",
            direct(("c < i_c; c++", "c < k_c; c++")),
            symptom="Your sum runs over `k_c` channels. The image has `i_c`.",
            concept="`k_c` is how many filters there are, and how many values a pixel of `y` has.",
            line="`c < i_c`.",
        ),
        Misconception(
            "window's sides exchanged",
            direct(("a < k_h; a++", "a < k_w; a++"), ("b < k_w; b++", "b < k_h; b++")),
            symptom="With square windows all is right.",
            concept="`a` counts rows of the window, of which there are `k_h`; `b` its columns.",
            line="`a < k_h` and `b < k_w`.",
        ),
        Misconception(
            "window's height for its width in w",
            direct(("w[((a * k_w + b)", "w[((a * k_h + b)")),
            symptom="You take the window's rows for as long as it is high.",
            concept="A row of the window has `k_w` places, in `w` as in the loop over `b`.",
            line="`b < k_w` in the loop, and `(a * k_w + b)` in `w`.",
        ),
        Misconception(
            "the last row and column of the window left out",
            direct(("a < k_h; a++", "a < k_h - 1; a++"), ("b < k_w; b++", "b < k_w - 1; b++")),
            symptom="The sum lacks a row and a column of each window.",
            concept="`a < k_h` ends with `k_h - 1` already.",
            line="`a < k_h`, `b < k_w`.",
        ),
        Misconception(
            "one place too many in the window",
            direct(("b < k_w; b++", "b <= k_w; b++")),
            symptom="Your sum takes in more products than a window has.",
            concept="What there are `n` of is numbered from 0 to `n - 1`: a loop over it ends "
            "before `n`.",
            line="`a < k_h`, `b < k_w`, `c < i_c`, with `<`.",
        ),
        Misconception(
            "padding where there is none",
            direct(
                ("(s_h * h + a) * i_w + s_w * v + b", "(s_h * h + a - 1) * i_w + s_w * v + b - 1")
            ),
            symptom="Your windows begin one pixel too far up and to the left, before the image.",
            concept="There is no padding in this exercise: the first window begins at pixel (0, "
            "0).",
            line="`s_h * h + a`, `s_w * v + b`.",
        ),
        Misconception(
            "stride down forgotten",
            direct(("(s_h * h + a) * i_w", "(h + a) * i_w")),
            symptom="With a vertical stride of 1 all is right.",
            concept="The window of output row `h` begins `s_h * h` rows down.",
            line="`s_h * h + a`.",
        ),
        Misconception(
            "stride across forgotten",
            direct(("s_w * v + b", "v + b")),
            symptom="With a horizontal stride of 1 all is right.",
            concept="The window of output column `v` begins `s_w * v` columns to the right.",
            line="`s_w * v + b`.",
        ),
        Misconception(
            "sum begun with 1",
            direct(("float sum = 0;", "float sum = 1;")),
            symptom="All your values are too large by one and the same number.",
            concept="An empty sum is 0.",
            line="`float sum = 0;`",
        ),
        Misconception(
            "window of 3 × 3",
            direct(("a < k_h", "a < 3"), ("b < k_w", "b < 3")),
            symptom="With 3 × 3 weights all is right; with others you read weights that are not "
            "there.",
            concept="`k_h` and `k_w` are arguments, and in the cases they are 2 and 3.",
            line="The arguments for each 3: `a < k_h`, `b < k_w`, `a * k_w + b`.",
        ),
        Misconception(
            "a sum of whole numbers",
            direct(("float sum = 0", "int sum = 0")),
            symptom="Your values are whole numbers: the sum is an `int`.",
            concept="`int += float` adds as floats, and cuts the fraction off when it is stored.",
            line="`float sum`, and no `int`.",
        ),
        Misconception(
            "output's width for the input's",
            direct(("h + a) * i_w", "h + a) * o_w")),
            symptom="Row 0 of the image is read right; the rows further down begin too early.",
            concept="Going one row down in `x` skips a row of `x`: `i_w` pixels.",
            line="The row begins at pixel `(s_h * h + a) * i_w`.",
        ),
        Misconception(
            "channels as planes",
            direct(
                (
                    "x[((s_h * h + a) * i_w + s_w * v + b) * i_c + c]",
                    "x[(c * i_h + s_h * h + a) * i_w + s_w * v + b]",
                )
            ),
            symptom="With one channel all is right; else you read each channel as an image of its "
            "own.",
            concept="`x` is `[i_h, i_w, i_c]`: the channels of a pixel are neighbours.",
            line="`c` counts fastest: `x[(... * i_w + ...) * i_c + c]`.",
        ),
    ],
)
