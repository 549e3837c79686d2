"""Lab 04, exercise 4: workers times BLAS threads, held to the cores. The pool is a stand-in."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit
from ..mocks.thread_pool import RehearsalLimit, RehearsalPool, RehearsalTask


def run_all(tasks, pool, workers, cores, limit):
    with limit(max(1, cores // workers)):
        futures = [pool.submit(task) for task in tasks]
        return tuple(future.result() for future in futures)


def team(fill, workers, cores, names):
    """A pool begins nothing before somebody waits, and then begins with the last task."""
    limit = RehearsalLimit(cores)
    tasks = [RehearsalTask(name, limit) for name in names]
    pool = RehearsalPool(workers, min(workers, len(tasks)), limit=limit)
    return tasks, pool, workers, cores, limit


def limit_in_each_task(tasks, pool, workers, cores, limit):
    def limited(task):
        with limit(max(1, cores // workers)):
            return task()

    futures = [pool.submit(limited, task) for task in tasks]
    return tuple(future.result() for future in futures)


LIMIT = "with limit(max(1, cores // workers)):"
SUBMIT = "futures = [pool.submit(task) for task in tasks]"

EXERCISE = Exercise(
    name="run_all",
    lab=4,
    task="Run tasks in a pool so that workers times BLAS threads fit the cores.",
    solution=run_all,
    cases=lambda rng: [
        (2, 2, [0, 1, 2]),
        (4, 8, [5, 6]),  # fewer tasks than workers
        (2, 12, [0, 1, 2, 3, 4]),
        (4, 6, rng.permutation(100)[:5].tolist()),
        (3, 16 + 3 * whole(rng, 0, 4), rng.permutation(100)[:7].tolist()),
        (8, 4, list(range(9))),
    ],
    inputs=team,
    valid=lambda workers, cores, names: min(workers, cores, len(names)) > 0,
    mend=f"One `{LIMIT}` around the line that submits *and* the line that waits",
    misconceptions=[
        Misconception(
            "no limit",
            edit(LIMIT, "if True:"),
            "Inside your workers, BLAS still has one thread per core.",
            "Each worker calls a BLAS that starts a thread for every core, so workers × cores "
            "threads want to run.",
        ),
        Misconception(
            "a wrong number of BLAS threads",
            [
                edit("max(1, cores // workers)", each)
                for each in ("1", "workers", "cores // workers")
            ],
            "Your number of BLAS threads is not the largest that fits beside the workers.",
            "Workers × BLAS threads is at most `cores`, and one thread is the least.",
        ),
        Misconception(
            "a limit that ends too soon",
            edit("        return tuple", "    return tuple"),
            "Your limit ends when all tasks are submitted. Some haven't begun by then.",
            "`submit` doesn't wait. The limit must last until the last result is there.",
        ),
        Misconception(
            "a limit that begins too late",
            edit(f"{LIMIT}\n        {SUBMIT}", f"{SUBMIT}\n    {LIMIT}"),
            "Your limit begins when the tasks have been submitted.",
            "A pool begins a task as soon as a worker is free, not when somebody waits.",
        ),
        Misconception(
            "a limit in each task",
            limit_in_each_task,
            "You set the limit inside the workers.",
            "The limit holds for the whole process, so workers that set and reset it undo each "
            "other's. The thread that submits sets it, once.",
        ),
    ],
)
