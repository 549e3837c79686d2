"""What README.md and docs/results.md say of a record, as Markdown between markers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..bench.conv_tables import cpu_summary, cpu_table, gpu_summary, gpu_table
from .errors import CommandError

RESULTS = Path("docs/results.md")  # beside README.md
PARTS = ("table", "summary")  # docs/results.md holds the first, README.md the second


def markers(device: str, part: str = "table") -> tuple[str, str]:
    """Return the lines before and behind a part, of PARTS, for `device`, "cpu" or "gpu"."""
    command = (
        "convladder record --readme"
        if device == "cpu"
        else "convladder record --device gpu --readme"
    )
    return f"<!-- {device} {part}, written by `{command}` -->", f"<!-- {device} {part} ends -->"


def places(readme: Path, device: str) -> list[tuple[Path, str]]:
    """Return (file, part) of each pair of markers, in `readme` and in docs/results.md beside it.

    Raises CommandError if there is none in `readme`.
    """
    found = [
        (path, part)
        for path in (readme, readme.parent / RESULTS)
        if path.is_file()
        for part in PARTS
        if _split(path.read_text(encoding="utf-8"), device, part)
    ]
    if readme not in (path for path, _ in found):
        raise CommandError(
            f"{readme} has no place for results; write these two lines there: "
            + " and ".join(markers(device, "summary"))
        )
    return found


def write(readme: Path, device: str, record: Mapping) -> None:
    """Put what a record says in its places. Raises CommandError if `readme` has none."""
    text = (
        {"table": cpu_table, "summary": cpu_summary}
        if device == "cpu"
        else {"table": gpu_table, "summary": gpu_summary}
    )
    for path, part in places(readme, device):
        before, after = _split(path.read_text(encoding="utf-8"), device, part)
        first, last = markers(device, part)
        path.write_text(f"{before}{first}\n{text[part](record)}\n{last}{after}", encoding="utf-8")


def _split(text: str, device: str, part: str) -> tuple[str, str] | None:
    """The text before and behind a part; None if it has no place there."""
    first, last = markers(device, part)
    before, begin, rest = text.partition(first)
    _, end, after = rest.partition(last)
    return (before, after) if begin and end else None
