"""Lab 16, exercise 1: the rows that each worker's band of outputs needs."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import layer
from . import bands_wrong as wrong
from .layers import DEEP, PADDED, PLAIN, PROBLEM, SKIPPING, STRIDED, WIDE_HALO
from .layers import bands_by, rounded_shares, shares_of


def row_bands(problem, parts):
    return bands_by()(problem, parts)


EXERCISE = Exercise(
    name="row_bands",
    lab=16,
    reference=row_bands,
    task="The image rows and the rows of zeros that each worker's band of output rows needs.",
    calls_allowed=PROBLEM,
    cases=lambda rng: [
        (PADDED, 2),
        (PLAIN, 2),
        (STRIDED, 2),
        (DEEP, 3),
        (layer(rng, 25), 4),
        (PLAIN, 9),
        (STRIDED, 4),
        (SKIPPING, 2),
        (WIDE_HALO, 6),
    ],
    misconceptions=[
        Misconception(
            "no halo",
            wrong.no_halo,
            choices={"cut": (False,)},
            symptom="Your bands end where the next one begins: no row is with two workers.",
            concept="A window reaches `k_h - 1` rows beyond the one that it begins at. Those of a "
            "band's last window belong to the band, also where the neighbour has them "
            "too.",
            line="A band ends where its last window does, number `stop - 1`: "
            "`last = s_h * (stop - 1) - p_h + k_h`, cut off at `i_h`.",
        ),
        Misconception(
            "zeros at the cut",
            bands_by(zeros=lambda p, want, have: (p.p_h, p.p_h)),
            symptom="Every band gets `p_h` rows of zeros above and below, in the middle of the "
            "image too.",
            concept="Zeros stand for what lies outside the *image*. At a cut there are a "
            "neighbour's rows.",
            line="Zeros only where a wanted row is below 0, or `i_h` and above.",
        ),
        Misconception(
            "zeros at both borders",
            bands_by(
                zeros=lambda p, want, have: (
                    p.p_h * (want[0] == -p.p_h),
                    p.p_h * (want[1] == p.s_h * (p.o_h - 1) + p.k_h - p.p_h),
                )
            ),
            symptom="The first band always gets `p_h` rows of zeros above, the last one as many "
            "below, and no other band gets any.",
            concept="With a stride the last window may end before the padding does, or in the "
            "middle of it; and with many parts a second band may reach into it.",
            line="For each band as many zeros as its wanted rows go above 0, or beyond `i_h`.",
        ),
        Misconception(
            "one-sided halo",
            bands_by(upper=lambda p, begin: p.s_h * begin - (p.p_h if begin == 0 else 0)),
            symptom="Your first band is right. With padding the others begin `p_h` rows too late, "
            "zeros counted.",
            concept="With padding a window begins *above* the row that its output stands for, in "
            "every band. The halo has two sides.",
            line="`first = s_h * begin - p_h`, whatever `begin` is.",
        ),
        Misconception(
            "stride forgotten",
            wrong.no_stride,
            choices={"at": (("begin",), ("end",))},
            symptom="Right with a stride of 1.",
            concept="Output row h has its window at row `s_h·h` of the padded image.",
            line="Multiply `begin` and `stop - 1` by `problem.s_h`.",
        ),
        Misconception(
            "last rows lost",
            bands_by(shares=wrong.lost),
            symptom="Where the output rows divide evenly all is right; else some belong to nobody.",
            concept="`o_h // parts` rounds down.",
            line="The first `o_h % parts` bands have one output row more; a band that still has "
            "none is left out.",
        ),
        Misconception(
            "the rest on the last",
            bands_by(shares=wrong.last_takes_the_rest),
            symptom="All output rows are there, but the last worker has all that is left over.",
            concept="Everybody waits for the longest band: sizes may differ by one row, longer "
            "ones first.",
            line="`size, extra = divmod(o_h, parts)`: the first `extra` bands have `size + 1` "
            "rows, the others `size`. Bands of no row are left out.",
        ),
        Misconception(
            "stride phase",
            bands_by(lower=lambda p, stop: p.s_h * stop - 1 + p.k_h - p.p_h),
            symptom="Right with a stride of 1; else your bands reach `s_h - 1` rows too far, "
            "zeros counted.",
            concept="The last window of the band is number `stop - 1`; the next one would begin "
            "`s_h` rows later, not one.",
            line="The stride times `stop - 1`: `last = s_h * (stop - 1) - p_h + k_h`.",
        ),
        Misconception(
            "one row short",
            bands_by(lower=lambda p, stop: p.s_h * (stop - 1) + p.k_h - 1 - p.p_h),
            symptom="Each band is one row too short, zeros counted.",
            concept="`last` is the first row that is *not* needed, so that `x[first:last]` is the "
            "band.",
            line="Rows `s` to `s + k_h - 1` are `[s, s + k_h)`.",
        ),
        Misconception(
            "last row included",
            wrong.last_included,
            symptom="Your `last` is a row that the band still needs.",
            concept="Intervals here do not include their end, like slices.",
            line="One more: `x[first:last]` is to be the band.",
        ),
        *wrong.HALF_WINDOWS,
        Misconception(
            "width for height",
            bands_by(lower=lambda p, stop: p.s_h * (stop - 1) + p.k_w - p.p_h),
            symptom="Right where windows are square.",
            concept="Rows lie along the height: every size that counts here ends in `_h`.",
            line="`k_h`, not `k_w`.",
        ),
        Misconception(
            "bands without rows",
            bands_by(shares=wrong.empty_too),
            symptom="With more workers than output rows, some of your bands have no row to make.",
            concept="A worker that has nothing to make needs no rows of the image.",
            line="Leave out a band whose `begin` is its `stop`.",
        ),
        Misconception(
            "a band of nothing",
            wrong.nothing_to_make,
            choices={"band": (lambda p: (p.i_h, p.i_h, 0, 0), lambda p: None)},
            symptom="With more parts than output rows you return a band for each part all the "
            "same. The first ones are right.",
            concept="A part that has no output row to make gets no band: then there are fewer "
            "bands than parts.",
            line="`min(parts, o_h)` bands in all, with nothing behind them.",
        ),
        Misconception(
            "rows of the padded image",
            bands_by(
                upper=lambda p, begin: p.s_h * begin,
                lower=lambda p, stop: p.s_h * (stop - 1) + p.k_h,
            ),
            symptom="Without padding you are right; else your windows lie `p_h` rows too far down.",
            concept="`s_h·h` counts rows of the *padded* image. Its row 0 is row `-p_h` of the "
            "image that you cut.",
            line="Subtract `problem.p_h`.",
        ),
        Misconception(
            "the image cut, not the output",
            wrong.of_the_image,
            choices={"half": (True,)},
            symptom="You share the rows of the image.",
            concept="What each worker has to *make* is output rows. Share those, and then ask what "
            "they need; with a stride or a large window that is another cut.",
            line="Begin with `problem.o_h` and `parts`.",
        ),
        Misconception(
            "begin and length",
            lambda problem, parts: tuple(
                (first, last - first, top, bottom)
                for first, last, top, bottom in row_bands(problem, parts)
            ),
            symptom="Your second number is how many rows a band has.",
            concept="`x[first:last]` is to be the band.",
            line="Return where it ends, not how long it is.",
        ),
        Misconception(
            "zeros exchanged",
            bands_by(zeros=lambda p, want, have: (want[1] - have[1], have[0] - want[0])),
            symptom="Your zeros above and below have changed places.",
            concept="Above comes first: `top`, then `bottom`.",
            line="`top` rows are missing before row 0, `bottom` rows from `i_h` on.",
        ),
        Misconception(
            "no zeros",
            bands_by(zeros=lambda p, want, have: (0, 0)),
            symptom="Layers without padding are right; in others the bands at the border lack "
            "their zeros.",
            concept="What lies outside the image is not in any band. Somebody has to say how "
            "many rows of zeros stand for it.",
            line="`top` is how far the wanted rows go above row 0, `bottom` how far beyond `i_h`.",
        ),
        Misconception(
            "not cut off at the image",
            lambda problem, parts: tuple(
                (
                    problem.s_h * begin - problem.p_h,
                    problem.s_h * (stop - 1) + problem.k_h - problem.p_h,
                    0,
                    0,
                )
                for begin, stop in shares_of(problem.o_h, parts)
            ),
            symptom="Layers without padding are right; in others your first band begins above row"
            " 0.",
            concept="`x[-1:5]` is not what it looks like: in Python -1 is the last row.",
            line="`max(0, ...)` and `min(i_h, ...)`, and the rest as rows of zeros.",
        ),
        Misconception(
            "the output's rows",
            lambda problem, parts: tuple(
                (begin, stop, 0, 0) for begin, stop in shares_of(problem.o_h, parts)
            ),
            symptom="You return which rows of the *output* each worker makes.",
            concept="Asked for is what it needs for that: rows of the image.",
            line="`s_h * begin - p_h` to `s_h * (stop - 1) + k_h - p_h`; what of this lies "
            "outside the image is `top` and `bottom`.",
        ),
        Misconception(
            "a stride too far",
            wrong.a_stride_too_far,
            symptom="Your bands begin at the right row and end `s_h` rows too low, zeros counted.",
            concept="`stop` is not among the outputs. The last one is `stop - 1`, and its window "
            "begins at `s_h * (stop - 1) - p_h`.",
            line="`last = s_h * (stop - 1) - p_h + k_h`.",
        ),
        Misconception(
            "zeros counted, and rows not cut off",
            wrong.beyond_the_image,
            symptom="The rows of zeros are right. With padding your bands reach beyond the image, "
            "where these zeros are to be.",
            concept="What lies outside the image is not there to be sent: it is told by `top` and "
            "`bottom`.",
            line="`max(0, first)` and `min(i_h, last)`.",
        ),
        Misconception(
            "as long as the first",
            bands_by(shares=wrong.rounded_up),
            symptom="All your bands are as long as the first, but for the last one, which gets "
            "what is left; there may even be too few of them.",
            concept="As even as can be means that no two bands differ by more than a row.",
            line="The first `extra` bands have `size + 1` rows, the others `size`, with `size, "
            "extra = divmod(o_h, parts)`; a band of none is left out.",
        ),
        Misconception(
            "no zeros below",
            bands_by(zeros=lambda p, want, have: (have[0] - want[0], 0)),
            symptom="There are never zeros below your bands.",
            concept="How many rows are missing is told by the end that is *wanted*. Once it is cut "
            "off at `i_h`, nothing is beyond it.",
            line="`bottom = max(0, last - i_h)` before `last = min(last, i_h)`.",
        ),
        Misconception(
            "no zeros above",
            bands_by(zeros=lambda p, want, have: (0, want[1] - have[1])),
            symptom="There are never zeros above your bands.",
            concept="How many rows are missing is told by the begin that is *wanted*. Once it is "
            "cut off at 0, nothing is below it.",
            line="`top` is how far `s_h * begin - p_h` lies below 0, before you cut that off.",
        ),
        Misconception(
            "cuts rounded",
            bands_by(shares=rounded_shares),
            symptom="Your bands are even, but the longer ones do not all come first.",
            concept="`i * o_h / parts`, rounded, puts the extra rows anywhere.",
            line="`divmod(o_h, parts)`: the first bands get the extra rows, one each.",
        ),
        Misconception(
            "cuts rounded down",
            bands_by(shares=wrong.cuts_down),
            symptom="Your bands are even, but where rows are left over the longer ones come last,"
            " or in between.",
            concept="`i * o_h // parts` spreads the rest. Here the first bands take it.",
            line="`size, extra = divmod(o_h, parts)`; a band begins at `i * size + min(i, extra)`.",
        ),
        Misconception(
            "rows without their zeros",
            lambda problem, parts: tuple(band[:2] for band in row_bands(problem, parts)),
            symptom="Your rows of the image are right; the rows of zeros are missing.",
            concept="A worker must know how many rows of zeros to put above and below.",
            line="`(first, last, top, bottom)` for each band.",
        ),
        Misconception(
            "width's stride or padding",
            wrong.across,
            symptom="Right where strides and paddings are the same in both directions; else your "
            "rows are told by numbers of the columns.",
            concept="Bands are rows of the image, so strides and paddings that count here are "
            "those down the image.",
            line="`problem.s_h` and `problem.p_h`, not those of the width.",
            choices={"stride": (True,)},
        ),
        Misconception(
            "rows that no window reads",
            wrong.to_the_next_window,
            choices={"cut": (wrong.to_the_end, wrong.to_the_end_of_the_zeros)},
            symptom="With a stride, your bands may hold rows that no window reads.",
            concept="A band ends with its last window, also where the next window begins further "
            "down, or the image goes on.",
            line="`last = s_h * (stop - 1) - p_h + k_h`, cut off at `i_h`.",
        ),
        Misconception(
            "all zeros or none",
            bands_by(
                zeros=lambda p, want, have: (p.p_h * (want[0] < 0), p.p_h * (want[1] > p.i_h))
            ),
            symptom="A band that lies in the padding in part gets all `p_h` rows of it.",
            concept="Where `p_h` is 2, the second output row's window may begin one row above the "
            "image, not two.",
            line="`top = max(0, -first)`, `bottom = max(0, last - i_h)`, before you cut them off.",
        ),
    ],
)
