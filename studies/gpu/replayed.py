"""A GPU's seconds of calls that are replayed as CUDA graphs, without Python between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from statistics import median

from convladder.measure.cuda.timing import AHEAD, captured, event_seconds, gpu_lock_name
from convladder.measure.machine_lock import machine_lock
from convladder.measure.timing import Sample, Timing, interleave, reported, timing_of

GRAPH = 5e-3  # seconds that a replayed graph may take; one call if that takes longer


def replayed_seconds(call: Callable[[], object], calls: int = 20, replays: int = 7) -> float:
    """Return the median over `replays` of the seconds of one call, `calls` of them in a graph."""
    import cupy

    with cupy.cuda.Stream(non_blocking=True):
        graph = captured(call, calls)
        with machine_lock(gpu_lock_name()):
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

    with (
        cupy.cuda.Stream(non_blocking=True),
        machine_lock(gpu_lock_name()) as late,
    ):
        number = {}
        for name, call in calls.items():
            seconds = event_seconds(call, ahead=AHEAD)
            number[name] = max(1, min(each, int(GRAPH / seconds)))
        graphs = {name: captured(call, number[name]) for name, call in calls.items()}
        clock = partial(event_seconds, ahead=1)
        taken = [times for _, times in zip(range(rounds), interleave(graphs, clock))]
    return {
        name: reported(
            timing_of([Sample(each[name] / number[name], disturbed=late) for each in taken], 1)
        )
        for name in calls
    }
