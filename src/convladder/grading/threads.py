"""A call with a time limit, and what an answer's own threads do when it returns."""

from __future__ import annotations

import contextvars
import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from traceback import walk_stack
from types import FrameType
from typing import Any

SECONDS = 20.0  # for one call: cases are small, but the machine may be busy
SETTLE = 1.0  # seconds for threads to end that had nothing more to do
AGAIN = 0.01  # seconds between two tries to stop a call
TRIES = 200  # not seconds: on a busy machine either thread may wait long for its turn
COMPILING = 300.0  # seconds that Numba may take besides
IDLE = ("concurrent/futures/thread.py", "multiprocessing/pool.py", "multiprocessing/connection.py")
WAITING = ("threading.py", "queue.py", "selectors.py")

_set_exception = ctypes.PYFUNCTYPE(None, ctypes.c_ulong, ctypes.py_object)(
    ("PyThreadState_SetAsyncExc", ctypes.pythonapi)
)
_take_back = ctypes.PYFUNCTYPE(None, ctypes.c_ulong, ctypes.c_void_p)(
    ("PyThreadState_SetAsyncExc", ctypes.pythonapi)
)


class OutOfTime(Exception):
    """A call was stopped after `seconds`. `frame`: where it was. `left`: it still runs."""

    def __init__(self, seconds: float, frame: FrameType | None, left: bool) -> None:
        super().__init__(f"was stopped after {seconds:g} s")
        self.frame, self.left = frame, left


def limited(function: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """Return `function()`, run in a thread of its own, which is stopped when the time is up.

    While Numba compiles the clock stands still. Raises what `function` raises, or `OutOfTime`. A
    call in compiled code cannot be stopped: it is left behind, a daemon.
    """
    box: dict[str, Any] = {}
    context = contextvars.copy_context()  # NumPy keeps there what it warns of

    def work() -> None:
        try:
            box["value"] = context.run(function)
        except BaseException as error:
            box["error"] = error

    before = set(threading.enumerate())
    thread = threading.Thread(target=work, daemon=True, name="check")
    thread.start()
    frame = None
    try:
        _wait(thread, seconds)
        frame = sys._current_frames().get(thread.ident or 0)
    finally:  # an interrupt as well
        late = thread.is_alive()
        if late:
            _stop(thread, before)
    if late:
        raise OutOfTime(seconds, frame, thread.is_alive())
    if "error" in box:
        raise box["error"]
    return box["value"]


def _wait(thread: threading.Thread, seconds: float) -> None:
    now = time.perf_counter()
    end, latest = now + seconds, now + seconds + COMPILING
    while thread.is_alive() and now < end:
        thread.join(min(end - now, 0.25))
        then, now = now, time.perf_counter()
        if thread.is_alive() and _numba_compiles():
            end = min(latest, end + now - then)


def _numba_compiles() -> bool:
    return any(
        "/numba/core/" in each.f_code.co_filename.replace("\\", "/")
        for frame in sys._current_frames().values()
        for each, _ in walk_stack(frame)
    )


def _stop(thread: threading.Thread, before: set[threading.Thread]) -> None:
    """End a thread, and those that it has started, by exceptions raised in them.

    The exception is a SystemExit, by which threads end without a word, and the making of it raises
    another one: where an answer catches the first, the second arrives in the handler, outside the
    `try`. So no loop in Python survives.
    """
    for _ in range(TRIES):
        if not thread.is_alive():
            break
        for each in set(threading.enumerate()) - before:
            if each.ident and not _holds_lock(each.ident):
                _raise_in(each.ident)
        thread.join(AGAIN)
    for each in set(threading.enumerate()) - before:
        _take_back(each.ident or 0, None)
    with suppress(SystemExit):  # Python 3.11 hangs under a profiler until one has arrived
        _set_exception(threading.get_ident(), SystemExit)


def _raise_in(ident: int) -> None:
    stop = type("Stop", (SystemExit,), {})
    stop.__init__ = staticmethod(partial(_set_exception, ident, SystemExit))  # runs no Python code
    _set_exception(ident, stop)


def _holds_lock(ident: int) -> bool:
    """Return whether a thread may be about to take or release a lock, which would stay taken."""
    frame = sys._current_frames().get(ident)
    return frame is not None and (
        frame.f_code.co_filename.startswith("<frozen importlib")
        or frame.f_code.co_name in ("__enter__", "__exit__", "acquire", "release")
    )


class ThreadWatch:
    """Tells which threads have begun to work since it was made: new ones, and those of pools."""

    def __init__(self) -> None:
        self._before = set(threading.enumerate())
        self._busy = self._at_work(self._before)

    def left(self) -> set[threading.Thread]:
        """Return the threads that are at work now and were not before."""
        return self._at_work(set(threading.enumerate())) - self._busy

    def settle(self) -> bool:
        """Wait for them, for `SETTLE` at most; return whether they have come to their end."""
        end = time.perf_counter() + SETTLE
        while self.left() and time.perf_counter() < end:
            time.sleep(AGAIN)
        return not self.left()

    def _at_work(self, threads: set[threading.Thread]) -> set[threading.Thread]:
        frames = sys._current_frames()
        own = threading.get_ident()
        return {
            thread
            for thread in threads
            if thread.ident in frames
            and thread.ident != own
            and (thread not in self._before or thread.name.startswith("ThreadPoolExecutor"))
            and not frames[thread.ident].f_code.co_filename.endswith((*IDLE, *WAITING))
        }


@contextmanager
def lost_errors() -> Iterator[list[BaseException]]:
    """Yield a list of the exceptions that end threads and tasks, and which nobody may ask for."""
    lost: list[BaseException] = []
    hook, set_exception = threading.excepthook, Future.set_exception

    def ended(args: Any) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            lost.append(args.exc_value)

    def failed(future: Future, error: BaseException | None) -> None:
        if error is not None:
            lost.append(error)
        set_exception(future, error)

    futures: Any = Future  # whose method is exchanged
    threading.excepthook, futures.set_exception = ended, failed
    try:
        yield lost
    finally:
        threading.excepthook, futures.set_exception = hook, set_exception
