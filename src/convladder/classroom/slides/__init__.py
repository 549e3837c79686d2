"""Chapters as slides, by nbconvert's reveal exporter with one template; nothing is fetched.

A heading begins a slide, with the first paragraph below it. The rest of the prose is in the
speaker's notes. Pictures and tables are slides below it; what answers a prediction comes at a
key's press.
"""

from __future__ import annotations

import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ...core.install import install_text

HERE = Path(__file__).parent
CODE = 12  # lines of a cell that is shown
_HEADING = re.compile(r"^#{1,2} ", re.MULTILINE)
_BLOCK = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$`])\$([^$`\n]+?)\$")
_SPANS = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)


class SlidesError(Exception):
    """Slides that cannot be made; the text says why and what to do."""


def build(paths: list[Path], folder: Path) -> list[Path]:
    """Write the slides of notebooks into a folder; return their pages. Raises SlidesError."""
    missing = [name for name in ("nbconvert", "docutils", "sphinx_revealjs") if not find_spec(name)]
    if missing:
        raise SlidesError(
            f"{missing[0]} is not installed; add it with: {install_text('classroom')}"
        )
    reveal = Path(find_spec("sphinx_revealjs").origin).parent / "_static" / "revealjs"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(reveal, folder / "reveal", dirs_exist_ok=True)
    pages = []
    for path in paths:
        page = folder / f"{path.stem}.html"
        page.write_text(html(nbformat.read(path, 4), path.stem), encoding="utf-8")
        pages.append(page)
    return pages


def html(notebook: NotebookNode, name: str) -> str:
    """Return the page of a notebook. Needs reveal.js beside it, in `reveal`."""
    from nbconvert import SlidesExporter

    exporter = SlidesExporter(
        template_name="slides",
        extra_template_basedirs=[str(HERE.parent)],
        reveal_url_prefix="reveal",
        reveal_theme="white",  # its fonts lie beside it
        embed_images=True,
    )
    notebook.cells = staged(notebook.cells)
    return exporter.from_notebook_node(notebook, {"metadata": {"name": name}})[0]


def staged(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Return a notebook's cells as slides, sub-slides, fragments and notes."""
    found: list[NotebookNode] = []

    def add(cell: NotebookNode, kind: str) -> None:
        cell.metadata["slideshow"] = {"slide_type": kind}
        found.append(cell)

    for cell in cells:
        if "bar" in cell.metadata.get("tags", []):
            continue
        if cell.cell_type == "markdown":
            starts = [match.start() for match in _HEADING.finditer(_without_code(cell.source))]
            edges = [*([0] if starts[:1] != [0] else []), *starts, len(cell.source)]
            for begin, end in zip(edges, edges[1:]):
                text = cell.source[begin:end].strip()
                if begin in starts:
                    heading, _, rest = text.partition("\n")
                    first, _, rest = rest.strip().partition("\n\n")
                    add(_markdown(f"{heading}\n\n{first}"), "slide")
                else:
                    rest = text
                if rest.strip():
                    add(_markdown(rest), "notes")
        if cell.cell_type != "code":
            continue
        # A folded answer begins with an empty output, for which nbconvert has no form.
        cell.outputs = [each for each in cell.outputs if each.get("data") != {}]
        if cell.outputs or "prediction" in cell.source:
            cell.id = f"s{len(found)}"
            if cell.source.count("\n") >= CODE or cell.metadata.get("jupyter", {}).get(
                "source_hidden"
            ):
                cell.metadata["transient"] = {"remove_source": True}
            answers = "versus(" in cell.source
            add(cell, "fragment" if answers else "subslide" if cell.outputs else "-")
    return found


def _markdown(text: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(with_mathml(text))


def _without_code(text: str) -> str:
    """Return a text of the same length whose code has no headings."""
    return re.sub(r"```.*?```", lambda match: "x" * len(match[0]), text, flags=re.DOTALL)


def with_mathml(text: str) -> str:
    """Return Markdown whose formulas are MathML, which a browser draws without a script."""
    from docutils.utils.math import MathError, latex2mathml

    def formula(match: re.Match, block: bool) -> str:
        try:
            made = latex2mathml.tex2mathml(match[1].strip(), as_block=block)
        except MathError:
            return match[0]
        return " ".join(made.split())

    parts = _SPANS.split(text)
    for place in range(0, len(parts), 2):  # the others are code
        part = _BLOCK.sub(lambda match: formula(match, True), parts[place])
        parts[place] = _INLINE.sub(lambda match: formula(match, False), part)
    return "".join(parts)
