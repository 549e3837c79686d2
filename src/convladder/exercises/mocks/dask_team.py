"""A stand-in for a team of workers, in this process: what is put somewhere is only there."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.text import count_text
from ...networks.scale import worker_tasks


class Remote:
    """In place of Dask's future: a value in the memory of one worker."""

    def __init__(self, value: Any, worker: int) -> None:
        self._value, self.worker = value, worker

    def __repr__(self) -> str:
        return f"a value at worker {self.worker}"


class RehearsalTeam:
    """In place of `scale.Team`: the same methods, and a note of who worked."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._worked: set[int] = set()
        self._now: set[int] = set()  # who has been given work since the last `collect`
        self._together = 0  # the most of them before one came back

    def put(self, value: Any, worker: int) -> Remote:
        """Return a copy of `value` at one worker."""
        return Remote(copy.deepcopy(value), self._known(worker))

    def share(self, value: Any, worker: int) -> Remote:
        """Return the same, for what stays there."""
        return Remote(value, self._known(worker))

    def call(self, function: Callable, *arguments: Any, worker: int) -> Remote:
        """Return the result of `function`, at that worker."""
        if not callable(function):
            raise TypeError(
                f"`call` was given {function!r}: pass the function and its arguments separately"
            )
        self._worked.add(self._known(worker))
        self._now.add(worker)
        values = [each._value if isinstance(each, Remote) else each for each in arguments]
        return Remote(function(*values), worker)

    def collect(self, recipes: Sequence[Callable]) -> list:
        """Return the values of what each recipe gives."""
        results = []
        for recipe in recipes:
            if not callable(recipe):
                raise TypeError(
                    "`collect` wants recipes, functions without arguments that make a "
                    "future, so that it can use them again: `lambda: team.call(...)`"
                )
            made = recipe()
            results.append(
                [_held(each) for each in made] if isinstance(made, list) else _held(made)
            )
        self._together, self._now = max(self._together, len(self._now)), set()
        return results

    def objection(self) -> str | None:
        """Return the check's objection to an answer that left workers idle."""
        idle = self.count - len(self._worked)
        if not self._worked:
            return "did not give a worker anything to do."
        if idle:
            return f"left {idle} of {self.count} workers without work."
        if self._together == 1 < self.count:
            return (
                "never had two workers at work at the same time: each `collect` waits for "
                "what it is given."
            )
        return None

    def _known(self, worker: int) -> int:
        if not 0 <= worker < self.count:
            raise ValueError(f"worker={worker}: there are workers 0 to {self.count - 1}")
        return worker

    def __deepcopy__(self, memo: dict) -> RehearsalTeam:
        return RehearsalTeam(self.count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RehearsalTeam) and self.count == other.count

    def __repr__(self) -> str:
        return f"a team of {count_text(self.count, 'worker')}"


class ProbeTeam(RehearsalTeam):
    """Counts the whole images taken through a whole network, and collects zeros for arrays.

    layers: how many the whole network has.
    """

    def __init__(self, count: int, layers: int) -> None:
        super().__init__(count)
        self.images, self._layers = 0, layers

    def call(self, function: Callable, *arguments: Any, worker: int) -> Remote:
        """Return the result of `function`, at that worker."""
        if function is worker_tasks.forward and len(arguments) == 2:
            network, x = (getattr(each, "_value", each) for each in arguments)
            whole = len(network) == self._layers and (
                x.shape[1:] == network.problems[0].input_shape[1:]
            )
            self.images += len(x) if whole else 0
        return super().call(function, *arguments, worker=worker)

    def collect(self, recipes: Sequence[Callable]) -> list:
        """Return zeros in place of each array, so that a result shows what it was made from."""
        return [_zeros(value) for value in super().collect(recipes)]


def _held(made: Any) -> Any:
    if not isinstance(made, Remote):
        raise TypeError(
            f"a recipe gave {type(made).__name__}, not a future: work that a worker is to do "
            "begins with `team.call(...)`"
        )
    return made._value


def _zeros(value: Any) -> Any:
    if isinstance(value, list):
        return [_zeros(each) for each in value]
    return np.zeros_like(value) if isinstance(value, np.ndarray) else value
