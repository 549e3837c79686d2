"""Areas with words in them: boxes, frames, grids of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from .style import BLUE, ink


def write(ax: Axes, words: object, x: float, y: float, **text: Any) -> Text:
    """Write `words` with their middle at (x, y)."""
    return ax.text(x, y, str(words), **{"ha": "center", "va": "center", "fontsize": 8, **text})


def box(
    ax: Axes, x: float, y: float, width: float, height: float, colour: Any, words: object = "",
    *, letters: Any = None, text: Mapping = MappingProxyType({}), **patch: Any,
) -> None:  # fmt: skip
    """Draw an area of `colour` from (x, y) on, and `words` in its middle, in `letters`.

    By default the letters are black or white, whichever reads better. text: of the words;
    patch: of the area.
    """
    ax.add_patch(Rectangle((x, y), width, height, facecolor=colour, **patch))
    if words != "":
        letters = ink(colour) if letters is None else letters
        write(ax, words, x + width / 2, y + height / 2, color=letters, **text)


def frame(
    ax: Axes, x: float, y: float, width: float, height: float, colour: Any = BLUE, **patch: Any
) -> None:
    """Draw the outline of an area."""
    line = {"linewidth": 2.2, "zorder": 4, **patch}
    ax.add_patch(Rectangle((x, y), width, height, fill=False, edgecolor=colour, **line))


def cells(ax: Axes, colours: Sequence[Sequence[Any]], words: Any = None, **text: Any) -> None:
    """Fill a grid with `colours[row][column]` and `words[row][column]`, row 0 on top; no ticks."""
    ax.pcolormesh(
        [[to_rgb(colour) for colour in line] for line in colours], edgecolors="white", linewidth=1
    )
    for row, line in enumerate(words if words is not None else ()):
        for column, word in enumerate(line):
            write(ax, word, column + 0.5, row + 0.5, color=ink(colours[row][column]), **text)
    ax.set(xlim=(-0.05, len(colours[0]) + 0.05), ylim=(len(colours) + 0.05, -0.05))
    bare(ax)


def bare(ax: Axes) -> None:
    """Leave out ticks and frame; labels stay."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
