"""Lab 16, exercise 6: a cut of one's own, rehearsed without a cluster."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem
from ....reference import random_arrays
from ....scale import work
from ....scale.network import Network
from ...grading.exercise import Exercise, Flaw, Misconception
from ....exercises.mocks.dask_team import CountingTeam, RehearsalTeam
from .bands_wrong import cuts_down
from .cut_mistakes import MORE, everything_to_all
from .layers import shares_of

PROBLEMS = [ConvProblem(1, 9, 8, 3, 3, 3, 4, padding=1), ConvProblem(1, 9, 8, 4, 3, 3, 5, 2)]
# im2col: nothing to compile for a handful of pixels.
NETWORK = Network(PROBLEMS, [random_arrays(p)[1] for p in PROBLEMS], "im2col")
PACKAGE = tuple(
    f"convladder.scale.{module}" for module in ("work", "network", "cut", "pipeline", "cost")
)


def my_cut(team, network, x):
    return _cut()(team, network, x)


def _cut(shares=shares_of, order=lambda parts: parts, place=lambda worker: worker):
    """Cut by images, with parts to be exchanged."""

    def cut(team, network, x):
        def recipe(worker, begin, stop):
            return lambda: team.call(
                work.forward,
                team.share(network, place(worker)),
                team.put(x[begin:stop], place(worker)),
                worker=place(worker),
            )

        recipes = [
            recipe(worker, *share) for worker, share in enumerate(shares(len(x), team.count))
        ]
        return np.concatenate(order(team.collect(recipes)))

    return cut


def _lost(count, parts):
    size = count // parts
    return [(i * size, (i + 1) * size) for i in range(parts)]


def _bound_late(team, network, x, worker_too=True, shares=shares_of):
    recipes = []
    for number, (begin, stop) in enumerate(shares(len(x), team.count)):
        worker = number % team.count
        recipes.append(
            lambda at=worker: team.call(
                work.forward,
                network,
                x[begin:stop],  # noqa: B023, the mistake itself
                worker=worker if worker_too else at,
            )
        )  # noqa: B023
    return np.concatenate(team.collect(recipes))


def _two_each(count, parts):
    return shares_of(count, 2 * parts)


def _no_image_twice(answer):
    """Judge whether each image went through the network once."""
    team, x = CountingTeam(2, len(NETWORK)), np.zeros((4, 9, 8, 3), np.float32)
    answer(team, NETWORK, x)
    return (
        None
        if team.images <= len(x)
        else Flaw(
            "images done twice",
            f"your workers took {team.images} images through the network, where "
            f"there are {len(x)}: work is shared only if each image is done once.",
        )
    )


def _only_some(team, network, x):
    """Leave the last worker out."""
    return _cut(shares=lambda count, parts: shares_of(count, max(1, parts - 1)))(team, network, x)


def _first_share_for_all(team, network, x, up=True):
    part = x[: -(-len(x) // team.count) if up else len(x) // team.count]
    return np.concatenate(
        team.collect(
            [
                (lambda worker=worker: team.call(work.forward, network, part, worker=worker))
                for worker in range(team.count)
            ]
        )
    )


def _futures_collected(team, network, x):
    """Begin the work at once, and hand over futures in place of recipes."""
    return np.concatenate(
        team.collect(
            [
                team.call(work.forward, network, x[begin:stop], worker=worker)
                for worker, (begin, stop) in enumerate(shares_of(len(x), team.count))
            ]
        )
    )


def _beyond_the_team(team, network, x):
    return np.concatenate(
        team.collect(
            [
                (lambda at=at: team.call(work.forward, network, x[at : at + 1], worker=at))
                for at in range(len(x))
            ]
        )
    )


def _result_of_a_call(team, network, x):
    """Call the function oneself, and hand its result to `call`."""
    recipes = [
        lambda begin=begin, stop=stop, worker=worker: team.call(
            work.forward(network, x[begin:stop]), worker=worker
        )
        for worker, (begin, stop) in enumerate(shares_of(len(x), team.count))
    ]
    return np.concatenate(team.collect(recipes))


def _dealt(team, network, x):
    return np.concatenate(
        team.collect(
            [
                (
                    lambda worker=worker: team.call(
                        work.forward,
                        network,
                        np.ascontiguousarray(x[worker :: team.count]),
                        worker=worker,
                    )
                )
                for worker in range(team.count)
            ]
        )
    )


def _one_after_the_other(team, network, x, join=np.concatenate):
    return join(
        [
            team.collect(
                [
                    lambda: team.call(  # noqa: B023, called at once
                        work.forward, network, x[begin:stop], worker=worker
                    )
                ]
            )[0]  # noqa: B023
            for worker, (begin, stop) in enumerate(shares_of(len(x), team.count))
        ]
    )


EXERCISE = Exercise(
    name="my_cut",
    lab=16,
    reference=my_cut,
    task="The network on a team of workers, cut as you like.",
    calls_allowed=("convladder.teach.mocks.dask_team", "convladder.problem", *PACKAGE),
    cases=lambda rng: [
        (RehearsalTeam(workers), NETWORK, rng.standard_normal((images, 9, 8, 3), np.float32))
        for images, workers in ((4, 2), (7, 3), (3, 3))
    ],
    use=_no_image_twice,
    misconceptions=[
        Misconception(
            "at home",
            lambda team, network, x: network.forward(x),
            symptom="Nobody but this process did anything.",
            concept="Work goes to a worker by `team.call`, inside a recipe that `team.collect` "
            "gets.",
            line="`team.collect([recipe(worker, share), ...])`, where `recipe` returns `lambda: "
            "team.call(work.forward, ...)`.",
        ),
        Misconception(
            "all on one worker",
            _cut(place=lambda worker: 0),
            symptom="The values are right, and of all workers one alone had work to do.",
            concept="A worker does one task after the other, and the others wait for it.",
            line="`worker=` says who: each from 0 to `team.count - 1`, with a share of its own. (A "
            "`lambda` that takes its number from a loop finds the loop's last one.)",
        ),
        Misconception(
            "the last images lost",
            _cut(shares=_lost),
            symptom="Where the images divide evenly all is right.",
            concept="`len(x) // team.count` rounds down, and the rest belongs to nobody.",
            line="The first `len(x) % team.count` shares have one image more, as in "
            "`shares(len(x), team.count)`.",
        ),
        Misconception(
            "the loop's last values",
            _bound_late,
            symptom="Every recipe has the loop's last share, so that it comes as often as there "
            "are recipes.",
            concept="A `lambda` looks its names up when it is *called*, and `collect` calls it "
            "when the loop is over.",
            line="Make each recipe by a function of its own, `recipe(worker, share)`, which "
            "returns the `lambda`: `recipes.append(recipe(worker, share))`.",
            choices={"worker_too": (True, False), "shares": (shares_of, cuts_down, _two_each)},
        ),
        Misconception(
            "in another order",
            _cut(order=lambda parts: parts[::-1]),
            symptom="Every image is there, and the shares are in the wrong order.",
            concept="`collect` returns results in the order of its recipes, whoever was first.",
            line="The recipes in the order of the shares, the results joined as they come.",
        ),
        Misconception(
            "everything to everyone",
            everything_to_all,
            symptom="There are as many copies of the result as workers.",
            concept="Each worker got all images.",
            line="Give each its own share: `x[share.start : share.stop]`.",
        ),
        Misconception(
            "a worker left out",
            _only_some,
            symptom="One worker got nothing to do.",
            concept="There are `team.count` of them, numbered from 0.",
            line="`shares(len(x), team.count)`",
        ),
        Misconception(
            "the first share for all",
            _first_share_for_all,
            choices={"up": (False,)},
            symptom="Each worker got the first images.",
            concept="A share has a begin of its own.",
            line="`x[share.start : share.stop]`, with this worker's share.",
        ),
        Misconception(
            "futures in place of recipes",
            _futures_collected,
            symptom="You gave `collect` what `call` returned.",
            concept="`collect` wants to begin the work itself, and begin it again if a worker "
            "dies. For that it needs a function.",
            line="`lambda: team.call(...)` for each share, made by a function so that it "
            "keeps its own values.",
        ),
        Misconception(
            "more tasks than workers",
            _beyond_the_team,
            symptom="You name a worker that does not exist.",
            concept="Images may be many; workers are `0` to `team.count - 1`, not 1 to "
            "`team.count`.",
            line="`worker=at % team.count`, or one share for each worker.",
        ),
        Misconception(
            "called at home",
            _result_of_a_call,
            symptom="You called `forward` yourself, and handed its result to `team.call`.",
            concept="What stands in brackets is computed before `call` is: here, by you.",
            line="`team.call(work.forward, network, part, worker=worker)`: the function and "
            "its arguments apart.",
        ),
        Misconception(
            "parts not joined",
            lambda team, network, x: team.collect(
                [
                    (
                        lambda begin=begin, stop=stop, worker=worker: team.call(
                            work.forward, network, x[begin:stop], worker=worker
                        )
                    )
                    for worker, (begin, stop) in enumerate(shares_of(len(x), team.count))
                ]
            ),
            symptom="You return the list that `collect` gave you.",
            concept="`network.forward(x)` gives one array, and so should you.",
            line="`np.concatenate(...)` around it.",
        ),
        Misconception(
            "dealt in turns",
            _dealt,
            symptom="Every image is there, but in another order: first those of worker 0, then "
            "those of worker 1.",
            concept="`x[worker::count]` deals images out like cards. Joined share by share they "
            "are not in their old order.",
            line="Runs of neighbours, `x[share.start : share.stop]`; or deal the results back, "
            "`y[worker::count] = part`.",
        ),
        Misconception(
            "one after the other",
            _one_after_the_other,
            symptom="Each share has a `collect` of its own, and the next worker begins only when "
            "it is back.",
            concept="`collect` begins all recipes that it is given, then waits. Given one, it "
            "waits for one.",
            line="Put the recipes into a list, each made by a function `recipe(worker, share)`, "
            "and call `collect` once, behind the loop.",
            choices={"join": (list,)},
        ),
        *MORE,
    ],
)
