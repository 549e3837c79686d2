"""Whether a call lets go of the interpreter's lock (the GIL) while it works."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

PATIENCE = 1000.0  # seconds in which nobody is *asked* to let go: longer than any call here
NAP = 2e-4


def lets_go(fn: Callable[[], object], least: float = 0.05) -> bool:
    """Return whether other threads can run Python code while `fn()` works.

    A second thread calls `fn` for `least` seconds or longer; this one wakes up again and again,
    for which it needs the lock. Nobody is asked to give it up meanwhile, so that this thread
    sees only what `fn` lets it see: the answer needs no second core. An error in `fn` passes
    through.
    """
    spans, errors, begin = [], [], threading.Event()

    def work() -> None:
        begin.wait()
        try:
            end = time.perf_counter() + least
            while True:
                start = time.perf_counter()
                fn()
                stop = time.perf_counter()
                spans.append((start, stop))
                if stop >= end:
                    return
        except BaseException as error:
            errors.append(error)

    fn()  # compiles and loads, which needs the lock
    before = sys.getswitchinterval()
    thread = threading.Thread(target=work)
    thread.start()
    seen = []
    sys.setswitchinterval(PATIENCE)
    try:
        begin.set()
        while thread.is_alive():
            time.sleep(NAP)
            seen.append(time.perf_counter())
    finally:
        sys.setswitchinterval(before)
    thread.join()
    if errors:
        raise errors[0]
    # A wake-up between two calls says nothing: count only those inside one.
    return any(start < moment < stop for moment in seen for start, stop in spans)
