"""Lab 04, exercise 2: a lowering, shared by the threads of a pool. The pool is a stand-in."""

from itertools import pairwise

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer, whole
from ..exercise import Exercise, Misconception, edit
from ..lab03.e2_mec_lower import mec_lower
from ..mocks.thread_pool import RehearsalPool

TOY = ConvProblem(1, 3, 6, 1, 2, 2, 1)
STRIDED = ConvProblem(2, 8, 9, 3, 3, 2, 4, stride=(2, 3))
PADDED = ConvProblem(2, 6, 5, 2, 3, 4, 2, stride=(1, 2), padding=(2, 1))
WIDE_PADDING = ConvProblem(1, 6, 5, 1, 2, 3, 1, padding=(0, 2))
PHOTO = ConvProblem(2, 224, 112, 3, 7, 7, 16, padding=1)
EIGHT_STRIPS, THREADS = ConvProblem(1, 4, 9, 1, 2, 2, 1), 3


def lower_in_threads(x, problem, n, pool):
    p = problem
    padded = np.pad(x, ((0, 0), (p.p_h, p.p_h), (p.p_w, p.p_w), (0, 0)))
    L = np.empty((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.float32)

    def strips(begin, stop):
        for w in range(begin, stop):
            L[:, w] = padded[:, :, p.s_w * w : p.s_w * w + p.k_w]

    cuts = [i * p.o_w // n for i in range(n + 1)]
    futures = [pool.submit(strips, *chunk) for chunk in pairwise(cuts)]
    for future in futures:
        future.result()
    return L


def workspace(x, p, n, pool):
    """One padded image, and 4 KiB of Python objects for each strip."""
    return {"workspace": 4 * p.i_n * p.padded_h * p.padded_w * p.i_c + 4096 * p.o_w}


def strips_shared(answer):
    """Return an objection to the way tasks share strips: run one task at a time, and look.

    A check calls it while `np.empty` gives NaN. An answer whose tasks don't write into one result
    leaves nothing to look at.
    """
    x = np.arange(1, 37, dtype=np.float32).reshape(EIGHT_STRIPS.input_shape)
    expected, wrote = mec_lower(x, EIGHT_STRIPS), []
    while True:
        pool = RehearsalPool(THREADS, THREADS, only=len(wrote))
        try:
            L = np.array(answer(x.copy(), EIGHT_STRIPS, THREADS, pool))
        except Exception:
            return None
        if len(wrote) >= pool.submitted:
            break
        if L.shape != expected.shape:
            return None
        wrote.append((L == expected).all(axis=(0, 2, 3, 4)))
    repeated = int((np.sum(wrote, axis=0) > 1).sum())
    most = int(np.sum(wrote, axis=1).max())
    if not repeated and most < EIGHT_STRIPS.o_w:
        return None
    return (
        f"gives right values, but with {EIGHT_STRIPS.o_w} strips and {THREADS} threads one task "
        f"lowers {most} strips, and {repeated} are lowered more than once. Each strip belongs to "
        "one task."
    )


SUBMIT = "pool.submit(strips, *chunk) for chunk in"
WAIT = "    for future in futures:\n        future.result()\n"

EXERCISE = Exercise(
    name="lower_in_threads",
    lab=4,
    task="Lower along the width with n threads, each writing strips of its own into one L.",
    solution=lower_in_threads,
    cases=lambda rng: [
        *[(TOY, 2), (STRIDED, 2), (PADDED, 3), (WIDE_PADDING, 2), (STRIDED, 5)],
        (layer(rng, 12), whole(rng, 2, 4)),
        (PHOTO, 3),
    ],
    inputs=lambda fill, problem, n: (
        *(fill(*problem.input_shape), problem, n),
        RehearsalPool(n, min(n, problem.o_w)),
    ),
    valid=lambda problem, n: n > 0,
    allowed=("convladder.core.problem",),
    contiguous=True,
    budget=workspace,
    usage=strips_shared,
    mend="`futures = [pool.submit(strips, begin, stop) for begin, stop in split(problem.o_w, n)]`, "
    "then `future.result()` of each, then `return L`",
    misconceptions=[
        Misconception(
            "no wait for the tasks",
            edit(WAIT, ""),
            "You return `L` before the tasks have written into it.",
            "`submit` puts a task into a queue and returns at once. With a real pool some tasks "
            "may have finished by luck, but nothing promises it.",
        ),
        Misconception(
            "one task at a time",
            edit("pool.submit(strips, *chunk)", "pool.submit(strips, *chunk).result()", WAIT, ""),
            "When you wait for the first time, some threads of the pool have no task.",
            "`result()` waits. Cut one chunk per thread, submit all of them, and only then wait.",
        ),
        Misconception(
            "calls instead of tasks",
            [
                edit(SUBMIT, "pool.submit(strips(*chunk)) for chunk in"),
                edit(SUBMIT, "strips(*chunk) for chunk in", WAIT, ""),
            ],
            "The pool that you were given had nothing to do.",
            "A pool takes the function and its arguments: `pool.submit(strips, begin, stop)`. A "
            "call, `strips(begin, stop)`, runs at once, in the thread that calls.",
        ),
        Misconception(
            "the loop's last values",
            edit(SUBMIT, "pool.submit(lambda: strips(*chunk)) for chunk in"),
            "Only the last chunk is written, by every task.",
            "A function made in a loop looks its variables up when it runs, and by then the loop "
            "is over. Hand `begin` and `stop` to `submit` instead.",
        ),
        Misconception(
            "a lost remainder",
            edit("i * p.o_w // n", "i * (p.o_w // n)"),
            "The last strips are never written, unless the threads divide them evenly.",
            "`n` chunks of `o_w // n` strips leave a remainder, which needs a thread too.",
        ),
        Misconception(
            "parts joined afterwards",
            edit(
                "return L",
                "parts = [L[:, a:b].copy() for a, b in zip(cuts, cuts[1:])]\n"
                "    return np.concatenate(parts, axis=1)",
            ),
            "The values are right, but for a moment all strips exist twice.",
            "Threads share memory, so each task can write into its own part of the one `L`.",
        ),
    ],
)
