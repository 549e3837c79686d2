"""Links and numbers in the notebooks: whether they lead somewhere, and are what they say.

A heading of the glossary holds an anchor of its own, `<a id="shared-memory"></a>`: GitHub and
Sphinx make one in lower case, JupyterLab one that keeps capitals, and links must hold in all three.
A link to it carries the definition as its title, which all three show on hover.

The number of a chapter or lab alone can only be looked up. A link or a file beside it can be
checked against it, and so can a chapter's title."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from convladder.journal.course_index import DEEPER, FOLDERS, CourseNotebook

from .notebook import NotebookError, find, normalise, read, source_ids, write

GLOSSARY = "course/glossary.md"
LINK = re.compile(r"(?<!!)\[[^\[\]]*\]\(([^()\s]+)(?: \"([^\"]*)\")?\)")
TO_GLOSSARY = re.compile(r"(\]\([^()\s]*glossary\.md#([^()\s]+))(?: \"[^\"]*\")?\)")
HEADING = re.compile(r"^(#+) (?:<a id=\"([^\"]*)\"></a>)?(.+)$", re.MULTILINE)
REMEDY = "run `python -m tools notebooks terms`"


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives a heading: "Amdahl's law" -> "amdahls-law"."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@cache
def _anchors(text: str) -> frozenset[str]:
    """Return the anchors of a text that hold wherever it is shown."""
    return frozenset(anchor for _, anchor, _ in HEADING.findall(text) if anchor)


@cache
def definitions(text: str) -> dict[str, str]:
    """Return anchor -> definition, without markup, for each term."""
    parts = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    found = {}
    for part in parts:
        head, _, body = part.partition("\n")
        plain = " ".join(body.replace("**", "").replace("`", "").split())
        plain = re.sub(r"\*(\S[^*]*)\*", r"\1", plain)
        plain = re.sub(r"\"([^\"]*)\"", r"“\1”", plain)
        found[slug(HEADING.match(f"## {head}")[3])] = plain
    return found


def link_findings(source: str, path: Path) -> Iterator[tuple[str, str]]:
    """Yield (what, remedy) for each link of a text cell that leads nowhere on the reader's disk,
    or that names a term without its definition. path: of the notebook.
    """
    for target, title in LINK.findall(source):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        place = path.parent / file
        if file and not place.exists():
            yield f"links to {target}, which is not there", "mend the link"
        elif anchor and place.suffix == ".md":
            text = place.read_text(encoding="utf-8")
            if anchor not in _anchors(text):
                yield f"links to {target}, and there is no such anchor", f"mend it, or {REMEDY}"
            elif place.name == Path(GLOSSARY).name and title != definitions(text)[anchor]:
                yield f"its link to {target} says {title!r}, not the definition", REMEDY


def with_anchors(text: str) -> str:
    """Return a glossary in which each term holds its anchor."""
    return HEADING.sub(
        lambda m: m[0] if m[1] != "##" else f'## <a id="{slug(m[3])}"></a>{m[3]}', text
    )


def with_definitions(source: str, known: dict[str, str]) -> str:
    """Return a text cell in which each link to a known term says its definition on hover."""
    return TO_GLOSSARY.sub(lambda m: f'{m[1]} "{known[m[2]]}")' if m[2] in known else m[0], source)


def write_terms(root: Path, say: Callable[[str], None] = lambda line: None) -> list[Path]:
    """Write the glossary's anchors, and its definitions into all links to it; returns the files
    that changed. Nothing is run; a lab keeps the ids of its solution.

    Raises NotebookError for a lab that has more or fewer cells than its solution.
    """
    glossary = root / GLOSSARY
    before = glossary.read_text(encoding="utf-8")
    text = with_anchors(before)
    changed = []
    if text != before:
        glossary.write_text(text, encoding="utf-8")
        changed.append(glossary)
    ids = {}
    for folder in (*FOLDERS, DEEPER):
        for path in find(root, folder):
            nb = read(path)
            for cell in nb.cells:
                if cell.cell_type == "markdown":
                    cell.source = with_definitions(cell.source, definitions(text))
            if folder == "solutions":
                ids[path.name] = source_ids(nb)
            solved = ids.get(path.name) if folder == "labs" else None
            if solved and len(solved) != len(nb.cells):
                raise NotebookError(
                    f"labs/{path.name} is not made from its solution as that is now: first run "
                    f"`python -m tools notebooks labs {path.name[:2]}`"
                )
            if write(normalise(nb, solved), path):
                changed.append(path)
    for path in changed:
        say(f"{path.parent.name}/{path.name}: written")
    return changed


NUMBERS = r"\d\d\b(?:(?:,? (?:and|or|to) |, |–)\d\d\b(?!\.\d))*"
MENTION = re.compile(rf"\b(chapter|lab)s?[\s#*]+({NUMBERS})", re.IGNORECASE)
NOTEBOOK_LINK = re.compile(r"\[([^\[\]]*)\]\((?:[^()\s]*/)?(\d\d)_(\w+)\.ipynb[^()]*\)")
FILE = re.compile(r"\b(course|labs|solutions)/(\d\d_\w+)\.ipynb")
NAMED = re.compile(r"[*`]*(?:(?:chapter|lab)\s+)?(\d\d)\b[ ·:]*(.*?)(?: →)?[*`]*", re.IGNORECASE)
OWN = re.compile(r"^\"\"\"Lab (\d\d)(?:, exercise (\d))?\b")
TERM = re.compile(r"^## <a id=\"([^\"]+)\"></a>(.+)\n(.+)$", re.MULTILINE)
CLOSING = "99"  # the page after the last chapter
NUMBER_REMEDY = "mend the number, or the name"


@dataclass(frozen=True)
class CourseNames:
    """The numbers that there are, and what the chapters are called.

    files: by folder, the names of its notebooks without ".ipynb". titles: by number, up to a colon.
    """

    files: dict[str, tuple[str, ...]]
    titles: dict[str, str]

    @classmethod
    def of(cls, root: Path) -> "CourseNames":
        """Return the course of a checkout."""
        found = {folder: find(root, folder) for folder in FOLDERS}
        files = {folder: tuple(path.stem for path in paths) for folder, paths in found.items()}
        return cls(files, {path.stem[:2]: CourseNotebook(path).name for path in found["course"]})

    @property
    def order(self) -> list[str]:
        """Return the numbers of the chapters, as they are to be read; not of the closing page."""
        return [number for number in self.titles if number != CLOSING]

    def has(self, kind: str, number: str) -> bool:
        """Return whether there is a "chapter" or "lab" of this number; lab 00 is an exercise in
        chapter 00.
        """
        folder = "solutions" if kind == "lab" and number != "00" else "course"
        return any(stem.startswith(f"{number}_") for stem in self.files[folder])


def reference_findings(root: Path) -> Iterator[tuple[str, int | None, str, str]]:
    """Yield (file, cell or None, what, remedy) for each wrong number in the checkout at `root`:
    in notebooks, in its pages, in what the package's sources say.
    """
    course, chapters = CourseNames.of(root), {}
    for folder in (*FOLDERS, DEEPER):
        for path in find(root, folder):
            cells = _cells(path)
            if folder in ("course", DEEPER):  # an optional notebook belongs to its chapter
                own = chapters.get(path.stem[:2], "")
                chapters[path.stem[:2]] = own + "\n".join(cells).lower()
            for number, text in enumerate(cells, 1):
                yield from (
                    (f"{folder}/{path.name}", number, what, NUMBER_REMEDY)
                    for what in wrong(text, course)
                )
            if folder == "course":
                yield from (
                    (f"{folder}/{path.name}", None, what, NUMBER_REMEDY)
                    for what in wrong_next(path.stem, cells, course)
                )
    for path in _texts(root):
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        yield from ((name, None, what, NUMBER_REMEDY) for what in wrong(text, course))
        yield from ((name, None, what, NUMBER_REMEDY) for what in wrong_place(name, text))
    glossary = root / "course" / "glossary.md"
    if course.titles and glossary.exists():
        yield from (
            (f"course/{glossary.name}", None, what, NUMBER_REMEDY)
            for what in wrong_terms(glossary.read_text(encoding="utf-8"), chapters)
        )


def wrong(text: str, course: CourseNames) -> Iterator[str]:
    """Yield the wrong statements of a text about chapters and labs."""
    for kind, numbers in MENTION.findall(text):
        for number in re.findall(r"\d\d", numbers):
            if not course.has(kind.lower(), number):
                yield f"speaks of {kind.lower()} {number}, which is not there"
    for folder, stem in FILE.findall(text):
        if stem not in course.files[folder]:
            yield f"names {folder}/{stem}.ipynb, which is not there"
    for label, number, name in NOTEBOOK_LINK.findall(text):
        named = NAMED.fullmatch(label)
        if not named:
            continue
        if named[1] != number:
            yield f"its link to {number}_{name}.ipynb says {named[1]}"
        title = "" if "lab" in label.lower() else course.titles.get(number, "")
        if title and named[1] == number and not title.startswith(named[2]):
            yield f"calls chapter {number} {named[2]!r}; its title is {title!r}"


def wrong_next(stem: str, cells: list[str], course: CourseNames) -> Iterator[str]:
    """Yield a wrong announcement of the next chapter in a chapter's last section."""
    number, order = stem[:2], course.order
    text = next((cell for cell in cells if re.search(r"^## Next$", cell, re.MULTILINE)), "")
    after = text.partition("## Next")[2]
    labs = [found for kind, found in MENTION.findall(after) if kind.lower() == "lab"]
    if labs and labs[0] != number:
        yield f"sends its reader to lab {labs[0]}, not to {number}"
    if number not in order or number == order[-1]:
        return
    following = order[order.index(number) + 1]
    first = re.search(r"\bchapter \[?(\d\d)", after, re.IGNORECASE)
    if first and first[1] != following:
        yield f"goes on with chapter {first[1]}, where {following} is next"


def wrong_place(name: str, text: str) -> Iterator[str]:
    """Yield where an exercise's first line has another lab or number than its file."""
    place, own = re.search(r"/lab(\d\d)/(?:e(\d)_)?", name), OWN.search(text)
    if place and own and (own[1] != place[1] or own[2] and own[2] != place[2]):
        yield f"says {own[0][3:]!r} of itself"


def wrong_terms(glossary: str, chapters: dict[str, str]) -> Iterator[str]:
    """Yield the terms that send a reader to one chapter which does not use them.

    chapters: the texts by number, in lower case.
    """
    for anchor, title, body in TERM.findall(glossary):
        words = {anchor, title.lower(), title.split()[-1].lower()[:6]}  # "satura": saturates
        for number in re.findall(r"\(chapter (\d\d)\)", body):
            text = chapters.get(number, "")
            if f"#{anchor}" not in text and not any(word in text for word in words):
                yield f"sends readers for {title!r} to chapter {number}, where it does not occur"


def _cells(path: Path) -> list[str]:
    """Return the sources of a notebook's cells; JSON, since validating it takes the most time."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (ValueError, KeyError):
        return []  # rules.py says that it is not a notebook
    return ["".join(cell["source"]) for cell in cells]


def _texts(root: Path) -> Iterator[Path]:
    for folder, patterns in (
        (root, ("*.md",)),
        (root / "docs", ("*.md",)),
        (root / "course", ("*.md",)),
        (root / "src", ("*.py", "*.cu", "*.cuh")),
    ):
        for pattern in patterns:
            yield from sorted(
                folder.rglob(pattern) if folder.name == "src" else folder.glob(pattern)
            )
