"""What a launch costs on a GPU: until the call returns, and until the work is done."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, time_ns

import numpy as np

from ..measure.cuda.machine import card, versions

RECORDS = Path(__file__).parents[1] / "records" / "launches"
REPEATS = 200
IN_A_ROW = 500  # launches before waiting; fewer than a queue holds, so that none waits for room
COPY_BYTES = 1 << 30
EMPTY = 'extern "C" __global__ void nothing() {}\n'
SPIN = """extern "C" __global__ void spin(long long cycles) {
    for (long long end = clock64() + cycles; clock64() < end;);
}
"""
SPIN_CYCLES = 4_000_000  # about two milliseconds
AT_ONCE = 20  # launches between two events


def launch_costs(kernels: Mapping[str, tuple[Callable[[], None], int]]) -> dict[str, object]:
    """Costs of an empty launch, and of each of `kernels`: name -> (launch it, bytes it moves).

    All in seconds. Three numbers are the quartiles of `REPEATS` runs, the median in the middle:
    "returns" until the call is back, "done" until the GPU has finished, both by the host's clock;
    "events" by the GPU's own, between two events, for one of many launches in a row. `in_a_row` and
    `waiting`: seconds a launch, waiting once at the end or after each. Raises `RuntimeError`
    without a GPU.
    """
    from .. import cuda

    if not cuda.gpu():
        raise RuntimeError("there is no GPU here that CuPy sees, and launches are timed on one")
    import cupy

    started = perf_counter()
    # The name of the moment keeps CuPy from finding the compiled kernel of another day.
    empty = cuda.Kernel(f"{EMPTY}// {time_ns()}\n", "nothing")[1, 1]
    empty()
    cuda.synchronize()
    first = perf_counter() - started
    bare = cupy.RawKernel(EMPTY, "nothing")
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "card": card(),
        "versions": versions(),
        "first": first,
        "empty": {**_call(empty), **_rates(empty)},
        "cupy": {**_call(lambda: bare((1,), (1,), ())), **_rates(lambda: bare((1,), (1,), ()))},
        "copy_bytes_per_s": _copy_bandwidth(),
        "kernels": {name: {**_call(launch), "events": _events(launch), "bytes": moved}
                    for name, (launch, moved) in kernels.items()},
    }


def launch_records(folder: Path = RECORDS) -> list[dict]:
    """The records that come with the course, the newest first."""
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda record: record["date"], reverse=True)


def _call(launch: Callable[[], None]) -> dict[str, list[float]]:
    """Quartiles of the seconds until a call returns, and until its work is done."""
    from .. import cuda

    for _ in range(10):
        launch()
    returns, done = [], []
    for _ in range(REPEATS):
        cuda.synchronize()
        start = perf_counter()
        launch()
        returns.append(perf_counter() - start)
        cuda.synchronize()
        done.append(perf_counter() - start)
    return {"returns": _quartiles(returns), "done": _quartiles(done)}


def _rates(launch: Callable[[], None]) -> dict[str, float]:
    """Seconds a launch: `in_a_row`, waiting once for all, and `waiting`, once for each."""
    from .. import cuda

    def each(wait: bool) -> float:
        cuda.synchronize()
        start = perf_counter()
        for _ in range(IN_A_ROW):
            launch()
            if wait:
                cuda.synchronize()
        cuda.synchronize()
        return (perf_counter() - start) / IN_A_ROW

    return {"in_a_row": float(np.median([each(False) for _ in range(11)])),
            "waiting": float(np.median([each(True) for _ in range(11)]))}


def _events(launch: Callable[[], None]) -> list[float]:
    """Quartiles of the seconds a launch by the GPU's clock, `AT_ONCE` launches between two events.

    The GPU spins first, so that all launches wait in its queue when the first begins: a kernel
    shorter than a launch would else be timed at the rate at which the host launches.
    """
    import cupy

    spin = cupy.RawKernel(SPIN, "spin")
    times = []
    for _ in range(REPEATS // 4):
        before, after = cupy.cuda.Event(), cupy.cuda.Event()
        spin((1,), (1,), (np.int64(SPIN_CYCLES),))
        before.record()
        for _ in range(AT_ONCE):
            launch()
        after.record()
        after.synchronize()
        times.append(cupy.cuda.get_elapsed_time(before, after) / 1e3 / AT_ONCE)
    return _quartiles(times)


def _copy_bandwidth() -> float:
    """Bytes read plus bytes written a second, of a copy within the GPU's memory."""
    import cupy

    a = cupy.ones(COPY_BYTES // 4, np.float32)
    b = cupy.empty_like(a)

    def copy() -> None:
        cupy.copyto(b, a)

    copy()
    return 2 * a.nbytes / _events(copy)[1]


def _quartiles(values: list[float]) -> list[float]:
    return [float(value) for value in np.percentile(values, (25, 50, 75))]
