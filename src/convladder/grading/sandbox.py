"""Call a learner's function so that nothing gets out: no error, no print, no endless loop."""

from __future__ import annotations

import builtins
import copy
import io
import linecache
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from inspect import unwrap
from numbers import Real
from pathlib import Path
from traceback import walk_stack, walk_tb
from types import CodeType, FrameType, ModuleType
from typing import Any
from weakref import ref

import numpy as np

from ..core.machine_error import MachineError, is_of_the_machine
from .compare import same
from .threads import SECONDS, OutOfTime, ThreadWatch, limited, lost_errors

GRADING = str(Path(__file__).parent)
PACKAGE = str(Path(__file__).parents[1])  # the course's own code
MOCKS = "convladder.exercises.mocks."  # which an answer is given, and may always call


@dataclass
class Run:
    """One call's outcome. `value` is a copy made as it returned; `live` is the object itself."""

    args: tuple = ()
    value: Any = None
    live: Any = None
    error: BaseException | None = None
    of_the_machine: bool = False  # the error: no fault of the function
    line: str = ""  # the learner's own line that raised
    changed: tuple[int, ...] = ()  # positions of the arguments that it changed
    shares: tuple[int, ...] = ()  # positions of those whose memory the result shares
    calls: tuple[str, ...] = ()  # the course's own functions that it called
    objection: str = ""  # what a mock, such as a pool, has against its use
    printed: int = 0  # lines
    unfinished: bool = False  # its threads were at work when it returned
    settled: bool = True  # they ended soon, and changed nothing more
    lost: str = ""  # what a thread or a task of its own raised, unasked for


class ForbiddenCall(Exception):
    """The answer called `input` or `exit`."""


def call(
    function: Callable,
    args: tuple,
    allowed: tuple[str, ...] | None = (),
    seconds: float | None = SECONDS,
) -> Run:
    """Call `function` on deep copies of `args`. Only KeyboardInterrupt passes through.

    allowed: prefixes of the course's functions that it may call, None not to watch.
    seconds: of its time, in a thread of its own; None to call it in this thread, without a limit.
    """
    run, calls, given = Run(args), [], list(args)

    def work() -> None:
        given[:] = copy.deepcopy(args)  # in this thread: a mock may know who made it
        workers, former = ThreadWatch(), sys.getprofile()
        if allowed is not None:
            sys.setprofile(_watcher(work.__code__, calls, (MOCKS, *allowed)))
        try:
            run.live = function(*given)
        finally:
            sys.setprofile(former)
        run.value = _plain(run.live)
        if workers.left():
            run.unfinished = True
            run.settled = workers.settle() and same(run.value, _plain(run.live))

    with guarded(function) as printed, lost_errors() as lost:
        try:
            limited(work, seconds) if seconds else work()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: `exit()` must not end the kernel
            run.error, run.line = error, own_line(function, error)
            run.of_the_machine = is_of_the_machine(error, own_globals(function))
            error.__traceback__ = None  # it would keep every array of the call alive
    run.printed = printed.getvalue().count("\n")
    run.calls = tuple(dict.fromkeys(calls))
    run.changed = tuple(i for i, (a, b) in enumerate(zip(args, given)) if not same(a, b))
    run.shares = tuple(
        i
        for i, a in enumerate(given)
        if isinstance(a, np.ndarray)
        and any(np.may_share_memory(a, array) for array in _arrays(run.live))
    )
    objections = (each.objection() for each in given if hasattr(each, "objection"))
    run.objection = next(filter(None, objections), "")
    if lost and run.error is None:
        line = own_line(function, lost[0])
        run.lost = f"{error_text(lost[0])}{f' at {line}' if line else ''}"
    return run


class Opaque:
    """In place of a result that cannot be copied, such as a generator."""

    def __init__(self, value: Any) -> None:
        self.name = type(value).__name__


def _plain(value: Any) -> Any:
    """Return a copy of a result in plain types, which compare as they should."""
    if isinstance(value, np.ndarray):
        return np.array(value, copy=True, subok=False, order="K")  # of a masked one, what is below
    if isinstance(value, list | tuple):  # of a named tuple, the values
        return (tuple if isinstance(value, tuple) else list)(map(_plain, value))
    if isinstance(value, dict):  # of a defaultdict too
        return {key: _plain(each) for key, each in value.items()}
    plain = type(value).__module__ in ("builtins", "numpy") and not hasattr(value, "__next__")
    if isinstance(value, Real):
        return value if plain else float(value)
    return value if plain else Opaque(value)


def _arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    items = value.values() if isinstance(value, dict) else value
    return (
        [a for item in items for a in _arrays(item)] if type(value) in (list, tuple, dict) else []
    )


class _Poisoned:
    """`np.empty`, or `np.empty_like`, that is NaN (or the largest integer) until it is written.

    Numba compiles it as the original: it looks a function up by a weak reference, or by itself
    where it has none. This has none, and equals both.
    """

    __slots__ = ("original",)

    def __init__(self, original: Callable) -> None:
        self.original = original

    def __call__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        array = self.original(*args, **kwargs)
        if array.dtype.kind in "fciu":
            array.fill(np.nan if array.dtype.kind in "fc" else np.iinfo(array.dtype).max)
        return array

    def __eq__(self, other: object) -> bool:
        other = other() if isinstance(other, ref) else other
        return other is self or other is self.original

    def __hash__(self) -> int:
        return hash(self.original)


# NumPy as a notebook sees it during a call. NumPy itself stays as it is: a library that is first
# imported meanwhile would keep what it finds there.
NUMPY = ModuleType("numpy")


class _Lines(io.StringIO):
    """Keeps the line ends of what is printed, and no more."""

    def write(self, text: str) -> int:
        super().write("\n" * text.count("\n"))
        return len(text)


@contextmanager
def guarded(function: Callable) -> Iterator[_Lines]:
    """Hold back prints and warnings, refuse `input` and `exit`, poison what `np.empty` gives."""

    def refuse(*_: Any) -> None:
        raise ForbiddenCall("a call of `input` or `exit`")

    empty, empty_like = _Poisoned(np.empty), _Poisoned(np.empty_like)
    vars(NUMPY).update(vars(np), empty=empty, empty_like=empty_like)
    new: dict[int, Any] = {id(np.empty): empty, id(np.empty_like): empty_like, id(np): NUMPY}
    ends = [getattr(builtins, name, None) for name in ("input", "exit", "quit")]
    if "IPython" in sys.modules:  # its own `exit` ends the kernel, and raises nothing
        ends.append(getattr(sys.modules["IPython"].get_ipython(), "exiter", None))
    new |= {id(each): refuse for each in ends if each is not None}
    replaced = [
        (names, name, value)
        for names in (vars(builtins), own_globals(function))
        for name, value in list(names.items())
        if id(value) in new
    ]
    lines = _Lines()
    with (
        redirect_stdout(lines),
        redirect_stderr(lines),
        warnings.catch_warnings(action="ignore"),
        np.errstate(all="ignore"),
    ):
        for names, name, value in replaced:
            names[name] = new[id(value)]
        try:
            yield lines
        finally:
            for names, name, value in replaced:
                names[name] = value


def plain_function(answer: Any) -> Any:
    """Return the function below a partial, a method, a decorator, or an object that is called."""
    while True:
        inner = answer
        if isinstance(inner, partial):
            inner = inner.func
        inner = getattr(inner, "py_func", inner)  # of Numba
        inner = unwrap(getattr(inner, "__func__", inner))
        if not hasattr(inner, "__code__") and not isinstance(inner, type | partial):
            inner = getattr(type(inner).__call__, "__func__", type(inner).__call__)
        if inner is answer or not hasattr(inner, "__code__"):
            return inner
        answer = inner


def own_globals(function: Callable) -> dict[str, Any]:
    """Return the names that a learner's function sees: those of its notebook."""
    return getattr(plain_function(function), "__globals__", {})


def _watcher(boundary: CodeType, calls: list[str], allowed: tuple[str, ...]) -> Callable:
    """Return a profiler that notes calls into the course from outside it, up to `boundary`."""

    def on_event(frame: FrameType, event: str, _: Any) -> None:
        code, caller = frame.f_code, frame.f_back
        if event != "call" or not _is_ours(code) or code.co_name == "<module>":
            return
        if code.co_filename.startswith(GRADING):  # a generator of a check, which is closed just now
            return
        while caller and caller.f_code is not boundary:
            if _is_ours(caller.f_code):
                return  # our own function at work; it was judged when the learner called it
            caller = caller.f_back  # past NumPy, or a dataclass's generated `__init__`
        name = f"{frame.f_globals.get('__name__', '')}.{code.co_qualname}"
        if caller and not name.startswith(allowed):
            calls.append(name.removesuffix(".__post_init__"))

    return on_event


def own_line(function: Callable, error: BaseException) -> str:
    """Return the last line of the learner's own among those that led to an error, or ""."""
    own = own_globals(function)
    places = [*walk_tb(error.__traceback__)][::-1]  # innermost first
    if isinstance(error, OutOfTime) and error.frame:
        places += walk_stack(error.frame)
    for frame, number in places:
        if frame.f_globals is own and number and not _is_ours(frame.f_code):
            text = linecache.getline(frame.f_code.co_filename, number, own).strip()
            return f"line {number}, `{text}`" if text else f"line {number}"
    return ""


def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(PACKAGE)


def error_text(error: BaseException) -> str:
    """Return an exception in words that are the same in every run: "IndexError: index 3 is …"."""
    try:
        words = str(error)
    except Exception:  # an exception whose own words fail
        words = ""
    lines = re.sub(r" at 0x[0-9a-f]+", "", words).strip().split("\n")
    text = lines[0][:300]
    if text.startswith("Failed in nopython mode"):  # Numba: the cause comes next, then its place
        causes = [each.strip() for each in lines if each.strip() and not each.startswith("Failed")]
        text = " ".join(causes[: 1 + causes[0].endswith(":")])[:300]
        place = re.search(r'File "[^"]*", line (\d+)', words)
        text += f" (line {place[1]})" if place else ""
    if isinstance(error, ForbiddenCall | MachineError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
