"""The worker from outside: started when needed, asked, stopped when a kernel never ends."""

from __future__ import annotations

import atexit
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from threading import RLock
from time import monotonic

from .compiler import runtime
from .diagnostics import of_the_machine

LAST_WORDS = 2.0  # seconds for a kernel that is stopped to say where it was
SPOILT = 70  # exit code of a crash outside of kernels, by what one of them wrote (launch.cpp)
ENDED_BY_OTHERS = (signal.SIGKILL, signal.SIGTERM)
LOOK = 0.25  # seconds, after which an interrupt is seen that came just as a wait began


class Process:
    """One worker; a new one takes the place of one that died.

    `generation` counts them: what a worker was told, the next one does not know.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._child: subprocess.Popen | None = None
        self.generation = 0
        self._forgotten: list[int] = []

    def forget(self, number: int) -> None:
        """Tell the worker with the next request that an array is gone (this may be any thread)."""
        self._forgotten.append(number)

    def ready(self) -> None:
        """See that there is a worker, and that it knows which arrays are gone."""
        with self._lock:
            # A new one is asked too: a kernel's time begins when it is there.
            if self._start() or self._forgotten:
                gone, self._forgotten = self._forgotten, []
                answer = self._exchange({"do": "forget", "numbers": gone}, None)
                if answer["interrupted"]:  # the launch that would follow was meant
                    raise KeyboardInterrupt
                self._start()  # it may have died, of what it ran before

    def ask(self, do: str, time_limit: float | None = None, **what: object) -> dict:
        """Return the worker's answer, as a dictionary.

        A kernel that crashed gives its last words, with "signal"; one that took longer than
        `time_limit` seconds, or is interrupted, is stopped and gives them too. No words, no
        "faults". Raises `EmulatorError` where the worker itself cannot work.
        """
        with self._lock:
            self.ready()
            try:
                answer = self._exchange({"do": do, **what}, time_limit)
            except BaseException:  # an interrupt: the kernel is not to run on
                self.end()
                raise
        code = answer.pop("code", None)
        spoilt = do == "launch" and code == SPOILT
        if code is not None and not spoilt and (code >= 0 or -code in ENDED_BY_OTHERS):
            raise of_the_machine(
                "the process in which kernels run was ended from outside, as a rule since memory "
                f"is used up ({f'signal {-code}' if code < 0 else f'exit code {code}'})"
            )
        if "error" in answer and "undefined symbol" not in answer["error"]:
            raise of_the_machine(answer["error"])
        return answer

    def _exchange(self, request: dict, time_limit: float | None) -> dict:
        try:
            os.write(self._requests, json.dumps(request).encode() + b"\n")
        except BrokenPipeError:
            pass  # it has ended: its last words tell why
        interrupted = False
        try:
            line = self._line(time_limit)
        except KeyboardInterrupt:
            line, interrupted = None, True
        if line is None:  # too long, or for the user's patience
            self._child.send_signal(signal.SIGUSR1)
            line = self._line(LAST_WORDS)
        self._print()
        answer = json.loads(line) if line else {"signal": 0, "faults": []}
        if line == b"":  # it died without a word
            answer["code"] = self._child.wait()
        if "fatal" in answer:
            self.end()
            raise of_the_machine(str(answer["fatal"]))
        if "signal" in answer:
            self.end()
        elif interrupted:  # it was just done
            raise KeyboardInterrupt
        return {**answer, "interrupted": interrupted}

    def _line(self, seconds: float | None) -> bytes | None:
        """One line; empty if the worker is gone, None if none came in time."""
        until = float("inf") if seconds is None else monotonic() + seconds
        pieces = b""
        with selectors.DefaultSelector() as ready:  # takes any descriptor, as select() does not
            ready.register(self._replies, selectors.EVENT_READ)
            while not pieces.endswith(b"\n"):
                left = max(0.0, until - monotonic())
                if not ready.select(min(left, LOOK)):
                    if left <= LOOK:
                        return None
                    continue
                piece = os.read(self._replies, 1 << 20)
                if not piece:
                    return pieces
                pieces += piece
        return pieces

    def _print(self) -> None:
        """Pass on what the kernel printed."""
        self._printed.seek(self._shown)
        if text := self._printed.read():
            self._shown += len(text)
            sys.stdout.write(text.decode(errors="replace"))

    def _start(self) -> bool:
        """Return whether there was none, so that one was started."""
        if self._child is not None and self._child.poll() is None:
            return False
        self.end()
        theirs, self._requests = os.pipe()
        self._replies, theirs_too = os.pipe()
        self._printed, self._shown = tempfile.TemporaryFile(), 0  # noqa: SIM115 - lives as the child
        worker = Path(__file__).with_name("worker.py")
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", *map(str, (worker, runtime(), theirs, theirs_too))],
            pass_fds=(theirs, theirs_too),
            stdin=subprocess.DEVNULL,
            stdout=self._printed,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt in a notebook is for the notebook
        )
        os.close(theirs)
        os.close(theirs_too)
        return True

    def end(self) -> None:
        """Stop the worker; the next request starts another."""
        if self._child is None:
            return
        os.close(self._requests)
        os.close(self._replies)
        self.generation += 1
        self._child.kill()
        self._child.wait()
        self._child = None
        self._printed.close()


@cache
def process() -> Process:
    """Return the one worker of this process, which ends with it."""
    one = Process()
    atexit.register(one.end)
    return one
