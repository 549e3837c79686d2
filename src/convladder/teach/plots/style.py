"""The one style of all figures, and Picture: a figure as a notebook shows it."""

from __future__ import annotations

import base64
import io
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...journal import place
from ...journal.here import shell

STYLE = Path(__file__).with_name("convladder.mplstyle")

# Okabe and Ito's colours, in the order of the style's colour cycle
BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, GREY = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
PALE = "#E9EDF0"  # cells and areas that are not the subject

DOTS_PER_INCH = 144
PAGE_DOTS_PER_INCH = 96  # what a browser calls an inch: so text has its size in points


def figure(width: float = 7.0, height: float = 3.6, **subplots: Any) -> tuple[Figure, Any]:
    """Return a figure of `width` x `height` inches in the course's style, and its axes.

    Takes what `plt.subplots` takes: nrows, ncols, sharey, width_ratios, gridspec_kw ...
    Labels keep clear of each other; pyplot is not involved, so nothing stays open.
    """
    matplotlib.style.use(STYLE)
    fig = Figure(figsize=(width, height))
    return fig, fig.subplots(**subplots)


class Picture:
    """A figure, rendered to PNG when it is first shown, with words for those who do not see it.

    alt: what the picture shows, as a fact that is the same on any machine (no timings): it is
    also the picture's plain text, which the notebooks' tests compare.
    colours: as many as the PNG keeps, all by default; slanted lines in many colours take a few
    times the room that 256 do.
    """

    def __init__(self, fig: Figure, alt: str, colours: int | None = None) -> None:
        if not alt.strip():
            raise ValueError("alt is empty: say in a sentence what the picture shows")
        self.figure, self.alt, self._colours = fig, alt, colours

    @cached_property
    def png(self) -> bytes:
        """Return the picture as a file of that format; most of a widget's are never asked for."""
        matplotlib.style.use(STYLE)  # whatever was drawn since
        buffer = io.BytesIO()
        self.figure.savefig(buffer, format="png", dpi=DOTS_PER_INCH, bbox_inches="tight",
                            pad_inches=0.08, metadata={"Software": None})
        return buffer.getvalue() if self._colours is None else _with_fewer(buffer, self._colours)

    @property
    def width(self) -> int:
        """Return the width on the page in CSS pixels, less than the PNG's: it looks crisp."""
        pixels = int.from_bytes(self.png[16:20], "big")  # from the PNG's header
        return round(pixels * PAGE_DOTS_PER_INCH / DOTS_PER_INCH)

    @property
    def html(self) -> str:
        """Return it as HTML that says what it shows: JupyterLab gives a bare PNG no alt text."""
        data = base64.b64encode(self.png).decode()
        return (f'<img alt="{escape(self.alt)}" src="data:image/png;base64,{data}" '
                f'style="width: {self.width}px; max-width: 100%">')

    def save(self, path: str | Path) -> None:
        """Write the PNG to `path`."""
        Path(path).write_bytes(self.png)

    def __repr__(self) -> str:
        return f"Picture: {self.alt}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        data = {"image/png": base64.b64encode(self.png).decode(), "text/plain": repr(self)}
        if shell() is not None and place() is not None:  # somebody looks at it now
            data["text/html"] = self.html
        return data, {"image/png": {"alt": self.alt, "width": self.width}}


def _with_fewer(png: io.BytesIO, colours: int) -> bytes:
    from PIL import Image  # comes with Matplotlib

    smaller = io.BytesIO()
    Image.open(png).convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(
        smaller, format="png", optimize=True)
    return smaller.getvalue()


def label_points(ax: Axes, points: list[tuple[float, float, str]], *, radius: float = 0,
                 **text: Any) -> None:
    """Write each (x, y, label) beside its point, clear of other texts, points and lines.

    A label that had to move away gets a thin line to its point. Call this last: it needs the
    axes' final limits.

    radius: of the points' marks, in points, where these crowd: labels then keep clear of whole
    marks, and each that moved at all has its line.
    """
    ax.figure.draw_without_rendering()  # settles the layout, which decides what collides
    frame = ax.get_window_extent()
    marks = [ax.transData.transform((x, y)) for x, y, _ in points]
    reach = radius * ax.figure.dpi / 72
    lines = [line.get_transform().transform_path(line.get_path()) for line in ax.lines]
    texts = [note.get_window_extent() for note in ax.texts]
    written: list[Any] = []

    def cost(box: Any) -> int:
        outside = box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0
        return (10 * sum(box.overlaps(other) for other in written) + 10 * outside
                + 5 * sum(box.padded(reach).contains(*mark) for mark in marks)
                + 2 * sum(box.overlaps(other) for other in texts)
                + sum(line.intersects_bbox(box, filled=False) for line in lines))

    for x, y, label in sorted(points):
        tried = []
        for place, (dx, dy, ha) in enumerate(_PLACES):
            note = ax.annotate(label, (x, y), (dx, dy), textcoords="offset points", ha=ha,
                               va="center", **text)
            box = note.get_window_extent().padded(2)
            note.remove()
            tried.append((cost(box), place, box))
            if tried[-1][0] == 0:
                break
        _, place, box = min(tried, key=lambda each: each[:2])
        dx, dy, ha = _PLACES[place]
        leader = {"arrowstyle": "-", "color": GREY, "linewidth": 0.6, "shrinkA": 0,
                  "shrinkB": 0 if radius else 3, "relpos": (0 if ha == "left" else 1, 0.5)}
        moved = abs(dy) > (0 if radius else LINE)
        ax.annotate(label, (x, y), (dx, dy), textcoords="offset points", ha=ha, va="center",
                    arrowprops=leader if moved else None, **text)
        written.append(box)


LINE = 11  # points from one label to the next
_PLACES = [(dx, dy * LINE, ha) for dy in (0, -1, 1, -2, 2, -3, 3, -4, 4)
           for dx, ha in ((8, "left"), (-8, "right"))]
