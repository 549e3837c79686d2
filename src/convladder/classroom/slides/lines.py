"""Lines of a program, or lines that a cell printed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import inf
from operator import gt
from textwrap import wrap

from .markup import code_lines
from .room import LINE, MONO, SIZES, WIDTH

FRAME = 24  # around a box of lines, above and below together
DOCSTRING = re.compile(r'^ *[rf]?"""(?:[^"]|"(?!""))*"""\n', re.MULTILINE)
ALIGNED = re.compile(r"\S {2}")  # printed in columns


@dataclass(frozen=True)
class Lines:
    """A program (with a language) or what was printed (without).

    offset: of the first line within `whole`, the longer program whose colours it has.
    """

    text: str
    language: str = ""
    whole: str = ""
    offset: int = 0

    def _rows(self, size: int) -> list[int]:
        columns = int((WIDTH - FRAME) / (MONO * size))
        return [
            len(wrap(line, columns, subsequent_indent="    ")) or 1
            for line in self.text.split("\n")
        ]

    def height(self, size: int) -> float:
        """Return how high it stands; infinite where letters larger than the least break a line
        that could stand whole.
        """
        rows = self._rows(size)
        whole = self.language or ALIGNED.search(self.text)
        broken = whole and any(map(gt, rows, self._rows(SIZES[-1])))
        return inf if broken else sum(rows) * size * LINE + FRAME

    def pages(self, height: float) -> list[Lines]:
        """Return it in pieces that fit: a program in two at most, printed text cut at the end."""
        if self.height(SIZES[-1]) <= height:
            return [self]
        lean = replace(self, text=DOCSTRING.sub("", self.text)) if self.language else self
        if lean != self:
            return lean.pages(height)
        fits = int((height - FRAME) / (SIZES[-1] * LINE))
        lines, rows = self.text.split("\n"), self._rows(SIZES[-1])
        if not self.language:
            return [replace(self, text=_cut(lines, rows, fits))]
        if sum(rows) > 2 * fits:
            lines = _cut(
                lines, rows, 2 * fits - 1, "# " if self.language == "python" else "// "
            ).split("\n")
            rows = rows[: len(lines) - 1] + [1]
        at = _break(lines, rows, fits)
        whole = "\n".join(lines)
        return [
            Lines("\n".join(lines[:at]).rstrip("\n"), self.language, whole, 0),
            Lines("\n".join(lines[at:]), self.language, whole, at),
        ]

    def html(self, size: int) -> str:
        """Return it as HTML, a line an element, so that a long one hangs."""
        count = self.text.count("\n") + 1
        lines = code_lines(self.whole or self.text, self.language)
        shown = "".join(
            f'<span class="line">{line or " "}</span>'
            for line in lines[self.offset : self.offset + count]
        )
        kind = "code" if self.language else "printed"
        return f'<pre class="{kind}" style="font-size:{size}px">{shown}</pre>'


def _cut(lines: list[str], rows: list[int], fits: int, mark: str = "") -> str:
    kept, room = 0, fits - 1
    while kept < len(lines) and rows[kept] <= room:
        room -= rows[kept]
        kept += 1
    left = len(lines) - kept
    return "\n".join([*lines[:kept], f"{mark}… {left} more lines in the notebook"])


def _break(lines: list[str], rows: list[int], fits: int) -> int:
    """Return where to cut in two: at an empty line, else at a shallow one, near the middle."""

    def cost(at: int) -> tuple[bool, bool, float]:
        indent = len(lines[at]) - len(lines[at].lstrip())
        return (
            sum(rows[:at]) > fits or sum(rows[at:]) > fits,
            bool(lines[at - 1].strip()),
            indent + abs(at - len(lines) / 2),
        )

    return min(range(1, len(lines)), key=cost)
