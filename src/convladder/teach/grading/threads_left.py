"""The threads that an answer leaves at work when it returns."""

from __future__ import annotations

import sys
import threading
from types import FrameType

# Of Python's own library: what a thread of a pool runs while it has nothing to do.
_IDLE = {
    ("concurrent/futures/thread.py", "_worker"),
    ("multiprocessing/pool.py", "worker"),
    ("multiprocessing/pool.py", "_handle_workers"),
    ("multiprocessing/pool.py", "_handle_tasks"),
    ("multiprocessing/pool.py", "_handle_results"),
}
_WAITING = (
    "threading.py",
    "queue.py",
    "selectors.py",
    "multiprocessing/connection.py",
    "multiprocessing/pool.py",
)  # what lies above that while it waits
SETTLE = 1.0  # seconds for threads to be done that had nothing more to do than to end


class AtWork:
    """Which threads were there, and which of them at work, before an answer was called."""

    def __init__(self) -> None:
        self._there = set(threading.enumerate())
        self._busy = self._pool_threads()

    def since(self) -> list[threading.Thread]:
        """Return the threads that are at work now, and were not before."""
        now = [thread for thread in threading.enumerate() if thread not in self._there]
        frames = _frames() if now else {}
        new = {
            thread for thread in now if thread.ident in frames and not _idle(frames[thread.ident])
        }
        return list(new | (self._pool_threads() - self._busy))

    def _pool_threads(self) -> set[threading.Thread]:
        """Return those of former pools that have a task."""
        pools = [thread for thread in self._there if thread.name.startswith("ThreadPoolExecutor")]
        frames = _frames() if pools else {}
        return {
            thread
            for thread in pools
            if thread.is_alive() and thread.ident in frames and not _idle(frames[thread.ident])
        }


def settled(threads: list[threading.Thread]) -> bool:
    """Return whether these come to their end, or to an idle pool, within `SETTLE`."""
    waited = threading.Event()
    for _ in range(int(SETTLE / 0.01)):
        frames = _frames()
        if not any(
            thread.is_alive() and thread.ident in frames and not _idle(frames[thread.ident])
            for thread in threads
        ):
            return True
        waited.wait(0.01)
    return False


def _frames() -> dict[int, FrameType]:
    """Return the other threads' innermost frames: one's own would keep itself, and all it holds."""
    own = threading.get_ident()
    return {ident: frame for ident, frame in sys._current_frames().items() if ident != own}


def _idle(frame: FrameType | None) -> bool:
    """Return whether a thread with this innermost frame waits for a pool to give it a task."""
    while frame is not None:
        file = frame.f_code.co_filename.replace("\\", "/")
        if any(
            file.endswith(f"/{known}") and frame.f_code.co_name == name for known, name in _IDLE
        ):
            return True
        if not file.endswith(_WAITING):
            return False
        frame = frame.f_back
    return False
