"""Lab 04, exercise 1: rows in chunks, one for each thread."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit


def split(rows, parts):
    count = min(rows, parts)
    size, extra = divmod(rows, count)
    chunks, begin = [], 0
    for i in range(count):
        stop = begin + size + (i < extra)
        chunks.append((begin, stop))
        begin = stop
    return tuple(chunks)


STOP = "begin + size + (i < extra)"

EXERCISE = Exercise(
    name="split",
    lab=4,
    task="Split rows into chunks for threads: (begin, stop) pairs, of sizes that differ by one.",
    solution=split,
    cases=lambda rng: [
        *[(8, 2), (7, 3), (3, 5), (10, 4), (11, 4)],
        (whole(rng, 100, 300), whole(rng, 7, 16)),
        (1, 1),
    ],
    valid=lambda rows, parts: min(rows, parts) > 0,
    mend="`size, extra = divmod(rows, min(rows, parts))`; the first `extra` chunks have `size + 1` "
    "rows, the others `size`, and each begins at the stop of the one before",
    misconceptions=[
        Misconception(
            "a lost remainder",
            [
                edit(STOP, "begin + size"),
                edit("count = min(rows, parts)", "count = parts", STOP, "begin + size"),
            ],
            "The last rows are in no chunk unless the parts divide the rows evenly.",
            "`rows // parts` rounds down. The remainder needs threads too: one more row for some "
            "of the chunks.",
        ),
        Misconception(
            "the remainder in one chunk",
            [
                edit(STOP, "begin + size if i < count - 1 else rows"),
                edit(STOP, "begin + size + (extra if i == 0 else 0)"),
            ],
            "Every row is in a chunk, but one chunk takes the whole remainder.",
            "The other threads wait for the largest chunk. With 222 rows and 16 threads, one "
            "chunk of 27 rows takes twice as long as the others.",
        ),
        Misconception(
            "a chunk size rounded up",
            edit(
                "range(count)",
                "range(-(-rows // -(-rows // parts)))",
                STOP,
                "min(rows, begin - (-rows // parts))",
            ),
            "Your last chunk can be too short, or chunks are missing.",
            "A size rounded up makes chunks of 3, 3, 3 and 1 from 10 rows. Chunks of 3, 3, 2 and "
            "2 share the work more evenly.",
        ),
        Misconception(
            "longer chunks in the wrong places",
            [
                edit(STOP, "rows * (i + 1) // count"),
                edit(STOP, "round(rows * (i + 1) / count)"),
                edit(STOP, "begin + size + (i >= count - extra)"),
            ],
            "Every row is in one chunk, and the sizes are right, but not their order.",
            "The task asks for the longer chunks first: the last work to begin should be short.",
        ),
        Misconception(
            "empty chunks",
            edit("count = min(rows, parts)", "count = parts"),
            "With more parts than rows, some of your chunks have no row.",
            "A thread with an empty chunk starts and finds nothing to do. `min(rows, parts)` "
            "chunks are enough.",
        ),
        Misconception(
            "an inclusive stop",
            edit("append((begin, stop))", "append((begin, stop - 1))"),
            "Each of your chunks ends one row early.",
            "A Python range leaves its stop out, so the stop of a chunk is the begin of the next.",
        ),
    ],
)
