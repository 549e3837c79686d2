"""An exercise is data: a task, a reference, cases to try, and the usual mistakes with hints."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Misconception:
    """One usual mistake: an implementation that makes it, and three hints that unfold in order.

    name: short and unique within its exercise, e.g. "flipped kernel".
    wrong: the mistake itself; takes the same arguments as the exercise's reference. Where the
        answer is a kernel, it is an answer: a source, or a function that returns one.
    symptom, concept, line: what shows; the idea behind it; the line of code to look at.
    choices: what a learner chooses freely who makes this mistake, such as the size of a band: for
        keyword arguments of `wrong` other values than its own, which are tried as well.
    """

    name: str
    wrong: Callable[..., Any] | str
    symptom: str
    concept: str
    line: str
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def family(self) -> Iterator[Callable[..., Any] | str]:
        """Yield the mistake as it stands, then with each combination of choices."""
        yield self.wrong
        for values in product(*self.choices.values()) if self.choices else ():
            yield partial(self.wrong, **dict(zip(self.choices, values, strict=True)))

    @property
    def hints(self) -> tuple[str, str, str]:
        return self.symptom, self.concept, self.line


@dataclass(frozen=True)
class Flaw:
    """A flaw of machine code, or of how something is used: a short name, the same everywhere.

    Its sentence goes on after "... gives the right answer, but".
    """

    name: str
    sentence: str


SEED = 20260101  # every learner, and CI, meets the same cases
OUT = "out"  # stands for the result's array among a kernel's arguments
ZEROS = "zeros"  # the same, for a result that begins as zeros


@dataclass(frozen=True)
class KernelTask:
    """What an exercise needs besides cases and reference where the answer is CUDA C++.

    name: of the `__global__` function. solution: a right answer.
    arguments: with a case's arguments, what the kernel takes, in order: arrays, numbers, and OUT
        for the array of the result, into which nothing has been written yet, or ZEROS.
    launch: with a case's arguments, (grid, block), and the answer is a source. None: the answer is
        a function of a case's last argument that returns (source, grid, block) or
        (source, grid, block, shared_bytes).
    budget: with the last case's arguments, the most that counts of `convladder.cuda.Report` may
        be, by their names: {"global_load_sectors": 96}; or "barriers", those that its text has.
    """

    name: str
    solution: str | Callable[..., tuple]
    arguments: Callable[..., tuple]
    launch: Callable[..., tuple] | None = None
    budget: Callable[..., dict[str, int]] | None = None


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise of a lab; the `EXERCISE` of a file that has its name.

    reference: the right answer. Its parameter names are the signature that learners are told.
    cases: rng -> list of argument tuples, the smallest and most readable first. None means that
        the answer is a value, not a function: then `reference` and each `wrong` take no argument.
    workspace: called with a case's arguments, gives the bytes of scratch memory that are allowed;
        measured on the last case, and on each other one whose arguments are as large as 64 KiB.
        So make the last one large.
    amounts: called with a case's arguments, bytes by what they are ("a second result"), beside
        those that every layer has (amounts.py): with these workspace is compared, in words.
    may_view: whether the result may share memory with an argument. If so, a result with memory
        of its own counts against `workspace`.
    contiguous: whether the result must be C-contiguous: not the right values by way of strides.
    code: called with the learner's function once its values are right, judges the machine code that
        they came from: None where it is as it should be, else a Flaw.
    use: called with the answer once its values are right, judges what it has done with what it was
        given: None where that is as it should be, else a Flaw.
    calls_allowed: dotted names of what the learner may call in this package: a module
        ("convladder.problem") or a function ("convladder.cpu.mec.lower"). Anything else is
        "not yours".
    kernel: where the answer is a kernel; `reference` says what it must write.
    accept: where more than one result is right: called with a case's arguments and the result, None
        if it is right, else (stage, sentence that goes on after the function's name).
    """

    name: str
    lab: int
    task: str
    reference: Callable[..., Any]
    cases: Callable[[np.random.Generator], list[tuple]] | None
    misconceptions: tuple[Misconception, ...] | list[Misconception]
    workspace: Callable[..., int] | None = None
    amounts: Callable[..., Mapping[str, int]] | None = None
    may_view: bool = False
    contiguous: bool = False
    code: Callable[[Callable], Flaw | None] | None = None
    use: Callable[[Callable], Flaw | None] | None = None
    calls_allowed: tuple[str, ...] = ()
    kernel: KernelTask | None = None
    accept: Callable[..., tuple[str, str] | None] | None = None

    def __post_init__(self) -> None:
        names = [misconception.name for misconception in self.misconceptions]
        if len(set(names)) < len(names):
            raise ValueError(f"exercise {self.name!r} names a misconception twice: {names}")
        if isinstance(self.calls_allowed, str):
            raise ValueError(f"calls_allowed is {self.calls_allowed!r}: make it a tuple of names")

    def seeded_cases(self) -> list[tuple]:
        """Return the cases that every learner meets; one without arguments for a value."""
        return self.cases(np.random.default_rng(SEED)) if self.cases else [()]

    @property
    def solution(self) -> Callable[..., Any] | str:
        """Return a right answer."""
        return self.kernel.solution if self.kernel else self.reference

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the arguments that the learner's function takes, in order."""
        return tuple(inspect.signature(self.reference).parameters)

    @property
    def signature(self) -> str:
        """Return the function as a learner writes it: "im2col(image, k_h, k_w)"."""
        if self.kernel:
            return f"{self.name}({self.parameters[-1]})"
        return f"{self.name}({', '.join(self.parameters)})"
