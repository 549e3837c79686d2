"""Lab 04: work split over threads, what that can gain, and how many threads are too many."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from convladder.cpu import im2col, mec
from convladder.cpu.im2col import pad, padded_bytes
from convladder.problem import ConvProblem
from convladder.teach.exercise import Exercise, Misconception
from convladder.teach.exercises.lab03 import PADDED, PHOTO, PROBLEM, STRIDED, _image, _kernel
from convladder.teach.rehearsal import RehearsalLimit, RehearsalPool, RehearsalTask

TOY = ConvProblem(1, 3, 6, 1, 2, 2, 1)
REHEARSAL = ("convladder.teach.rehearsal",)  # the pool and the limit that the cases hand over
SCRATCH = 2**16  # bytes for the objects of a pool and its tasks


# --- split ------------------------------------------------------------------------------------


def split(rows, parts):
    chunks, begin = [], 0
    for left in range(min(rows, parts), 0, -1):
        stop = begin + -(-(rows - begin) // left)
        chunks.append((begin, stop))
        begin = stop
    return tuple(chunks)


def _bounds(rows, parts):
    return tuple((rows * i // parts, rows * (i + 1) // parts) for i in range(parts))


def _remainder_lost(rows, parts):
    size = rows // parts
    return tuple((i * size, (i + 1) * size) for i in range(parts))


def _remainder_last(rows, parts):
    chunks = _remainder_lost(rows, parts)
    return (*chunks[:-1], (chunks[-1][0], rows))


def _rounded_up(rows, parts):
    size = -(-rows // parts)
    return tuple((begin, min(begin + size, rows)) for begin in range(0, rows, size))


def _empty_kept(rows, parts):
    return split(rows, parts) + ((rows, rows),) * (parts - min(rows, parts))


Exercise(
    name="split", lab=4, reference=split,
    task="Split rows into chunks for threads: (begin, stop) pairs, of sizes that differ by one.",
    cases=lambda rng: [(8, 2), (7, 3), (3, 5), (10, 4), (11, 4), (222, 16), (1, 1)],
    misconceptions=[
        Misconception(
            "remainder lost", _remainder_lost,
            symptom="Where the rows divide evenly all is right; else the last rows are in no "
                    "chunk, and nobody would compute them.",
            concept="`rows // parts` rounds down. What is left over, `rows % parts` rows, must go "
                    "to somebody: one more row for as many chunks.",
            line="`size, extra = divmod(rows, parts)`: the first `extra` chunks have "
                 "`size + 1` rows."),
        Misconception(
            "remainder on the last", _remainder_last,
            symptom="Every row is there, but your last chunk takes all that is left over.",
            concept="The others wait for the largest chunk. 222 rows over 16 threads: your last "
                    "one has 27 rows and the others 13, so half of the time 15 threads wait.",
            line="Give one row more to each of the first `rows % parts` chunks."),
        Misconception(
            "size rounded up", _rounded_up,
            symptom="Every row is there once, but the sizes differ by more than one, and some "
                    "threads get no chunk.",
            concept="With the size rounded up, 10 rows over 4 threads are 3, 3, 3, 1. Two chunks "
                    "of 3 and two of 2 are as long, and leave nobody idle as long.",
            line="`divmod(rows, parts)` gives the smaller size and how many chunks need one row "
                 "more."),
        Misconception(
            "longer chunks last",
            lambda rows, parts: _bounds(rows, min(rows, parts)),
            symptom="A right split, but not the one asked for: the chunks with one row more shall "
                    "come first.",
            concept="Sizes may be dealt out in any order; a check needs one. Longer first is also "
                    "the better habit: what is begun last should be short.",
            line="Chunk `i` has `size + 1` rows if `i < extra`, else `size`."),
        Misconception(
            "empty chunks", _empty_kept,
            symptom="With more parts than rows you return chunks that hold no row.",
            concept="A thread that gets an empty chunk is started, finds nothing to do, and in "
                    "some libraries an array with no rows is an error.",
            line="There are `min(rows, parts)` chunks."),
        Misconception(
            "stop belongs to the chunk",
            lambda rows, parts: tuple((a, b - 1) for a, b in split(rows, parts)),
            symptom="Each of your chunks ends one row early.",
            concept="In Python a range is `begin` up to, but not including, `stop`. The stop of "
                    "one chunk is the begin of the next.",
            line="Take the `- 1` away: `range(begin, stop)` and `a[begin:stop]` leave out `stop` "
                 "already."),
        Misconception(
            "begin after the stop",
            lambda rows, parts: tuple((a + (i > 0), b) for i, (a, b)
                                      in enumerate(split(rows, parts))),
            symptom="From the second chunk on each begins one row late: the row between two "
                    "chunks is in neither.",
            concept="`stop` is the first row that is *not* in the chunk. So it is the first of "
                    "the next.",
            line="The next chunk begins at `stop`, not at `stop + 1`."),
        Misconception(
            "begin and length",
            lambda rows, parts: tuple((a, b - a) for a, b in split(rows, parts)),
            symptom="Your second numbers are how many rows a chunk has, not where it ends.",
            concept="A pair is `(begin, stop)`, so that `L[begin:stop]` is the chunk.",
            line="Return `(begin, begin + size)`."),
        Misconception(
            "rows dealt out in turns",
            lambda rows, parts: tuple((i, rows) for i in range(min(rows, parts))),
            symptom="All of your chunks end at the last row: they overlap.",
            concept="A chunk is in one piece here, and no row is in two chunks. Two threads that "
                    "write the same row race for it.",
            line="The begin of a chunk is the stop of the one before."),
    ],
)


# --- a lowering in threads --------------------------------------------------------------------


def _empty_lowered(p):
    return np.full((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.nan, np.float32)


def _strip(padded, w, p):
    return padded[:, :, p.s_w * w : p.s_w * w + p.k_w]


def _lower_with(chunks, strips, share):
    """A lowering of `chunks(o_w, n)`, each by `strips(L, padded, begin, stop, p)`.

    `share(pool, work, chunks)` hands the work out.
    """
    def lowered(x, problem, n, pool):
        p, padded = problem, pad(x, problem)
        L = _empty_lowered(p)
        share(pool, lambda begin, stop: strips(L, padded, begin, stop, p), chunks(p.o_w, n))
        return L
    return lowered


def _write(L, padded, begin, stop, p):
    for w in range(begin, stop):
        L[:, w] = _strip(padded, w, p)


def _write_all_but_last(L, padded, begin, stop, p):
    _write(L, padded, begin, stop - 1, p)


def _write_from_the_first_strip(L, padded, begin, stop, p):
    for w in range(begin, stop):
        L[:, w] = _strip(padded, w - begin, p)


def _write_without_stride(L, padded, begin, stop, p):
    for w in range(begin, stop):
        L[:, w] = padded[:, :, p.s_w * begin + (w - begin) :][:, :, : p.k_w]


def _submit_and_wait(pool, work, chunks):
    for future in [pool.submit(work, *chunk) for chunk in chunks]:
        future.result()


def _never_wait(pool, work, chunks):
    for chunk in chunks:
        pool.submit(work, *chunk)


def _wait_in_the_loop(pool, work, chunks):
    for chunk in chunks:
        pool.submit(work, *chunk).result()


def _call_at_once(pool, work, chunks):
    for future in [pool.submit(work(*chunk)) for chunk in chunks]:
        future.result()


def _bind_late(pool, work, chunks):
    futures = []
    for begin, stop in chunks:
        futures.append(pool.submit(lambda: work(begin, stop)))  # noqa: B023, the mistake itself
    for future in futures:
        future.result()




def _join_parts(x, problem, n, pool):
    p, padded = problem, pad(x, problem)

    def part(begin, stop):
        return np.stack([_strip(padded, w, p) for w in range(begin, stop)], axis=1)

    futures = [pool.submit(part, *chunk) for chunk in split(p.o_w, n)]
    return np.concatenate([future.result() for future in futures], axis=1)


def lower_in_threads(x, problem, n, pool):
    return _lower_with(split, _write, _submit_and_wait)(x, problem, n, pool)


def _lowering_case(rng, p, n):
    return _image(rng, p) if p is not TOY else np.arange(
        18, dtype=np.float32).reshape(p.input_shape), p, n, RehearsalPool(n, min(n, p.o_w))


WAIT = "Keep the futures in a list: `futures = [pool.submit(...) for ...]`, then `result()` of each"

Exercise(
    name="lower_in_threads", lab=4, reference=lower_in_threads, contiguous=True,
    task="Lower along the width with n threads, each writing strips of its own into one L.",
    calls_allowed=PROBLEM + REHEARSAL,
    workspace=lambda x, problem, n, pool: padded_bytes(problem) + SCRATCH,
    cases=lambda rng: [_lowering_case(rng, p, n)
                       for p, n in ((TOY, 2), (STRIDED, 2), (PADDED, 3), (PHOTO, 3))],
    misconceptions=[
        Misconception(
            "nobody waits", _lower_with(split, _write, _never_wait),
            symptom="You return `L` before anything is written into it: all of it is NaN.",
            concept="`submit` puts a task in a queue and comes back at once. With a real pool "
                    "some tasks may have finished by luck; nothing promises it.",
            line=f"{WAIT}, before you return `L`. (`pool.map` waits when you go through what it "
                 "returns.)"),
        Misconception(
            "waits in the loop", _lower_with(split, _write, _wait_in_the_loop),
            symptom="When you waited for the first time, a single task was in the queue: it runs, "
                    "and all other threads have nothing to do.",
            concept="`result()` waits. Called for each task before the next is submitted, it makes "
                    "one thread of many. So does a single task that does everything.",
            line="Two loops: the first submits every chunk, the second waits for every future."),
        Misconception(
            "called, not submitted", _lower_with(split, _write, _call_at_once),
            symptom="You called your function yourself and submitted what it returned.",
            concept="`pool.submit(strips(begin, stop))` runs `strips` in your own thread, then "
                    "hands its result, `None`, to the pool. The pool wants the function and its "
                    "arguments apart.",
            line="`pool.submit(strips, begin, stop)`."),
        Misconception(
            "the loop's last values", _lower_with(split, _write, _bind_late),
            symptom="Only the last chunk is written; the others are NaN.",
            concept="A `lambda` looks `begin` and `stop` up when it *runs*, and by then the loop "
                    "has moved on. All tasks do the last chunk. With a real pool it depends on "
                    "who is quicker.",
            line="Hand the values over when you submit: `pool.submit(strips, begin, stop)`."),
        Misconception(
            "remainder lost", _lower_with(_remainder_lost, _write, _submit_and_wait),
            symptom="Where the strips divide evenly all is right; else the last ones are NaN.",
            concept="`o_w // n` strips for each of n threads leaves `o_w % n` strips to nobody.",
            line="Use your `split(problem.o_w, n)`."),
        Misconception(
            "last strip of each chunk",
            _lower_with(split, _write_all_but_last, _submit_and_wait),
            symptom="In each chunk the last strip is NaN.",
            concept="`stop` is the first strip that is not in the chunk, and `range` leaves it out "
                    "already.",
            line="`for w in range(begin, stop)`, with no `- 1`."),
        Misconception(
            "every chunk from strip 0",
            _lower_with(split, _write_from_the_first_strip, _submit_and_wait),
            symptom="The first chunk is right, the others repeat it.",
            concept="Strip `w` begins at image column `s_w * w`, counted over the whole image, "
                    "whichever thread writes it.",
            line="Count `w` from `begin`, not from 0, where you slice the image."),
        Misconception(
            "stride inside the chunk",
            _lower_with(split, _write_without_stride, _submit_and_wait),
            symptom="With a horizontal stride of 1 all is right; else only the first strip of each "
                    "chunk is.",
            concept="Each strip begins `s_w` columns after the one before, within a chunk too.",
            line="The strip begins at `problem.s_w * w`."),
        Misconception(
            "parts joined afterwards", _join_parts,
            symptom="The values are right, but for a moment everything exists twice: the parts, "
                    "and their concatenation.",
            concept="Threads share memory. Each can write its strips into the one `L` at once: "
                    "the places are disjoint, so nobody is in anybody's way.",
            line="Write `L[:, w] = ...` inside the task and return nothing from it."),
    ],
)


# --- Amdahl -----------------------------------------------------------------------------------


def speedup(serial, n):
    return 1 / (serial + (1 - serial) / n)


Exercise(
    name="speedup", lab=4, reference=speedup,
    task="How many times faster is it on n threads, if a part of the work stays serial?",
    cases=lambda rng: [(0.2, 2), (0.5, 4), (0.0, 8), (1.0, 8), (0.05, 1000), (0.3, 1)],
    misconceptions=[
        Misconception(
            "parts exchanged", lambda serial, n: 1 / ((1 - serial) + serial / n),
            symptom="With half of the work serial you are right; the less is serial, the less you "
                    "gain: that is upside down.",
            concept="`serial` is the part that only one thread does. The other part, "
                    "`1 - serial`, is what n threads share.",
            line="Exchange `serial` and `1 - serial`."),
        Misconception(
            "time, not speed-up", lambda serial, n: serial + (1 - serial) / n,
            symptom="Your answers fall as threads are added.",
            concept="You computed the time that is left, as a part of the time on one thread. "
                    "A speed-up is old time over new time.",
            line="Return `1 / (...)` of it."),
        Misconception(
            "Gustafson's law", lambda serial, n: serial + (1 - serial) * n,
            symptom="Your answers grow with every thread, and pass the limit `1 / serial`.",
            concept="You let the work grow with the threads (Gustafson's law). Amdahl asks about "
                    "the same work: then the serial part alone takes `serial` of the time, "
                    "however many threads there are.",
            line="Divide the parallel part by n, do not multiply it; then divide 1 by the sum."),
        Misconception(
            "all of it shared", lambda serial, n: float(n),
            symptom="You return n, whatever the serial part.",
            concept="Only `1 - serial` of the work is divided by n.",
            line="Add what is not divided: `serial + (1 - serial) / n`, and divide 1 by that."),
        Misconception(
            "parallel part times n", lambda serial, n: (1 - serial) * n,
            symptom="With nothing serial you are right; with everything serial you get 0: "
                    "infinitely slow.",
            concept="Speed-ups of parts do not add up; times do. Add the times of both parts, and "
                    "take the quotient at the end.",
            line="The new time is `serial + (1 - serial) / n`; divide 1 by it."),
        Misconception(
            "serial part divided too", lambda serial, n: n / (1 + serial),
            symptom="Right with nothing serial; with everything serial you still gain.",
            concept="The serial part takes as long on n threads as on one.",
            line="Only `(1 - serial)` stands over `n`: `serial + (1 - serial) / n`."),
        Misconception(
            "in percent", lambda serial, n: 100 / (serial + (1 - serial) / n),
            symptom="Your answers are 100 times too large.",
            concept="A speed-up of 2 means: half of the time. It has no unit and is no percentage.",
            line="`1 / ...` in place of `100 / ...`."),
        Misconception(
            "one thread too many", lambda serial, n: 1 / (serial + (1 - serial) / (n + 1)),
            symptom="On one thread you find a gain already.",
            concept="The thread that waits for the others does no work: n threads are n workers.",
            line="Divide by `n`, not by `n + 1`."),
        Misconception(
            "the limit only", lambda serial, n: 1 / serial if serial else float(n),
            symptom="You return `1 / serial`, what infinitely many threads would reach.",
            concept="With n threads the parallel part still takes `(1 - serial) / n`.",
            line="Add `(1 - serial) / n` to what you divide by."),
    ],
)


# --- oversubscription -------------------------------------------------------------------------


def run_all(tasks, pool, workers, cores, limit):
    return _limited(lambda cores, workers: max(1, cores // workers))(
        tasks, pool, workers, cores, limit)


def _limited(share):
    def run(tasks, pool, workers, cores, limit):
        with limit(share(cores, workers)):
            futures = [pool.submit(task) for task in tasks]
            return tuple(future.result() for future in futures)
    return run


def _unlimited(tasks, pool, workers, cores, limit):
    return tuple(future.result() for future in [pool.submit(task) for task in tasks])


def _limit_in_each_task(tasks, pool, workers, cores, limit):
    def held(task):
        with limit(max(1, cores // workers)):
            return task()
    return tuple(future.result() for future in [pool.submit(held, task) for task in tasks])


def _limit_ends_early(tasks, pool, workers, cores, limit):
    with limit(max(1, cores // workers)):
        futures = [pool.submit(task) for task in tasks]
    return tuple(future.result() for future in futures)


def _no_pool(tasks, pool, workers, cores, limit):
    with limit(max(1, cores // workers)):
        return tuple(task() for task in tasks)


def _waits_for_each(tasks, pool, workers, cores, limit):
    with limit(max(1, cores // workers)):
        return tuple(pool.submit(task).result() for task in tasks)


def _last_first(tasks, pool, workers, cores, limit):
    return run_all(tasks, pool, workers, cores, limit)[::-1]


def _team(workers, cores, count):
    limit = RehearsalLimit(cores)
    tasks = [RehearsalTask(name, limit) for name in range(count)]
    return tasks, RehearsalPool(workers, min(workers, count)), workers, cores, limit


RULE = "`max(1, cores // workers)`"

Exercise(
    name="run_all", lab=4, reference=run_all,
    task="Run tasks in a pool so that workers times BLAS threads fit the cores.",
    calls_allowed=REHEARSAL,
    cases=lambda rng: [_team(2, 2, 3), _team(2, 8, 4), _team(4, 6, 5), _team(3, 8, 3),
                       _team(8, 4, 9)],
    misconceptions=[
        Misconception(
            "no limit", _unlimited,
            symptom="Inside your workers BLAS still has as many threads as there are cores.",
            concept="Each of the workers calls a BLAS that starts a thread for every core: workers "
                    "times cores threads want to run, on as many cores as before.",
            line=f"Put `with limit(...):` around the part that submits *and* waits, with {RULE}."),
        Misconception(
            "always one", _limited(lambda cores, workers: 1),
            symptom="Right where there are as many workers as cores; with fewer, cores stay idle.",
            concept="2 workers on 8 cores leave room for 4 BLAS threads each.",
            line=f"In place of 1 the limit is {RULE}."),
        Misconception(
            "as many as workers", _limited(min),
            symptom="You gave BLAS as many threads as there are workers.",
            concept="Workers and BLAS threads multiply. Their product should be the number of "
                    "cores, not its square.",
            line=f"The limit is {RULE}."),
        Misconception(
            "rounded up", _limited(lambda cores, workers: -(-cores // workers)),
            symptom="Right where the cores divide evenly; else a few threads too many run.",
            concept="4 workers with 2 threads each are 8 threads on 6 cores. One that must wait "
                    "for a core keeps all that wait for *it*.",
            line="Round down: `cores // workers`."),
        Misconception(
            "cores left over by workers",
            _limited(lambda cores, workers: max(1, cores - workers)),
            symptom="You subtracted the workers from the cores.",
            concept="A worker that waits inside BLAS computes with BLAS' threads, of which it is "
                    "one. So counts multiply, they do not add up.",
            line=f"Divide in place of subtracting: {RULE}."),
        Misconception(
            "down to zero", _limited(lambda cores, workers: cores // workers),
            symptom="With more workers than cores your limit is 0.",
            concept="`cores // workers` is 0 when there are more workers than cores, but even then "
                    "each BLAS needs a thread.",
            line=f"{RULE}: never less than one."),
        Misconception(
            "a fraction of a thread", _limited(lambda cores, workers: max(1, cores / workers)),
            symptom="`limit` was given a number with a decimal point.",
            concept="`/` always gives a float. Threads come in whole numbers.",
            line="Count with `//`."),
        Misconception(
            "limit inside the tasks", _limit_in_each_task,
            symptom="You set the limit inside each task, but it holds for the whole process.",
            concept="The first task to finish puts the old limit back, and the others go on with "
                    "all of BLAS' threads. Such a race shows only now and then.",
            line="Set the limit once, by the thread that submits: `with limit(...):` around "
                 "everything."),
        Misconception(
            "limit ends too early", _limit_ends_early,
            symptom="Your limit had ended before the tasks ran.",
            concept="`submit` comes back at once. The block is left while tasks still wait or run.",
            line="Wait inside the block: indent the lines with `result()` under `with limit(...)`."),
        Misconception(
            "no pool", _no_pool,
            symptom="You ran the tasks yourself, one after the other.",
            concept="`task()` runs in the thread that calls it. The pool's threads do nothing.",
            line="`pool.submit(task)`, without brackets after `task`."),
        Misconception(
            "one at a time", _waits_for_each,
            symptom="You waited for each task before you submitted the next.",
            concept="`pool.submit(task).result()` is a slow way to call `task()`.",
            line="First a list of all futures, then the results."),
        Misconception(
            "order lost", _last_first,
            symptom="All numbers are right, but the results are not in the order of the tasks.",
            concept="Tasks finish in any order. A list of futures keeps the order in which you "
                    "submitted; `as_completed` does not.",
            line="Go through your own list: `[future.result() for future in futures]`."),
    ],
)


# --- a threaded convolution of one's own ------------------------------------------------------


def my_threads(x, w, problem, n):
    return _banded()(x, w, problem, n)


def _banded(chunks=split, first_row=lambda p, begin: p.s_h * begin, halo=True):
    """Each thread lowers the image rows of its own output rows, and multiplies them."""
    def run(x, w, problem, n):
        p, padded = problem, pad(x, problem)
        kernel = w.reshape(p.window, p.k_c)
        y = np.full(p.output_shape, np.nan, np.float32)

        def band(begin, stop):
            height = p.s_h * (stop - begin - 1) + p.k_h
            top = first_row(p, begin)
            rows = padded[:, top : top + (height if halo else p.s_h * (stop - begin))]
            L = np.zeros((p.i_n, p.o_w, height, p.k_w, p.i_c), np.float32)
            for at in range(p.o_w):
                L[:, at, : rows.shape[1]] = _strip(rows, at, p)
            strips = L.reshape(p.i_n, p.o_w, -1)
            for h in range(stop - begin):
                at = p.s_h * h * p.k_w * p.i_c
                np.matmul(strips[:, :, at : at + p.window], kernel, out=y[:, begin + h])

        with ThreadPoolExecutor(n) as pool:
            _submit_and_wait(pool, band, chunks(p.o_h, n))
        return y
    return run


def _rows_from_0(x, w, problem, n):
    y = _banded()(x, w, problem, n)
    wrong = np.full_like(y, np.nan)
    for begin, stop in split(problem.o_h, n):
        wrong[:, : stop - begin] = y[:, begin:stop]
    return wrong


def _lower_in_each(x, w, problem, n):
    p, kernel = problem, w.reshape(problem.window, problem.k_c)
    copies = [mec.lower(x, p) for _ in range(n)]
    y = np.empty(p.output_shape, np.float32)
    for L, (begin, stop) in zip(copies, split(p.o_h, n)):
        for h in range(begin, stop):
            np.matmul(mec.partition(L, h, p), kernel, out=y[:, h])
    return y


def _my_bytes(x, w, problem, n):
    return int(1.1 * problem.mec_bytes()) + padded_bytes(problem) + SCRATCH


Exercise(
    name="my_threads", lab=4, reference=my_threads, contiguous=True,
    task="A convolution on n threads of your own, in the bytes of one MEC lowering.",
    calls_allowed=(*PROBLEM, "convladder.measure"), workspace=_my_bytes,
    cases=lambda rng: [(_image(rng, p), _kernel(rng, p), p, n)
                       for p, n in ((TOY, 2), (STRIDED, 2), (PADDED, 3), (PHOTO, 2))],
    misconceptions=[
        Misconception(
            "rows below left out", _banded(halo=False),
            symptom="In each chunk the last output rows are wrong, as if the image ended there.",
            concept="Windows reach over the border between chunks. Output rows `begin` to `stop` "
                    "need image rows up to `s_h * (stop - 1) + k_h`: some are lowered by two "
                    "threads.",
            line="The band is `s_h * (stop - begin - 1) + k_h` image rows high."),
        Misconception(
            "stride at the border", _banded(first_row=lambda p, begin: begin),
            symptom="With a vertical stride of 1 all is right; else the first chunk only.",
            concept="The chunk's first output row looks at image rows from `s_h * begin` on.",
            line="The band begins at image row `problem.s_h * begin`."),
        Misconception(
            "remainder lost", _banded(chunks=_remainder_lost),
            symptom="Where the rows divide evenly all is right; else the last output rows are "
                    "missing.",
            concept="`o_h // n` rows for each of n threads leaves `o_h % n` rows to nobody.",
            line="Use your `split(problem.o_h, n)`."),
        Misconception(
            "every chunk into row 0", _rows_from_0,
            symptom="All chunks were written to the top of the output, one over the other.",
            concept="A thread counts its own rows from 0, but its output rows begin at `begin`. "
                    "Here the threads race for the same memory.",
            line="Write to `y[:, begin + h]`."),
        Misconception(
            "im2col's matrix", lambda x, w, problem, n: im2col.im2col(x, w, problem),
            symptom="The values are right, in im2col's bytes.",
            concept="Threads change nothing in what a lowering stores. MEC's strips hold each row "
                    "of the image once.",
            line="Lower along the width only, and let each output row be a slice of that."),
        Misconception(
            "a whole L for each thread", _lower_in_each,
            symptom="The values are right, but every thread lowers the whole image.",
            concept="That is n times the memory, and n times the copying: the part that you wanted "
                    "to share is done by everybody.",
            line="Either lower once with all threads and multiply when all have finished, or let "
                 "each thread lower only the image rows that its output rows need."),
    ],
)
