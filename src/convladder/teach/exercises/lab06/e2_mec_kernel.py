"""Lab 06, exercise 2: MEC's lowering, a thread for each value of L."""

from __future__ import annotations

from ....cpu import mec
from ....problem import ConvProblem
from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from .lowering import INSIDE, SOURCE, STORE
from .lowering_mistakes import TAKEN_FROM
from .sources import blocks, counting, edited

THREADS = 128

TOY = ConvProblem(1, 3, 4, 1, 2, 2, 1)
PROBLEMS = (
    TOY,
    ConvProblem(1, 5, 9, 2, 3, 3, 1, stride=(1, 2)),
    ConvProblem(1, 6, 7, 3, 3, 3, 1, stride=(1, 2), padding=(1, 2)),
    ConvProblem(1, 12, 20, 3, 7, 7, 1, padding=1),
)


def mec_kernel(x, problem):
    return mec.lower(x[None], problem)[0]


def _arguments(x, p):
    return (x, OUT, p.i_h, p.i_w, p.i_c, p.k_w, p.o_w, p.s_w, p.p_h, p.p_w)


def _image(rng, p):
    if p is TOY:
        return counting(p.i_h, p.i_w, p.i_c)
    return rng.standard_normal(p.input_shape[1:]).astype("float32")


EXERCISE = Exercise(
    name="mec_kernel",
    lab=6,
    reference=mec_kernel,
    task="MEC's lowering as a kernel, with a thread for each value of L.",
    cases=lambda rng: [(_image(rng, p), p) for p in PROBLEMS],
    kernel=KernelTask(
        name="lower",
        solution=SOURCE,
        arguments=_arguments,
        launch=lambda x, p: (blocks((p.o_w * p.padded_h * p.k_w * p.i_c, THREADS)), THREADS),
    ),
    misconceptions=[
        Misconception(
            "no test of the bounds",
            edited(SOURCE, ("    if (i >= o_w * padded_h * k_w * i_c) return;\n", "")),
            symptom="Threads of the last block write behind the end of `L`.",
            concept="The grid has whole blocks of 128 threads, and `L` is rarely a multiple of "
            "128 values long.",
            line="`if (i >= o_w * padded_h * k_w * i_c) return;`, with `>=` and these four.",
        ),
        Misconception(
            "bounds without the padding",
            edited(SOURCE, ("if (i >= o_w * padded_h", "if (i >= o_w * i_h")),
            symptom="Without vertical padding all is right; with it the last values of `L` are "
            "never written.",
            concept="`L` has a row for each row of the *padded* image.",
            line="Compare `i` with `o_w * padded_h * k_w * i_c`.",
        ),
        Misconception(
            "padding not subtracted",
            edited(SOURCE, ("% padded_h - p_h", "% padded_h"), ("+ b - p_w", "+ b")),
            symptom="Without padding all is right; with it the image stands too far up and to the "
            "left, and the zeros are on one side only.",
            concept="Row 0 of the padded image is a row of zeros. The image's own row 0 is the "
            "padded row `p_h`.",
            line="`row = ... - p_h` and `column = ... - p_w`.",
        ),
        Misconception(
            "border not tested",
            edited(SOURCE, (INSIDE, "true")),
            symptom="Without padding all is right; with it threads read beside the image.",
            concept="On the border `row` is negative or past the last row. No memory is there to "
            "be read, not even for a value that is then thrown away.",
            line="Test before you read: only where `row >= 0 && row < i_h && column >= 0 && "
            "column < i_w` is there an `x[...]`, and elsewhere `0.0f`.",
        ),
        Misconception(
            "far border not tested",
            edited(SOURCE, (INSIDE, "row >= 0 && column >= 0")),
            symptom="Where a window reaches over the image's end, below or on the right, you read "
            "what is not there.",
            concept="Padding surrounds the image: there is a first row to test for, and a last. "
            "Row `i_h` is outside already.",
            line="`row >= 0 && row < i_h && column >= 0 && column < i_w`, with `<` twice.",
        ),
        Misconception(
            "near border not tested",
            edited(SOURCE, (INSIDE, "row < i_h && column < i_w")),
            symptom="Where a window begins before the image, above it or on the left, you read "
            "what is not there.",
            concept="Above the image `row` is negative, which is less than `i_h` too.",
            line="The test needs `row >= 0` and `column >= 0` too, joined by `&&` to the others.",
        ),
        Misconception(
            "only the rows tested",
            edited(SOURCE, (INSIDE, "row >= 0 && row < i_h")),
            symptom="Where columns of the padding should be zeros, values of another row can "
            "stand.",
            concept="In memory the last pixel of the row above lies before a row, and behind it "
            "the first of the row below. Only at the array's two ends is nothing there.",
            line="The test needs `column >= 0` and `column < i_w` too, joined by `&&`.",
        ),
        Misconception(
            "zeros not written",
            edited(SOURCE, (STORE, "if (inside) L[i] = x[(row * i_w + column) * i_c + c];")),
            symptom="Without padding all is right; with it there is NaN where zeros belong.",
            concept="`L` is fresh memory: what no thread writes holds anything at all.",
            line="Every thread writes: `L[i] = inside ? x[...] : 0.0f;`",
        ),
        Misconception(
            "stride forgotten",
            edited(SOURCE, ("s_w * w + b", "w + b")),
            symptom="With a horizontal stride of 1 all is right; else your strips begin too far "
            "left.",
            concept="The window of output column `w` begins `s_w * w` columns into the image.",
            line="`column = s_w * w + b - p_w`.",
        ),
        Misconception(
            "rows outermost",
            edited(
                SOURCE,
                ("% padded_h - p_h", "/ o_w - p_h"),
                ("int w = i / (i_c * k_w * padded_h)", "int w = i / (i_c * k_w) % o_w"),
            ),
            symptom="The values are there, but a row of the image comes after the other, not a "
            "strip after the other.",
            concept="`L` is `[o_w, padded_h, k_w, i_c]`: the strip comes first, and changes "
            "slowest as the place in `L` grows.",
            line="`L[i]`, with `i / (i_c * k_w) % padded_h - p_h` for the row, `i / (i_c * k_w * "
            "padded_h)` for the strip. Or `L[((w * padded_h + r) * k_w + b) * i_c + c]`, `r` "
            "the padded row.",
        ),
        Misconception(
            "columns innermost",
            edited(
                SOURCE,
                ("int c = i % i_c", "int c = i / k_w % i_c"),
                ("int b = i / i_c % k_w", "int b = i % k_w"),
            ),
            symptom="With one channel all is right; else the channels of a pixel are pulled apart.",
            concept="The last axis of `L` is the channel: it changes fastest as the place in `L` "
            "grows.",
            line="`L[i]`, with `c = i % i_c`, then `b = i / i_c % k_w`. Or a place of your own "
            "that ends in `... * k_w + b) * i_c + c`.",
        ),
        Misconception(
            "padded width in x",
            edited(SOURCE, ("row * i_w + column", "row * (i_w + 2 * p_w) + column")),
            symptom="Without horizontal padding all is right; with it your rows begin at the "
            "wrong places.",
            concept="`x` is not padded: its rows are `i_w` pixels long. Only `row` and `column` "
            "know of the padding.",
            line="`row * i_w + column` is the number of the pixel in `x`.",
        ),
        Misconception(
            "edge repeated",
            edited(
                SOURCE,
                (
                    "int column = s_w * w + b - p_w;",
                    "int column = min(max(s_w * w + b - p_w, 0), i_w - 1);",
                ),
                ("% padded_h - p_h;", "% padded_h - p_h;\n    row = min(max(row, 0), i_h - 1);"),
            ),
            symptom="Without padding all is right; with it the border repeats the image's edge.",
            concept="Padding is zeros here. (Repeating the edge is another kind of padding.)",
            line="Leave row and column as they come, with no `min` or `max`; where they are "
            "outside the image, write `0.0f`.",
        ),
        Misconception(
            "rows not wrapped",
            edited(SOURCE, ("/ (i_c * k_w) % padded_h", "/ (i_c * k_w)")),
            symptom="The first strip is right; the later ones run out of the image below.",
            concept="`i / (i_c * k_w)` counts rows of all strips. After `padded_h` rows the next "
            "strip begins with row 0.",
            line="`i / (i_c * k_w) % padded_h`.",
        ),
        Misconception(
            "stride within the window",
            edited(SOURCE, ("s_w * w + b", "s_w * (w + b)")),
            symptom="With a horizontal stride of 1 all is right; else your strips leave out "
            "columns.",
            concept="The stride moves the window. Inside it columns are neighbours.",
            line="`s_w * w + b`.",
        ),
        Misconception(
            "channels forgotten",
            edited(SOURCE, ("(row * i_w + column) * i_c + c", "row * i_w + column + c")),
            symptom="With one channel all is right; else your pixels begin too early in `x`.",
            concept="A pixel is `i_c` values long, so pixel number p begins at `p * i_c`.",
            line="`x[(row * i_w + column) * i_c + c]`.",
        ),
        Misconception(
            "window before row",
            edited(
                SOURCE,
                ("int b = i / i_c % k_w", "int b = i / (i_c * padded_h) % k_w"),
                ("i / (i_c * k_w) % padded_h - p_h", "i / i_c % padded_h - p_h"),
            ),
            symptom="Each strip has all its values, but column after column, not row after row.",
            concept="`L` is `[o_w, padded_h, k_w, i_c]`: after the channel, `b` changes fastest.",
            line="`L[i]`, with `b = i / i_c % k_w`, row `i / (i_c * k_w) % padded_h - p_h`. Or "
            "`L[((w * padded_h + r) * k_w + b) * i_c + c]`, `r` the padded row.",
        ),
        Misconception(
            "one padding for both",
            edited(SOURCE, ("+ b - p_w", "+ b - p_h")),
            symptom="Where both paddings are the same all is right.",
            concept="`p_h` rows are added above, and `p_w` columns on the left.",
            line="The column less `p_w`, the row less `p_h`.",
        ),
        Misconception(
            "padding above not subtracted",
            edited(SOURCE, ("% padded_h - p_h", "% padded_h")),
            symptom="The columns are right; with vertical padding the image stands too far up.",
            concept="Padded row 0 is a row of zeros above the image: the image's own row 0 is "
            "padded row `p_h`.",
            line="`row = i / (i_c * k_w) % padded_h - p_h`.",
        ),
        Misconception(
            "padding on the left not subtracted",
            edited(SOURCE, ("+ b - p_w", "+ b")),
            symptom="The rows are right; with horizontal padding the image stands too far left.",
            concept="Padded column 0 is left of the image: the image's own column 0 is padded "
            "column `p_w`.",
            line="Subtract it: `column = s_w * w + b - p_w`.",
        ),
        Misconception(
            "only the columns tested",
            edited(SOURCE, (INSIDE, "column >= 0 && column < i_w")),
            symptom="Above the image or below it you read what is not there.",
            concept="`row` is negative above the image, and `i_h` or more below it.",
            line="The test needs `row >= 0` and `row < i_h`, joined by `&&` to those of the "
            "column.",
        ),
        Misconception(
            "padding times the stride",
            edited(SOURCE, ("s_w * w + b - p_w", "s_w * (w - p_w) + b")),
            symptom="With a horizontal stride of 1 all is right, and without padding; else your "
            "strips begin too far left.",
            concept="The stride is a step of the window. The padding is in pixels: it is taken "
            "off behind.",
            line="`s_w * w + b - p_w`.",
        ),
        Misconception(
            "padded once",
            edited(SOURCE, ("i_h + 2 * p_h", "i_h + p_h")),
            symptom="With vertical padding each strip is too short, and the next one begins too "
            "early.",
            concept="Padding is above *and* below.",
            line="`padded_h = i_h + 2 * p_h`, wherever a strip's rows are counted.",
        ),
        *TAKEN_FROM,
    ],
)
