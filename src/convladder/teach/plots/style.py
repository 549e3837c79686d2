"""The one style of all figures, its colours, and Picture: a figure as a notebook shows it."""

from __future__ import annotations

import base64
import io
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import matplotlib.style
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

from ...core.picture_html import picture_html
from ...journal import journal_path
from ...journal.notebook_context import shell

STYLE = Path(__file__).with_name("convladder.mplstyle")
OURS = ["default", str(STYLE)]  # whatever a user's own matplotlibrc asks for

# Okabe and Ito's colours, in the order of the style's colour cycle
BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, GREY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#555555",
)
PALE = "#E9EDF0"  # cells and areas that are not the subject
OUTSIDE = "#F6D9C8"  # cells beyond the image or the output

LEAST = 4.5  # contrast of small text
STEP = 0.98  # how much darker a colour becomes at a time


def contrast(one: Any, other: Any) -> float:
    """Return the contrast of two colours by WCAG's formula, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def ink(fill: Any) -> str:
    """Return "black" or "white", whichever reads better on an area of colour `fill`."""
    return max(("black", "white"), key=lambda letters: contrast(letters, fill))


@lru_cache
def lettering(colour: str) -> str:
    """Return `colour` for text on white: as dark as it must be to read well, and no darker."""
    rgb = to_rgb(colour)
    while contrast(rgb, "white") < LEAST:
        rgb = tuple(STEP * part for part in rgb)
    return to_hex(rgb)


def _luminance(colour: Any) -> float:
    parts = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in to_rgb(colour)
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts))


DOTS_PER_INCH = 144
PAGE_DOTS_PER_INCH = 96  # what a browser calls an inch: so text has its size in points


def figure(width: float = 7.0, height: float = 3.6, **subplots: Any) -> tuple[Figure, Any]:
    """Return a figure of `width` x `height` inches in the course's style, and its axes.

    Takes what `plt.subplots` takes: nrows, ncols, sharey, width_ratios, gridspec_kw ...
    Labels keep clear of each other; pyplot is not involved, so nothing stays open.
    """
    matplotlib.style.use(OURS)
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
        matplotlib.style.use(OURS)  # whatever was drawn since
        buffer = io.BytesIO()
        self.figure.savefig(
            buffer,
            format="png",
            dpi=DOTS_PER_INCH,
            bbox_inches="tight",
            pad_inches=0.08,
            metadata={"Software": None},
        )
        return buffer.getvalue() if self._colours is None else _with_fewer(buffer, self._colours)

    @property
    def width(self) -> int:
        """Return the width on the page in CSS pixels, less than the PNG's: it looks crisp."""
        pixels = int.from_bytes(self.png[16:20], "big")  # from the PNG's header
        return round(pixels * PAGE_DOTS_PER_INCH / DOTS_PER_INCH)

    @property
    def html(self) -> str:
        """Return it as HTML that says what it shows: JupyterLab gives a bare PNG no alt text."""
        return picture_html(self.alt, base64.b64encode(self.png).decode(), self.width)

    def save(self, path: str | Path) -> None:
        """Write the PNG to `path`."""
        Path(path).write_bytes(self.png)

    def __repr__(self) -> str:
        return f"Picture: {self.alt}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        data = {"image/png": base64.b64encode(self.png).decode(), "text/plain": repr(self)}
        if shell() is not None and journal_path() is not None:  # somebody looks at it now
            data["text/html"] = self.html
        return data, {"image/png": {"alt": self.alt, "width": self.width}}


def _with_fewer(png: io.BytesIO, colours: int) -> bytes:
    from PIL import Image  # comes with Matplotlib

    smaller = io.BytesIO()
    # The default method drops colours of few pixels: letters would take on that of the line beside.
    fewer = (
        Image.open(png)
        .convert("RGB")
        .quantize(colours, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    )
    fewer.save(smaller, format="png", optimize=True)
    return smaller.getvalue()
