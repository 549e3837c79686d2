"""A profile as a timeline: a row for the host's calls and one for each stream."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from ...measure.cuda.profile import Activity
from .ink import ink
from .style import BLUE, GREEN, GREY, ORANGE, PINK, SKY, YELLOW, Picture, figure

COLOURS = {"upload": SKY, "download": GREEN, "copy": YELLOW, "set": YELLOW, "call": "#B5BCC2"}
KERNELS = (ORANGE, BLUE, PINK, "#7A4B00", "#6A3D9A", "#F0E442", "#01665E")
WORDS = {
    "upload": "copy to the device",
    "download": "copy to the host",
    "copy": "copy within the device",
    "set": "memory set",
    "call": "the host's calls",
}
LETTERS = 0.0085  # of the axis that a letter takes


def timeline_picture(
    events: Sequence[Activity],
    title: str,
    first: float = 0.0,
    last: float | None = None,
    calls: bool = True,
) -> Picture:
    """Draw `events` between `first` and `last`, in µs from the first one's beginning (default:
    all).

    Kernels have a colour for each name; what is wide enough is labelled. `calls=False` leaves out
    the host. Raises `ValueError` for no events, or a window of no time.
    """
    seen = [a for a in events if calls or a.kind != "call"]
    if not seen:
        raise ValueError("there are no events to draw: nothing was recorded")
    zero, end = min(a.start for a in seen), max(a.end for a in seen)
    last = (end - zero) / 1e3 if last is None else last
    if not first < last:
        raise ValueError(
            f"from {first:g} to {last:g} µs is no time; the run ends after "
            f"{(end - zero) / 1e3:,.0f} µs"
        )
    shown = [a for a in seen if (a.start - zero) / 1e3 < last and (a.end - zero) / 1e3 > first]
    rows = sorted({a.stream for a in seen})
    kernels = list(dict.fromkeys(a.name for a in events if a.kind == "kernel"))
    fig, ax = figure(8.6, 1.15 + 0.42 * len(rows))
    for a in shown:
        _bar(ax, a, rows.index(a.stream), zero, (first, last), _colour(a, kernels))
    ax.set(xlim=(first, last), ylim=(len(rows) - 0.5, -0.5), xlabel="µs")
    ax.set_yticks(
        range(len(rows)), [f"stream {row}" if row else "host" for row in rows], color="black"
    )
    ax.tick_params(axis="y", length=0)
    ax.spines.bottom.set_color(GREY)
    ax.grid(True, axis="x")
    ax.set_title(title)
    _legend(ax, shown, kernels)
    streams = len([row for row in rows if row])
    return Picture(
        fig,
        f"{title}: a row for {'the host and ' if 0 in rows else ''}each of "
        f"{streams} stream{'s' * (streams != 1)}, a bar for each activity.",
        colours=256,
    )


def _bar(
    ax: Axes, a: Activity, row: int, zero: int, window: tuple[float, float], colour: str
) -> None:
    first, last = window
    begin, end = (a.start - zero) / 1e3, (a.end - zero) / 1e3
    ax.barh(
        row, end - begin, left=begin, height=0.72, color=colour, edgecolor="white", linewidth=0.4
    )
    left, right = max(begin, first), min(end, last)
    text = (
        a.name
        if a.kind in ("kernel", "call")
        else {"upload": "up", "download": "back"}.get(a.kind, a.kind)
    )
    if (right - left) / (last - first) > LETTERS * (len(text) + 1):
        ax.text(
            (left + right) / 2,
            row,
            text,
            ha="center",
            va="center",
            fontsize=7.5,
            color=ink(colour),
            clip_on=True,
        )


def _colour(a: Activity, kernels: Sequence[str]) -> str:
    return COLOURS.get(a.kind) or KERNELS[kernels.index(a.name) % len(KERNELS)]


def _legend(ax: Axes, shown: Sequence[Activity], kernels: Sequence[str]) -> None:
    kinds = [kind for kind in COLOURS if any(a.kind == kind for a in shown)]
    names = [name for name in kernels if any(a.name == name for a in shown)]
    handles = [Patch(color=COLOURS[kind], label=WORDS[kind]) for kind in kinds]
    handles += [
        Patch(
            color=KERNELS[kernels.index(name) % len(KERNELS)],
            label=name if len(name) < 26 else name[:25] + "…",
        )
        for name in names[: len(KERNELS)]
    ]
    if (more := len(names) - len(KERNELS)) > 0:
        handles.append(Patch(color="none", label=f"and {more} more, colours again"))
    ax.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0, -0.28 if len(ax.get_yticks()) > 2 else -0.42),
        ncols=4,
        fontsize=8,
        handlelength=1,
        columnspacing=1.2,
    )
