"""Cuts of a network, as learners make them, with their hints: lab 16, exercise 6."""

from __future__ import annotations

import numpy as np

from ....scale import work
from ...grading.exercise import Misconception
from .layers import shares_of


def everything_to_all(team, network, x, join=np.concatenate):
    return join(
        team.collect(
            [
                (lambda worker=worker: team.call(work.forward, network, x, worker=worker))
                for worker in range(team.count)
            ]
        )
    )


def by_two(team, network, x):
    """Take two workers, however many there are."""
    return np.concatenate(
        team.collect(
            [
                (
                    lambda begin=begin, stop=stop, worker=worker: team.call(
                        work.forward, network, x[begin:stop], worker=worker
                    )
                )
                for worker, (begin, stop) in enumerate(shares_of(len(x), 2))
            ]
        )
    )


def two_shares_side_by_side(team, network, x):
    """Make two shares for each worker, and give it neighbours."""
    return np.concatenate(
        team.collect(
            [
                (
                    lambda begin=begin, stop=stop, worker=number // 2: team.call(
                        work.forward, network, x[begin:stop], worker=worker
                    )
                )
                for number, (begin, stop) in enumerate(shares_of(len(x), 2 * team.count))
            ]
        )
    )


def values_in_recipes(team, network, x):
    return np.concatenate(
        team.collect(
            [
                (lambda begin=begin, stop=stop: work.forward(network, x[begin:stop]))
                for begin, stop in shares_of(len(x), team.count)
            ]
        )
    )


MORE = [
    Misconception(
        "images done twice",
        lambda team, network, x: everything_to_all(team, network, x, join=lambda found: found[0]),
        symptom="The values are right, but images went through the network more often than once.",
        concept="A worker that does what another does as well saves no time.",
        line="To each worker only its own share, `x[share.start : share.stop]`, and all results "
        "joined.",
    ),
    Misconception(
        "two workers, however many there are",
        by_two,
        symptom="With two workers all is right; of three, one gets nothing.",
        concept="How many workers there are is told by `team.count`: two here, more on another "
        "cluster.",
        line="Shares for all of them: `shares(len(x), team.count)`, each with its own worker.",
    ),
    Misconception(
        "neighbouring shares to one worker",
        two_shares_side_by_side,
        symptom="Where there are few images, one worker gets two shares and another none.",
        concept="With fewer images than shares there are fewer shares, and those that are left "
        "should be with different workers.",
        line="`worker=number % team.count` for share number `number`.",
    ),
    Misconception(
        "a value in place of a future",
        values_in_recipes,
        symptom="Your recipe gives a value, which is here, and not a future.",
        concept="What a recipe computes by itself is computed in this process, one share after the "
        "other.",
        line="`lambda: team.call(work.forward, network, part, worker=worker)`, made by a "
        "function that is given `part` and `worker`.",
    ),
]
