"""The cost of a launch on a GPU: until the call returns, and until the work is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from time import perf_counter, time_ns
from typing import Any

import numpy as np

from ..measure.cuda.gpu_info import require_gpu
from ..measure.cuda.profile import quartiles
from ..measure.cuda.timing import event_seconds
from .benchmark import Options, register
from .metadata import gpu_metadata

REPEATS = 200
IN_A_ROW = 500  # launches before waiting; fewer than a queue holds, so that none waits for a place
COPY_BYTES = 1 << 30
EMPTY = 'extern "C" __global__ void nothing() {}\n'
SPIN = """extern "C" __global__ void spin(long long cycles) {
    for (long long end = clock64() + cycles; clock64() < end;);
}
"""
SPIN_CYCLES = 4_000_000  # about two milliseconds
AT_ONCE = 20  # launches between two events


def measure(options: Options = Options()) -> dict[str, Any]:
    """Return costs of an empty launch, and of each of chapter 07's kernels.

    All in seconds. Three numbers are the quartiles of
    `REPEATS` runs, the median in the middle: "returns" until the call is back, "done" until the
    GPU has finished, both by the host's clock; "events" by the GPU's own, between two events, for
    one of many launches in a row. `in_a_row` and `waiting`: seconds a launch, waiting once at the
    end or after each. Raises `RuntimeError` without a GPU.
    """
    require_gpu("launches are timed on one")
    import cupy

    from .. import cuda
    from ..gpu.first_kernels import report_kernels

    started = perf_counter()
    # The name of the moment keeps CuPy from finding the compiled kernel of another day.
    empty = cuda.Kernel(f"{EMPTY}// {time_ns()}\n", "nothing")[1, 1]
    empty()
    cuda.synchronize()
    first = perf_counter() - started
    through_cupy = partial(cupy.RawKernel(EMPTY, "nothing"), (1,), (1,), ())
    return {
        **gpu_metadata(),
        "first": first,
        "empty": {**call_seconds(empty), **_rates(empty)},
        "cupy": {**call_seconds(through_cupy), **_rates(through_cupy)},
        "copy_bytes_per_s": _copy_bandwidth(),
        "kernels": {
            name: {**call_seconds(launch), "events": _events(launch), "bytes": moved}
            for name, (launch, moved) in report_kernels().items()
        },
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield the cost of an empty launch."""
    yield (
        f"{record['card']['gpu']}: an empty launch returns after "
        f"{1e6 * record['empty']['returns'][1]:.2f} µs"
    )


def call_seconds(launch: Callable[[], None], repeats: int = REPEATS) -> dict[str, tuple]:
    """Return the quartiles of the seconds until a call "returns", and until its work is "done"."""
    from .. import cuda

    for _ in range(10):
        launch()
    returns, done = [], []
    for _ in range(repeats):
        cuda.synchronize()
        start = perf_counter()
        launch()
        returns.append(perf_counter() - start)
        cuda.synchronize()
        done.append(perf_counter() - start)
    return {"returns": quartiles(returns), "done": quartiles(done)}


def issue_seconds(call: Callable[[], object], calls: int = 1) -> float:
    """Return the seconds until a call is back, one of `calls` to a device with nothing to do."""
    from .. import cuda

    cuda.synchronize()
    start = perf_counter()
    for _ in range(calls):
        call()
    seconds = (perf_counter() - start) / calls
    cuda.synchronize()
    return seconds


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

    return {
        "in_a_row": float(np.median([each(False) for _ in range(11)])),
        "waiting": float(np.median([each(True) for _ in range(11)])),
    }


def _events(launch: Callable[[], None]) -> tuple[float, float, float]:
    """Quartiles of the seconds a launch by the GPU's clock, `AT_ONCE` launches between two events.

    The GPU spins first, so that all launches wait in its queue when the first begins: a kernel
    shorter than a launch would else be timed at the rate at which the host launches.
    """
    import cupy

    spin = cupy.RawKernel(SPIN, "spin")
    times = []
    for _ in range(REPEATS // 4):
        spin((1,), (1,), (np.int64(SPIN_CYCLES),))
        times.append(event_seconds(launch, repeats=AT_ONCE))
    return quartiles(times)


def _copy_bandwidth() -> float:
    """Bytes read plus bytes written a second, of a copy within the GPU's memory."""
    import cupy

    a = cupy.ones(COPY_BYTES // 4, np.float32)
    b = cupy.empty_like(a)

    def copy() -> None:
        cupy.copyto(b, a)

    copy()
    return 2 * a.nbytes / _events(copy)[1]


register(
    "launches",
    "what a launch costs on this GPU, and how long chapter 07's kernels take",
    measure,
    lines,
)
