"""How much a sender may send: more waits, and is not lost."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

SENDERS = 5_000  # that are remembered


class Buckets:
    """A bucket of `size` for each sender, which fills with `rate` a second."""

    def __init__(self, size: float, rate: float, clock: Callable[[], float] = time.monotonic):
        self._size, self._rate, self._clock = size, rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, sender: str, amount: float) -> float:
        """Take `amount`, and return 0; where there is less, take nothing and return how many
        seconds to wait. An amount above the bucket's size is taken from a full one."""
        now = self._clock()
        left, at = self._left.pop(sender, (self._size, now))
        left = min(self._size, left + (now - at) * self._rate)
        need = min(amount, self._size)
        enough = left >= need
        self._left[sender] = (left - need if enough else left, now)
        while len(self._left) > SENDERS:
            self._left.popitem(last=False)
        return 0.0 if enough else (need - left) / self._rate
