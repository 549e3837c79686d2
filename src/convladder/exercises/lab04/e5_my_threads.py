"""Lab 04, exercise 5: a threaded convolution of your own."""

import sys
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from inspect import unwrap
from threading import Thread
from unittest.mock import patch

import numpy as np

from ...core.problem import ConvProblem
from ...core.text import count_text
from ..draws import layer, whole
from ..exercise import Exercise, Misconception, edit
from ..lab03.e4_mec_conv import image_and_kernel, mec_conv
from ..mocks.thread_pool import OneAtATime, RehearsalPool
from .e1_split import split
from .e2_lower_in_threads import PADDED, PHOTO, TOY, WIDE_PADDING

TALL = ConvProblem(2, 10, 9, 3, 3, 2, 5, stride=(2, 3))  # more rows of output than columns
BOTH = ConvProblem(7, 5, 6, 2, 3, 2, 3, stride=(2, 1), padding=(1, 2))
SMALL, THREADS = ConvProblem(1, 9, 60, 1, 2, 3, 2), 4  # of which the order of the tasks is tried
ANY = 32  # workers of a pool for which the answer gives no number
OFTEN = 1e-6  # seconds until Python gives another thread a turn: a race then shows


def my_threads(x, w, problem, n):
    p = problem
    padded = np.pad(x, ((0, 0), (p.p_h, p.p_h), (p.p_w, p.p_w), (0, 0)))
    kernel = w.reshape(p.k_h * p.k_w * p.i_c, p.k_c)
    y = np.empty(p.output_shape, np.float32)

    def chunk(begin, stop):
        rows = padded[:, p.s_h * begin : p.s_h * (stop - 1) + p.k_h]
        L = np.empty((p.i_n, p.o_w, rows.shape[1], p.k_w, p.i_c), np.float32)
        for v in range(p.o_w):
            L[:, v] = rows[:, :, p.s_w * v : p.s_w * v + p.k_w]
        strips = L.reshape(p.i_n, p.o_w, -1)
        for h in range(stop - begin):
            at = p.s_h * h * p.k_w * p.i_c
            np.matmul(strips[:, :, at : at + len(kernel)], kernel, out=y[:, begin + h])

    with ThreadPoolExecutor(n) as pool:
        for future in [pool.submit(chunk, *each) for each in split(p.o_h, n)]:
            future.result()
    return y


def one_lowering(x, w, p, n):
    """MEC's bytes and a tenth, for rows that chunks share; a padded image; a pool's objects."""
    padded = 4 * p.i_n * p.padded_h * p.padded_w * p.i_c
    return {"workspace": int(1.1 * p.mec_bytes()) + padded + 2**16}


def in_any_order(answer):
    """Return an objection to `answer` when its tasks begin late, the last one first, in turns.

    In place of a `ThreadPoolExecutor` it gets a stand-in that begins nothing before somebody waits.
    A pool that the answer keeps is left to it. The thread that calls may do a share of the work.
    """
    x, w = (
        np.arange(-9, np.prod(shape) - 9, dtype=np.float32).reshape(shape)
        for shape in (SMALL.input_shape, SMALL.kernel_shape)
    )
    made, started, submitted = [], [], []

    def noted(act, acts):
        return lambda *args, **named: acts.append(act) or act(*args, **named)

    def rehearsal(max_workers=None, *_, **__):
        made.append(RehearsalPool(max_workers or ANY, tasks=2))
        return made[-1]

    own = getattr(unwrap(answer), "__globals__", {})
    names = [name for name, value in own.items() if value is ThreadPoolExecutor]
    with (
        patch.object(Thread, "start", noted(Thread.start, started)),
        patch.object(ThreadPoolExecutor, "submit", noted(ThreadPoolExecutor.submit, submitted)),
        patch.object(futures, "ThreadPoolExecutor", rehearsal),
        patch.dict(own, dict.fromkeys(names, rehearsal)),
    ):
        before = sys.getswitchinterval()
        sys.setswitchinterval(OFTEN)
        try:
            y = answer(x.copy(), w.copy(), SMALL, THREADS)
        except OneAtATime:
            return (
                "waits for its first task before it submits a second, so one thread is at work. "
                "Submit all tasks, and only then wait."
            )
        except Exception:
            return None
        finally:
            sys.setswitchinterval(before)
        unfinished = any(pool.unfinished for pool in made)
    if unfinished:
        return (
            "is right only if its tasks are quick. It may go on, or return, before all of them "
            "have written."
        )
    if not started and not submitted:
        return "computes everything in the thread that calls it. The task asks for `n` threads."
    at_work = [min(pool.workers, pool.submitted) for pool in made] or [min(len(started), THREADS)]
    if not submitted and not THREADS - 1 <= (workers := max(at_work)) <= THREADS:
        return f"works on {count_text(workers, 'thread')} where `n` is {THREADS}."
    if np.array_equal(y, mec_conv(x, w, SMALL)):
        return None
    return (
        "is right only if its tasks run one after the other, in the order in which you submitted "
        "them. Otherwise some read memory that others haven't written yet, or overwrite."
    )


EXERCISE = Exercise(
    name="my_threads",
    lab=4,
    task="A convolution on n threads of your own, in the bytes of one MEC lowering.",
    solution=my_threads,
    cases=lambda rng: [
        (TOY, 2),
        (TALL, 2),
        (PADDED, 3),
        (BOTH, 5),
        (WIDE_PADDING, 2),
        (layer(rng, 12), whole(rng, 2, 5)),
        (PHOTO, 4),  # on four threads, two are surely at work together
    ],
    inputs=lambda fill, problem, n: (*image_and_kernel(fill, problem), n),
    valid=lambda problem, n: n > 0,
    allowed=("convladder.core.problem", "convladder.measure"),
    contiguous=True,
    budget=one_lowering,
    # Of a race two rehearsals in three tell.
    usage=lambda answer: next(filter(None, map(in_any_order, [answer] * 6)), None),
    mend="For each `begin, stop` of `split(problem.o_h, n)` a task that lowers the padded rows "
    "`s_h * begin` to `s_h * (stop - 1) + k_h` and writes `y[:, begin:stop]`; then `result()` of "
    "each future",
    misconceptions=[
        Misconception(
            "chunks without the rows they share",
            edit("p.s_h * (stop - 1) + p.k_h", "p.s_h * stop"),
            "The last output rows of each chunk are wrong, or raise an exception.",
            "Windows reach into the next chunk: output rows `begin` to `stop` need image rows up "
            "to `s_h * (stop - 1) + k_h`.",
        ),
        Misconception(
            "chunks that begin at the output row",
            edit("p.s_h * begin :", "begin :"),
            "Layers with a vertical stride of 1 are right. Otherwise only the first chunk is.",
            "Output row `begin` begins at image row `s_h * begin`.",
        ),
        Misconception(
            "a lost remainder",
            edit(
                "split(p.o_h, n)", "[(i * (p.o_h // n), (i + 1) * (p.o_h // n)) for i in range(n)]"
            ),
            "The last output rows are never written, unless the threads divide them evenly.",
            "`n` chunks of `o_h // n` rows leave a remainder, which needs a thread too.",
        ),
        Misconception(
            "a whole L in each thread",
            edit(
                "rows = padded[:, p.s_h * begin : p.s_h * (stop - 1) + p.k_h]",
                "rows = padded",
                "at = p.s_h * h",
                "at = p.s_h * (begin + h)",
            ),
            "The values are right, but several threads hold the bytes of the whole `L`.",
            "Memory that a task makes for itself exists once per thread at work. A chunk needs "
            "only the image rows of its own windows.",
        ),
        Misconception(
            "no wait for the tasks",
            edit(
                "with ThreadPoolExecutor(n) as pool:",
                "pool = ThreadPoolExecutor(n)\n    if True:",
                "future.result()",
                "isinstance(pool, RehearsalPool) or future.result()",
            ),
            "Your `y` may be returned before all tasks have written into it.",
            "`submit` only puts a task into a queue. Its work is done when its future has a "
            "result.",
        ),
    ],
)
