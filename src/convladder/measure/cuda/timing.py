"""Times of a GPU, by its own clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..timer import Timing, check_budget, timing_of

FEWEST = 5  # rounds
MOST = 200
# Calls before the first event. The GPU works on them while Python hands it the events and the
# call between them, so that the events enclose work only, and no waiting for Python.
AHEAD = 2


def timed_on_gpu(calls: Mapping[str, Callable[[], object]], budget: float = 0.2
                 ) -> dict[str, Timing]:
    """Seconds that the GPU takes for each call, between two CUDA events on either side of it.

    The calls take turns, in rounds of which every other runs backwards, for about `budget`
    seconds each and five rounds at least; each is called once before, uncounted. What a call reads
    may lie in the GPU's L2 cache from the calls before. Only for calls that take longer than
    Python needs to launch one, some tens of microseconds. Needs CuPy and a GPU. Raises
    `ValueError` for a budget that cannot be.
    """
    check_budget(budget)
    import cupy

    for call in calls.values():
        call()
    cupy.cuda.Device().synchronize()
    times: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(MOST):
        for name in list(calls)[:: -1 if number % 2 else 1]:
            times[name].append(_between_events(calls[name]))
        used = sum(map(sum, times.values())) * (1 + AHEAD)
        if number + 1 >= FEWEST and used >= budget * len(calls):
            break
    return {name: timing_of(runs, threads=1) for name, runs in times.items()}


def _between_events(call: Callable[[], object]) -> float:
    import cupy

    start, end = cupy.cuda.Event(), cupy.cuda.Event()
    for _ in range(AHEAD):
        call()
    start.record()
    call()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(start, end) / 1e3
