"""Times and rates in a chapter's text: each stands in an output that is the same on any machine.

A time that was measured changes with the machine, so a sentence with it would soon be wrong. A
paragraph may name one that stands in a stored output which the tests compare, or say from where
it has it: a record with its day, a chip, a data sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nbformat import NotebookNode

_FIGURE = re.compile(r"(?<![\w.,])(?!\d{4}s)(\d[\d.,]*\d|\d) ?(?:[µmn]?s|[KMGT]?FLOP/s|[MGT]B/s)\b")
_SOURCE = re.compile(
    r"(?i:record)|report|made up|20\d\d-\d\d|data sheet|paper|publish|at most|"
    r"example|suppose|say,|prediction|\b(?:H100|H200|A100|V100|RTX|Xeon|EPYC|Nsight)\b"
)


def figure_findings(nb: NotebookNode) -> Iterator[tuple[int, str, str]]:
    """Yield (cell, what, remedy) for each time or rate without an output or a source."""
    shown = "".join(
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for cell in nb.cells
        if cell.cell_type == "code" and "nbval-ignore-output" not in cell.metadata.get("tags", [])
        for output in cell.outputs
    )
    for number, cell in enumerate(nb.cells, 1):
        if cell.cell_type != "markdown":
            continue
        for paragraph in cell.source.split("\n\n"):
            if _SOURCE.search(paragraph):
                continue
            for found in _FIGURE.finditer(paragraph):
                if found[1] not in shown:
                    yield (
                        number,
                        f"names {found[0]}, which no output that the tests compare holds",
                        "say where it was recorded, or let the cell above show it",
                    )
