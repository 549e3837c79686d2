"""A report as a listing of the source, each line with its traffic beside it."""

from __future__ import annotations

import html
from typing import Any

COLUMNS = ("requests", "sectors", "per request", "shared", "conflicts", "atomics")


def _columns(report: Any) -> tuple[str, ...]:
    """Return the columns' names; a kernel without atomics has no column for them."""
    return COLUMNS if report.atomic_requests else COLUMNS[:-1]


def _cells(traffic: Any) -> tuple[str, ...]:
    requests = traffic.global_load_requests + traffic.global_store_requests
    sectors = traffic.global_load_sectors + traffic.global_store_sectors
    each = f"{sectors / requests:.3g}" if requests else ""
    atomics = traffic.global_atomics + traffic.shared_atomics
    numbers = requests, sectors, None, traffic.shared_requests, traffic.shared_conflicts, atomics
    return tuple(each if number is None else f"{number:,}" if number else "" for number in numbers)


def totals(report: Any) -> list[str]:
    """Return the report's head, a sentence a line."""
    loads, stores = report.global_load_sectors, report.global_store_sectors
    asked = report.global_load_bytes + report.global_store_bytes
    moved = 32 * (loads + stores)
    share = f" ({asked / moved:.0%})" if moved else ""
    lines = [
        f"{report.kernel}, {_sides(report.shape.grid, 'block')} of "
        f"{_sides(report.shape.block, 'thread')}",
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


def _sides(of: tuple[int, int, int], what: str) -> str:
    """Return a grid or block in words: "2 × 3 blocks", "1 thread"."""
    count = max(n for n in range(3) if of[n] > 1 or n == 0) + 1
    return f"{' × '.join(map(str, of[:count]))} {what}{'s' * (of != (1, 1, 1))}"


def as_text(report: Any) -> str:
    """Return totals, the lines that touch memory, the faults."""
    columns = _columns(report)
    rows = [
        (str(line.number), *_cells(line.traffic)[: len(columns)], line.text.strip())
        for line in report.lines
        if any(_cells(line.traffic))
    ]
    heads = ("line", *columns, "")
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
    return ["", "Faults found:", *(f"- {fault}" for fault in report.faults)]


def as_html(report: Any) -> str:
    """Return the same, with a bar behind each line's sectors, as long as its share."""
    most = max(
        [
            line.traffic.global_load_sectors + line.traffic.global_store_sectors
            for line in report.lines
        ],
        default=0,
    )
    rows, columns = [], _columns(report)
    for line in report.lines:
        cells = _cells(line.traffic)[: len(columns)]
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
            f"<td style='text-align:left;{bar}'><code style='background:none'>"
            f"{html.escape(line.text.strip())}</code></td></tr>"
        )
    heads = "".join(f"<th>{head}</th>" for head in ("line", *columns))
    above = "<br>".join(map(html.escape, totals(report)))
    below = "<br>".join(map(html.escape, _fault_lines(report)[1:]))
    return (
        f"<div><p>{above}</p><table><thead><tr>{heads}<th style='text-align:left'>"
        f"source (bar: sectors)</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"<p>{below}</p></div>"
    )
