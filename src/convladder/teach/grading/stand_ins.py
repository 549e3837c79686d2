"""What stands in for NumPy's `empty`, for `input`, `exit` and the screen during an attempt."""

from __future__ import annotations

import builtins
import io
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from inspect import unwrap
from types import ModuleType
from typing import Any

import numpy as np


class Refused(Exception):
    """What a call raises that an attempt cannot let through. Its text says what was done."""


class Filled:
    """`np.empty` or `np.empty_like`, with NaN or the largest integer where nothing was written."""

    __slots__ = ("original",)
    zeros = False  # 0 in place of NaN, within `zeroed`

    def __init__(self, original: Callable) -> None:
        self.original = original

    def __call__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        array = self.original(*args, **kwargs)
        if Filled.zeros:
            array.fill(0)
        elif array.dtype.kind in "fc":
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


class Printed(io.TextIOBase):
    """Counts the lines that are written, and keeps none: a loop that prints has no end."""

    def __init__(self) -> None:
        self._ended = 0
        self._begun = False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._ended += text.count("\n")
        self._begun = not text.endswith("\n") if text else self._begun
        return len(text)

    @property
    def lines(self) -> int:
        """Return how many there are, the last one perhaps without its end."""
        return self._ended + self._begun


@contextmanager
def zeroed() -> Iterator[None]:
    """Let memory that nobody has written hold 0: what is NaN all the same was computed."""
    Filled.zeros = True
    try:
        yield
    finally:
        Filled.zeros = False


@contextmanager
def quiet() -> Iterator[Printed]:
    """Hold back prints and warnings; yields how much was printed."""
    printed = Printed()
    with (
        redirect_stdout(printed),
        redirect_stderr(printed),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
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
    replaced = [
        (names, name, value)
        for names in (vars(builtins), own)
        for name, value in names.items()
        if id(value) in stand_ins
    ]
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
