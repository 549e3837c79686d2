"""One plain convolution in three layouts on one core: judged, then timed in turns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.problem import ConvProblem
from ..core.reference import compare as judge
from ..core.reference import random_arrays
from ..cpu import layouts
from ..measure import compare


def layout_calls(
    problem: ConvProblem, block: int
) -> dict[str, tuple[Callable[[], None], Callable[[], np.ndarray]]]:
    """Return, for each layout, a call that convolves, and one that gives its result in NHWC.

    For one image, stride 1 and no padding.
    """
    p = problem
    x, w = random_arrays(p)
    nhwc = np.full((p.o_h, p.o_w, p.k_c), np.nan, np.float32)
    nchw = np.full((p.k_c, p.o_h, p.o_w), np.nan, np.float32)
    blocked = np.full((-(-p.k_c // block), p.o_h, p.o_w, block), np.nan, np.float32)
    planes, in_blocks = layouts.to_blocked(x[0], 1)[..., 0], layouts.to_blocked(x[0], block)
    by_plane, by_block = w.transpose(3, 2, 0, 1).copy(), layouts.blocked_kernel(w, block)
    return {
        "NCHW": (
            lambda: layouts.conv_nchw(planes, by_plane, nchw),
            lambda: nchw.transpose(1, 2, 0).copy(),
        ),
        "NHWC": (lambda: layouts.conv_nhwc(x[0], w, nhwc), lambda: nhwc),
        f"NCHW{block}c": (
            lambda: layouts.conv_blocked(in_blocks, by_block, blocked),
            lambda: layouts.from_blocked(blocked, p.k_c),
        ),
    }


def layout_rates(problem: ConvProblem, block: int, budget: float = 0.1) -> dict[str, float]:
    """Return FLOP/s of plain loops on one core, in each layout: the best round's.

    Raises `RuntimeError` where a result is wrong.
    """
    calls = layout_calls(problem, block)
    x, w = random_arrays(problem)
    for name, (call, result) in calls.items():
        call()
        if not judge(result()[np.newaxis], x, w, problem).ok:
            raise RuntimeError(f"{name} is wrong on {problem}; this is a defect of the package")
    race = compare({name: call for name, (call, _) in calls.items()}, budget=budget, threads=1)
    return {name: problem.flops / min(times) for name, times in race.rounds.items()}  # the best
