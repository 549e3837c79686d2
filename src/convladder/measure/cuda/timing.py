"""Times of a GPU, by its own clock: between two events, of calls or of graphs replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..machine_lock import GPU, machine_lock, shared_folder
from ..timing import Sample, Timing, check_budget, interleave, reported, timing_of

FEWEST = 5  # rounds
MOST = 200
# Calls before the first event. The GPU works on them while Python hands it the events and the
# call between them, so that the events enclose work only, and no waiting for Python.
AHEAD = 2


def event_seconds(call: Callable[[], object], *, ahead: int = 0, repeats: int = 1) -> float:
    """Return seconds of one call: `repeats` of them between two events on the current stream.

    `ahead` calls come before, uncounted. Works for whoever queues on CuPy's current stream,
    PyTorch among them. Needs CuPy and a GPU.
    """
    import cupy

    start, end = cupy.cuda.Event(), cupy.cuda.Event()
    with machine_lock(gpu_lock_name()):
        for _ in range(ahead):
            call()
        start.record()
        for _ in range(repeats):
            call()
        end.record()
        end.synchronize()
    return cupy.cuda.get_elapsed_time(start, end) / 1e3 / repeats


def gpu_lock_name() -> str | None:
    """Return the lock for a measurement on this GPU: a file of its own, or that of all GPUs."""
    if shared_folder() is None:
        return None
    import cupy

    own = f"{GPU}-{cupy.cuda.Device().pci_bus_id.lower()}"
    return own if (shared_folder() / own).exists() else GPU


def captured(call: Callable[[], object], calls: int) -> Callable[[], None]:
    """Return a replay of `calls` calls as one CUDA graph on the current stream, not the null one.

    The call is made once before, so that all it compiles and loads is there.
    """
    import cupy

    stream = cupy.cuda.get_current_stream()
    call()
    stream.synchronize()
    stream.begin_capture()
    for _ in range(calls):
        call()
    graph = stream.end_capture()
    return lambda: graph.launch(stream)


def timed_on_gpu(
    calls: Mapping[str, Callable[[], object]], budget: float = 0.2
) -> dict[str, Timing]:
    """Return the GPU's seconds for each call, between two CUDA events on either side of it.

    The calls take turns, in rounds of which every other runs backwards, for about `budget`
    seconds each and five rounds at least; each is called once before, uncounted. What a call reads
    may lie in the GPU's L2 cache from the calls before. Only for calls that take longer than
    Python needs to launch one, some tens of microseconds. Needs CuPy and a GPU. Raises
    `ValueError` for an invalid budget.
    """
    check_budget(budget)
    import cupy

    for call in calls.values():
        call()
    cupy.cuda.Device().synchronize()
    times: dict[str, list[Sample]] = {name: [] for name in calls}
    used = 0.0
    with machine_lock(gpu_lock_name()) as late:
        for number, each in enumerate(interleave(calls, _after_others), start=1):
            for name, seconds in each.items():
                times[name].append(Sample(seconds, disturbed=late))
                used += seconds * (1 + AHEAD)
            if number == MOST or (number >= FEWEST and used >= budget * len(calls)):
                break
    return {name: reported(timing_of(samples, threads=1)) for name, samples in times.items()}


def _after_others(call: Callable[[], object]) -> float:
    return event_seconds(call, ahead=AHEAD)
