"""How large a picture's letters are where the page is narrow."""

from matplotlib.mathtext import MathTextParser
from matplotlib.text import Text

from convladder.teach import Picture
from convladder.teach.plots.style import PAGE_DOTS_PER_INCH

LEAST = 8.5  # CSS pixels
ROOM = 730  # CSS pixels for a picture in a window of 1000; JupyterLab, its files folded away: 820
POINTS = 72  # of an inch


def too_small(picture: Picture) -> dict[str, float]:
    """Return the texts of a picture that has been drawn, with their heights in CSS pixels, whose
    letters are smaller than LEAST once the picture is as narrow as ROOM.
    """
    scale = min(1, ROOM / (picture.figure.get_figwidth() * PAGE_DOTS_PER_INCH))
    scale *= PAGE_DOTS_PER_INCH / POINTS
    heights = {text.get_text(): scale * _points(text) for text in picture.figure.findobj(Text)
               if text.get_visible() and text.get_text().strip()}
    return {text: round(height, 2) for text, height in heights.items() if height < LEAST}


def _points(text: Text) -> float:
    """Return the size of a text's letters; an exponent's are smaller than the rest."""
    size = text.get_fontsize()
    if text.get_text().count("$") < 2:
        return size
    glyphs = MathTextParser("path").parse(text.get_text(), POINTS, text.get_fontproperties()).glyphs
    return min(glyph[1] for glyph in glyphs)
