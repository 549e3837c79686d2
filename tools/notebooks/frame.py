"""The frame of a notebook: bars, the times in its box, folded answers. All derived."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from convladder.journal.course_index import DEEPER, FOLDERS

from .bars import bar, with_bars
from .notebook import find, normalise, read, source_ids, write
from .reading_time import HEAD, with_path, with_time


def write_bars(root: Path, say: Callable[[str], None] = lambda line: None) -> list[Path]:
    """Write into all notebooks the bars, the time where the box is off by more than five minutes,
    and the folds; returns those whose file changed. Nothing is run; a lab keeps the ids of its
    solution, and has its time.
    """
    changed, ids, heads = [], {}, {}
    for folder in (*FOLDERS, DEEPER):
        for path in find(root, folder):
            nb = with_bars(read(path), bar(path))
            if folder == "labs" and path.name in heads:
                for cell, source in zip(nb.cells, heads[path.name]):
                    if cell.cell_type == "markdown":
                        cell.source = source
            elif folder != DEEPER:
                with_path(with_time(nb))
            if folder == "solutions":
                ids[path.name] = source_ids(nb)
                heads[path.name] = [cell.source for cell in nb.cells[:HEAD]]
            known = ids.get(path.name) if folder == "labs" else None
            if write(normalise(nb, known), path):
                changed.append(path)
                say(f"{folder}/{path.name}: written")
    return changed
