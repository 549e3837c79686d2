"""Kernels by what they move and how often they ask for it."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.ticker import LogLocator, NullLocator

from ...cuda import Report
from .labels import label_points
from .style import BLUE, ORANGE, Picture, figure

RADIUS = 5  # of the largest mark, in points
MANY = 200  # from the least to the most, beyond which ticks at 1, 2 and 5 would meet


def contest_picture(reports: Mapping[str, Report], yours: str) -> Picture:
    """Draw a point for each kernel: sectors across, requests up. `yours` is drawn apart.

    A request counts wherever it goes, to global or to shared memory, and each bank conflict like
    one more.
    """
    points = {
        name: (
            report.sectors,
            report.global_load_requests
            + report.global_store_requests
            + report.shared_requests
            + report.shared_conflicts,
        )
        for name, report in reports.items()
    }
    fig, ax = figure(7.6, 4.2)
    for name, (sectors, requests) in points.items():
        mine = name == yours
        ax.loglog(
            sectors,
            requests,
            "D" if mine else "o",
            color=ORANGE if mine else BLUE,
            markersize=9 if mine else 7,
            clip_on=False,
        )
    sectors, requests = zip(*points.values(), strict=True)
    ax.set(xlim=(min(sectors) / 1.6, 8 * max(sectors)), ylim=(min(requests) / 2, 2 * max(requests)))
    for axis in (ax.xaxis, ax.yaxis):
        low, high = axis.get_view_interval()
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < MANY * low else (1,)))
        axis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axis.set_minor_locator(NullLocator())
    ax.set(
        xlabel="sectors of 32 bytes, loaded and stored",
        ylabel="requests to memory, with conflicts",
        title="Left is fewer bytes moved, down is fewer requests",
    )
    ax.grid(True)
    label_points(
        ax,
        [
            (sectors, requests, f"{name}: {sectors:,} sectors, {requests:,} requests")
            for name, (sectors, requests) in points.items()
        ],
        radius=RADIUS,
        fontsize=8,
    )
    listed = "; ".join(
        f"{name} {sectors:,} and {requests:,}" for name, (sectors, requests) in points.items()
    )
    return Picture(fig, f"A point for each kernel, sectors across and requests up: {listed}.")
