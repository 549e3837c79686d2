"""Common work on axes: labels, letters that read well, ticks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator
from matplotlib.transforms import Affine2D, Bbox

from ...core.text import rate_text, seconds_text
from .style import BLUE, GREEN, GREY, ORANGE, PINK

WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # behind words that cross lines
LINE = 11  # points from one label to the next
_PLACES = [
    (dx, dy * LINE, ha)
    for dy in (0, -1, 1, -2, 2, -3, 3, -4, 4)
    for dx, ha in ((8, "left"), (-8, "right"))
]


def label_points(
    ax: Axes, points: Sequence[tuple[float, float, str]], *, radius: float = 0, **text: Any
) -> None:
    """Write each (x, y, label) beside its point, clear of other texts, points and lines.

    A label that had to move away gets a thin line to its point. Call this last: it needs the
    axes' final limits.

    radius: of the points' marks, in points, where these crowd: labels then keep clear of whole
    marks, and each that moved at all has its line.
    """
    ax.figure.draw_without_rendering()  # settles the layout, which decides what collides
    page = _Obstacles(ax, points, radius)
    for (x, y, label), mark in sorted(zip(points, page.marks), key=_turn):
        tried = []
        for place, (dx, dy, ha) in enumerate(_PLACES):
            style = {"textcoords": "offset points", "ha": ha, "va": "center", **text}
            note = ax.annotate(label, (x, y), (dx, dy), **style)
            box = note.get_window_extent().padded(2)
            note.remove()
            near = box.x0 if ha == "left" else box.x1
            leader = Path([mark, (near, (box.y0 + box.y1) / 2)]) if _moved(dy, radius) else None
            tried.append((page.cost(box, leader), place, box))
            if tried[-1][0] == 0:
                break
        _, place, box = min(tried, key=lambda each: each[:2])
        dx, dy, ha = _PLACES[place]
        arrow = {
            "arrowstyle": "-",
            "color": GREY,
            "linewidth": 0.6,
            "shrinkA": 0,
            "shrinkB": 0 if radius else 3,
            "relpos": (0 if ha == "left" else 1, 0.5),
        }
        style = {"textcoords": "offset points", "ha": ha, "va": "center", **text}
        leads = arrow if _moved(dy, radius) else None
        ax.annotate(label, (x, y), (dx, dy), arrowprops=leads, **style)
        page.written.append(box)


class _Obstacles:
    """The things on a page that a label keeps clear of, in pixels; `written`: the labels so far."""

    def __init__(self, ax: Axes, points: Sequence[tuple[float, float, str]], radius: float) -> None:
        self.frame = ax.get_window_extent()
        self.marks = [ax.transData.transform((x, y)) for x, y, _ in points]
        self.reach = radius * ax.figure.dpi / 72
        self.lines = [line.get_transform().transform_path(line.get_path()) for line in ax.lines]
        self.texts = [_outline(note) for note in ax.texts]
        self.written: list[Bbox] = []

    def cost(self, box: Bbox, leader: Path | None) -> int:
        """Return how bad a label in `box` would be, with the line that leads to its point."""
        frame = self.frame
        outside = box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0
        crossed = () if leader is None else [*self.texts, *map(_path, self.written)]
        return (
            10 * sum(box.overlaps(other) for other in self.written)
            + 10 * outside
            + 5 * sum(box.padded(self.reach).contains(*mark) for mark in self.marks)
            + 2 * sum(other.intersects_bbox(box) for other in self.texts)
            + 2 * sum(leader.intersects_path(other) for other in crossed)
            + sum(line.intersects_bbox(box, filled=False) for line in self.lines)
        )


def beside(
    ax: Axes, words: str, point: tuple[float, float], offset: tuple[float, float], **text: Any
) -> Text:
    """Write `words` at an offset in points from a point of the data."""
    return ax.annotate(words, point, offset, textcoords="offset points", **text)


def behind(ax: Axes, words: str, x: float, y: float, **text: Any) -> Text:
    """Write `words` right of the end (x, y) of a bar."""
    return beside(ax, words, (x, y), (5, 0), **{"va": "center", "fontsize": 8.5, **text})


def name_rows(ax: Axes, names: Iterable[str], *, inverted: bool = True, **text: Any) -> None:
    """Name the rows 0, 1, 2 ... of bars, without tick marks. inverted: the first is on top."""
    names = list(names)
    ax.set_yticks(range(len(names)), names, color="black", **text)
    ax.tick_params(axis="y", length=0)
    if inverted:
        ax.invert_yaxis()


def ticks_in_words(
    axis: Axis,
    words: Callable[[float, Any], str] = "{:g}".format,
    places: Sequence[float] | None = None,
) -> None:
    """Write the ticks of an axis, most often a logarithmic one, by `words`; no small ticks.

    places: where they are to be, if not where Matplotlib has them.
    """
    if places is not None:
        axis.set_major_locator(FixedLocator(places))
    axis.set_major_formatter(FuncFormatter(words))
    axis.set_minor_locator(NullLocator())


def short_seconds(seconds: float, _: object = None) -> str:
    """Return "10 ms": a tick without needless zeros."""
    return seconds_text(seconds).replace(".00", "").replace(".0", "")


def short_rate(rate: float, _: object = None) -> str:
    """Return "10 GFLOP/s": a tick without needless zeros."""
    return rate_text(rate).replace(".00", "").replace(".0", "")


def seconds_axis(axis: Axis, low: float, high: float, most: int = 8) -> None:
    """Write the powers of ten from `low` to `high` seconds as ticks, fewer than `most` of them."""
    ticks = [t for t in LogLocator(subs=(1.0,)).tick_values(low, high) if low <= t <= high]
    ticks_in_words(axis, short_seconds, ticks[:: 1 + len(ticks) // most])


def rivals(
    ax: Axes, points: Mapping[str, tuple[float, float, str]], yours: str
) -> list[tuple[float, float, str]]:
    """Draw a mark for each name's (x, y, words), `yours` apart, and return the labels of all."""
    for name, (x, y, _) in points.items():
        mark, colour, size = ("D", ORANGE, 8) if name == yours else ("o", BLUE, 7)
        ax.plot(x, y, mark, color=colour, markersize=size, clip_on=False)
    return [(x, y, f"{name}: {words}") for name, (x, y, words) in points.items()]


SERIES = ((BLUE, "o"), (ORANGE, "D"), (GREEN, "s"), (PINK, "^"), (GREY, "v"))
TIMES = (0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 10)  # ticks


def ratio_rows(
    ax: Axes, rows: Iterable[str], series: Mapping[str, Mapping[str, float]], **text: Any
) -> None:
    """Draw, on a log axis, a mark for each ratio `series[name][row]`, the rows from the top; a line
    at 1. text: of the axes, as `Axes.set` takes it.
    """
    rows = list(rows)
    for (name, ratios), (colour, mark) in zip(series.items(), SERIES):
        places = [rows.index(row) for row in ratios]
        ax.plot(list(ratios.values()), places, mark, color=colour, label=name, markersize=6)
    ax.axvline(1, color=GREY, linewidth=1)
    shown = [1.0, *(ratio for ratios in series.values() for ratio in ratios.values())]
    ax.set(xscale="log", xlim=(0.9 * min(shown), 1.1 * max(shown)), ylim=(len(rows) - 0.5, -0.5))
    ax.set(**text)
    ticks_in_words(ax.xaxis, places=TIMES)
    name_rows(ax, rows, inverted=False)
    ax.grid(True, axis="y")


def power_text(value: float, _: object = None) -> str:
    """Return "1e-8", or "100": a tick of a log axis; exponents would be letters too small."""
    if 1 <= value <= 1000:
        return f"{value:,.0f}"
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def _turn(each: tuple) -> tuple[float, float]:
    """Return the turn of a point: from the left, one above another before it, so that labels
    stand in the order of their points.
    """
    (x, y, _), (_, height) = each
    return x, -height


def _moved(dy: float, radius: float) -> bool:
    """Return whether a label stands so far off that a line leads to its point."""
    return abs(dy) > (0 if radius else LINE)


def _path(box: Bbox) -> Path:
    return Path(box.corners()[[0, 1, 3, 2, 0]])


def _outline(note: Text) -> Path:
    """Return where a text stands: one that slants takes less room than the box around it."""
    around, angle = Text.get_window_extent(note), note.get_rotation()
    if angle % 90 == 0:
        return _path(around)
    note.set_rotation(0)
    box = Text.get_window_extent(note)
    note.set_rotation(angle)
    centre = ((around.x0 + around.x1) / 2, (around.y0 + around.y1) / 2)
    straight = Bbox.from_bounds(-box.width / 2, -box.height / 2, box.width, box.height)
    return Affine2D().rotate_deg(angle).translate(*centre).transform_path(_path(straight))
