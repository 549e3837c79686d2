"""Decks written: a page a chapter, what they share beside them, and a list of them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from html import escape
from pathlib import Path

from tools.notebooks.notebook import find, read
from .guide import Guide, guide
from .markup import html, inline
from .sections import sections
from .stage import Slide, staged
from .texts import SlidesError, sentences, unmatched

STATIC = Path(__file__).with_name("static")
SHARED = "shared"  # the folder beside the decks
DECK = """<!DOCTYPE html>
<html lang="en"{look}>
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{shared}/reveal/reveal.css">
<link rel="stylesheet" href="{shared}/slides.css">
</head>
<body>
<div class="reveal"><div class="slides">
{columns}
</div></div>
<script src="{shared}/reveal/reveal.js"></script>
<script src="{shared}/reveal/notes.js"></script>
<script src="{shared}/slides.js"></script>
</body>
</html>
"""
LIST = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>ConvLadder: slides</title>
<link rel="stylesheet" href="{shared}/slides.css"></head>
<body class="list"><h1>ConvLadder: slides</h1><ul>
{lines}
</ul></body></html>
"""


@dataclass(frozen=True)
class Made:
    """A deck. slides: how many; size: bytes of the page, without what decks share."""

    page: Path
    title: str
    slides: int
    size: int


def build(root: Path, folder: Path, numbers: list[str], dark: bool = False) -> list[Made]:
    """Write the decks of chapters `numbers` ("03"; all if empty) of the course at `root`.

    dark: light letters on a dark ground. Returns the decks in order. Raises SlidesError where a
    chapter is missing, stores no outputs or has a section without its sentence, or where the folder
    cannot be written.
    """
    paths = []
    for number in numbers or [None]:
        found = find(root, "course", number)
        if not found:
            raise SlidesError(f"{root / 'course'} holds no chapter {number}")
        paths += [path for path in found if path not in paths]
    decks = [(path, *_deck(path, dark, guide(root, path.stem))) for path in paths]
    try:
        for path in STATIC.rglob("*.*"):
            target = folder / SHARED / path.relative_to(STATIC)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        shutil.copyfile(STATIC / "reveal/LICENSE", folder / SHARED / "reveal/LICENSE")
        made = []
        for path, title, count, page in decks:
            target = folder / f"{path.stem}.html"
            target.write_text(page, encoding="utf-8")
            made.append(Made(target, title, count, len(page.encode())))
        _write_list(folder)
    except OSError as error:
        raise SlidesError(
            f"{error.filename or folder}: {error.strerror or error}; --out FOLDER "
            "names another place"
        ) from error
    return made


def _deck(path: Path, dark: bool, said: Guide) -> tuple[str, int, str]:
    """Return the title, the number of slides and the page of a chapter."""
    nb = read(path)
    number = path.name[:2]
    if not any(cell.get("outputs") for cell in nb.cells):
        raise SlidesError(
            f"{path} stores no outputs, and slides show them: run it first, with "
            f"`convladder notebooks run {number}`"
        )
    parts, given = sections(nb), sentences(number)
    lacking = unmatched(parts, given)
    if lacking:
        raise SlidesError(
            f"{path.name} and its sentences do not go together: {lacking[0]}"
            + (f", and {len(lacking) - 1} more" if len(lacking) > 1 else "")
        )
    columns = staged(parts, given, said)
    body = "\n".join(
        "<section>\n" + "\n".join(map(_slide, column)) + "\n</section>" for column in columns
    )
    title = parts[0].title
    page = DECK.format(
        look=' class="dark"' if dark else "", title=escape(title), shared=SHARED, columns=body
    )
    return title, sum(map(len, columns)), page


def _slide(slide: Slide) -> str:
    tag = {"title": "h1", "section": "h2"}.get(slide.kind, "h3")
    heading = f"<{tag}>{inline(slide.heading)}</{tag}>"
    if slide.kind == "title":
        name, _, promise = slide.heading.partition(": ")
        heading = f"<h1>{inline(name)}</h1>" + (
            f'<p class="sentence">{inline(promise)}</p>' if promise else ""
        )
    sentence = f'<p class="sentence">{inline(slide.sentence)}</p>' if slide.sentence else ""
    blocks = "\n".join(
        (
            f'<div class="fragment">{each.block.html(each.size)}</div>'
            if each.hidden
            else each.block.html(each.size)
        )
        for each in slide.placed
    )
    label = '<p class="label">Predict</p>' if slide.kind == "question" else ""
    said = html("\n\n".join(slide.notes))
    notes = f'<aside class="notes">{said}</aside>' if said else ""
    content = f'<div class="content">{label}{blocks}</div>' if blocks else ""
    return (
        f'<section class="{slide.kind}"><div class="frame">{heading}{sentence}{content}</div>'
        f"{notes}</section>"
    )


def _write_list(folder: Path) -> None:
    """Write the list of all decks in the folder, also of those made before."""
    lines = []
    for page in sorted(folder.glob("[0-9][0-9]_*.html")):
        with page.open(encoding="utf-8") as file:
            title = next(line for line in file if line.startswith("<title>"))
        words = title.strip().removeprefix("<title>").removesuffix("</title>")
        lines.append(f'<li><a href="{escape(page.name)}">{words}</a></li>')
    (folder / "index.html").write_text(
        LIST.format(shared=SHARED, lines="\n".join(lines)), encoding="utf-8"
    )
