"""How large a picture's letters are where the page is narrow."""

from collections.abc import Iterator

from matplotlib.figure import Figure
from matplotlib.mathtext import MathTextParser
from matplotlib.text import Text

from convladder.teach.plots.style import PAGE_DOTS_PER_INCH

LEAST = 8.5  # CSS pixels
ROOM = 730  # CSS pixels for a picture in a window of 1000; JupyterLab, its files folded away: 820
POINTS = 72  # of an inch


def too_small(fig: Figure) -> dict[str, float]:
    """Return the texts of a figure, with their heights in CSS pixels, whose letters are smaller
    than LEAST once the page shows it as narrow as ROOM. Ticks have no text before they are drawn.
    """
    scale = min(1, ROOM / (fig.get_figwidth() * PAGE_DOTS_PER_INCH))
    scale *= PAGE_DOTS_PER_INCH / POINTS
    heights = {
        text.get_text(): scale * _points(text)
        for text in _texts(fig)
        if text.get_visible() and text.get_text().strip()
    }
    return {text: round(height, 2) for text, height in heights.items() if height < LEAST}


def _texts(fig: Figure) -> Iterator[Text]:
    """Give all texts, faster than `findobj`, which asks every axis where its ticks are."""
    yield from fig.texts
    legends = [*fig.legends, *filter(None, (ax.get_legend() for ax in fig.axes))]
    for legend in legends:
        yield from legend.get_texts()
    for ax in fig.axes:
        yield from (child for child in ax.get_children() if isinstance(child, Text))
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            yield axis.label
            if axis.get_visible():
                yield from (tick.label1 for tick in axis.majorTicks)


def _points(text: Text) -> float:
    """Return the size of a text's letters; an exponent's are smaller than the rest."""
    size = text.get_fontsize()
    if text.get_text().count("$") < 2:
        return size
    glyphs = MathTextParser("path").parse(text.get_text(), POINTS, text.get_fontproperties()).glyphs
    return min(glyph[1] for glyph in glyphs)
