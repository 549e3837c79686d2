"""The exercises as they are graded: with cases of a secret seed, and those of the instructor."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...teach import exercises
from ...teach.exercises import load_exercise
from ...teach.grading.compare import difference, same
from ...teach.grading.exercise import Exercise


class ExerciseError(Exception):
    """The exercises cannot be had; the text says why."""


@dataclass
class Exercises:
    """Exercises by name, each made once with cases of `seed`.

    folder: of the instructor's own, laid out as the package's: labNN/eN_name.py, where no lab of
    the course has the number. Raises ExerciseError for a folder that holds none.
    """

    seed: int
    folder: Path | None = None
    _made: dict[str, Exercise] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.folder is None:
            return
        if not list(self.folder.glob("lab*/e*_*.py")):
            raise ExerciseError(
                f"{self.folder} holds no exercise: they are files such as "
                "lab90/e1_name.py, with an EXERCISE each"
            )
        taken = {
            lab.name
            for path in exercises.__path__
            if path != str(self.folder.resolve())
            for lab in Path(path).glob("lab*")
        }
        for lab in self.folder.glob("lab*"):
            if lab.name in taken:
                raise ExerciseError(
                    f"{lab}: the course has a {lab.name}; give yours another number, such as lab90"
                )
        if str(self.folder.resolve()) not in exercises.__path__:
            exercises.__path__.append(str(self.folder.resolve()))

    @cached_property
    def names(self) -> dict[str, int]:
        """Return the number of the lab of each exercise, by name, in their order."""
        return {
            name: int(re.search(r"\.lab(\d+)\.", module)[1])
            for name, module in exercises._modules().items()
        }

    def of_lab(self, lab: int) -> list[str]:
        """Return the names of a lab's exercises."""
        return [name for name, number in self.names.items() if number == lab]

    def __getitem__(self, name: str) -> Exercise:
        """Return an exercise whose cases nobody knows who does not know the seed."""
        if name not in self._made:
            public = load_exercise(name)
            cases = public.cases and public.cases(
                np.random.default_rng([self.seed, *map(ord, name)])
            )
            self._made[name] = replace(public, cases=cases and (lambda rng: cases))
        return self._made[name]

    @cached_property
    def _known(self) -> dict[str, bool]:
        return {}

    def known(self, name: str) -> bool:
        """Return whether the answers to the cases that everybody has are right for these as well.

        Then a table of them passes, and a page says so.
        """
        if name not in self._known:
            secret, public = self[name].seeded_cases(), load_exercise(name).seeded_cases()
            self._known[name] = len(secret) <= len(public) and all(
                _answers(self[name], *each) for each in zip(secret, public, strict=False)
            )
        return self._known[name]

    def public(self, names: Iterable[str]) -> dict[str, dict]:
        """Return what a submission's process is told of exercises: no reference, and no case."""
        return {
            name: {
                "name": name,
                "parameters": list(self[name].parameters),
                "calls_allowed": list(self[name].calls_allowed),
            }
            for name in names
        }


def _answers(exercise: Exercise, secret: tuple, public: tuple) -> bool:
    """Return whether the right answer to a public case is right for a secret one."""
    if alike(secret, public):
        return True
    stored = exercise.reference(*copy.deepcopy(public))
    if exercise.accept:
        return exercise.accept(*copy.deepcopy(secret), stored) is None
    return difference(exercise.reference(*copy.deepcopy(secret)), stored) is None


def alike(one: Any, other: Any) -> bool:
    """Return whether two cases, or parts of them, are the same."""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(same(one, other))
