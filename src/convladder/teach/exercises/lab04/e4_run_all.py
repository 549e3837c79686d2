"""Lab 04, exercise 4: workers times BLAS threads, held to the cores."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.mocks.thread_pool import RehearsalLimit, RehearsalPool, RehearsalTask
from ....exercises.draws import whole, wholes
from .layers import REHEARSAL


def run_all(tasks, pool, workers, cores, limit):
    return _limited(lambda cores, workers: max(1, cores // workers))(
        tasks, pool, workers, cores, limit
    )


def _limited(share):
    def run(tasks, pool, workers, cores, limit, share=share):
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


def _limit_behind_submit(tasks, pool, workers, cores, limit, each=False):
    futures = [pool.submit(task) for task in tasks]
    if not each:
        with limit(max(1, cores // workers)):
            return tuple(future.result() for future in futures)
    results = []
    for future in futures:
        with limit(max(1, cores // workers)):
            results.append(future.result())
    return tuple(results)


def _no_pool(tasks, pool, workers, cores, limit):
    with limit(max(1, cores // workers)):
        return tuple(task() for task in tasks)


def _waits_for_each(tasks, pool, workers, cores, limit):
    with limit(max(1, cores // workers)):
        return tuple(pool.submit(task).result() for task in tasks)


def _last_first(tasks, pool, workers, cores, limit):
    return run_all(tasks, pool, workers, cores, limit)[::-1]


def _by_tasks(tasks, pool, workers, cores, limit):
    return _limited(lambda cores, workers: max(1, cores // len(tasks)))(
        tasks, pool, workers, cores, limit
    )


def _last_result_only(tasks, pool, workers, cores, limit):
    return run_all(tasks, pool, workers, cores, limit)[-1]


def _team(workers, cores, count, names=None):
    limit = RehearsalLimit(cores)
    tasks = [RehearsalTask(name, limit) for name in names or range(count)]
    return tasks, RehearsalPool(workers, min(workers, count), limit=limit), workers, cores, limit


RULE = "`max(1, cores // workers)`"

EXERCISE = Exercise(
    name="run_all",
    lab=4,
    reference=run_all,
    task="Run tasks in a pool so that workers times BLAS threads fit the cores.",
    calls_allowed=REHEARSAL,
    cases=lambda rng: [
        _team(2, 2, 3),
        _team(2, 12, 5),
        _team(4, 6, 5, wholes(rng, 0, 99, 5)),
        _team(3, 16 + 3 * whole(rng, 0, 4), 7, wholes(rng, 0, 99, 7)),
        _team(8, 4, 9),
    ],
    misconceptions=[
        Misconception(
            "no limit",
            _unlimited,
            symptom="Inside your workers BLAS still has as many threads as there are cores.",
            concept="Each of the workers calls a BLAS that starts a thread for every core: workers "
            "times cores threads want to run, on as many cores as before.",
            line=f"Put `with limit(...):` around the part that submits *and* waits, with {RULE}. "
            "A call of `limit` alone, without `with`, changes nothing.",
        ),
        Misconception(
            "limit behind submit",
            _limit_behind_submit,
            choices={"each": (True,)},
            symptom="Your limit begins when the tasks have been submitted already.",
            concept="A pool begins a task as soon as a worker is free, not when somebody waits: "
            "then BLAS still has as many threads as there are cores.",
            line=f"One `with limit(...):`, with {RULE}, around the loop that submits and the one "
            "that waits.",
        ),
        Misconception(
            "limit only where workers are more than cores",
            _limited(lambda cores, workers: 1 if workers > cores else cores),
            symptom="Right with more workers than cores. With as many, or fewer, BLAS inside your "
            "workers has as many threads as there are cores.",
            concept="2 workers fit on 2 cores, but each of them calls a BLAS with 2 threads, and "
            "that is 4. Whoever has several workers needs the limit.",
            line=f"The same limit whatever the numbers are: {RULE}.",
        ),
        Misconception(
            "no limit where workers are more than cores",
            _limited(lambda cores, workers: cores // workers or cores),
            symptom="Right where there is a core for each worker. With more workers than cores, "
            "each BLAS has as many threads as there are cores.",
            concept="Where not even the workers fit, one thread for each BLAS is the least, and "
            "already more than enough.",
            line=f"{RULE} has 1 there.",
        ),
        Misconception(
            "always one",
            _limited(lambda cores, workers: 1),
            symptom="Each BLAS has one thread with you: right where no more fit, too few "
            "elsewhere.",
            concept="2 workers on 8 cores leave room for 4 BLAS threads each.",
            line=f"In place of 1 the limit is {RULE}.",
        ),
        Misconception(
            "as many as workers",
            _limited(min),
            choices={"share": (lambda cores, workers: workers,)},
            symptom="You gave BLAS as many threads as there are workers, at least where there are "
            "cores enough.",
            concept="Workers and BLAS threads multiply. With as many threads each as there are "
            "workers, the product is their square; what fits is the number of cores.",
            line=f"The limit is {RULE}.",
        ),
        Misconception(
            "rounded up",
            _limited(lambda cores, workers: -(-cores // workers)),
            symptom="Right where the cores divide evenly; elsewhere more threads can run than "
            "there are cores.",
            concept="4 workers with 2 threads each are 8 threads on 6 cores. One that must wait "
            "for a core keeps all that wait for *it*.",
            line=f"Round down: the limit is {RULE}.",
        ),
        Misconception(
            "rounded to the nearest",
            _limited(lambda cores, workers: max(1, round(cores / workers))),
            symptom="Right where less than half a thread is left over for each worker; elsewhere "
            "more threads can run than there are cores.",
            concept="Rounding to the nearest number can round up, and 6 cores have no room for "
            "4 workers with 2 threads each. A core that is left idle costs less than threads "
            "that wait for each other.",
            line=f"No `round`: the share is rounded down, {RULE}.",
        ),
        Misconception(
            "cores left over by workers",
            _limited(lambda cores, workers: max(1, cores - workers)),
            symptom="You subtracted the workers from the cores.",
            concept="A worker that waits inside BLAS computes with BLAS' threads, of which it is "
            "one. So counts multiply, they do not add up.",
            line=f"Divide in place of subtracting: {RULE}.",
        ),
        Misconception(
            "down to zero",
            _limited(lambda cores, workers: cores // workers),
            symptom="With more workers than cores your limit is 0.",
            concept="`cores // workers` is 0 when there are more workers than cores, but even then "
            "each BLAS needs a thread.",
            line=f"{RULE}: never less than one.",
        ),
        Misconception(
            "a fraction of a thread",
            _limited(lambda cores, workers: max(1, cores / workers)),
            symptom="`limit` was given a number with a decimal point.",
            concept="`/` always gives a float. Threads come in whole numbers.",
            line="Count with `//`.",
        ),
        Misconception(
            "limit inside the tasks",
            _limit_in_each_task,
            symptom="You set the limit inside each task, but it holds for the whole process.",
            concept="The first task to finish puts the old limit back, and the others go on with "
            "all of BLAS' threads. Such a race shows only now and then.",
            line="Set the limit once, by the thread that submits: `with limit(...):` around "
            "everything.",
        ),
        Misconception(
            "limit ends too early",
            _limit_ends_early,
            symptom="Your limit had ended before the tasks ran.",
            concept="`submit` comes back at once. The block is left while tasks still wait or run.",
            line="Wait inside the block: `result()` of each future under `with limit(...)`, in a "
            "list or a `tuple(...)` that is made there. A generator asks for results only "
            "when somebody goes through it.",
        ),
        Misconception(
            "no pool",
            _no_pool,
            symptom="You ran the tasks yourself, one after the other.",
            concept="`task()` runs in the thread that calls it. The pool's threads do nothing.",
            line="`pool.submit(task)` for each, without brackets after `task`, and behind that "
            "`result()` of each future.",
        ),
        Misconception(
            "one at a time",
            _waits_for_each,
            symptom="You waited for each task before you submitted the next.",
            concept="`pool.submit(task).result()` is a slow way to call `task()`.",
            line="First a list of all futures, then the results.",
        ),
        Misconception(
            "order lost",
            _last_first,
            symptom="All numbers are right, but the results are not in the order of the tasks.",
            concept="Tasks finish in any order. A list of futures keeps the order in which you "
            "submitted; `as_completed` does not.",
            line="Submit in the order of `tasks`, and go through your own list in that order: "
            "`[future.result() for future in futures]`.",
        ),
        Misconception(
            "shared by the tasks",
            _by_tasks,
            symptom="Right where there are as many tasks as workers.",
            concept="However many tasks there are, only `workers` of them run at a time.",
            line="Divide by `workers`, not by `len(tasks)`.",
        ),
        Misconception(
            "one thread more",
            _limited(lambda cores, workers: min(cores, cores // workers + 1)),
            symptom="Where another thread would not fit, you gave each BLAS one more.",
            concept="2 workers on 2 cores leave one thread to each, and the worker *is* that "
            "thread.",
            line="No `+ 1`: the limit is `max(1, cores // workers)`.",
        ),
        Misconception(
            "only the last result",
            _last_result_only,
            symptom="You return the result of one task.",
            concept="Whoever calls you wants all of them, in the order of the tasks.",
            line="Return the whole list.",
        ),
    ],
)
