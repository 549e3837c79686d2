"""Notebooks as learners hand them in: a lab with cells changed."""

import json
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]


@cache
def _text(folder: str, lab: str) -> str:
    return next((ROOT / folder).glob(f"{lab}_*.ipynb")).read_text(encoding="utf-8")


class Submitted:
    """A lab's notebook, or its solution, that is changed cell by cell."""

    def __init__(self, lab: str, folder: str = "labs") -> None:
        self.book = json.loads(_text(folder, lab))

    def put(self, name: str, source: str) -> "Submitted":
        """Replace the cell in which `def name` or `name =` begins a line."""
        for cell in self.book["cells"]:
            lines = "".join(cell["source"]).splitlines()
            if cell["cell_type"] == "code" and any(
                line.startswith((f"def {name}(", f"{name} =")) for line in lines
            ):
                cell["source"] = source
                return self
        raise KeyError(name)

    def insert(self, source: str, at: int = 0) -> "Submitted":
        """Add a cell, by default the first."""
        self.book["cells"].insert(
            at,
            {
                "cell_type": "code",
                "source": source,
                "metadata": {},
                "outputs": [],
                "execution_count": None,
            },
        )
        return self

    def claim(self, *names: str) -> "Submitted":
        """Store "passed" in the outputs of the checks of these exercises."""
        for cell in self.book["cells"]:
            for name in names:
                if "".join(cell["source"]).startswith(f'check("{name}"'):
                    cell["outputs"] = [
                        {
                            "output_type": "execute_result",
                            "metadata": {},
                            "execution_count": 1,
                            "data": {"text/plain": [f"{name}: passed\n", "It is right."]},
                        }
                    ]
        return self

    @property
    def data(self) -> bytes:
        return json.dumps(self.book).encode()
