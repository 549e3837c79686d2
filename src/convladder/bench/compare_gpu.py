"""One layer on the GPU: all judged, weighed and then timed in paired rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..problem import ConvProblem
from ..reference import UNIT_ROUNDOFF, random_arrays
from ..registry import Method
from .contestants import Contestant, cudnn_contestants, method_contestant

ROUNDS = 9
SAMPLE_SECONDS = 300e-6  # of calls in one timed sample; longer for slow ones
MOST_CALLS = 50


@dataclass(frozen=True)
class Entry:
    """What one contestant did. Times are seconds a call, one for each round.

    `graph`: calls replayed as one CUDA graph, the launch out of it; `plain`: calls one after the
    other from Python. `peak` are the bytes allocated by one call, the result included; `growth`
    those by which `cudaMemGetInfo` fell in its first call: pools, libraries' own memory and code.
    """

    graph: list[float]
    plain: list[float]
    peak: int
    growth: int
    error: float


def oracle(x, w, problem: ConvProblem):
    """`reference.conv2d_float64` on CuPy arrays: a sum over kernel positions of shifted images."""
    import cupy

    p = problem
    padded = cupy.pad(x.astype(np.float64), ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)))
    y = cupy.zeros((p.pixels, p.k_c))
    for u in range(p.k_h):
        for v in range(p.k_w):
            shifted = padded[
                :, u : u + p.s_h * p.o_h : p.s_h, v : v + p.s_w * p.o_w : p.s_w
            ][:, : p.o_h, : p.o_w].reshape(p.pixels, p.i_c)
            y += shifted @ w[u, v].astype(np.float64)
    return y.reshape(p.output_shape)


def limit(problem: ConvProblem, roundoff: float) -> float:
    """Of the error relative to `sum |x·w|`: two rounded inputs a product, then float32 sums.

    The first part is a bound; the second, and the result's own rounding, are as in `reference`.
    """
    return 3 * roundoff + 4 * np.sqrt(problem.window) * UNIT_ROUNDOFF


def contest(
    problem: ConvProblem,
    methods: Sequence[Method],
    with_cudnn: bool = True,
    rounds: int = ROUNDS,
    progress: Callable[[str], object] = lambda what: None,
) -> dict[str, Entry]:
    """All that take the problem, by name.

    Raises `RuntimeError` naming whoever gave a wrong result.
    """
    import cupy

    x, w = random_arrays(problem)
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        device_x, device_w = cupy.asarray(x), cupy.asarray(w)
        right = oracle(device_x, device_w, problem)
        scale = oracle(abs(device_x), abs(device_w), problem)
        entered = [
            method_contestant(method, device_x, device_w, problem)
            for method in methods
            if method.unsupported(problem) is None
        ]
        if with_cudnn:
            entered += cudnn_contestants(x, w, problem)
        facts = {}
        for one in entered:
            progress(one.name)
            with one.scope():
                facts[one.name] = _facts(one, right, scale, problem)
        del right, scale
        return _timed(entered, facts, rounds, progress)


def _facts(one: Contestant, right, scale, problem: ConvProblem) -> tuple[int, int, float]:
    """Peak bytes, growth and error of one contestant, in its scope."""
    before = _free()
    made = one.call()
    _wait()
    growth = before - _free(empty=False)
    del made
    y = one.result().astype(np.float64)
    # Where only zeros were added up, nothing but zero will do.
    difference = abs(y - right)
    error = float((difference / (scale + (scale == 0) * 1e-30)).max())
    if not error <= limit(problem, one.roundoff):
        raise RuntimeError(
            f"{one.name} is wrong on {problem}: error {error:.1e} is above "
            f"{limit(problem, one.roundoff):.1e}; nothing was timed"
        )
    del y, difference
    return one.peak(), growth, error


def _free(empty: bool = True) -> int:
    """Bytes free on the device, the pools' unused blocks given back first."""
    import cupy

    _wait()
    if empty:
        cupy.get_default_memory_pool().free_all_blocks()
        try:
            import torch

            torch.cuda.empty_cache()
        except ImportError:
            pass
    return cupy.cuda.runtime.memGetInfo()[0]


def _wait() -> None:
    import cupy

    cupy.cuda.Device().synchronize()


def _timed(entered, facts, rounds: int, progress) -> dict[str, Entry]:
    graphs, calls = {}, {}
    for one in entered:
        with one.scope():
            one.call()
            once = _seconds(one.call)
        calls[one.name] = int(np.clip(SAMPLE_SECONDS / once, 1, MOST_CALLS))
        graphs[one.name] = one.capture(calls[one.name])
    times = {one.name: ([], []) for one in entered}
    for lap in range(rounds):
        progress(f"round {lap + 1} of {rounds}")
        for one in entered[:: -1 if lap % 2 else 1]:
            number, graph = calls[one.name], graphs[one.name]
            with one.scope():
                graph()  # the first brings its data back into the cache
                times[one.name][0].append(_seconds(graph) / number)
                one.call()
                times[one.name][1].append(_seconds(one.call, number) / number)
    return {
        one.name: Entry(*times[one.name], *facts[one.name]) for one in entered
    }


def _seconds(call: Callable[[], object], repeats: int = 1) -> float:
    """Between two events on the current stream."""
    import cupy

    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
    start.record()
    for _ in range(repeats):
        call()
    stop.record()
    stop.synchronize()
    return cupy.cuda.get_elapsed_time(start, stop) / 1e3
