"""How git merges a correction into a notebook that a learner has worked in: cell by cell.

Lines would not do, since running a notebook changes lines beside those that a correction changes.
What the learner wrote always stays: a cell that both changed is the learner's, and the corrected
notebook is put beside theirs. git calls `main` with four paths (see release.py).
"""

from __future__ import annotations

import json
import os
import sys
from difflib import SequenceMatcher
from pathlib import Path

Cell = dict  # of a notebook


def merged(base: list[Cell], ours: list[Cell], theirs: list[Cell]) -> tuple[list[Cell], bool]:
    """Return the cells of a three-way merge, and whether both changed the same place.

    Cells are the same if kind and source are; of those that all three have, ours is taken, with its
    outputs. Between two such, whoever changed something is followed: ours, if both did.
    """
    mine, new = _same(base, ours), _same(base, theirs)
    cells, conflict = [], False
    at = i = j = 0  # what comes next of base, ours and theirs
    for fixed in [*sorted(mine.keys() & new.keys()), len(base)]:
        end_i, end_j = mine.get(fixed, len(ours)), new.get(fixed, len(theirs))
        found, both = _followed(base[at:fixed], ours[i:end_i], theirs[j:end_j])
        cells, conflict = cells + found, conflict or both
        if fixed < len(base):
            cells.append(ours[end_i])
        at, i, j = fixed + 1, end_i + 1, end_j + 1
    return cells, conflict


def _followed(old: list[Cell], ours: list[Cell], theirs: list[Cell]) -> tuple[list[Cell], bool]:
    """Return the cells of whoever changed something, and whether both did."""
    before, mine, new = _sources(old), _sources(ours), _sources(theirs)
    if mine == new or new == before:
        return ours, False
    if mine == before:
        return theirs, False
    if len(old) == len(ours) == len(theirs) > 1:  # changed in place: each cell by itself
        each = [_followed([a], [b], [c]) for a, b, c in zip(old, ours, theirs, strict=True)]
        return [cell for cells, _ in each for cell in cells], any(both for _, both in each)
    return ours, True


def main(base: str, ours: str, theirs: str, name: str) -> int:
    """Write the merged notebook into the file `ours`, a corrected one beside `name` if it must be.

    Whatever cannot be read as a notebook leaves the learner's file as it is.
    """
    try:
        old, mine, new = (
            json.loads(Path(path).read_text(encoding="utf-8")) for path in (base, ours, theirs)
        )
        cells, conflict = merged(old["cells"], mine["cells"], new["cells"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        cells, conflict = None, True
    if cells is not None:
        _write(
            Path(ours),
            json.dumps({**new, "cells": _with_own_ids(cells)}, indent=1, ensure_ascii=False) + "\n",
        )
    if conflict:
        _put_beside(Path(name), Path(theirs).read_bytes())
    return 0


def _sources(cells: list[Cell]) -> list[tuple[str, str]]:
    return [(cell["cell_type"], "".join(cell["source"])) for cell in cells]


def _same(base: list[Cell], other: list[Cell]) -> dict[int, int]:
    """Return index in base -> index in other, of the cells that both have, in order."""
    blocks = SequenceMatcher(None, _sources(base), _sources(other), autojunk=False)
    return {
        block.a + k: block.b + k
        for block in blocks.get_matching_blocks()
        for k in range(block.size)
    }


def _with_own_ids(cells: list[Cell]) -> list[Cell]:
    """Return the cells, a later one without the id that an earlier one has: ids must differ."""
    seen: set[str] = set()
    result = []
    for cell in cells:
        if (name := cell.get("id")) is not None and name in seen:
            number = 2
            while f"{name}-{number}"[-64:] in seen:
                number += 1
            cell = {**cell, "id": f"{name}-{number}"[-64:]}
        seen.add(cell.get("id"))
        result.append(cell)
    return result


def _put_beside(path: Path, content: bytes) -> None:
    """Write `03_mec.corrected.ipynb`, or with a number: never over a file that is there."""
    for number in range(1, 100):
        beside = path.with_name(
            f"{path.stem}.corrected{'' if number == 1 else f'-{number}'}{path.suffix}"
        )
        if beside.is_file() and beside.read_bytes() == content:
            return
        try:
            with open(beside, "xb") as file:
                file.write(content)
        except FileExistsError:
            continue
        except OSError:  # no room left: the learner's own file matters more
            return
        return


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all: a full disk leaves what was there."""
    half = path.with_name(f".{path.name}.half")
    half.write_text(text, encoding="utf-8")
    os.replace(half, path)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
