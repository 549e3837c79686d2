"""Run a learner's function once, on copies, and note all that happens. Lets nothing out."""

from __future__ import annotations

import builtins
import copy
import io
import linecache
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from inspect import unwrap
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from .compare import same

if TYPE_CHECKING:
    from ...cuda import Report

PACKAGE = str(Path(__file__).parents[2]) + os.sep


class Refused(Exception):
    """What a call raises that an attempt cannot let through. Its text says what was done."""


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
    report: Report | None = None  # of a kernel's launch


def in_package(code: CodeType) -> bool:
    """Return whether this code was written in the package."""
    return code.co_filename.startswith(PACKAGE)


def run_once(function: Callable, args: tuple, calls_allowed: tuple[str, ...] | None) -> Attempt:
    """Call `function(*args)` on deep copies of `args`.

    calls_allowed: names in this package that it may call, or None not to watch its calls.
    Only KeyboardInterrupt passes through.
    """
    given = copy.deepcopy(args)
    result = Attempt()
    package_calls: list[str] = []
    with quiet() as printed, guarded(function):
        former = sys.getprofile()
        if calls_allowed is not None:
            sys.setprofile(_watcher(package_calls, calls_allowed))
        try:
            result.value = function(*given)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: `exit()` must not end the kernel
            result.error = error
        finally:
            sys.setprofile(former)
    if result.error is not None:
        result.line = _own_line(result.error, function)
        _forget_frames(result.error)
    result.changed = tuple(i for i, (a, b) in enumerate(zip(args, given)) if not same(a, b))
    result.views = tuple(
        i for i, arg in enumerate(given) if isinstance(arg, np.ndarray)
        and any(np.may_share_memory(arg, array) for array in _arrays(result.value))
    )
    objections = [arg.objection() for arg in given if hasattr(arg, "objection")]
    result.objection = next(filter(None, objections), None)
    result.package_calls = tuple(dict.fromkeys(package_calls))
    result.printed = len(printed.getvalue().splitlines())
    return result


class Filled:
    """`np.empty` or `np.empty_like`, with NaN or the largest integer where nothing was written."""

    __slots__ = ("original",)

    def __init__(self, original: Callable) -> None:
        self.original = original

    def __call__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        array = self.original(*args, **kwargs)
        if array.dtype.kind in "fc":
            array.fill(np.nan)
        elif array.dtype.kind in "iu":
            array.fill(np.iinfo(array.dtype).max)
        return array

    # Numba knows functions by equality, so it compiles this as the original.
    def __eq__(self, other: object) -> bool:
        return other is self or other is self.original

    def __hash__(self) -> int:
        return hash(self.original)


class WeaklyFilled(Filled):
    __slots__ = ("__weakref__",)  # as `np.empty` has, which Numba keeps by weak reference


FILLED = (WeaklyFilled(np.empty), Filled(np.empty_like))
# NumPy as a notebook sees it during an attempt. NumPy itself stays as it is: a library that is
# first imported meanwhile, as Numba may be, would keep what it finds there.
NUMPY = ModuleType("numpy")


@contextmanager
def quiet() -> Iterator[io.StringIO]:
    """Hold back prints and warnings; yields what was printed."""
    printed = io.StringIO()
    with (redirect_stdout(printed), redirect_stderr(printed), warnings.catch_warnings(),
          np.errstate(all="ignore")):
        warnings.simplefilter("ignore")
        yield printed


@contextmanager
def guarded(function: Callable) -> Iterator[None]:
    """Refuse `input` and `exit`, and let no memory of an earlier answer pass for this one.

    The stand-ins are put where `function` finds the originals: into `builtins`, and into its own
    notebook, which may say `from numpy import empty` and is where IPython keeps `exit`.
    """
    vars(NUMPY).update(vars(np), **{each.original.__name__: each for each in FILLED})
    stand_ins = {
        id(builtins.input): _refuse_input,  # in a notebook this waits for the browser
        id(np): NUMPY,
        **{id(each.original): each for each in FILLED},
    }
    for name in ("exit", "quit"):  # site makes them, or does not
        stand_ins[id(getattr(builtins, name, None))] = _refuse_exit
    if "IPython" in sys.modules:  # its own `exit` ends the kernel, and raises nothing
        shell = sys.modules["IPython"].get_ipython()
        stand_ins[id(getattr(shell, "exiter", None))] = _refuse_exit
    stand_ins.pop(id(None), None)
    own = getattr(unwrap(function), "__globals__", {})
    replaced = [(names, name, value) for names in (vars(builtins), own)
                for name, value in names.items() if id(value) in stand_ins]
    try:
        for names, name, value in replaced:
            names[name] = stand_ins[id(value)]
        yield
    finally:
        for names, name, value in replaced:
            names[name] = value


def _refuse_input(prompt: object = "") -> str:
    raise Refused("asked for input")


def _refuse_exit(code: object = None) -> None:
    raise Refused("called `exit()`")


def _watcher(package_calls: list[str], calls_allowed: tuple[str, ...]) -> Callable:
    def on_event(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not in_package(code) or code.co_name == "<module>":
            return
        if code.co_filename == __file__:
            return  # a stand-in of `guarded`
        caller = frame.f_back
        while caller is None or caller.f_code is not run_once.__code__:
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
    line = None
    traceback = error.__traceback__
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_globals is own_globals:
            number = traceback.tb_lineno
            text = linecache.getline(frame.f_code.co_filename, number, own_globals).strip()
            line = f"line {number}, `{text}`" if text else f"line {number}"
        traceback = traceback.tb_next
    return line


def _forget_frames(error: BaseException | None) -> None:
    """Let go of an error's frames: it is kept, and they would keep every array of the call."""
    while error is not None:
        error.__traceback__, error = None, error.__context__


def explain(error: BaseException) -> str:
    """Return an exception in words that are the same in every run: "IndexError: index 3 is ..."."""
    text = re.sub(r" at 0x[0-9a-f]+", "", str(error)).strip()
    first = text.splitlines()[0][:300] if text else ""
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [array for item in value for array in _arrays(item)]
    return []
