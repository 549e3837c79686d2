"""Contests of labs 07 to 14: a kernel that passes, drawn by its traffic among the package's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from matplotlib.ticker import LogLocator

from .. import cuda
from ..cuda import Report
from ..exercises import load_exercise
from ..grading.check import grade
from ..grading.traffic import last_case, traffic
from ..grading.verdict import Verdict
from .plots.axes import label_points, rivals, ticks_in_words
from .plots.style import Picture, figure

RADIUS = 5  # of the largest mark, in points
MANY = 200  # from the least to the most, beyond which ticks at 1, 2 and 5 would meet


STAGE = "my_stage"  # of LeNet-5
STAGE_RIVALS = {"batched": (2, 3), "conv_tuned": (2, 3), "overlap_fused": (1,)}  # its kernels


def contest(name: str, answer: Any, rivals: Mapping[str, Callable]) -> Picture | Verdict:
    """Draw the traffic of `answer`, if it passes, among that of `rivals`, on the last case.

    rivals: for each name, what gives the launch of a package's kernel for a problem
    (`convladder.gpu.untiled.naive_launch`). Returns a verdict where no kernel can run.
    """
    x, w, problem = last_case(name)

    def profile(launch: Callable) -> Report:
        arrays = cuda.to_device(x[None]), cuda.to_device(w), cuda.empty(problem.output_shape)
        return launch(problem).profile(*arrays)

    return _contest(name, answer, {each: partial(profile, rivals[each]) for each in rivals})


def stage_contest(answer: Callable) -> Picture | Verdict:
    """Draw the traffic of LeNet-5's second stage, if `answer` passes, among that of rungs.

    All on as many images. Returns a verdict where no kernel can run.
    """
    images = last_case(STAGE)[-1]
    return _contest(
        STAGE, answer, {each: partial(stage_traffic, each, images) for each in STAGE_RIVALS}
    )


def stage_traffic(rung: str, images: int) -> Report:
    """Return the traffic of the kernels in which a rung goes from the first pool to the second."""
    from ..networks.lenet.forecasts import opened
    from ..networks.lenet.rungs import get_rung

    reports = opened(get_rung(rung), images).traffic()
    total = Report(kernel=rung)
    for place in STAGE_RIVALS[rung]:
        total.add(reports[place])
    return total


def _contest(name: str, answer: Any, rivals: Mapping[str, Callable]) -> Picture | Verdict:
    verdict = grade(load_exercise(name), answer)
    if not verdict.judged:
        return verdict
    reports = {rival: profile() for rival, profile in rivals.items()}
    if verdict.passed:
        reports[name] = traffic(name, answer)
    return contest_picture(reports, yours=name)


def contest_picture(reports: Mapping[str, Report], yours: str) -> Picture:
    """Draw a point for each kernel: sectors across, requests up. `yours` is drawn apart.

    A request counts wherever it goes, to global or to shared memory, and each bank conflict like
    one more.
    """
    points = {}
    for name, r in reports.items():
        requests = r.global_load_requests + r.global_store_requests
        requests += r.shared_requests + r.shared_conflicts
        points[name] = (r.sectors, requests, f"{r.sectors:,} sectors, {requests:,} requests")
    fig, ax = figure(7.6, 4.2)
    labels = rivals(ax, points, yours)
    x, y, _ = zip(*points.values(), strict=True)
    ax.set(xscale="log", xlim=(min(x) / 1.6, 8 * max(x)))
    ax.set(yscale="log", ylim=(min(y) / 2, 2 * max(y)))
    for axis in (ax.xaxis, ax.yaxis):
        low, high = axis.get_view_interval()
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < MANY * low else (1,)))
        ticks_in_words(axis, "{:,.0f}".format)
    ax.set(xlabel="sectors of 32 bytes, loaded and stored")
    ax.set(ylabel="requests to memory, with conflicts")
    ax.set_title("Left is fewer bytes moved, down is fewer requests")
    ax.grid(True)
    label_points(ax, labels, radius=RADIUS, fontsize=8)
    listed = "; ".join(f"{name} {x:,} and {y:,}" for name, (x, y, _) in points.items())
    return Picture(fig, f"A point for each kernel, sectors across and requests up: {listed}.")
