"""Links in the notebooks: whether they lead somewhere, and what a link to the glossary says.

A heading of the glossary holds an anchor of its own, `<a id="shared-memory"></a>`: GitHub and
Sphinx make one in lower case, JupyterLab one that keeps capitals, and links must hold in all three.
A link to it carries the definition as its title, which all three show on hover.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from convladder.outline import FOLDERS

from .notebook import find, normalise, read, source_ids, write

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
    """
    glossary = root / GLOSSARY
    before = glossary.read_text(encoding="utf-8")
    text = with_anchors(before)
    changed = []
    if text != before:
        glossary.write_text(text, encoding="utf-8")
        changed.append(glossary)
    ids = {}
    for folder in FOLDERS:
        for path in find(root, folder):
            nb = read(path)
            for cell in nb.cells:
                if cell.cell_type == "markdown":
                    cell.source = with_definitions(cell.source, definitions(text))
            if folder == "solutions":
                ids[path.name] = source_ids(nb)
            if write(normalise(nb, ids.get(path.name) if folder == "labs" else None), path):
                changed.append(path)
    for path in changed:
        say(f"{path.parent.name}/{path.name}: written")
    return changed
