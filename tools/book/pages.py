"""Which pages the book has, and what they are called: found in the folders of the checkout."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from ..notebooks.notebook import find, read

FOLDERS = ("course", "labs", "solutions")


@dataclass
class Notebook:
    """A page that is a notebook. name: its path without suffix, "course/03_mec"."""

    name: str
    nb: NotebookNode

    @property
    def folder(self) -> str:
        """Return "course", "labs" or "solutions"."""
        return self.name.split("/")[0]

    @property
    def title(self) -> str:
        """Return the text of the first heading."""
        return self.nb.cells[0].source.split("\n")[0].removeprefix("# ")

    @property
    def short_title(self) -> str:
        """Return the title up to its colon: what fits beside the page."""
        return self.title.split(": ")[0]

    @property
    def minutes(self) -> str:
        """Return what the box of a chapter, or the head of a lab, says of the time; "" if none."""
        head = "\n".join(cell.source for cell in self.nb.cells[:3])
        found = re.search(r"\*\*Time\*\* (?:about )?([\w-]+ (?:minutes|hours?))", head)
        return found[1] if found else ""


def notebooks(root: Path) -> list[Notebook]:
    """Return the notebooks of the checkout at `root`, a folder after the other, in order."""
    return [
        Notebook(f"{folder}/{path.stem}", read(path))
        for folder in FOLDERS
        for path in find(root, folder)
    ]
