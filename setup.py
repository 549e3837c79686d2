"""Put the notebooks into wheels; everything else is said in pyproject.toml."""

import json
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
PARTS = ("course/*", "course/deeper/*", "labs/*", "solutions/*", "docs/sources.md")
TIER = "banner()"  # ends the cell of a notebook that shows what was saved where it must
WIDGET = "application/vnd.jupyter.widget-view+json"


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
        outputs = Path(self.build_lib, "convladder", "shipped", "outputs.json")
        outputs.write_text(json.dumps(saved(), ensure_ascii=False), encoding="utf-8")


def saved() -> dict[str, list[dict]]:
    """Return the outputs of the cells, by their source, of notebooks with a recorded tier: shown
    where what a cell needs is missing."""
    kept = {}
    for path in sorted(
        each
        for part in ("course", "course/deeper", "labs")
        for each in ROOT.glob(f"{part}/*.ipynb")
    ):
        cells = [
            ("".join(cell["source"]).strip(), cell.get("outputs"))
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        ]
        if any(source.endswith(TIER) for source, _ in cells):
            kept |= {source: outputs for source, outputs in cells if outputs}
    for output in (output for outputs in kept.values() for output in outputs):
        output.get("data", {}).pop(WIDGET, None)
    return kept


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
