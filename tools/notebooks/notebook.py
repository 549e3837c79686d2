"""Finding, reading, normalising and writing the notebooks of a checkout.

The saved form is a function of the sources and the outputs alone, so that a diff shows what an
author changed and nothing else.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output

from convladder.cli.get import LANGUAGE
from convladder.cli.saving import without_view

from .folds import FOLDED, folded

KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


class NotebookError(Exception):
    """A notebook that cannot be found, executed or turned into a lab; the text says what to do."""


def find(root: Path, folder: str, number: str | None = None) -> list[Path]:
    """Return the notebooks of `folder`, in order;
    those of chapter `number` ("03" or "3") if given.
    """
    start = "" if number is None else f"{number.zfill(2)}_"
    return sorted((root / folder).glob(f"{start}*.ipynb"))


def read(path: Path) -> NotebookNode:
    """Return the notebook at `path` in the current format.

    Raises NotebookError if it is not one.
    """
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:  # nbformat has no one exception for "not a notebook"
        raise NotebookError(f"{path.name} is not a notebook: {error}") from error


def format_error(nb: NotebookNode) -> str:
    """Return the first violation of a notebook's format, in a line; "" if there is none."""
    try:
        nbformat.validate(nb)
    except nbformat.ValidationError as error:
        return f"is not a valid notebook: {str(error).splitlines()[0]}"
    return ""


def text_of(nb: NotebookNode) -> str:
    """Return the notebook as it is written to its file."""
    return nbformat.writes(nb).rstrip("\n") + "\n"


def write(nb: NotebookNode, path: Path) -> bool:
    """Write the notebook if that changes the file; return whether it did."""
    text = text_of(nb)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


def normalise(nb: NotebookNode, ids: list[str] | None = None) -> NotebookNode:
    """Bring a notebook, in place, to its saved form, and return it.

    Of a cell's metadata tags survive (JupyterLab adds timings); outputs that answer a prediction
    are folded, behind an empty one; ids follow from the sources. A lab has the `ids` of its
    solution, and no fold: it is stored untouched, and answers nothing. A widget leaves its picture;
    streams are joined.
    """
    nb.nbformat, nb.nbformat_minor = 4, 5
    nb.metadata = NotebookNode(
        kernelspec=NotebookNode(KERNELSPEC), language_info=nbformat.from_dict(LANGUAGE)
    )
    answers = set() if ids else folded(nb)
    for place, (cell, cell_id) in enumerate(zip(nb.cells, ids or source_ids(nb), strict=True)):
        cell.id = cell_id
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict(
            (FOLDED if place in answers else {}) | ({"tags": tags} if tags else {})
        )
        if cell.cell_type == "code":
            cell.outputs = _join_streams(each for each in cell.outputs if each.get("data") != {})
            for output in cell.outputs:
                without_view(output)
            if place in answers:
                cell.outputs.insert(0, new_output("display_data"))
    return nb


def source_ids(nb: NotebookNode) -> list[str]:
    """Return one id a cell, from its kind and source; a repeated cell gets a count."""
    ids: list[str] = []
    for cell in nb.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        seen = sum(known.split("-")[0] == digest for known in ids)
        ids.append(f"{digest}-{seen + 1}" if seen else digest)
    return ids


def _join_streams(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Join neighbouring pieces of one stream: where they break depends on timing."""
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if (
            last is not None
            and output.output_type == last.output_type == "stream"
            and output.name == last.name
        ):
            last.text += output.text
        else:
            joined.append(output)
    return joined
