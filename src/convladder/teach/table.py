"""Tables that read well in the page, on paper and in a light or dark theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from numbers import Real
from typing import Any


class Table:
    """Rows under column names; columns of numbers stand to the right."""

    def __init__(self, cells: list[list[str]], columns: list[str], caption: str | None) -> None:
        self.cells, self.columns, self.caption = cells, columns, caption
        self.right = [all(_numeric(row[i]) for row in cells) for i in range(len(columns))]

    def __repr__(self) -> str:
        lines = [self.columns, *self.cells]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        texts = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, self.right)
            ).rstrip()
            for line in lines
        ]
        texts.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join([*filter(None, [self.caption]), *texts])

    def _repr_html_(self) -> str:
        def line(cells: list[str], tag: str, style: str) -> str:
            return (
                "<tr>"
                + "".join(
                    f'<{tag} style="text-align: {"right" if right else "left"}; padding: 3px 12px; '
                    f'{style}">{escape(cell)}</{tag}>'
                    for cell, right in zip(cells, self.right)
                )
                + "</tr>"
            )

        caption = (
            (
                '<caption style="caption-side: top; text-align: left; font-weight: bold; '
                f'padding: 4px 12px; color: inherit">{escape(self.caption)}</caption>'
            )
            if self.caption
            else ""
        )
        rule = "border-bottom: 1px solid rgba(128, 128, 128, 0.6)"
        thin = "border-bottom: 1px solid rgba(128, 128, 128, 0.2)"
        return (
            '<table style="border-collapse: collapse; margin: 4px 0; '
            'font-variant-numeric: tabular-nums; color: var(--jp-ui-font-color1, inherit)">'
            f"{caption}<thead>{line(self.columns, 'th', rule)}</thead>"
            f"<tbody>{''.join(line(row, 'td', thin) for row in self.cells)}</tbody></table>"
        )


def table(
    rows: Sequence[Mapping | Sequence],
    columns: Sequence[str] | None = None,
    caption: str | None = None,
) -> Table:
    """Return a table of `rows`: mappings (whose keys name the columns) or sequences.

    columns: names, in order; for mappings they also choose what is shown. Whole numbers get
    thousands separators, floats three digits; write anything else as text ("3.95 MiB").
    Raises ValueError where a row does not fit the columns.
    """
    if columns is None:
        if not rows or not isinstance(rows[0], Mapping):
            raise ValueError("columns is missing: name them, or give rows as dicts")
        columns = list(rows[0])
    cells = []
    for number, row in enumerate(rows):
        missing = [c for c in columns if c not in row] if isinstance(row, Mapping) else []
        values = [row[c] for c in columns if c in row] if isinstance(row, Mapping) else list(row)
        if missing or len(values) != len(columns):
            raise ValueError(
                f"row {number} has {len(values)} of the {len(columns)} columns "
                f"{list(columns)}: give every row a value for each"
            )
        cells.append([number_text(value) for value in values])
    return Table(cells, [str(column) for column in columns], caption)


def number_text(value: Any) -> str:
    """Return 1234567 -> "1,234,567"; 0.123456 -> "0.123"; None -> ""; text as it is."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, Real):
        return str(value)
    if abs(float(value)) >= 999.5:  # three digits would write it as 1e+03
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _numeric(cell: str) -> bool:
    return cell in ("", "–", "nan", "inf") or cell.lstrip("+-−≈<>~ ")[:1].isdigit()
