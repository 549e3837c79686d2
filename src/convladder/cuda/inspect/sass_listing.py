"""Source and SASS beside each other, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from .sass import Instruction

WIDTH = 60  # characters of a source line that stand beside the SASS


def beside(
    source: str, instructions: Sequence[Instruction]
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield (number, text, its instructions) of each line from the kernel's first to its last."""
    by_line: dict[int, list[str]] = {}
    for each in instructions:
        if each.line is not None:
            label = f"{each.label}: " if each.label else ""
            by_line.setdefault(each.line, []).append(f"{each.address:04x}  {label}{each.text}")
    lines = source.split("\n")
    for number in range(min(by_line, default=1), max(by_line, default=0) + 1):
        yield number, lines[number - 1].rstrip(), by_line.get(number, [])


def as_text(source: str, instructions: Sequence[Instruction]) -> str:
    """Return columns: line number, source, address, instruction."""
    rows = list(beside(source, instructions))
    width = min(WIDTH, max((len(text.expandtabs(4)) for _, text, _ in rows), default=0))
    out = []
    for number, text, own in rows:
        text = text.expandtabs(4)
        text = text if len(text) <= width else text[: width - 1] + "…"
        for i, cell in enumerate(own or [""]):
            left = f"{number:>4}  {text:<{width}}" if i == 0 else " " * (width + 6)
            out.append(f"{left} | {cell}".rstrip())
    return "\n".join(out)


def as_html(
    title: str, figures: Sequence[tuple[str, str]], source: str, instructions: Sequence[Instruction]
) -> str:
    """Return the figures as a table; the listing folded beneath."""
    cell = 'style="text-align: left; padding: 2px 12px; vertical-align: top"'
    code = 'style="margin: 0; padding: 0; background: none; font-size: 12px; line-height: 1.3"'
    rows = "".join(
        f'<tr style="background: none"><td {cell}>{what}</td><td {cell}>{escape(value)}</td></tr>'
        for what, value in figures
    )
    listing = "".join(
        f'<tr style="background: none; border-top: 1px solid rgba(128, 128, 128, 0.2)">'
        f"<td {cell}><pre {code}>{number}</pre></td>"
        f"<td {cell}><pre {code}>{escape(text)}</pre></td>"
        f"<td {cell}><pre {code}>{escape(chr(10).join(own))}</pre></td></tr>"
        for number, text, own in beside(source, instructions)
    )
    return (
        '<div style="margin: 4px 0; color: var(--jp-ui-font-color1, inherit)">'
        f'<b>{escape(title)}</b><table style="margin: 2px 0; border: none">{rows}</table>'
        f"<details><summary>SASS beside the source</summary>"
        f'<table style="margin: 2px 0; border-collapse: collapse">{listing}</table>'
        "</details></div>"
    )
