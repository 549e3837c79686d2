"""The tables of README.md and docs/results.md, as Markdown between markers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from convladder.cli.terminal import CommandError

from .goals import goals_table
from .tables import cpu_summary, cpu_table, gpu_summary, gpu_table

RESULTS = Path("docs/results.md")  # beside README.md
WRITERS = {  # README.md holds the summaries, docs/results.md the other parts
    "cpu": {"table": cpu_table, "goals": goals_table, "summary": cpu_summary},
    "gpu": {"table": gpu_table, "summary": gpu_summary},
}


def write_results(record: Mapping, readme: Path) -> list[Path]:
    """Put the results of a record of convolutions into `readme` and docs/results.md beside it.

    Returns the files written. Raises CommandError for another record, or if `readme` has no
    markers.
    """
    device = device_of(record)
    found = [
        (path, part)
        for path in (readme, readme.parent / RESULTS)
        if path.is_file()
        for part in WRITERS[device]
        if _split(path.read_text(encoding="utf-8"), device, part)
    ]
    if readme not in (path for path, _ in found):
        raise CommandError(
            f"{readme} has no place for results; write these two lines there: "
            + " and ".join(markers(device, "summary"))
        )
    for path, part in found:
        before, after = _split(path.read_text(encoding="utf-8"), device, part)
        first, last = markers(device, part)
        text = WRITERS[device][part](record)
        path.write_text(f"{before}{first}\n{text}\n{last}{after}", encoding="utf-8")
    return [path for path, _ in found]


def device_of(record: object) -> str:
    """Return "cpu" or "gpu" for a record of convolutions. Raises CommandError for another one."""
    if isinstance(record, Mapping) and "runs" in record:
        if "card" in record:
            return "gpu"
        if "machine" in record:
            return "cpu"
    raise CommandError("this is not a record of convolutions on a processor or a GPU")


def markers(device: str, part: str) -> tuple[str, str]:
    """Return the lines before and after a part of `WRITERS` for "cpu" or "gpu"."""
    return (
        f"<!-- {device} {part}, written by `python -m tools results` -->",
        f"<!-- {device} {part} ends -->",
    )


def _split(text: str, device: str, part: str) -> tuple[str, str] | None:
    """Return the text before and after a part, None where it has no place."""
    first, last = markers(device, part)
    before, begin, rest = text.partition(first)
    _, end, after = rest.partition(last)
    return (before, after) if begin and end else None
