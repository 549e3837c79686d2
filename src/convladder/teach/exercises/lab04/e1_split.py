"""Lab 04, exercise 1: rows in chunks, one for each thread."""

from __future__ import annotations

import math

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole
from .layers import chunks_of, remainder_lost


def split(rows, parts):
    return chunks_of(rows, parts)


def _bounds(rows, parts):
    return tuple((rows * i // parts, rows * (i + 1) // parts) for i in range(parts))


def _remainder_last(rows, parts, fewer=False):
    parts = min(rows, parts) if fewer else parts
    chunks = remainder_lost(rows, parts)
    return (*chunks[:-1], (chunks[-1][0], rows))


def _rounded_up(rows, parts):
    size = -(-rows // parts)
    return tuple((begin, min(begin + size, rows)) for begin in range(0, rows, size))


def _empty_kept(rows, parts):
    return split(rows, parts) + ((rows, rows),) * (parts - min(rows, parts))


def _rounded_bounds(rows, parts, to=round):
    ends = [to(rows * i / parts) for i in range(parts + 1)]
    return tuple((a, b) for a, b in zip(ends, ends[1:]) if b > a)


def _dealt(rows, parts):
    """Deal the rows out like cards; of each hand return the first row, and the last plus 1."""
    hands = [range(i, rows, parts) for i in range(min(rows, parts))]
    return tuple((hand[0], hand[-1] + 1) for hand in hands)


def _a_row_each(rows, parts):
    return tuple((i, i + 1) for i in range(min(rows, parts)))


def _true_division(rows, parts):
    count = min(rows, parts)
    return tuple((rows * i / count, rows * (i + 1) / count) for i in range(count))


EXERCISE = Exercise(
    name="split",
    lab=4,
    reference=split,
    task="Split rows into chunks for threads: (begin, stop) pairs, of sizes that differ by one.",
    cases=lambda rng: [
        (8, 2),
        (7, 3),
        (3, 5),
        (10, 4),
        (11, 4),
        (whole(rng, 100, 300), whole(rng, 7, 16)),
        (1, 1),
    ],
    misconceptions=[
        Misconception(
            "remainder lost",
            lambda rows, parts, fewer=False: remainder_lost(
                rows, min(rows, parts) if fewer else parts
            ),
            choices={"fewer": (True,)},
            symptom="Where rows are left over, the last ones are in no chunk, and nobody would "
            "compute them.",
            concept="`rows // parts` rounds down. What is left over, `rows % parts` rows, must go "
            "to somebody: one more row for as many chunks.",
            line="`size, extra = divmod(rows, parts)`, and `min(rows, parts)` chunks: the first "
            "`extra` have `size + 1` rows, the others `size`, each from the stop of the one "
            "before.",
        ),
        Misconception(
            "remainder on the last",
            _remainder_last,
            choices={"fewer": (True,)},
            symptom="Every row is there, but your last chunk takes all that is left over.",
            concept="The others wait for the largest chunk. 222 rows over 16 threads: your last "
            "one has 27 rows and the others 13, so half of the time 15 threads wait.",
            line="One row more for each of the first `rows % parts` chunks, of "
            "`min(rows, parts)`. Each begins where the one before stops.",
        ),
        Misconception(
            "remainder on the first",
            lambda rows, parts: tuple(
                (a + (rows % min(rows, parts)) * (i > 0), b + rows % min(rows, parts))
                for i, (a, b) in enumerate(remainder_lost(rows, min(rows, parts)))
            ),
            symptom="Every row is there, but your first chunk takes all that is left over.",
            concept="The others wait for the largest chunk. What is left over is at most a row for "
            "each.",
            line="`size, extra = divmod(rows, parts)`: one row more than `size` for each of the "
            "first `extra` chunks, and each begins where the one before stops.",
        ),
        Misconception(
            "begin not moved along",
            lambda rows, parts: tuple(
                (i * size, (i + 1) * size + (i < extra))
                for size, extra in [divmod(rows, parts)]
                for i in range(min(rows, parts))
            ),
            symptom="Where the rows divide evenly all is right; else chunks overlap, and some "
            "rows at the end are in none.",
            concept="A chunk of `size + 1` rows moves the begin of all that follow by one.",
            line="The begin of a chunk is the stop of the one before; or `i * size + min(i, "
            "extra)`.",
        ),
        Misconception(
            "size rounded up",
            _rounded_up,
            symptom="Every row is there once. But where rows do not divide evenly, your last "
            "chunk can be too short, or chunks are missing.",
            concept="With the size rounded up, 10 rows over 4 threads are 3, 3, 3, 1. Two chunks "
            "of 3 and two of 2 are as long, and leave nobody idle as long.",
            line="`divmod(rows, parts)` gives the smaller size, and how many chunks need one row "
            "more: the first ones, of `min(rows, parts)`.",
        ),
        Misconception(
            "longer chunks not first",
            lambda rows, parts: _bounds(rows, min(rows, parts)),
            symptom="A right split, but not the one asked for: the chunks with one row more shall "
            "come first.",
            concept="Sizes may be dealt out in any order; a check needs one. Longer first is also "
            "the better habit: what is begun last should be short.",
            line="With `size, extra = divmod(rows, parts)`, chunk `i` has `size + 1` rows if "
            "`i < extra`, else `size`.",
        ),
        Misconception(
            "one chunk where rows are few",
            lambda rows, parts: ((0, rows),) if parts > rows else split(rows, parts),
            symptom="With more parts than rows you return a single chunk, of all rows.",
            concept="Three rows over five threads keep three threads busy. Two stay idle, not "
            "four.",
            line="`min(rows, parts)` chunks, of one row each where rows are few.",
        ),
        Misconception(
            "empty chunks",
            _empty_kept,
            symptom="With more parts than rows you return chunks that hold no row.",
            concept="A thread that gets an empty chunk is started, finds nothing to do, and in "
            "some libraries an array with no rows is an error.",
            line="There are `min(rows, parts)` chunks.",
        ),
        Misconception(
            "stop belongs to the chunk",
            lambda rows, parts: tuple((a, b - 1) for a, b in split(rows, parts)),
            symptom="Each of your chunks ends one row early.",
            concept="In Python a range is `begin` up to, but not including, `stop`. The stop of "
            "one chunk is the begin of the next.",
            line="A stop is the chunk's last row plus 1. `range(begin, stop)` and "
            "`a[begin:stop]` leave it out already.",
        ),
        Misconception(
            "begin after the stop",
            lambda rows, parts: tuple(
                (a + (i > 0), b) for i, (a, b) in enumerate(split(rows, parts))
            ),
            symptom="From the second chunk on each begins one row late: the row between two "
            "chunks is in neither.",
            concept="`stop` is the first row that is *not* in the chunk. So it is the first of "
            "the next.",
            line="The next chunk begins at `stop`, not at `stop + 1`.",
        ),
        Misconception(
            "begin and length",
            lambda rows, parts: tuple((a, b - a) for a, b in split(rows, parts)),
            symptom="Your second numbers are how many rows a chunk has, not where it ends.",
            concept="A pair is `(begin, stop)`, so that `L[begin:stop]` is the chunk.",
            line="Return `(begin, begin + size)`.",
        ),
        Misconception(
            "rows dealt out in turns",
            lambda rows, parts: tuple((i, rows) for i in range(min(rows, parts))),
            symptom="All of your chunks end at the last row: they overlap.",
            concept="A chunk is in one piece here, and no row is in two chunks. Two threads that "
            "write the same row race for it.",
            line="With `size, extra = divmod(rows, parts)`, chunk `i` stops at "
            "`begin + size + (i < extra)`, and the next one begins there.",
        ),
        Misconception(
            "rows dealt out like cards",
            _dealt,
            symptom="Your chunks overlap: chunk `i` begins at row `i`, and ends behind the last "
            "row that is a multiple of `parts` further on.",
            concept="A pair `(begin, stop)` means *all* rows from `begin` to `stop`. Rows that "
            "are `parts` apart are no such chunk, only rows that follow one another are.",
            line="Deal out lengths, not rows: with `size, extra = divmod(rows, parts)`, chunk `i` "
            "has `size + (i < extra)` rows, from the stop of the one before.",
        ),
        Misconception(
            "bounds rounded",
            _rounded_bounds,
            choices={"to": (math.ceil,)},
            symptom="Every row is there once, and sizes differ by one; but the longer chunks "
            "are not the first ones.",
            concept="Bounds that are rounded, as by `round(rows * i / parts)`, put the longer "
            "chunks wherever the rounding falls.",
            line="`size, extra = divmod(rows, parts)`: the first `extra` chunks are the longer "
            "ones, of `size + 1` rows.",
        ),
        Misconception(
            "a row for each",
            _a_row_each,
            symptom="Each of your chunks has a single row, and the other rows are in none.",
            concept="Threads are few and rows are many: a chunk is about `rows / parts` of them.",
            line="`size, extra = divmod(rows, parts)`, in this order; chunk `i` stops at "
            "`begin + size + (i < extra)`, where the next one begins.",
        ),
        Misconception(
            "true division",
            _true_division,
            symptom="Bounds of yours are floats.",
            concept="`/` always gives a float, and so does `np.linspace`; no slice takes one. Rows "
            "come whole.",
            line="`size, extra = divmod(rows, parts)`: bounds that are made of these by adding and "
            "multiplying are whole.",
        ),
        Misconception(
            "chunks of parts rows",
            lambda rows, parts: tuple(
                (begin, min(begin + parts, rows)) for begin in range(0, rows, parts)
            ),
            symptom="Your chunks have `parts` rows each, but for what is left to the last.",
            concept="`parts` is how many chunks there are. Their size follows from that: about "
            "`rows / parts`.",
            line="`size, extra = divmod(rows, parts)`, and a chunk for each `i` below "
            "`min(rows, parts)`: of `size + 1` rows if `i < extra`, else of `size`.",
        ),
        Misconception(
            "sizes, not pairs",
            lambda rows, parts: tuple(b - a for a, b in split(rows, parts)),
            symptom="You return how many rows each chunk has.",
            concept="A thread must know where its rows begin, too.",
            line="Add the sizes up: a chunk is `(begin, begin + size)`, and the next one begins "
            "where it stops.",
        ),
        Misconception(
            "last chunk missing",
            lambda rows, parts: split(rows, parts)[:-1],
            symptom="Your last chunk is missing; the others are right.",
            concept="`parts` chunks have `parts - 1` cuts between them, and one more chunk than "
            "cuts.",
            line="A chunk for each `i` in `range(min(rows, parts))`: the last one stops at `rows`, "
            "and belongs into what you return, too.",
        ),
        Misconception(
            "rows counted from 1",
            lambda rows, parts: tuple((a + 1, b + 1) for a, b in split(rows, parts)),
            symptom="All your bounds are one too large.",
            concept="Rows are counted as arrays are, from 0.",
            line="The first chunk begins at 0.",
        ),
        Misconception(
            "a chunk too many",
            lambda rows, parts: split(rows, parts + 1),
            symptom="Where there are rows enough, you have one chunk more than there are threads.",
            concept="`parts` chunks have `parts - 1` cuts between them.",
            line="`divmod(rows, parts)`, and `for i in range(min(rows, parts))`: no `+ 1` to "
            "`parts` in either.",
        ),
        Misconception(
            "longest last",
            lambda rows, parts: tuple(
                (rows - b, rows - a) for a, b in reversed(split(rows, parts))
            ),
            symptom="A right split, but the chunks with one row more come last.",
            concept="The first `rows % parts` chunks shall have the row more.",
            line="`size, extra = divmod(rows, parts)`, and `size + (i < extra)` rows, with `<`, "
            "for chunk `i`.",
        ),
    ],
)
