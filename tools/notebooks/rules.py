"""The rules for every committed notebook that can be checked without running it.

nbval runs the notebooks and compares outputs; it passes a cell that was never executed and cannot
tell what a cell with ignored output should have shown. These rules close those gaps.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from convladder.cli.saving import WIDGET_VIEW
from convladder.journal.course_index import DEEPER, FOLDERS

from .bars import BAR, bar_findings
from .code import control_findings, deep_imports, shows, tree_of
from .figures import figure_findings
from .folds import FOLDED
from .labs import make_lab
from .links import link_findings, reference_findings
from .notebook import KERNELSPEC, NotebookError, find, format_error, normalise, read, text_of
from .reading_time import path_findings, time_findings

IGNORE_OUTPUT = "nbval-ignore-output"
TAGS = {IGNORE_OUTPUT, BAR}
KEPT = {"tags", *FOLDED}  # of a cell's metadata
MAX_BYTES = 1_000_000
MAX_LINES = 15  # of code, in one cell of a chapter; blank lines do not count

ABSOLUTE_PATH = re.compile(
    r"(?<![\w.~:/-])/(?:home|Users|root|tmp|work|usr|opt|var|private|mnt|content)/[\w.-]+"
    r"|\b[A-Z]:\\\w+"
)
ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}")
MARKED_SUMMARY = re.compile(r"<summary>[^<]*`[^<]*")
CI_MARKER = re.compile(r"#\s*(?:NBVAL_|PYTEST_VALIDATE_)\w+")


@dataclass(frozen=True)
class Violation:
    """One thing wrong in one notebook; `cell` counts all cells from 1, None means the whole."""

    notebook: str
    cell: int | None
    what: str
    remedy: str

    def __str__(self) -> str:
        where = self.notebook if self.cell is None else f"{self.notebook}, cell {self.cell}"
        return f"{where}: {self.what}; {self.remedy}"


@dataclass
class NotebookReport:
    """All findings, and how many cells of each notebook keep their output from comparison."""

    findings: list[Violation] = field(default_factory=list)
    ignored: dict[str, int] = field(default_factory=dict)


def check(root: Path) -> NotebookReport:
    """Judge every notebook of the checkout at `root`, that labs/ follow from solutions/, and what
    texts say of chapters and labs by number.

    Finding no notebook in a folder is itself a finding: a gate that compares nothing is open.
    """
    report = NotebookReport()
    for folder in (*FOLDERS, DEEPER):
        paths = find(root, folder)
        if not paths and folder != DEEPER:
            report.findings.append(
                Violation(
                    f"{folder}/", None, "no notebook in it", "there must be something to check"
                )
            )
        for path in paths:
            name = f"{folder}/{path.name}"
            try:
                nb = read(path)
            except NotebookError as error:
                report.findings.append(Violation(name, None, str(error), "restore or remove it"))
                continue
            report.ignored[name] = sum(
                IGNORE_OUTPUT in cell.metadata.get("tags", []) for cell in nb.cells
            )
            for cell, what, remedy in judge(nb, name, path):
                report.findings.append(Violation(name, cell, what, remedy))
    report.findings += lab_findings(root)
    report.findings += [Violation(*finding) for finding in reference_findings(root)]
    return report


def judge(nb: NotebookNode, name: str, path: Path) -> Iterator[tuple[int | None, str, str]]:
    """Yield the findings in one notebook, as (cell, what, remedy).

    `name` is "folder/NN_name.ipynb".
    """
    yield from _whole(nb, name, path)
    if error := format_error(nb):
        yield None, error, _rerun(name)
    yield from ((None, *found) for found in bar_findings(nb, path))
    if not name.startswith(("labs/", DEEPER)):
        yield from ((None, *found) for found in time_findings(nb, name))
        yield from ((None, *found) for found in path_findings(nb, name))
    if re.match(r"course/(0|1[0-2])", name):  # later chapters speak of records alone
        yield from figure_findings(nb)
    yield from control_findings(nb)
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    never_run = bool(code) and all(cell.execution_count is None for cell in code)
    if never_run:
        yield None, "was never executed", _rerun(name)
    executed = 0
    for number, cell in enumerate(nb.cells, 1):
        findings = list(_any_cell(cell))
        if cell.cell_type == "markdown":
            findings += link_findings(cell.source, path)
        if cell.cell_type == "code":
            executed += 1
            findings += _code(cell)
            findings += _outputs(cell, name)
            if name.startswith("course/"):
                findings += _length(cell)
            if not never_run:
                findings += _run(cell, executed, name)
        yield from ((number, what, remedy) for what, remedy in findings)


def lab_findings(root: Path) -> list[Violation]:
    """Return where labs/ differ from what solutions/ give, in sources, kinds, tags and ids."""
    findings = []
    solutions = {path.name: path for path in find(root, "solutions")}
    written = {path.name: path for path in find(root, "labs")}
    remedy = "edit solutions/ and run `python -m tools notebooks labs`"
    for name in sorted(solutions.keys() | written.keys()):
        if name not in solutions:
            findings.append(Violation(f"labs/{name}", None, "has no solution", "remove it"))
            continue
        if name not in written:
            findings.append(Violation(f"solutions/{name}", None, "has no lab", remedy))
            continue
        try:
            expected = make_lab(read(solutions[name]), name)
            lab = read(written[name])
        except NotebookError as error:
            findings.append(Violation(f"labs/{name}", None, str(error), remedy))
            continue
        if len(expected.cells) != len(lab.cells):
            findings.append(
                Violation(
                    f"labs/{name}",
                    None,
                    f"{len(lab.cells)} cells where the solution gives {len(expected.cells)}",
                    remedy,
                )
            )
            continue
        for number, (want, got) in enumerate(zip(expected.cells, lab.cells, strict=True), 1):
            for part in ("cell_type", "source", "metadata", "id"):
                if want[part] != got[part]:
                    findings.append(
                        Violation(
                            f"labs/{name}",
                            number,
                            f"its {part} is not what the solution gives",
                            remedy,
                        )
                    )
    return findings


def _rerun(name: str) -> str:
    folder, _, file = name.rpartition("/")
    return (
        "run `python -m tools notebooks labs`"
        if folder == "labs"
        else f"run `python -m tools notebooks run {file[:2]}`"
    )


def _whole(nb: NotebookNode, name: str, path: Path) -> Iterator[tuple[int | None, str, str]]:
    number = path.name[:2]
    title = nb.cells[0].source if nb.cells and nb.cells[0].cell_type == "markdown" else ""
    if not re.match(rf"# (?:Lab )?{number} · \S", title):
        yield 1, f"does not begin with a title `# {number} · ...`", "let file and title agree"
    if nb.metadata.get("kernelspec") != KERNELSPEC:
        yield None, f"its kernelspec is {dict(nb.metadata.get('kernelspec', {}))}", _rerun(name)
    size = path.stat().st_size
    if size >= MAX_BYTES:
        yield None, f"{size:,} bytes, not under {MAX_BYTES:,}", "show fewer or smaller pictures"
    timed = [n for n, cell in enumerate(nb.cells, 1) if set(cell.metadata) - KEPT]
    for n in timed:
        extra = ", ".join(sorted(set(nb.cells[n - 1].metadata) - KEPT))
        yield n, f"metadata beyond tags and folds ({extra})", _rerun(name)
    # A lab keeps the ids of its solution, which lab_findings compares.
    ids = [cell.id for cell in nb.cells] if name.startswith("labs/") else None
    text = path.read_text(encoding="utf-8")
    if not timed and text_of(normalise(nb, ids)) != text:
        yield None, "not in the saved form", _rerun(name)


def _any_cell(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    if not cell.source.strip():
        yield "is empty", "remove it"
    for tag in sorted(set(cell.metadata.get("tags", [])) - TAGS):
        yield f"has the tag {tag!r}", f"only {', '.join(sorted(TAGS))} may be used"
    if cell.cell_type == "markdown" and (match := MARKED_SUMMARY.search(cell.source)):
        yield f"has backticks in {match[0]}, which show as they are", "write <code>...</code>"
    if match := ABSOLUTE_PATH.search(cell.source):
        yield f"names the absolute path {match[0]}", "write it relative to the notebook"


def _length(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    lines = sum(bool(line.strip()) for line in cell.source.split("\n"))
    if lines > MAX_LINES:
        yield f"{lines} lines of code, more than {MAX_LINES}", "split it, or move it to the package"


def _code(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    if match := CI_MARKER.search(cell.source):
        yield f"has the comment {match[0]}", f"use the cell tag {IGNORE_OUTPUT}"
    tree = tree_of(cell)
    if tree is None:
        yield "is not Python", "mend it"
        return
    for module in deep_imports(tree):
        yield f"imports from {module}", "import from its package, `convladder.<package>`"


def _run(cell: NotebookNode, position: int, name: str) -> Iterator[tuple[str, str]]:
    """Yield a finding unless the `position`th code cell was run in its turn and kept what it
    showed.
    """
    if cell.execution_count != position:
        yield f"execution count {cell.execution_count}, not {position}", _rerun(name)
    tree = tree_of(cell)
    if tree is not None and not cell.outputs and shows(tree, cell.source):
        yield "holds no output though it shows something", _rerun(name)


def _outputs(cell: NotebookNode, name: str) -> Iterator[tuple[str, str]]:
    for output in cell.outputs:
        data = output.get("data", {})
        if output.output_type == "error":
            yield f"holds the error {output.ename}", "mend it and " + _rerun(name)
        if output.output_type == "stream" and output.name == "stderr":
            yield f"writes to stderr ({output.text.strip()[:60]!r})", "a learner sees no warnings"
        if WIDGET_VIEW in data and "image/png" not in data:
            yield "shows a widget that leaves no picture", "show it with `explore`"
        if "image/png" in data and not output.metadata.get("image/png", {}).get("alt"):
            yield "shows a picture without alt text", "return a `Picture`"
        shown = [text for kind, text in data.items() if kind.startswith("text/")]
        shown += [output.text] if output.output_type == "stream" else []
        for text in shown:
            if match := ABSOLUTE_PATH.search(text):
                yield f"prints the absolute path {match[0]}", "print no paths"
            if match := ADDRESS.search(text):
                yield f"prints a memory address ({match[0].strip()})", "print the value instead"
