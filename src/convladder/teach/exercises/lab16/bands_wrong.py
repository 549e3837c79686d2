"""Cuts of an image into bands of rows, as learners make them: lab 16, exercise 1."""

from __future__ import annotations

from ...grading.exercise import Misconception
from .layers import bands_by, shares_of


def to_the_end(problem, parts, zeros=False):
    """Let the last band have all the rows that are left, or those of the padded image."""
    return bands_by(
        lower=lambda p, stop: max(
            p.s_h * (stop - 1) + p.k_h - p.p_h, (p.i_h + zeros * p.p_h) * (stop == p.o_h)
        )
    )(problem, parts)


def to_the_end_of_the_zeros(problem, parts):
    return to_the_end(problem, parts, zeros=True)


def to_the_next_window(problem, parts, cut=None):
    """End a band at the next one's first window, or `k_h - s_h` rows behind it."""
    return (cut or bands_by(lower=lambda p, stop: p.s_h * stop - p.p_h + max(p.k_h - p.s_h, 0)))(
        problem, parts
    )


def half_windows(problem, parts, below=lambda k_h: k_h // 2 + 1):
    """Let a band begin half a window above its first row, and end so many rows below its last."""
    return bands_by(
        upper=lambda p, begin: p.s_h * begin - p.k_h // 2,
        lower=lambda p, stop: p.s_h * (stop - 1) + below(p.k_h),
    )(problem, parts)


def lost(rows, parts):
    size = rows // parts
    return [(i * size, (i + 1) * size) for i in range(parts)]


def last_takes_the_rest(rows, parts):
    cut = lost(rows, parts)
    return [*cut[:-1], (cut[-1][0], rows)]


def no_halo(problem, parts, cut=True):
    """End each band where the next one begins; cut: at the image's last row, with no zeros."""
    return bands_by(lower=lambda p, stop: min(p.i_h if cut else p.padded_h, p.s_h * stop - p.p_h))(
        problem, parts
    )


def no_stride(problem, parts, at=("begin", "end")):
    """Leave the stride out where a band begins, where it ends, or both."""
    return bands_by(
        upper=lambda p, begin: (1 if "begin" in at else p.s_h) * begin - p.p_h,
        lower=lambda p, stop: (1 if "end" in at else p.s_h) * (stop - 1) + p.k_h - p.p_h,
    )(problem, parts)


def of_the_image(problem, parts, half=False):
    """Cut the image's rows evenly, and put a halo round each piece: padding, or half a window."""
    p, found = problem, []
    halo = p.k_h // 2 if half else p.p_h
    shares = (
        shares_of(p.i_h, parts)
        if not half
        else [(p.i_h * i // parts, p.i_h * (i + 1) // parts) for i in range(parts)]
    )
    for begin, stop in shares:
        first, last = max(0, begin - halo), min(p.i_h, stop + halo)
        found.append((first, last, p.p_h if begin == 0 else 0, p.p_h if stop == p.i_h else 0))
    return tuple(found)


def last_included(problem, parts):
    return tuple(
        (first, last - 1, top, bottom) for first, last, top, bottom in bands_by()(problem, parts)
    )


def empty_too(rows, parts):
    size, extra = divmod(rows, parts)
    ends = [size * i + min(i, extra) for i in range(parts + 1)]
    return list(zip(ends, ends[1:]))


def nothing_to_make(problem, parts, band=lambda p: (0, 0, 0, 0)):
    """Give a band to those as well who have no row to make."""
    return bands_by()(problem, parts) + (band(problem),) * (parts - problem.o_h)


def a_stride_too_far(problem, parts):
    p, found = problem, []
    for begin, stop in shares_of(p.o_h, parts):
        first, last = p.s_h * begin - p.p_h, p.s_h * stop - p.p_h + p.k_h
        found.append((max(0, first), min(p.i_h, last), max(0, -first), max(0, last - p.i_h)))
    return tuple(found)


def beyond_the_image(problem, parts):
    return tuple(
        (first - top, last + bottom, top, bottom)
        for first, last, top, bottom in bands_by()(problem, parts)
    )


def rounded_up(rows, parts):
    size = -(-rows // parts)
    return [(begin, min(begin + size, rows)) for begin in range(0, rows, size)]


def cuts_down(rows, parts):
    ends = [i * rows // parts for i in range(parts + 1)]
    return [(begin, stop) for begin, stop in zip(ends, ends[1:]) if stop > begin]


def across(problem, parts, stride=False):
    """Take the padding across, or the stride across, for that down."""
    return bands_by(
        upper=lambda p, begin: (p.s_w if stride else p.s_h) * begin - (p.p_h if stride else p.p_w),
        lower=lambda p, stop: (
            (p.s_w if stride else p.s_h) * (stop - 1) + p.k_h - (p.p_h if stride else p.p_w)
        ),
    )(problem, parts)


def longer_last(rows, parts):
    return [(rows - stop, rows - begin) for begin, stop in reversed(shares_of(rows, parts))]


HALF_WINDOWS = [
    Misconception(
        "longer bands last",
        bands_by(shares=longer_last),
        symptom="Your bands are even, but the longer ones come last.",
        concept="Where rows are left over, the first bands have one more: so everybody's cut is "
        "the same.",
        line="Band number `i` has `size + 1` rows if `i < extra`, with `size, extra = divmod(o_h, "
        "parts)`.",
    ),
    Misconception(
        "half a window on either side",
        half_windows,
        choices={"below": (lambda k_h: -(-k_h // 2),)},
        symptom="Right where `k_h` is `2·p_h + 1`.",
        concept="A window begins `p_h` rows above the image, whatever its own height: without "
        "padding, output row 0 begins at row 0.",
        line="`s_h * begin - p_h` is where a band begins, and `s_h * (stop - 1) - p_h + k_h` where "
        "it ends.",
    ),
    Misconception(
        "half a window, and no stride",
        bands_by(
            upper=lambda p, begin: begin - p.k_h // 2, lower=lambda p, stop: stop + p.k_h // 2
        ),
        symptom="Right where the stride is 1 and `k_h` is `2·p_h + 1`.",
        concept="Output row `begin` looks at image rows from `s_h * begin - p_h` on, however "
        "large its window is.",
        line="A band is from `s_h * begin - p_h` to `s_h * (stop - 1) - p_h + k_h`, before you "
        "cut off what lies outside the image.",
    ),
    Misconception(
        "half a window beyond the rows",
        bands_by(
            upper=lambda p, begin: p.s_h * begin - p.k_h // 2,
            lower=lambda p, stop: p.s_h * stop + p.k_h // 2,
        ),
        symptom="Your bands reach `k_h // 2` rows beyond `s_h * begin` and `s_h * stop`: right "
        "where the stride is 1 and `k_h` is `2·p_h + 1`.",
        concept="Where the first window begins is told by the padding, not by its height: "
        "without padding, at row 0. And the last one is that of row `stop - 1`.",
        line="`first = s_h * begin - p_h` and `last = s_h * (stop - 1) - p_h + k_h`, before "
        "you cut them off.",
    ),
]
