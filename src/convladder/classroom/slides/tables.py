"""A table, with as many rows as a slide has room for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import unescape
from math import ceil, inf

from .markup import length
from .room import BOLD, LINE, SANS, SIZES, WIDE, WIDTH

BREAKS = 1.3  # times as many lines as in the smallest letters, for larger ones


def _longest_word(cell: str) -> int:
    return max(map(len, re.split(r"\s+|(?<=-)", unescape(re.sub(r"<[^>]+>", "", cell)))))


@dataclass(frozen=True)
class Table:
    """A table; cells are HTML. right: which columns stand to the right, as numbers do."""

    head: tuple[str, ...]
    body: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    caption: str = ""
    left_out: int = 0  # rows at its end

    def widths(self, size: int) -> list[float]:
        """Return the widths of its columns: what they need, or as much as there is."""
        columns = list(zip(self.head, *self.body, strict=True))
        need, least = (
            [self._width(column, measure, size) for column in columns]
            for measure in (length, _longest_word)
        )
        cap = max(need)
        while cap > min(least) and sum(map(max, least, (min(n, cap) for n in need))) > WIDTH:
            cap -= 4
        widths = [max(word, min(each, cap)) for each, word in zip(need, least, strict=True)]
        return [each * min(1, WIDTH / sum(widths)) for each in widths]

    def _width(self, column: tuple[str, ...], measure: Callable[[str], int], size: int) -> float:
        head, *body = map(measure, column)
        return max(head * BOLD, max(body, default=0) * WIDE) * size + 34

    def _least(self, size: int) -> float:
        columns = zip(self.head, *self.body, strict=True)
        return sum(self._width(column, _longest_word, size) for column in columns)

    def _rows(self, size: int) -> list[int]:
        widths = self.widths(size)
        return [
            max(
                ceil(length(cell) * SANS * size * 1.16 / (width - 24))
                for cell, width in zip(row, widths, strict=True)
            )
            for row in (self.head, *self.body)
        ]

    def height(self, size: int) -> float:
        """Return how high it stands; infinite where larger letters break words, or many cells."""
        rows = self._rows(size)
        breaks = size > SIZES[-1] and (
            self._least(size) > WIDTH or sum(rows) > BREAKS * sum(self._rows(SIZES[-1]))
        )
        if breaks:
            return inf
        rest = (bool(self.caption) + bool(self.left_out)) * (size * LINE + 9)
        return sum(each * size * LINE + 10 for each in rows) + rest + 4

    def pages(self, height: float) -> list[Table]:
        """Return it with as many rows as fit, in letters of the smallest size."""
        table = self
        while table.height(SIZES[-1]) > height and table.body:
            table = replace(table, body=table.body[:-1], left_out=table.left_out + 1)
        return [table]

    def html(self, size: int) -> str:
        """Return it as HTML."""
        sides = ["r" if right else "l" for right in self.right]
        widths = self.widths(size)

        def row(cells: tuple[str, ...], tag: str) -> str:
            return (
                "<tr>"
                + "".join(
                    f'<{tag} class="{side}">{cell}</{tag}>'
                    for cell, side in zip(cells, sides, strict=True)
                )
                + "</tr>"
            )

        columns = "".join(f'<col style="width:{width:.0f}px">' for width in widths)
        caption = f"<caption>{self.caption}</caption>" if self.caption else ""
        more = (
            f'<tr><td class="more" colspan="{len(sides)}">… {self.left_out} more rows in the '
            "notebook</td></tr>"
            if self.left_out
            else ""
        )
        return (
            f'<table style="font-size:{size}px;width:{sum(widths):.0f}px">{caption}'
            f"<colgroup>{columns}</colgroup><thead>{row(self.head, 'th')}</thead><tbody>"
            + "".join(row(each, "td") for each in self.body)
            + more
            + "</tbody></table>"
        )
