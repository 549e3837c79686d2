"""Times of a GPU, by its own clock: between two events, of calls or of graphs replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from statistics import median

from ..figure import Figure
from ..timer import check_budget, laps
from ..timings import Timing, timing_of
from ..turns import GPU, room, turn_at

FEWEST = 5  # rounds
MOST = 200
# Calls before the first event. The GPU works on them while Python hands it the events and the
# call between them, so that the events enclose work only, and no waiting for Python.
AHEAD = 2
GRAPH = 5e-3  # seconds that a replayed graph may take; one call if that takes longer


def event_seconds(call: Callable[[], object], *, ahead: int = 0, repeats: int = 1) -> float:
    """Return seconds of one call: `repeats` of them between two events on the current stream.

    `ahead` calls come before, uncounted. Works for whoever queues on CuPy's current stream,
    PyTorch among them. Needs CuPy and a GPU.
    """
    import cupy

    start, end = cupy.cuda.Event(), cupy.cuda.Event()
    with turn_at(gpu_place(), 0.0) as mine:
        for _ in range(ahead):
            call()
        start.record()
        for _ in range(repeats):
            call()
        end.record()
        end.synchronize()
    seconds = cupy.cuda.get_elapsed_time(start, end) / 1e3 / repeats
    return Figure(seconds, disturbed=mine.late)


def gpu_place() -> str | None:
    """Return at what this GPU's users take turns in a room: its own place, or that of all GPUs."""
    if room() is None:
        return None
    import cupy

    own = f"{GPU}-{cupy.cuda.Device().pci_bus_id.lower()}"
    return own if (room() / own).exists() else GPU


def captured(call: Callable[[], object], calls: int) -> Callable[[], None]:
    """Return what replays `calls` calls as one CUDA graph on the current stream, not the null one.

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


def replayed_seconds(call: Callable[[], object], calls: int = 20, replays: int = 7) -> float:
    """Return the median over `replays` of the seconds of one call, `calls` of them in a graph."""
    import cupy

    with cupy.cuda.Stream(non_blocking=True):
        graph = captured(call, calls)
        with turn_at(gpu_place(), 0.0):
            graph()
            return median(event_seconds(graph) for _ in range(replays)) / calls


def replayed_on_gpu(
    calls: Mapping[str, Callable[[], object]], each: int = 20, rounds: int = 9
) -> dict[str, Timing]:
    """Return the GPU's seconds for one of each call, up to `each` replayed as a CUDA graph.

    They are fewer where a call takes long, so that a graph takes some milliseconds. The graphs take
    turns, as in `timed_on_gpu`, and each is replayed once before its first event, since a graph
    starts later than its launch. For calls that may be shorter than Python needs to launch them.
    They queue on CuPy's current stream. Needs CuPy and a GPU.
    """
    import cupy

    with cupy.cuda.Stream(non_blocking=True), turn_at(gpu_place(), 0.0):
        number = {}
        for name, call in calls.items():
            seconds = event_seconds(call, ahead=AHEAD)
            number[name] = max(1, min(each, int(GRAPH / seconds)))
        graphs = {name: captured(call, number[name]) for name, call in calls.items()}
        clock = partial(event_seconds, ahead=1)
        taken = [lap for _, lap in zip(range(rounds), laps(graphs, clock=clock))]
    return {
        name: timing_of([lap[name] / number[name] for lap in taken], threads=1) for name in calls
    }


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
    times: dict[str, list[float]] = {name: [] for name in calls}
    with turn_at(gpu_place(), budget * len(calls)) as mine:
        for number, lap in enumerate(laps(dict(calls), clock=_after_others), start=1):
            for name, seconds in lap.items():
                times[name].append(Figure(seconds, disturbed=mine.late))
            used = sum(map(sum, times.values())) * (1 + AHEAD)
            if number == MOST or (number >= FEWEST and used >= budget * len(calls)):
                break
            mine.go_on()
    return {name: timing_of(runs, threads=1) for name, runs in times.items()}


def _after_others(call: Callable[[], object]) -> float:
    return event_seconds(call, ahead=AHEAD)
