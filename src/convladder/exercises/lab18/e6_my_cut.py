"""Lab 18, exercise 6: a cut of your own, rehearsed without a cluster."""

import numpy as np

from ...core.problem import ConvProblem
from ...core.reference import random_arrays
from ...networks.scale import worker_tasks
from ...networks.scale.network import Network
from ..exercise import Exercise, Misconception, edit, random_fill
from ..mocks.dask_team import ProbeTeam, RehearsalTeam

PROBLEMS = [ConvProblem(1, 9, 8, 3, 3, 3, 4, padding=1), ConvProblem(1, 9, 8, 4, 3, 3, 5, 2)]
# im2col: nothing to compile for a handful of pixels.
NETWORK = Network(PROBLEMS, [random_arrays(p)[1] for p in PROBLEMS], "im2col")


def my_cut(team, network, x):
    def recipe(worker, begin, stop):
        return lambda: team.call(
            worker_tasks.forward,
            team.share(network, worker),
            team.put(x[begin:stop], worker),
            worker=worker,
        )

    size, extra = divmod(len(x), team.count)
    ends = [size * i + min(i, extra) for i in range(team.count + 1)]
    recipes = [recipe(worker, *ends[worker : worker + 2]) for worker in range(team.count)]
    return np.concatenate(team.collect(recipes))


def done_by_the_workers(answer):
    """Judge whether the result is what the workers computed, each image once."""
    team, x = ProbeTeam(2, len(NETWORK)), random_fill()(4, 9, 8, 3)
    result = answer(team, NETWORK, x.copy())
    if np.allclose(result, NETWORK.forward(x)):
        return "ignores the workers' results: it returns the same where `collect` gives zeros."
    if team.images > len(x):
        return (
            f"has the workers take {team.images} images through the network, where there are "
            f"{len(x)}. Work is shared only if each image is done once."
        )
    return None


def at_home(team, network, x):
    workers = range(team.count)
    team.collect([lambda at=at: team.call(worker_tasks.nothing, worker=at) for at in workers])
    return worker_tasks.forward(network, x)


def inputs(fill, images, workers):
    return RehearsalTeam(workers), NETWORK, fill(images, 9, 8, 3)


RECIPES = "[recipe(worker, *ends[worker : worker + 2]) for worker in range(team.count)]"

EXERCISE = Exercise(
    name="my_cut",
    lab=18,
    task="The network on a team of workers, cut as you like.",
    solution=my_cut,
    allowed=(
        "convladder.core.problem",
        *(
            f"convladder.networks.scale.{each}"
            for each in ("worker_tasks", "network", "partition", "pipeline", "cost")
        ),
    ),
    cases=lambda rng: [(4, 2), (7, 3), (3, 3), (int(rng.integers(8, 15)), 4)],
    inputs=inputs,
    valid=lambda images, workers: images >= workers > 0,
    usage=done_by_the_workers,
    mend="Per worker a recipe of its own share, made by a function: `lambda: "
    "team.call(worker_tasks.forward, network, part, worker=worker)`; all in one `team.collect`, "
    "joined by `np.concatenate`",
    misconceptions=[
        Misconception(
            "work done at home",
            at_home,
            "The values are right, but the workers didn't compute them.",
            "`team.call(worker_tasks.forward, …)` lets a worker run the network, and "
            "`team.collect` brings its result.",
        ),
        Misconception(
            "idle workers",
            [
                edit(RECIPES, "[recipe(0, 0, len(x))]"),
                edit(
                    "divmod(len(x), team.count)",
                    "divmod(len(x), max(1, team.count - 1))",
                    "range(team.count + 1)",
                    "range(max(1, team.count - 1) + 1)",
                    "for worker in range(team.count)",
                    "for worker in range(len(ends) - 1)",
                ),
            ],
            "The values are right, but one worker or several had nothing to do.",
            "Each worker from 0 to `team.count - 1` needs a share of its own.",
        ),
        Misconception(
            "the last images lost",
            edit("size * i + min(i, extra)", "size * i"),
            "Right where the images divide evenly.",
            "With `size, extra = divmod(len(x), count)` the first `extra` shares get one more.",
            mend="`ends = [size * i + min(i, extra) for i in range(team.count + 1)]`",
        ),
        Misconception(
            "the whole batch for everybody",
            edit("*ends[worker : worker + 2]", "0, len(x)"),
            "The result holds the batch as many times as there are workers.",
            "Each worker needs its own share: `x[begin:stop]`.",
        ),
        Misconception(
            "one worker after the other",
            edit(
                "np.concatenate(team.collect(recipes))",
                "np.concatenate([team.collect([each])[0] for each in recipes])",
            ),
            "The values are right, but no two workers ran at the same time.",
            "`collect` waits for what it is given. Give it all recipes at once.",
        ),
        Misconception(
            "futures in place of recipes",
            edit("return lambda: team.call(", "return team.call("),
            "`collect` got what `call` returned.",
            "A recipe is a function that makes a future, so that it can be made again if a worker "
            "is lost.",
        ),
    ],
)
