"""What threads gain on im2col and its parts, and which readings were disturbed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import numpy as np

from ..core.problem import ConvProblem
from ..cpu import im2col
from .timing import compare, timed

ALIKE = 1.25  # the same work twice on an idle machine is nearer than this
ABOVE = 1.05  # a share of a limit beyond it is no rounding
TAKEN = 3  # times that a disturbed reading is taken

T = TypeVar("T")


def read_again(
    measure: Callable[[], T], disturbed: Callable[[T], str | None]
) -> tuple[T, str | None]:
    """Return a reading, and why it is disturbed or None. It is taken three times at most."""
    for _ in range(TAKEN):
        reading = measure()
        why = disturbed(reading)
        if why is None:
            break
    return reading, why


def im2col_parts(
    x: np.ndarray, w: np.ndarray, problem: ConvProblem, cores: int
) -> tuple[dict[int, dict[str, float]], str | None]:
    """Return the best times of im2col and its two parts on 1 to `cores` threads, as `amdahl_limit`
    takes them, and why they are disturbed or None.
    """
    matrix, kernel = im2col.lower(x, problem), w.reshape(problem.window, problem.k_c)
    parts = {
        "lowering": lambda: im2col.lower(x, problem),
        "GEMM": lambda: matrix @ kernel,
        "im2col": lambda: im2col.im2col(x, w, problem),
    }
    counts = sorted({1, 2, 4, cores // 2, cores} & set(range(1, cores + 1)))

    def measure() -> dict[int, dict[str, float]]:
        raced = {n: compare(parts, budget=0.2, threads=n).rounds for n in counts}
        return {n: {name: min(times) for name, times in rounds.items()}
                for n, rounds in raced.items()}  # fmt: skip

    return read_again(measure, lambda best: parts_disturbed(best, cores))


def amdahl_limit(best: Mapping[int, Mapping[str, float]], threads: int) -> tuple[float, float]:
    """Return the serial part of im2col, its lowering, and the speed-up that Amdahl's law allows.

    best: `{threads: {"lowering": seconds, "GEMM": seconds, "im2col": seconds}}`.
    """
    serial = best[1]["lowering"] / (best[1]["lowering"] + best[1]["GEMM"])
    return serial, 1 / (serial + (1 - serial) / threads)


def parts_disturbed(best: Mapping[int, Mapping[str, float]], threads: int) -> str | None:
    """Return why times of im2col and its parts cannot all be right, or None where they can.

    `best` as `amdahl_limit` takes it. Lowering is one thread's work on any number of threads; a
    product gains no more than the number of threads; the whole no more than Amdahl's law allows.
    """
    one, all_ = best[1], best[threads]
    times = max(one["lowering"], all_["lowering"]) / min(one["lowering"], all_["lowering"])
    if times > ALIKE:
        return (
            f"lowering is one thread's work in both columns, and yet its times are {times:.2f} "
            "times apart"
        )
    if one["GEMM"] / all_["GEMM"] > ABOVE * threads:
        return f"the product is {one['GEMM'] / all_['GEMM']:.2f} times as fast on {threads} threads"
    gain, limit = one["im2col"] / all_["im2col"], amdahl_limit(best, threads)[1]
    if gain > ABOVE * limit:
        return f"im2col's speed-up is {gain:.2f}, above the {limit:.2f} that its parts allow"
    return None


def parts_verdict(best: Mapping[int, Mapping[str, float]], threads: int, why: str | None) -> str:
    """Return a verdict on im2col's limit by its parts' times; `why`: see `parts_disturbed`."""
    serial, limit = amdahl_limit(best, threads)
    gain = best[1]["im2col"] / best[threads]["im2col"]
    if why:
        return (
            f"disturbed, {TAKEN} times: {why}. Another program used a core. The law stands, "
            "these figures do not; run the cells again when the machine is idle."
        )
    if threads == 1:
        return "One core: no speed-up to compare with Amdahl's limit."
    return (
        f"Lowering is {serial:.0%} of the time, so on {threads} threads Amdahl allows "
        f"{limit:.2f}, and at most {1 / serial:.1f} on any number of threads. Measured: "
        f"{gain:.2f}, {gain / limit:.0%} of the limit."
    )


def peak_disturbed(gain: float, cores: int) -> str | None:
    """Return why a peak of all cores over one's cannot be right, or None."""
    if gain > ABOVE * cores:
        return f"{cores} cores cannot do {gain:.2f} times what one does"
    return None


def sharing_verdict(
    counting: Mapping[int, float], alone: float, cores: int, peak_gain: float
) -> str:
    """Return a verdict on counters in one cache line and apart, with the condition.

    counting: seconds of two threads by the distance of their counters in bytes; alone: of one
    thread; peak_gain: the FMA peak of all cores over that of one, measured on the same page.
    """
    near, far = counting[min(counting)], counting[max(counting)]
    if cores == 1:
        return "One core: there is nobody to share a line with."
    if far > 1.5 * alone:
        return (
            "disturbed: even far apart two threads take "
            f"{far / alone:.1f} times as long as one, so the second had no core of its own. "
            "Run this again later."
        )
    if near > 1.3 * far:
        return f"In one line they take {near / far:.1f} times as long as far apart."
    if peak_gain < 1.3:
        return (
            f"No difference, and the FMA peak of {cores} cores is {peak_gain:.2f} times one's: "
            "both are what two threads of one core show, which share its first cache."
        )
    return (
        f"disturbed: no difference, as if the two shared a first cache; but their FMA peak is "
        f"{peak_gain:.2f} times one's, so each has units of its own. One of the two readings "
        "is of a moment in which the threads did not run at the same time."
    )


def product_gains(
    layers: Mapping[str, ConvProblem], threads: int
) -> list[tuple[str, float, float]]:
    """Return im2col's and MEC's product of each layer timed: (label, seconds on one
    thread, how many times as fast on `threads` BLAS threads)."""
    gains = []
    for name, p in layers.items():
        for method, rows in (("im2col", p.o_h * p.o_w), ("MEC", p.o_w)):
            a, b = np.ones((rows, p.window), np.float32), np.ones((p.window, p.k_c), np.float32)
            call = partial(np.matmul, a, b, out=np.empty((rows, p.k_c), np.float32))
            one, all_ = (timed(call, budget=0.1, threads=n).low for n in (1, threads))
            label = f"{name}, {method}: {rows:,}×{p.window} · {p.k_c}"
            gains.append((label, one, one / all_))
    return gains
