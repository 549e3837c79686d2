"""An exercise is plain data, one file each, and a mistake is an edit of its solution."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

SEED = 20260101  # every learner, and CI, meets the same cases
OUT = "out"  # among a kernel's arguments: the array that it writes, not yet written
ZEROS = "zeros"  # the same, but the array begins as zeros


@dataclass(frozen=True)
class Edit:
    """A solution with some passages exchanged: (old, new) pairs; each `old` occurs exactly once."""

    exchanges: tuple[tuple[str, str], ...]

    def apply(self, solution: Callable | str) -> Callable | str:
        """Return the edited function, or source. Raises ValueError if a passage isn't unique."""
        text = solution if isinstance(solution, str) else _source(solution)
        for old, new in self.exchanges:
            if text.count(old) != 1:
                raise ValueError(f"the solution has {old!r} {text.count(old)} times, not once")
            text = text.replace(old, new)
        if isinstance(solution, str):
            return text
        function = inspect.unwrap(solution)
        names = dict(function.__globals__)
        exec(compile(text, "<edited solution>", "exec"), names)
        return names[function.__name__]


def edit(*texts: str) -> Edit:
    """Return an edit: the second text goes in place of the first, the fourth of the third, …"""
    return Edit(tuple(zip(texts[::2], texts[1::2], strict=True)))


def _source(function: Callable) -> str:
    return textwrap.dedent(inspect.getsource(inspect.unwrap(function)))


@dataclass(frozen=True)
class Misconception:
    """A usual mistake: a wrong answer, and two hints. `wrong` may be a list of variants of it.

    The hints are shown to everybody whose results are those of `wrong`, whatever the code behind
    them: so they must be true of every variant and of everything that behaves alike.
    """

    name: str
    wrong: Edit | Callable | str | Sequence
    shows: str  # what the learner can see in the results
    why: str  # the idea that is missing
    mend: str = ""  # a line of the solution that mends it, where the exercise's own doesn't

    def answers(self, solution: Callable | str) -> list[Callable | str]:
        """Return its wrong answers, each a function or a kernel's source."""
        variants = self.wrong if isinstance(self.wrong, list | tuple) else [self.wrong]
        return [each.apply(solution) if isinstance(each, Edit) else each for each in variants]


@dataclass(frozen=True)
class KernelSpec:
    """The extra fields of a CUDA exercise. Both functions take a case's arguments.

    name: of the `__global__` function.
    arguments: what the kernel takes, in order: arrays, numbers, and OUT or ZEROS for the result.
    launch: (grid, block) or (grid, block, shared_bytes), and the answer is a source. If None, the
        answer is a function of a case's last argument that returns (source, grid, block), or
        (source, grid, block, shared_bytes).
    """

    name: str
    arguments: Callable[..., tuple]
    launch: Callable[..., tuple] | None = None


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise. Only the first seven fields are always needed.

    cases: rng -> cases of plain data (numbers, strings, tuples, lists, ConvProblems), simplest
        first and the largest last. Plain data is what can be made smaller.
    mend: a line of the solution. Shown last, unless a mistake has its own.
    inputs: (fill, *case) -> the arguments; `fill(*shape)` is a float32 array. If None, a case is
        the arguments.
    reference: what is right, where `solution` is a kernel's source or a plan.
    accept: (*arguments, result) -> None, or a sentence on what is wrong with it, where several
        results are right.
    valid: (*case) -> whether the task makes sense; a case that the reference refuses never does.
    allowed: prefixes of the course's own functions that an answer may call.
    budget: (*arguments) -> the most of each count: "workspace" (bytes), or counts of a
        `convladder.cuda.Report`, or "barriers" in the kernel's text. Taken on the last case.
    usage: (answer) -> None, or what is wrong with how the right values came about; the sentence
        goes on after "Your function".
    view: the result may share memory with an argument, and memory of its own counts as workspace.
    contiguous: the result must be C-contiguous.
    kernel: where the answer is CUDA C++.
    """

    name: str
    lab: int
    task: str
    solution: Callable | str
    cases: Callable[[np.random.Generator], list[tuple]]
    mend: str
    misconceptions: Sequence[Misconception]
    inputs: Callable[..., tuple] | None = None
    reference: Callable | None = None
    accept: Callable[..., str | None] | None = None
    valid: Callable[..., bool] = lambda *case: True
    allowed: tuple[str, ...] = ()
    budget: Callable[..., dict[str, int]] | None = None
    usage: Callable[[Callable], str | None] | None = None
    view: bool = False
    contiguous: bool = False
    kernel: KernelSpec | None = None

    @property
    def right(self) -> Callable:
        """Return the function that says what is right."""
        right: Any = self.reference or self.solution  # a source has a `reference`
        return right

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of a case's arguments, in order."""
        return tuple(inspect.signature(self.right).parameters)

    @cached_property
    def seeded_cases(self) -> list[tuple]:
        """Return the cases that every learner meets."""
        return self.cases(np.random.default_rng(SEED))

    def arguments(self, case: tuple, fill: Callable) -> tuple:
        """Return the arguments of a case, with arrays made by `fill(*shape)`."""
        return self.inputs(fill, *case) if self.inputs else case


def random_fill(seed: int = SEED) -> Callable[..., np.ndarray]:
    """Return a fill of signed values, among which no two rows or columns are alike."""
    rng = np.random.default_rng(seed)
    return lambda *shape: rng.standard_normal(shape, dtype=np.float32) + np.float32(0.25)


def small_integers(seed: int = SEED) -> Callable[..., np.ndarray]:
    """Return a fill of whole numbers from -9 to 9."""
    rng = np.random.default_rng(seed)
    return lambda *shape: rng.integers(-9, 10, shape).astype(np.float32)


def counting(*shape: int) -> np.ndarray:
    """Return 1, 2, 3, … in float32: values that one can follow by hand."""
    return np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)
