"""Put the notebooks into wheels; everything else is said in pyproject.toml."""

import json
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
PARTS = ("course/*", "labs/*", "solutions/*", "docs/sources.md")


class WithNotebooks(build_py):
    """Write the notebooks and the pages that they link to into convladder/shipped."""

    def run(self) -> None:
        """Build; an editable install has the notebooks beside it."""
        super().run()
        if self.editable_mode:
            return
        for path in (path for part in PARTS for path in sorted(ROOT.glob(part))):
            if path.suffix in (".ipynb", ".md", ".png"):
                target = Path(self.build_lib, "convladder", "shipped", path.relative_to(ROOT))
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content(path))


def content(path: Path) -> bytes:
    """Return what a file holds; of a notebook all but its outputs, which are most of it."""
    if path.suffix != ".ipynb":
        return path.read_bytes()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


setup(cmdclass={"build_py": WithNotebooks})
