"""Run a learner's function once, on copies, and note all that happens. Lets nothing out."""

from __future__ import annotations

import copy
import linecache
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from inspect import unwrap
from pathlib import Path
from threading import Thread
from traceback import walk_tb
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from . import stand_ins
from .compare import same
from .held import unreadable
from .lost_errors import overheard
from .stand_ins import guarded, quiet
from .threads_left import AtWork, settled
from .time_limit import OutOfTime, limited

if TYPE_CHECKING:
    from ...cuda import Report

PACKAGE = str(Path(__file__).parents[2]) + os.sep


@dataclass
class Attempt:
    """What one call did. `value` is None where it raised."""

    value: Any = None
    error: BaseException | None = None
    line: str | None = None  # the learner's own line that raised, e.g. "line 3, `y = x[9]`"
    changed: tuple[int, ...] = ()  # positions of arguments changed in place
    views: tuple[int, ...] = ()  # positions of arguments whose memory the result shares
    package_calls: tuple[str, ...] = ()  # this package's functions that it called
    printed: int = 0  # lines
    objection: str | None = None  # what an argument, such as a pool, has against its use
    left: bool = False  # whether threads that it had started were at work when it returned
    settled: bool = True  # whether these were done soon after, and changed nothing
    report: Report | None = None  # of a kernel's launch
    lost: str | None = None  # what a thread or a task raised, with its line


class Unreadable(Exception):
    """A result that cannot be looked at. The text goes on after the answer's name."""


def in_package(code: CodeType) -> bool:
    """Return whether this code was written in the package."""
    return code.co_filename.startswith(PACKAGE)


def run_once(
    function: Callable,
    args: tuple,
    calls_allowed: tuple[str, ...] | None,
    seconds: float | None = None,
) -> Attempt:
    """Call `function(*args)` on deep copies of `args`, and keep what it has made when it returns.

    calls_allowed: names in this package that it may call, or None not to watch its calls.
    seconds: the most that it may take, in a thread of its own; None to call it in this thread.
    Only KeyboardInterrupt passes through.
    """
    result, given = Attempt(), list(args)
    package_calls: list[str] = []
    left: list[Thread] = []  # at work when it returned
    changing: list[Any] = []  # the value, of which a copy is judged

    def attempt() -> None:
        given[:] = copy.deepcopy(args)  # here: a stand-in may know the thread that it was made in
        at_work, former = AtWork(), sys.getprofile()
        if calls_allowed is not None:
            sys.setprofile(_watcher(package_calls, calls_allowed))
        try:
            result.value = _called(function, given)
        finally:
            sys.setprofile(former)
        if why := unreadable(result.value):
            raise Unreadable(why)
        result.value = _plain(result.value)
        if at_work.since():
            changing.append(result.value)
            result.value = _copied(result.value)
            left[:] = at_work.since()

    with quiet() as printed, guarded(function), overheard() as errors:
        try:
            if seconds is None:
                attempt()
            else:
                limited(attempt, seconds=seconds)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: `exit()` must not end the kernel
            result.error = error
    if changing and result.error is None:
        result.left = True
        result.settled = settled(left) and same(changing[0], result.value)
    if result.error is not None:
        ended = failed(function, result.error)
        result.value, result.line = None, ended.line
    result.changed = tuple(i for i, (a, b) in enumerate(zip(args, given)) if not same(a, b))
    result.views = _shared(result.value, given)
    objections = [arg.objection() for arg in given if hasattr(arg, "objection")]
    result.objection = next(filter(None, objections), None)
    result.package_calls = tuple(dict.fromkeys(package_calls))
    result.printed = printed.lines
    if errors and result.error is None:
        result.lost = min(_told(error, function) for error in errors)
    for error in errors:
        _forget_frames(error)
    return result


def _told(error: BaseException, function: Callable) -> str:
    line = _own_line(error, function)
    return f"{'at ' + line if line else 'outside of your lines'}: {explain(error)}"


def failed(function: Callable, error: BaseException) -> Attempt:
    """Return the attempt of a call that raised this, without what the error keeps alive."""
    line = _own_line(error, function)
    _forget_frames(error)
    return Attempt(error=error, line=line)


def _called(function: Callable, given: list) -> Any:
    return function(*given)


def _plain(value: Any) -> Any:
    """Return a value in which arrays are NumPy's own: of a masked one, what is below the mask."""
    if isinstance(value, np.ndarray):
        return value if type(value) is np.ndarray else np.asarray(value)
    if type(value) is dict:
        return {key: _plain(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    return value


def _copied(value: Any) -> Any:
    """Return a value with copies of its arrays, which lie in memory as they did."""
    if isinstance(value, np.ndarray):
        return value.copy(order="K")
    if type(value) is dict:
        return {key: _copied(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_copied, value))
    return value


def _shared(value: Any, given: list) -> tuple[int, ...]:
    """Return the positions of the arguments whose memory `value` shares."""
    return tuple(
        i
        for i, arg in enumerate(given)
        if isinstance(arg, np.ndarray)
        and any(np.may_share_memory(arg, array) for array in _arrays(value))
    )


def _watcher(package_calls: list[str], calls_allowed: tuple[str, ...]) -> Callable:
    def on_event(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not in_package(code) or code.co_name == "<module>":
            return
        if code.co_filename in (__file__, stand_ins.__file__):
            return
        caller = frame.f_back
        while caller is None or caller.f_code is not _called.__code__:
            if caller is None or in_package(caller.f_code):  # None: called by compiled code of ours
                return  # our own function at work; it was judged when the learner called it
            caller = caller.f_back  # past NumPy, or a dataclass's generated `__init__`
        name = f"{frame.f_globals['__name__']}.{code.co_qualname}"
        if not any(f"{name}.".startswith(f"{allowed}.") for allowed in calls_allowed):
            package_calls.append(name)

    return on_event


def _own_line(error: BaseException, function: Callable) -> str | None:
    # A learner's frames share the globals of the function under test: one notebook, one namespace.
    own_globals = getattr(unwrap(function), "__globals__", None)
    places = error.frames if isinstance(error, OutOfTime) else list(walk_tb(error.__traceback__))
    for frame, number in reversed(places):
        # Python has instructions that are on no line: what ends an `except`, or a `with`.
        if frame.f_globals is own_globals and number is not None:
            text = linecache.getline(frame.f_code.co_filename, number, own_globals).strip()
            return f"line {number}, `{text}`" if text else f"line {number}"
    return None


def _forget_frames(error: BaseException | None) -> None:
    """Let go of an error's frames: it is kept, and they would keep every array of the call."""
    if isinstance(error, OutOfTime):
        error.frames = []
    while error is not None:
        error.__traceback__, error = None, error.__context__


def explain(error: BaseException) -> str:
    """Return an exception in words that are the same in every run: "IndexError: index 3 is ..."."""
    try:
        words = str(error)
    except Exception:  # an exception whose own words fail
        words = ""
    text = re.sub(r" at 0x[0-9a-f]+", "", words).strip()
    # Advice that follows is about this call; what is wrong with its arguments was done before.
    first = text.splitlines()[0].partition("; use ")[0][:300] if text else ""
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [array for item in value for array in _arrays(item)]
    return []
