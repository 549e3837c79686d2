"""A report as a listing of the source, each line with its traffic beside it."""

from __future__ import annotations

import html
from typing import Any

COLUMNS = ("requests", "sectors", "per request", "shared", "conflicts")


def _cells(traffic: Any) -> tuple[str, ...]:
    requests = traffic.global_load_requests + traffic.global_store_requests
    sectors = traffic.global_load_sectors + traffic.global_store_sectors
    each = f"{sectors / requests:.3g}" if requests else ""
    numbers = requests, sectors, None, traffic.shared_requests, traffic.shared_conflicts
    return tuple(each if number is None else f"{number:,}" if number else "" for number in numbers)


def totals(report: Any) -> list[str]:
    """Return the report's head, a sentence a line."""
    loads, stores = report.global_load_sectors, report.global_store_sectors
    asked = report.global_load_bytes + report.global_store_bytes
    moved = 32 * (loads + stores)
    share = f" ({asked / moved:.0%})" if moved else ""
    lines = [
        f"{report.kernel}[{report.shape.grid}, {report.shape.block}]",
        f"global loads:  {report.global_load_requests:,} requests, {loads:,} sectors",
        f"global stores: {report.global_store_requests:,} requests, {stores:,} sectors",
        f"{asked:,} bytes asked for, {moved:,} moved{share}",
        f"shared memory: {report.shared_requests:,} requests, "
        f"{report.shared_conflicts:,} bank conflicts",
    ]
    if report.atomic_requests:
        places = (
            ("global", report.global_atomics, report.global_atomic_turns),
            ("shared", report.shared_atomics, report.shared_atomic_turns),
        )
        lines += [
            f"atomics in {place} memory: {count:,}, {turns:,} turns"
            for place, count, turns in places
            if count
        ]
    if report.overlapped_bytes:
        lines.append(
            f"shared memory filled: {report.shared_store_bytes:,} bytes, "
            f"{report.overlapped_bytes:,} of them while their threads computed"
        )
    if report.divergent:
        # Not of how many: that number is the compiler's, and differs from version to version.
        lines.append(f"divergent branches: {report.divergent:,}")
    return lines


def as_text(report: Any) -> str:
    """Return totals, the lines that touch memory, the faults."""
    rows = [
        (str(line.number), *_cells(line.traffic), line.text.strip())
        for line in report.lines
        if any(_cells(line.traffic))
    ]
    heads = ("line", *COLUMNS, "")
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    listing = [
        "  ".join(
            [
                *(cell.rjust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)),
                row[-1],
            ]
        ).rstrip()
        for row in (heads, *rows)
    ]
    return "\n".join([*totals(report), "", *listing, *_fault_lines(report)])


def _fault_lines(report: Any) -> list[str]:
    if report.ok:
        return ["", "No fault found."]
    return [
        "",
        f"{len(report.faults)} fault{'s' * (len(report.faults) > 1)}:",
        *(f"- {fault}" for fault in report.faults),
    ]


def as_html(report: Any) -> str:
    """Return the same, with a bar behind each line's sectors, as long as its share."""
    most = max(
        [
            line.traffic.global_load_sectors + line.traffic.global_store_sectors
            for line in report.lines
        ],
        default=0,
    )
    rows = []
    for line in report.lines:
        cells = _cells(line.traffic)
        if not any(cells):
            continue
        sectors = line.traffic.global_load_sectors + line.traffic.global_store_sectors
        share = 100 * sectors / most if most else 0
        bar = (
            f"background:linear-gradient(to right,rgba(0,114,178,.25) {share:.0f}%,"
            f"transparent {share:.0f}%)"
        )
        numbers = "".join(f"<td style='text-align:right'>{cell}</td>" for cell in cells)
        rows.append(
            f"<tr><td style='text-align:right'>{line.number}</td>{numbers}"
            f"<td style='text-align:left;{bar}'><code>{html.escape(line.text.strip())}</code></td>"
            "</tr>"
        )
    heads = "".join(f"<th>{head}</th>" for head in ("line", *COLUMNS))
    above = "<br>".join(map(html.escape, totals(report)))
    below = "<br>".join(map(html.escape, _fault_lines(report)[1:]))
    return (
        f"<div><p>{above}</p><table><thead><tr>{heads}<th style='text-align:left'>source</th>"
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table><p>{below}</p></div>"
    )
