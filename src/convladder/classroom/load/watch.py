"""How much memory and processor a hub and its learners take, from now and then on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import psutil

EVERY = 4.0  # seconds: to look at ninety processes takes a tenth of one; shorter peaks are missed


@dataclass(frozen=True)
class Memory:
    """Bytes at one moment, of processes: what the system keeps of files for later is not in them.

    whole: of all, where what processes share counts once (PSS); learners: what each has alone
    (USS); kernels: of them, what is not the server's.
    """

    whole: int
    hub: int
    learners: Mapping[str, int]
    kernels: Mapping[str, int]


@dataclass
class Watch:
    """Looks at processes in the background, as a context. `peak` is the largest whole."""

    processes: Callable[[], dict[str, list[psutil.Process]]]
    peak: int = 0
    compilers: set[int] = field(default_factory=set)

    def __enter__(self) -> Watch:
        """Begin."""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(EVERY):
            self.peak = max(self.peak, self.now().whole)

    def now(self) -> Memory:
        """Return what is taken at this moment."""
        whole, hub, learners, kernels = 0, 0, {}, {}
        for user, group in self.processes().items():
            for each in group:
                try:
                    memory = each.memory_full_info()
                    server = "ipykernel" not in (words := " ".join(each.cmdline())) and (
                        "worker.py" not in words
                    )
                except psutil.Error:
                    continue
                whole += getattr(memory, "pss", memory.uss)  # macOS has no PSS
                if not user:
                    hub += memory.uss
                    continue
                learners[user] = learners.get(user, 0) + memory.uss
                if not server:
                    kernels[user] = kernels.get(user, 0) + memory.uss
        self.peak = max(self.peak, whole)
        return Memory(whole, hub, learners, kernels)


def load_of(processes: Iterable[psutil.Process], seconds: float) -> float:
    """Return the share of this machine's cores that processes take within `seconds` from now."""
    found = list(processes)
    before = _processor_seconds(found)
    time.sleep(seconds)
    after = _processor_seconds(found)
    taken = sum(after[each] - before[each] for each in before.keys() & after.keys())
    return taken / seconds / (psutil.cpu_count() or 1)


def _processor_seconds(processes: Iterable[psutil.Process]) -> dict[psutil.Process, float]:
    found = {}
    for each in processes:
        try:
            times = each.cpu_times()
        except psutil.Error:
            continue
        found[each] = times.user + times.system
    return found
