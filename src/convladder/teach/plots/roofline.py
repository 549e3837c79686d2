"""The roofline as a picture: what this machine allows at each arithmetic intensity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ...text import rate_text
from .labels import label_points
from .style import BLUE, GREY, ORANGE, Picture, figure


def roofline_picture(
    roofline: Any,
    points: Sequence[tuple[str, float, float | None]] = (),
    of: str | None = None,
    traffic: str = "compulsory traffic",
) -> Picture:
    """Draw the roof (from `measure.roofline`) with `points` under it.

    of: the processor that it is of, if not this machine's. traffic: which bytes count.

    points: (label, intensity in FLOP/byte, FLOP/s reached). None for the last puts the point
    on the roof itself, hollow: the most that could be reached there.
    Raises ValueError for an intensity or a rate that is not positive: a log scale has no place.
    """
    for label, intensity, reached in points:
        if intensity <= 0 or reached is not None and reached <= 0:
            raise ValueError(f"point {label!r} is ({intensity}, {reached}): both must be above 0")
    fig, ax = figure(7.4, 4.6)
    intensities = [intensity for _, intensity, _ in points]
    left = min([roofline.ridge / 30, *(i / 2 for i in intensities)])
    right = max([roofline.ridge * 30, *(i * 6 for i in intensities)])
    x = np.array([left, roofline.ridge, right])
    ax.loglog(x, [roofline.attainable(i) for i in x], color="black", linewidth=2.2)

    placed = []
    for label, intensity, reached in points:
        roof = roofline.attainable(intensity)
        y = roof if reached is None else reached
        ax.plot([intensity, intensity], [y, roof], color=GREY, linewidth=0.9, linestyle=":")
        ax.plot(
            intensity,
            y,
            "o",
            color=ORANGE,
            clip_on=False,
            zorder=3,
            markerfacecolor="white" if reached is None else ORANGE,
            markeredgewidth=1.5,
        )
        placed.append((intensity, y, label))
    bottom = min([roofline.attainable(left), *(y / 2 for _, y, _ in placed)])
    ax.set(xlim=(left, right), ylim=(bottom, roofline.flops_per_s * 2.6))
    ax.set_xlabel(f"arithmetic intensity, FLOP per byte of {traffic} (log scale)")
    ax.set_ylabel("rate, FLOP/s (log scale)")
    for axis, tick in ((ax.xaxis, lambda v, _: f"{v:g}"), (ax.yaxis, _rate_tick)):
        axis.set_major_locator(LogLocator(subs=(1.0,), numticks=12))
        axis.set_major_formatter(FuncFormatter(tick))
        axis.set_minor_locator(NullLocator())
    ax.grid(True)

    whose = of or f"{roofline.threads} thread{'s' * (roofline.threads > 1)}"
    ax.annotate(
        f"multiply-add peak {rate_text(roofline.flops_per_s)}, {whose}",
        (right, roofline.flops_per_s),
        (0, 6),
        textcoords="offset points",
        ha="right",
        color=BLUE,
    )
    middle = np.sqrt(left * roofline.ridge)
    fig.draw_without_rendering()  # the slope on the page is known once the layout is
    (x0, y0), (x1, y1) = ax.transData.transform(
        [(i, roofline.attainable(i)) for i in (left, roofline.ridge)]
    )
    ax.annotate(
        f"copy bandwidth {rate_text(roofline.bytes_per_s, 'B')}",
        (middle, roofline.attainable(middle)),
        (-4, 8),
        textcoords="offset points",
        ha="center",
        va="bottom",
        rotation=np.degrees(np.arctan2(y1 - y0, x1 - x0)),
        rotation_mode="anchor",
        color=BLUE,
    )
    ax.plot(
        [roofline.ridge] * 2,
        [bottom, roofline.flops_per_s],
        color=BLUE,
        linewidth=0.9,
        linestyle="--",
        zorder=1,
    )
    ax.annotate(
        f"ridge {roofline.ridge:.1f} FLOP/byte",
        (roofline.ridge, bottom),
        (4, 4),
        textcoords="offset points",
        color=BLUE,
        rotation=90,
        va="bottom",
    )
    label_points(ax, placed, radius=4, fontsize=8.5)  # layers of one network crowd
    names = ", ".join(label for label, _, _ in points)
    marked = f" with {len(points)} points: {names}" if points else ""
    return Picture(fig, f"The roofline of {of or 'this machine'}{marked}.")


def _rate_tick(value: float, _: int) -> str:
    return rate_text(value).replace(".00", "").replace(".0", "")
