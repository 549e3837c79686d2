"""What stands on a slide: each block knows its height, its pieces that fit, and its HTML."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass, replace
from html import escape
from math import ceil
from struct import unpack

from .lines import Lines
from .markup import code_lines, formula, html, inline, length
from .room import HEIGHT, LINE, SANS, SIZES, WIDTH
from .tables import Table

CAPTION = 36  # below a picture
FRAME = 24  # around words, above and below together


@dataclass(frozen=True)
class Words:
    """Paragraphs of Markdown. kind: a class for their looks."""

    text: str
    kind: str = "words"
    scale: float = 1  # of its letters, over those beside it

    def height(self, size: int) -> float:
        """Return how high it stands."""
        size = int(size * self.scale)
        rows = sum(
            ceil(len(each) * SANS * size / (WIDTH - 108)) for each in self.text.split("\n\n")
        )
        return rows * size * LINE * 1.05 + 16 * self.text.count("\n\n") + FRAME

    def pages(self, height: float) -> list[Words]:
        """Return it by paragraphs, two slides at most, where it is too long for one."""
        said = self.text.split("\n\n")
        if self.height(SIZES[-1]) <= height or len(said) == 1:
            return [self]
        half = ceil(len(said) / 2)
        return [replace(self, text="\n\n".join(part)) for part in (said[:half], said[half:])]

    def html(self, size: int) -> str:
        """Return it as HTML."""
        return (
            f'<div class="{self.kind}" style="font-size:{int(size * self.scale)}px">'
            f"{html(self.text)}</div>"
        )


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX, on a line of its own. scale: of its letters, over those beside it."""

    text: str
    scale: float = 1.2

    def _size(self, size: int) -> int:
        """Return the size of its letters: as large as its width allows."""
        drawn = formula(self.text, block=True)
        letters, signs = length(re.sub(r"\s+", "", drawn)), drawn.count("<mo")
        gaps = self.text.count(r"\quad") + 2 * self.text.count(r"\qquad")
        width = 0.6 * letters + 0.4 * signs + 1.1 * gaps
        return max(20, min(int(size * self.scale), int((WIDTH - 120) / width)))

    def height(self, size: int) -> float:
        """Return how high it stands: a fraction's height for each of its lines."""
        return (1 + self.text.count(r"\\")) * 3.6 * self._size(size)

    def pages(self, height: float) -> list[Formula]:
        """Return it as it is."""
        return [self]

    def html(self, size: int) -> str:
        """Return it as HTML."""
        return (
            f'<div class="formula" style="font-size:{self._size(size)}px">'
            f"{formula(self.text, block=True)}</div>"
        )


@dataclass(frozen=True)
class Answer:
    """What was measured where one had predicted."""

    label: str
    value: str

    def height(self, size: int) -> float:
        """Return how high it stands."""
        return 2.4 * 48 + ceil(len(self.label) * SANS * 28 / WIDTH) * 28 * LINE

    def pages(self, height: float) -> list[Answer]:
        """Return it as it is."""
        return [self]

    def html(self, size: int) -> str:
        """Return it as HTML."""
        return (
            f'<div class="answer"><p class="label">{inline(self.label)}</p>'
            f'<p class="value">{escape(self.value)}</p></div>'
        )


@dataclass(frozen=True)
class Figure:
    """A picture, which takes what room there is. png: base64; caption: the call that drew it."""

    png: str
    alt: str
    caption: str = ""

    def height(self, size: int) -> float:
        """Return all there is."""
        return HEIGHT

    def pages(self, height: float) -> list[Figure]:
        """Return it as it is."""
        return [self]

    def html(self, size: int) -> str:
        """Return it as HTML, as large as the slide allows."""
        width, height = unpack(">II", b64decode(self.png[:64])[16:24])  # of every PNG's header
        scale = min(WIDTH / width, (HEIGHT - (CAPTION if self.caption else 0)) / height)
        caption = (
            f"<figcaption><code>{''.join(code_lines(self.caption, 'python'))}</code></figcaption>"
            if self.caption
            else ""
        )
        return (
            f'<figure><img alt="{escape(self.alt)}" width="{width * scale:.0f}" '
            f'height="{height * scale:.0f}" src="data:image/png;base64,'
            f'{"".join(self.png.split())}">{caption}</figure>'
        )


Block = Lines | Table | Words | Formula | Answer | Figure
