"""Sections become slides: the rule.

A section is a column of slides. On top stand its heading and its sentence; below, one after the
other, its questions, programs, results and pictures. Prose is in the notes, in short form: its last
paragraph with the slide that follows, the others with the slide before. What answers a prediction
comes on a click.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from math import ceil

from nbformat import NotebookNode

from tools.notebooks.folds import FOLDED
from . import outputs
from .blocks import Answer, Block, Figure, Formula, Words
from .fit import Placed, pages
from .guide import Guide, votes_on
from .lines import Lines
from .prose import paragraphs, question, questions, short, shown
from .sections import Section

PREDICTION = re.compile(
    r"^(prediction\w*(?:, *prediction\w*)*) *= *\.\.\.(?:, *\.\.\.)* *"
    r"(?:# *(.*))?$",
    re.MULTILINE,
)
USES = re.compile(r"\bversus\(\s*(prediction\w*)")
# Calls that show what is this learner's or machine's own.
OWN = {"progress", "banner", "workers_banner", "my_ladder"}
SOURCES = {"show", "excerpt", "show_changes"}  # cells whose output is the program
FEW = 2  # lines of code, imports aside, that need not be seen beside what they show
LARGER = 1.3  # letters of a question, over others
CAPTION = 85  # characters of a call that stands below its picture


@dataclass
class Slide:
    """One slide. kind: "title", "section", "question", "answer", "check", "shown"
    or "figure".
    """

    kind: str
    heading: str
    placed: list[Placed] = field(default_factory=list)
    sentence: str = ""
    notes: list[str] = field(default_factory=list)


def staged(
    parts: list[Section], sentences: dict[str, str], guide: Guide | None = None
) -> list[list[Slide]]:
    """Return the slides of a chapter, a column for each section.

    sentences: by heading; a section of level 3 continues the column of the one before. guide: what
    the instructor's guide adds to the notes.
    """
    columns: list[list[Slide]] = []
    asked: dict[str, str] = {}  # name of a prediction -> its question
    above = ""
    for part in parts:
        above = part.title if part.level < 3 else above
        column = _Column(part, sentences.get(part.title, ""), asked, guide or Guide(), above)
        if part.level == 3 and columns:
            columns[-1] += column.slides
        else:
            columns.append(column.slides)
    return columns


class _Column:
    """The slides of a section, made part by part."""

    def __init__(
        self, part: Section, sentence: str, asked: dict[str, str], guide: Guide, above: str
    ) -> None:
        self.heading, self.asked, self.guide, self.said = part.title, asked, guide, ""
        self.above = above  # the section of level 2, which the guide names
        self.slides = [
            Slide("title" if part.level == 1 else "section", part.title, sentence=sentence)
        ]
        self.notes: list[str] = [guide.minutes[part.title]] if part.title in guide.minutes else []
        self.open = None  # the question whose answer may stand on the same slide
        for each in part.parts:
            if isinstance(each, str):
                self._prose(each)
            else:
                self._cell(each)
        self.slides[-1].notes += self.notes

    def _add(self, kind: str, blocks: list[tuple[Block, bool]]) -> None:
        """Put blocks on as many slides as they need; the first has the notes so far."""
        for page in pages(blocks):
            picture = any(isinstance(each.block, Figure) for each in page)
            self.slides.append(
                Slide("figure" if picture else kind, self.heading, page, notes=self.notes)
            )
            self.notes = []
        self.open = None

    def _prose(self, text: str) -> None:
        first = self.slides[0]
        alone = len(self.slides) == 1
        if first.kind == "title" or self.heading == "Takeaways":
            said = "\n\n".join(f"1. {each}" for each in paragraphs(text))
            if first.kind == "title":
                said = next(
                    (
                        each.text.partition("\n\n")[0].replace("\n", " ").strip()
                        for each in shown(text)
                        if each.kind == "rule"
                    ),
                    "",
                )
            if said and alone and not first.placed:
                self._on_first([Words(said)])
        self.said = text
        *before, last = short(text) or [""]
        if alone:
            self.notes += before
        else:  # what was seen is explained, then what comes is introduced
            self.slides[-1].notes += before
        self.notes += [last] if last else []
        for asked, answer in questions(text) if self.heading == "Check yourself" else []:
            self._add(
                "check", [(Words(asked, "question", LARGER), False), (Words(answer, "words"), True)]
            )
        for each in shown(text) if first.kind != "title" else []:
            if each.kind == "formula":
                if len(self.slides) == 1 and self._on_first([Formula(each.text)]):
                    continue
                block: Block = Formula(each.text, 2)
            elif each.kind == "table":
                block = outputs.table_of(each.text)
            elif each.kind == "code":
                block = Lines(each.text, each.language)
            else:
                block = Words(each.text, "rule", LARGER)
            self._add("shown", [(block, False)])

    def _on_first(self, blocks: list[Block]) -> bool:
        """Put blocks below the section's sentence, if they fit; returns whether they do."""
        first = self.slides[0]
        there = [(each.block, False) for each in first.placed]
        laid = pages(there + [(block, False) for block in blocks], self._below_heading())
        if len(laid) == 1:
            first.placed = laid[0]
            first.notes, self.notes = first.notes + self.notes, []
        return len(laid) == 1

    def _below_heading(self) -> float:
        """Return the height that a section's first slide leaves below its sentence."""
        first = self.slides[0]
        said = first.sentence or first.heading.partition(": ")[2]
        return 590 - 64 * ceil(len(first.heading) / 30) - 54 * ceil(len(said) / 48)

    def _cell(self, cell: NotebookNode) -> None:
        if len(self.slides) == 1 and self.notes:
            self.slides[0].notes += self.notes
            self.notes = []
        asks = PREDICTION.findall(cell.source)
        if asks:
            self._question(asks)
            return
        tree = _tree(cell.source)
        call = _last_call(tree)
        if call in OWN:
            return
        hidden = FOLDED.items() <= cell.metadata.items()
        code = _lean(cell.source, tree)
        caption = "" if code.count("\n") > FEW else _last_line(cell.source, tree)
        results = outputs.blocks(cell, caption if len(caption) <= CAPTION else "")
        answers = [each for each in results if isinstance(each, Answer)]
        pictures = [each for each in results if isinstance(each, Figure)]
        rest = [each for each in results if each not in answers and each not in pictures]
        few = len([line for line in code.split("\n") if line.strip()]) <= FEW
        seen = not code or call in SOURCES and rest or few and results
        blocks: list[tuple[Block, bool]] = [] if seen else [(Lines(code, "python"), False)]
        if blocks or rest:
            blocks += [(each, hidden) for each in rest]
            if answers and self.open and seen:
                self._answers(cell, answers)  # on the question's own slide, before the rest
                answers = []
            self._add("shown", blocks)
        if answers:
            self._answers(cell, answers)
        for picture in pictures:
            self._add("figure", [(picture, False)])

    def _question(self, asks: list[tuple[str, str]]) -> None:
        text = question(self.said)
        wanted = "\n\n".join(f"*{comment}*" for _, comment in asks if comment)
        for names, comment in asks:
            self.asked |= {name.strip(): text or comment for name in names.split(",")}
            self.notes += votes_on(self.guide, self.above, comment)
        self._add(
            "question",
            [
                (Words(each, kind, LARGER), False)
                for each, kind in ((text, "question"), (wanted, "wanted"))
                if each
            ],
        )
        self.open = self.slides[-1]

    def _answers(self, cell: NotebookNode, answers: list[Answer]) -> None:
        names = set(USES.findall(cell.source))
        if self.open and len(answers) <= 2:
            there = [(each.block, each.hidden) for each in self.open.placed]
            laid = pages(there + [(each, True) for each in answers])
            if len(laid) == 1:
                self.open.placed, self.open = laid[0], None
                return
        asked = "\n\n".join(
            dict.fromkeys(self.asked[name] for name in sorted(names) if name in self.asked)
        )
        blocks: list[tuple[Block, bool]] = [(Words(asked, "question"), False)] if asked else []
        self._add("answer", [*blocks, *((each, True) for each in answers)])


def _tree(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError:  # a cell of IPython's own
        return ast.Module([], [])


def _last_call(tree: ast.Module) -> str:
    last = tree.body[-1] if tree.body else None
    call = last.value if isinstance(last, ast.Expr) else None
    return getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""


def _last_line(source: str, tree: ast.Module) -> str:
    """Return the last statement, "" if it takes more than a line."""
    last = tree.body[-1] if tree.body else None
    return source.split("\n")[last.lineno - 1] if last and last.lineno == last.end_lineno else ""


def _lean(source: str, tree: ast.Module) -> str:
    """Return a cell without its imports and without what compares a prediction."""
    drop: set[int] = set()
    for node in tree.body:
        compares = isinstance(node, ast.Expr) and USES.search(ast.unparse(node))
        if isinstance(node, ast.Import | ast.ImportFrom) or compares:
            drop |= set(range(node.lineno, node.end_lineno + 1))
    lines = [line for number, line in enumerate(source.split("\n"), 1) if number not in drop]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
