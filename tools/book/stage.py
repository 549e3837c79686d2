"""Sphinx's input: the checkout's notebooks and texts, copied and fitted to a book.

Nothing is run. The folders stay as they are, so that links between chapters, labs, solutions and
the glossary hold without a change; links to sources lead to pages that show them. Formulas become
MathML, which browsers draw by themselves: no script, and no fonts to fetch."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from convladder.journal.course_index import DEEPER

from ..notebooks.folds import FOLDED
from ..notebooks.notebook import find, read
from .players import add_players
from .watch import PAGE, watch_page

BOOK_FOLDERS = ("course", "labs", "solutions", "course/deeper")  # in the order of the book


@dataclass
class Notebook:
    """A page that is a notebook. name: its path without suffix, "course/03_mec"."""

    name: str
    nb: NotebookNode

    @property
    def folder(self) -> str:
        """Return "course", "labs", "solutions" or "course/deeper"."""
        return self.name.rpartition("/")[0]

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
        """Return the time in the box of a chapter or the head of a lab; "" if none."""
        head = "\n".join(cell.source for cell in self.nb.cells[:4])
        found = re.search(r"\*\*Time\*\* (?:about )?([\w-]+ (?:minutes|hours?))", head)
        return found[1] if found else ""


def notebooks(root: Path) -> list[Notebook]:
    """Return the notebooks of the checkout at `root`, a folder after the other, in order."""
    return [
        Notebook(f"{folder}/{path.stem}", read(path))
        for folder in BOOK_FOLDERS
        for path in find(root, folder)
    ]


MATHML = "http://www.w3.org/1998/Math/MathML"
BRACE = "\N{BOTTOM CURLY BRACKET}"
BIG = re.compile(r"(\\[bB]igg?)(?![A-Za-z])")  # \big(, which docutils knows as \bigl( only


class FormulaError(ValueError):
    """A formula that has no MathML here; the text says which, and why."""


def mathml(text: str, block: bool = False) -> str:
    """Return the `<math>` of a formula in LaTeX. block: it stands on a line of its own.

    Raises FormulaError where docutils does not know a command. Needs docutils.
    """
    from docutils.utils.math import MathError, latex2mathml

    try:
        formula = latex2mathml.tex2mathml(BIG.sub(r"\1l", text.strip()), as_block=block)
    except MathError as error:
        raise FormulaError(f"the formula {text!r} has no MathML: {error}") from error
    return _label_braces(formula) if BRACE in formula else formula


def _label_braces(formula: str) -> str:
    """Put what stands below a brace there; docutils makes it an index beside what is embraced."""
    ElementTree.register_namespace("", MATHML)
    math = ElementTree.fromstring(formula)
    for index in math.iter(f"{{{MATHML}}}msub"):
        if index[0].tag == f"{{{MATHML}}}munder" and index[0][-1].text == BRACE:
            index.tag = f"{{{MATHML}}}munder"
    return ElementTree.tostring(math, encoding="unicode")


TEXTS = (PAGE, "course/glossary.md", "docs/sources.md", "docs/results.md", "docs/launch.md")
FRONT = "docs/book.md"  # the front page; words in braces stand for what is known here
LADDER = (
    "A ladder on a log axis of time: from six Python loops to the microkernel on a processor, and "
    "to implicit GEMM on a GPU"
)
PICTURES = "pictures.json"  # page -> what is written of each picture that its cells show
FRAMES = "frames"  # folder of the site
HIDE = "hide-output"  # the tag of myst-nb for outputs that stay folded until one opens them
LANGUAGES = {".py": "python", ".cu": "cuda", ".cuh": "cuda"}

# What a cell says to who gave no number; on a page nobody could.
UNANSWERED = "You made no prediction. Next time, replace <code>...</code> with a number first."

LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\(([^()\s]+)((?: \"[^\"]*\")?)\)")
TO_PAGE = re.compile(r"\]\(([^():\s]+)\.ipynb\)")  # in what a cell shows
ANCHOR = re.compile(r"<a id=\"[\w-]+\"></a>")  # for JupyterLab; Sphinx's own are the same


@dataclass
class Staged:
    """The staged files. players: pictures with controls that have frames, of `pictures`."""

    pages: list[Notebook]
    players: int = 0
    pictures: int = 0
    sources: set[str] = field(default_factory=set)


def stage(root: Path, folder: Path, frames: Path, repository: str = "") -> Staged:
    """Write what Sphinx makes the book from into `folder`, anew.

    root: the checkout. frames: the folder that `draw_frames` wrote to; what is not in it is left
    out. repository: the address that the front page tells to clone, if any.
    """
    shutil.rmtree(folder, ignore_errors=True)
    staged = Staged(notebooks(root))
    titles = {page.name: page.title for page in staged.pages}
    alts = {}
    for page in staged.pages:
        for cell in page.nb.cells:
            if cell.cell_type == "markdown":
                cell.source = _linked(cell.source, page.name, root, titles, staged.sources)
            for output in cell.get("outputs", []):
                if "text/markdown" in output.get("data", {}):
                    shown = output.data["text/markdown"]
                    output.data["text/markdown"] = TO_PAGE.sub(r"](\1.html)", shown)
                elif "text/html" in output.get("data", {}):
                    shown = output.data["text/html"]
                    output.data["text/html"] = shown.replace(UNANSWERED, "")
            if FOLDED.items() <= cell.metadata.items():
                cell.metadata = nbformat.from_dict({"tags": [*cell.metadata.get("tags", []), HIDE]})
                cell.outputs = [each for each in cell.outputs if each.get("data") != {}]
        alts[page.name] = _alts(page)
        if page.folder == "course":
            stem = page.name.partition("/")[2]
            players, pictures = add_players(page.nb, frames / stem, f"../{FRAMES}/{stem}")
            staged.players, staged.pictures = staged.players + players, staged.pictures + pictures
    _put_in_order(staged.pages)
    for page in staged.pages:
        _write(folder / f"{page.name}.ipynb", nbformat.writes(page.nb))
    for name in TEXTS:
        text = ANCHOR.sub("", (root / name).read_text(encoding="utf-8"))
        text = _linked(text, name, root, titles, staged.sources)
        if name == PAGE:
            course = [page for page in staged.pages if page.folder in ("course", DEEPER)]
            text = watch_page(text, {page.name: page.nb for page in course})
        _write(folder / name, text)
    for name in sorted(staged.sources):
        _write(folder / f"{name}.md", _source_page(root / name, name))
    for path in sorted([*(root / "course").glob("*.png"), *(root / "course").glob("*.svg")]):
        shutil.copy(path, folder / "course")
    front = (root / FRONT).read_text(encoding="utf-8")
    clone = f"git clone {repository} convladder && cd convladder\n" if repository else ""
    for blank, text in {
        "](../": "](",
        "{clone}\n": clone,
        "{replay}": _first_replay(staged.pages),
        "{ladder}": _ladder(),
        "{chapters}": _chapters(staged.pages),
    }.items():
        front = front.replace(blank, text)
    _write(folder / "index.md", front)
    _write(folder / PICTURES, json.dumps(alts))
    return staged


def _linked(text: str, page: str, root: Path, titles: dict[str, str], sources: set[str]) -> str:
    """Return a page's text with links that lead somewhere in the book, and adds to `sources`."""

    def mend(link: re.Match) -> str:
        words, target, title = link.groups()
        if "://" in target or target.startswith("#"):
            return link[0]
        path, _, anchor = target.partition("#")
        place = (root / page).parent.joinpath(path).resolve()
        name = place.relative_to(root.resolve()).as_posix()
        if name.split("/")[0] == "src":
            if not place.is_file():
                return words
            sources.add(name)
            return f"[{words}]({target}.md{title})"
        known = titles.get(name.removesuffix(".ipynb"))
        if known and words == name:  # "labs/03_mec.ipynb"
            return f"[{known}]({target}{title})"
        return link[0]

    return LINK.sub(mend, text)


def _alts(page: Notebook) -> list[str]:
    """Return the alt text of each picture that the cells of a page show."""
    return [
        output.metadata["image/png"]["alt"]
        for cell in page.nb.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]


def _put_in_order(pages: list[Notebook]) -> None:
    """Let each chapter be followed by its lab, and that by its solution."""
    names = {page.name for page in pages}
    for page in pages:
        if page.folder == "solutions":
            cell = page.nb.cells[0]
            cell.source = cell.source.replace("# Lab ", "# Solution of lab ", 1)
        elif page.folder == "course":
            stem = page.name.partition("/")[2]
            entries = [
                f"{word} </{folder}/{stem}>"
                for word, folder in (("Lab", "labs"), ("Solution", "solutions"))
                if f"{folder}/{stem}" in names
            ]
            entries += [
                f"{each.short_title} </{each.name}>"
                for each in pages
                if each.folder == DEEPER and each.name.rpartition("/")[2][:2] == stem[:2]
            ]
            if entries:
                page.nb.cells.append(new_markdown_cell(_toctree(entries)))


def _first_replay(pages: list[Notebook]) -> str:
    """Return the book's first replay as a block of HTML, "" without one."""
    shown = (
        output.data["text/html"]
        for page in pages
        for cell in page.nb.cells
        for output in cell.get("outputs", [])
        if "cl-replay" in output.get("data", {}).get("text/html", "")
    )
    found = next(shown, None)
    return f"`````{{raw}} html\n<div class='front-replay'>{found}</div>\n`````" if found else ""


def _ladder() -> str:
    """Return README's ladder, which has a picture for each theme and each width."""
    return "\n\n".join(
        f"```{{image}} course/ladder{width}-{theme}.svg\n:class: only-{theme} wide{width}\n"
        f":alt: {LADDER}\n```"
        for width in ("", "-narrow")
        for theme in ("light", "dark")
    )


def _toctree(entries: list[str], caption: str = "") -> str:
    options = ":hidden:" + (f"\n:caption: {caption}" if caption else "")
    return "\n".join(["```{toctree}", options, "", *entries, "```"])


def _chapters(pages: list[Notebook]) -> str:
    """Return the table of the chapters with their labs and solutions, and the book's contents."""
    by_name = {page.name: page for page in pages}
    lines = ["| chapter | time | lab | solution |", "|:--|:--|:--|:--|"]
    chapters = [page for page in pages if page.folder == "course"]
    for page in chapters:
        stem = page.name.partition("/")[2]
        lab, solution = by_name.get(f"labs/{stem}"), by_name.get(f"solutions/{stem}")
        lines.append(
            " | ".join(
                [
                    f"| [{page.title}]({page.name}.ipynb)",
                    page.minutes.replace(" minutes", "\N{NO-BREAK SPACE}min"),
                    f"[{lab.title.partition(' · ')[2]}]({lab.name}.ipynb)" if lab else "",
                    f"[solved]({solution.name}.ipynb)" if solution else "",
                ]
            )
            + " |"
        )
    return "\n".join(
        [
            *lines,
            "",
            _toctree([f"{page.short_title} <{page.name}>" for page in chapters], "Chapters"),
            "",
            _toctree([name.removesuffix(".md") for name in TEXTS], "To look up"),
        ]
    )


def _source_page(path: Path, name: str) -> str:
    language = LANGUAGES.get(path.suffix, "text")
    text = path.read_text(encoding="utf-8").rstrip()
    title = name.removeprefix("src/")
    return f"---\norphan: true\n---\n# `{title}`\n\n`````{language}\n{text}\n`````\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
