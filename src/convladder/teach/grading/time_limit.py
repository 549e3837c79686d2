"""Call a function in a thread of its own, so that one that never ends can be stopped or left.

Exceptions are raised in that thread from outside: a loop in Python ends by them, also one that
catches everything. (Python 3.12 takes the way back from `except ... as error` for a part of its
`try`: there a loop of nothing else is left behind.) What compiled code does meanwhile goes on until
it returns, and is left behind: a thread that nobody waits for. One thing remains: compiled code
that never returns and keeps Python's lock, as a loop under `numba.njit` does, keeps everybody else
from running as well.
"""

from __future__ import annotations

import contextvars
import ctypes
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

SECONDS = 30.0  # for one call: cases are small, and nobody waits for a loop that never ends
GRACE = 1.0  # seconds for what was stopped to come to its end
LOOK = 0.25  # seconds, after which an interrupt is seen that came as a wait began
COMPILING = 300.0  # seconds, at most, that a compiler may take besides
COMPILERS = "/numba/core/"  # in the names of a compiler's own files
AGAIN = 0.01  # seconds, after which what caught the exception gets another one

_OF_LOCKS = ("__enter__", "__exit__", "acquire", "release")

# Raise an exception in the thread of this number, as soon as it runs Python; and take that back.
_raise_in = ctypes.PYFUNCTYPE(None, ctypes.c_ulong, ctypes.py_object)(
    ("PyThreadState_SetAsyncExc", ctypes.pythonapi)
)
_take_back = ctypes.PYFUNCTYPE(None, ctypes.c_ulong, ctypes.c_void_p)(
    ("PyThreadState_SetAsyncExc", ctypes.pythonapi)
)


class OutOfTime(Exception):
    """A call was stopped. `left`: it still runs.

    `frames`: where it was, the innermost last, with None for what is on no line.
    """

    def __init__(
        self, seconds: float, frames: list[tuple[FrameType, int | None]], left: bool
    ) -> None:
        self.seconds, self.frames, self.left = seconds, frames, left
        super().__init__(f"was stopped after {seconds:g} seconds")


def limited(function: Callable, *args: Any, seconds: float | None = None) -> Any:
    """Return `function(*args)`, which has `seconds` (`SECONDS`) in a thread of its own.

    While Numba compiles, as it does what is called first, the clock stands still.

    Raises what it raises, `OutOfTime` if that is too long. An interrupt ends the call too.
    """
    seconds = SECONDS if seconds is None else seconds
    call, before = _Call(function, args), set(threading.enumerate())
    frames: list = []
    try:
        call.start()
        end = time.perf_counter() + seconds
        latest = end + COMPILING
        while call.is_alive() and (rest := end - (now := time.perf_counter())) > 0:
            call.join(min(rest, LOOK))
            if call.is_alive() and _compiles():  # which is not the answer's own time
                end = min(latest, end + time.perf_counter() - now)
        frames = _frames(call.ident)
    finally:  # an interrupt as well
        late = call.is_alive()
        if late:
            call.stop(before)
    if late:
        raise OutOfTime(seconds, frames, call.is_alive())
    if call.error is not None:
        raise call.error
    return call.value


class _Call(threading.Thread):
    """One call. `over`: nothing may be raised in it any more."""

    def __init__(self, function: Callable, args: tuple) -> None:
        super().__init__(daemon=True, name="check")
        self.function, self.arguments = function, args
        self.context = contextvars.copy_context()  # NumPy keeps there what it warns of
        self.value: Any = None
        self.error: BaseException | None = None
        self.over = False
        self.begun = threading.Event()

    def run(self) -> None:
        self.stop_here = _stop(self.ident)
        self.begun.set()
        to_end = partial(_raise_in, self.ident, SystemExit)
        # Exceptions come from outside, and Python changes threads, after a call and before the next
        # round of a loop: nothing can come between the lines that follow one another here.
        try:
            try:
                self.value = self.context.run(self.function, *self.arguments)
                self.over = True
            except self.stop_here:
                to_end()  # in place of the next one, which is on its way
        except BaseException as error:
            self.over = True
            self.error = error

    def stop(self, before: set[threading.Thread]) -> None:
        """End it, and the threads that it has started since `before`, for `GRACE` at most."""
        begin, reached, arrived = time.perf_counter(), set(), []
        asked, since = False, 0.0
        # The first one lets locks go on its way out. If that was caught, each handler gets one
        # more, and so does what would have released a lock. Compiled code may keep it waiting.
        gently = type(
            "Stop", (SystemExit,), {"__init__": staticmethod(partial(arrived.append, True))}
        )
        self.begun.wait(GRACE)
        while self.is_alive() and (now := time.perf_counter()) - begin < GRACE:
            for thread in set(threading.enumerate()) - before - {self}:
                if not _has_to_do_with_locks(thread.ident):
                    reached.add(thread)
                    # By a SystemExit threads end without a word; if it is caught, by two.
                    caught = now - begin > GRACE / 4
                    end = _stop(thread.ident, SystemExit) if caught else SystemExit
                    _raise_in(thread.ident or 0, end)
            since = since or (now if arrived else 0.0)
            caught = since > 0 and now - since > GRACE / 4
            if not self.over and (caught or not asked) and not _has_to_do_with_locks(self.ident):
                _raise_in(self.ident, self.stop_here if caught else gently)
                asked = True
            self.join(AGAIN)
        for thread in reached | {self}:
            if thread.is_alive():
                _take_back(thread.ident, None)
        # Python 3.11 remembers that some thread has an exception to come, and hangs in one with a
        # profiler, until a thread has had one.
        try:
            _raise_in(threading.get_ident(), SystemExit)
        except SystemExit:
            pass


def _stop(ident: int, then: type[SystemExit] | None = None) -> type[SystemExit]:
    """Make an exception for one thread: whoever catches it gets another one in the handler.

    That is `then`, or it again; a handler is outside its `try`, and so no loop survives it. Nothing
    of this runs as Python code, which it would be raised in.
    """
    stop = type("Stop", (SystemExit,), {})
    stop.__init__ = staticmethod(partial(_raise_in, ident, then or stop))
    return stop


def _has_to_do_with_locks(ident: int | None) -> bool:
    """Return whether a thread may be about to take a lock, or to release it, in Python code.

    An exception there would leave it taken for ever, and with it all who import or compile.
    """
    frame = sys._current_frames().get(ident)
    return frame is not None and (
        frame.f_code.co_filename.startswith("<frozen importlib")
        or frame.f_code.co_name in _OF_LOCKS
    )


def _compiles() -> bool:
    """Return whether some thread is in a compiler."""
    for frame in sys._current_frames().values():
        while frame is not None:
            if COMPILERS in frame.f_code.co_filename.replace("\\", "/"):
                return True
            frame = frame.f_back
    return False


def _frames(ident: int | None) -> list[tuple[FrameType, int | None]]:
    frame, found = sys._current_frames().get(ident), []
    while frame is not None:
        found.append((frame, frame.f_lineno))
        frame = frame.f_back
    return found[::-1]
