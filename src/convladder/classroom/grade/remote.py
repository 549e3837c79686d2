"""Answers whose object lives in a submission's process, judged here as any other.

The values that came back are compared here, with references and cases that process never sees.
How they were made (memory, machine code, what was called or changed) only that process can say.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable
from typing import Any

from ...measure import Memory
from ...teach.grading import stages
from ...teach.grading.answer import Answer, PythonAnswer, Value
from ...teach.grading.exercise import Exercise
from ...teach.grading.run import Attempt
from ...teach.grading.stand_ins import Refused
from ...teach.grading.time_limit import OutOfTime
from .walls import BenchEnded, Ended, Jailed
from .wire import Whole, is_plain

SLOW = 20.0  # seconds beyond a call's own limit, for what is around it
COMPILING = 180.0  # seconds for a kernel to be compiled, or launched: both have limits of their own
MOST_WORDS = 2000  # characters of one text that a submission's process tells
_KINDS = {int(kind): kind for kind in inspect._ParameterKind}


class RemoteFunction:
    """A learner's function in another process, as far as sentences and signatures need one."""

    def __init__(self, ask: Callable[..., Any], told: dict) -> None:
        self._ask = ask
        self.own = told.get("own") is not False
        self.__name__ = _words(told.get("name"), 200) or "function"
        self.__module__ = _words(told.get("module"), 200)
        self.__qualname__ = self.__name__
        self.__signature__ = _signature(told.get("parameters"))
        if told.get("compiled") is True:
            self.inspect_asm = self._assembly

    def __call__(self, *args: Any) -> Any:
        told = self._ask("call", args=_sendable(args))
        for arg, counted in zip(args, _list(told.get("counted"))):
            _count(arg, counted)
        if told.get("error") is not None:
            raise error_of(told["error"])
        return told.get("value")

    def _assembly(self) -> dict[int, str]:
        texts = _list(self._ask("assembly").get("texts"))
        return dict(enumerate(str(text) for text in texts))


class RemoteAnswer(PythonAnswer):
    """A function in another process. `told`: what rests on that process's word, in words."""

    not_its_own = (Ended,)

    def __init__(self, exercise: Exercise, given: RemoteFunction) -> None:
        super().__init__(exercise, given)
        self.told: list[str] = []

    def _refusal(self) -> tuple[str, str] | None:
        if isinstance(self.given, RemoteFunction) and not self.given.own:
            return stages.NOT_YOURS, (
                f"`{self.given.__name__}` is the course's own function. "
                f"Write `{self.exercise.signature}` yourself."
            )
        return super()._refusal()

    def run(self, args: tuple) -> Attempt:
        told = self.given._ask("run", args=_sendable(args))
        numbers = range(len(self.exercise.parameters))
        return Attempt(
            value=told.get("value"),
            error=None if told.get("error") is None else error_of(told["error"]),
            line=_words(told.get("line"), 300) or None,
            changed=tuple(i for i in _list(told.get("changed")) if i in numbers),
            views=tuple(i for i in _list(told.get("views")) if i in numbers),
            package_calls=tuple(_words(name, 200) for name in _list(told.get("package_calls"))),
            printed=told["printed"] if type(told.get("printed")) is int else 0,
            objection=_words(told.get("objection"), MOST_WORDS) or None,
            left=told.get("left") is True,
            settled=told.get("settled") is not False,
        )

    def judge_cost(self, cases: list[tuple], report: Any) -> stages.Finding:
        exercise = self.exercise
        self.told += [
            words
            for asked, words in (
                (exercise.workspace, "the bytes of workspace"),
                (exercise.code, "the machine code"),
                (exercise.use, "how it used what it was given"),
            )
            if asked
        ]
        return super().judge_cost(cases, report)

    def keeps_result(self, args: tuple) -> bool:
        return self.given._ask("keeps", args=_sendable(args)).get("keeps") is True

    def memory(self, args: tuple) -> Memory:
        told = self.given._ask("memory", args=_sendable(args))
        workspace, result = told.get("workspace"), told.get("result")
        if type(workspace) is not int or type(result) is not int or min(workspace, result) < 0:
            raise Ended("told no bytes of memory")
        return Memory(workspace, result, None)


def answer_of(
    exercise: Exercise, told: dict, worker: Jailed, bench: Callable[[], Jailed], seconds: float
) -> Answer:
    """Return what a submission handed over for `exercise`, as an answer to judge.

    told: what its process says of it. bench: gives a process in which kernels are run. seconds:
    for one call. Raises Ended while it is judged, if a process ends.
    """

    def ask(do: str, **what: Any) -> dict:
        return _asked(worker, do, what, 2 * seconds + SLOW)  # a measured call is made twice

    def ask_bench(do: str, **what: Any) -> dict:
        try:
            return _asked(bench(), do, what, COMPILING)
        except Ended as error:
            raise BenchEnded(error.why, error.slow) from None

    given = RemoteFunction(ask, told) if told.get("callable") is True else told.get("value")
    if exercise.kernel:
        from .kernels import RemoteKernel  # a compiler and the emulator

        return RemoteKernel(exercise, given, ask_bench)
    if exercise.cases is None:
        return Value(exercise, given)
    return RemoteAnswer(exercise, given)


def _asked(process: Jailed, do: str, what: dict, seconds: float) -> dict:
    process.send({"do": do, "with": what})
    answer = process.receive(seconds)
    if type(answer) is not dict:
        raise Ended("sent what is no answer")
    return answer


def error_of(told: Any) -> Exception:
    """Return an exception like the one that a submission's process tells of."""
    told = told if type(told) is dict else {}
    text = _words(told.get("text"), MOST_WORDS)
    if type(told.get("seconds")) is float:
        return OutOfTime(told["seconds"], [], told.get("left") is True)
    if told.get("refused") is True:
        return Refused(text)
    name = re.sub(r"\W", "", _words(told.get("type"), 80)) or "Exception"
    return type(name, (Exception,), {})(text)


def _sendable(args: tuple) -> Any:
    """Return arguments as they travel: as data, or where they are more than that, as a whole."""
    return args if is_plain(args) else Whole(args)


def _count(argument: Any, counted: Any) -> None:
    """Take over what a stand-in has counted, where it counts that."""
    if type(counted) is dict and hasattr(argument, "__dict__"):
        for name, value in counted.items():
            if type(value) is type(vars(argument).get(name)):
                vars(argument)[name] = copy.copy(value)


def _signature(told: Any) -> inspect.Signature | None:
    try:
        return inspect.Signature(
            [
                inspect.Parameter(name, _KINDS[kind], default=... if given else inspect._empty)
                for name, kind, given in told
            ]
        )
    except (TypeError, ValueError, KeyError):
        return None


def _list(told: Any) -> list:
    return list(told)[:1000] if type(told) in (list, tuple) else []


def _words(told: Any, most: int) -> str:
    return told[:most] if type(told) is str else ""
