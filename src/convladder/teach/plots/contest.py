"""Kernels by what they move and how often they ask for it."""

from __future__ import annotations

from collections.abc import Mapping

from ...cuda import Report
from .style import BLUE, ORANGE, Picture, figure, label_points


def contest_picture(reports: Mapping[str, Report], yours: str) -> Picture:
    """A point for each kernel: sectors across, requests up. `yours` is drawn apart.

    A request counts wherever it goes, to global or to shared memory, and each bank conflict like
    one more.
    """
    points = {name: (report.sectors, report.global_load_requests + report.global_store_requests
                     + report.shared_requests + report.shared_conflicts)
              for name, report in reports.items()}
    fig, ax = figure(7.4, 4.0)
    for name, (sectors, requests) in points.items():
        mine = name == yours
        ax.loglog(sectors, requests, "D" if mine else "o", color=ORANGE if mine else BLUE,
                  markersize=9 if mine else 7, clip_on=False)
    for axis, values in ((ax.set_xlim, [s for s, _ in points.values()]),
                         (ax.set_ylim, [r for _, r in points.values()])):
        axis(min(values) / 2, 4 * max(values))
    ax.set(xlabel="sectors of 32 bytes, loaded and stored",
           ylabel="requests to memory, with conflicts",
           title="Left is fewer bytes moved, down is fewer instructions")
    ax.grid(True)
    label_points(ax, [(sectors, requests, f"{name}: {sectors:,} sectors, {requests:,} requests")
                      for name, (sectors, requests) in points.items()], fontsize=8.5)
    told = "; ".join(f"{name} {sectors:,} and {requests:,}"
                     for name, (sectors, requests) in points.items())
    return Picture(fig, f"A point for each kernel, sectors across and requests up: {told}.")
