"""The runtime's faults, each a dictionary: those of two launches joined, and none said twice.

`runtime/report.cpp` writes them: `kind`; `thread` and `block`, (x, y, z); `site`, a place in the
machine code, or a line as a number below 0; `array`, a parameter by its number (below 0: none), or
the name of a `shared` one; `offset` and `size` in bytes; whether it is a `store`; `count`. Of an
index that a compiler checks, `subscript` has file, line, column and the array's type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .compiler import build
from .debug_lines import line_of
from .preprocess import ROWS, masked
from .subscripts import sides, subscripted, subscripts

_ROW = re.compile(r"\[(?!\s*0\s*\])")  # but for t[0][i]: so all of t is read as one row


def was_stopped(answer: dict) -> bool:
    """Return whether a launch was stopped since it took too long."""
    return any(entry["kind"] in ("endless", "too long") for entry in answer.get("faults", ()))


def join_faults(traced: Iterable[dict], checked: dict, kernel: Any) -> list[dict]:
    """Return the faults of a traced launch, after the subscripts that the checked one found."""
    outside = [
        entry
        for entry in checked.get("faults", ())
        if entry.get("subscript", {}).get("file") == kernel.file
    ]
    for entry in outside:
        entry["site"] = -entry["subscript"]["line"]
    there = [(entry["thread"], entry["block"], entry["site"]) for entry in outside]
    library, _ = build(kernel.source, kernel.file, kernel.name, False, True)
    for entry in checked.get("faults", ()):
        if "shared" not in entry or "subscript" in entry:
            continue
        line = line_of(library, kernel.file, entry["site"]) or 0
        entry["site"] = -line
        if entry["kind"] == "out of bounds":  # by a pointer, unless the index has told it
            if (entry["thread"], entry["block"], -line) not in there:
                outside.append({**entry, "beside": True})
        elif entry["kind"] == "unwritten" and (entry["shared"], False) in subscripts(
            kernel.source, line
        ):
            outside.append(entry)
    return [*outside, *traced]


def distinct_faults(answer: dict, kernel: Any, traced: bool) -> list[dict]:
    """Return the faults of a launch, less those that another one says already.

    Those about a subscript get its array: `text`, `sides`.
    """

    def who(entry: dict) -> tuple:
        line = line_of(kernel.library(traced), kernel.file, entry["site"])
        return entry["thread"], entry["block"], line

    every = answer.get("faults", ())
    # Seen at the access itself.
    seen = [who(entry) for entry in every if entry["kind"] == "out of bounds" and "shared" in entry]
    kept, rows, local = [], [], False
    for entry in every:
        if place := entry.get("subscript"):
            entry["sides"] = sides(place["type"])
            found = subscripted(
                kernel.source, kernel.name, place["line"], place["column"], len(entry["sides"])
            )
            entry["text"], entry["store"] = found.array, found.store
            if found.shared:  # its whole is left where that is seen, at the access; a row is not
                if found.array and _ROW.search(found.array):
                    rows.append((place["line"], found.array.partition("[")[0].strip()))
                    kept.append(entry)
                continue
            if who(entry) in seen or _flat(kernel.source, found.array):
                continue
            local = True
        elif "shared" in entry and (who(entry)[2], entry["shared"]) in rows:
            continue
        elif "beside" in entry:
            local = True
        elif local and (
            entry["kind"] in ("crash", "stack")
            or entry["kind"] == "out of bounds"
            and entry["array"] < 0
            and "shared" not in entry
        ):
            continue  # behind a thread's own array lies its stack, with its pointers
        kept.append(entry)
    return kept


def _flat(source: str, array: str | None) -> bool:
    """Whether `array` is t[0] of a pointer to rows: all of them are read as one row, on purpose."""
    name = re.fullmatch(r"(\w+) ?\[ ?0 ?\]", array or "")
    return bool(name and re.search(ROWS.format(rf"\b{name[1]}\s*"), masked(source)))
