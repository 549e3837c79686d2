"""What is taken from a chapter's prose: notes in short form, questions, formulas, tables."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"  # words, with brackets in them or not
    r"\((?:[^()\"]|\([^()]*\))*(?:\"[^\"]*\")?\)"
)
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
DETAILS = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
FORMULA = re.compile(r"^\$\$(.+?)\$\$$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\|.+\|\n\|[ :|-]+\|\n(?:\|.+\|\n?)+", re.MULTILINE)
FENCE = re.compile(r"^```([\w+-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTE = re.compile(r"^(?:>.*\n?)+", re.MULTILINE)
ITEM = re.compile(r"^(?:[-*]|\d+\.)\s+(.*(?:\n(?!\s*(?:[-*]|\d+\.)\s|\s*$).*)*)", re.MULTILINE)
# A sentence ends before a capital, a digit or a mark that begins the next one.
END = re.compile(r"[.?!][)\"”*]*(?=\s+[A-Z0-9`\"“(*$])")
NOT_ENDS = ("e.g.", "i.e.", "cf.", "vs.", "Fig.", "No.", "Eq.", "et al.")
TELLS = re.compile(r"\b(?:[Pp]redict|[Gg]uess|[Ww]rite)\b")
QUESTION_WORDS, NOTE_WORDS = 60, 35


@dataclass(frozen=True)
class Shown:
    """What prose has to show on a slide. kind: "formula", "table", "code" or "rule"."""

    kind: str
    text: str
    language: str = ""


def plain(text: str) -> str:
    """Return Markdown whose links are their words, on one line a paragraph."""
    return PICTURE.sub("", LINK.sub(r"\1", text)).strip()


def shown(text: str) -> list[Shown]:
    """Return what is to be shown of a piece of prose, in order."""
    found = [
        (match.start(), Shown("formula", match[1].strip())) for match in FORMULA.finditer(text)
    ]
    found += [(match.start(), Shown("table", match[0])) for match in TABLE.finditer(text)]
    found += [
        (match.start(), Shown("code", match[2].rstrip(), match[1]))
        for match in FENCE.finditer(text)
    ]
    found += [
        (match.start(), Shown("rule", plain(re.sub(r"^> ?", "", match[0], flags=re.M))))
        for match in QUOTE.finditer(FENCE.sub("", text))
    ]
    return [each for _, each in sorted(found, key=lambda pair: pair[0])]


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs and items of lists of a piece of prose, without what is shown."""
    for pattern in (DETAILS, FORMULA, TABLE, FENCE, QUOTE):
        text = pattern.sub("\n\n", text)
    found = []
    for block in re.split(r"\n\s*\n", plain(text)):
        items = ITEM.findall(block) if ITEM.match(block) else [block]
        found += [" ".join(item.split()) for item in items]
    return [each for each in found if each]


def parted(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph."""
    found: list[str] = []
    ends = [0, *(match.end() for match in END.finditer(paragraph)), len(paragraph)]
    for begin, end in itertools.pairwise(ends):
        piece = paragraph[begin:end].strip()
        if found and (
            found[-1].endswith(NOT_ENDS) or found[-1].count("`") % 2 or found[-1].count("$") % 2
        ):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found


def short(text: str) -> list[str]:
    """Return the notes of a piece of prose: of each paragraph how it begins, the first sentence or
    as many as have 35 words, and what it asks. "…" ends a paragraph that was shortened.
    """
    notes = []
    for paragraph in paragraphs(DETAILS.sub(_unfolded, text)):
        said = parted(paragraph)
        total = [len(" ".join(said[: place + 1]).split()) for place in range(len(said))]
        keep = [
            place == 0 or "?" in each or total[place] <= NOTE_WORDS
            for place, each in enumerate(said)
        ]
        words = [each for each, kept in zip(said, keep, strict=True) if kept]
        notes.append(" ".join(words) + ("" if all(keep) else " …"))
    return notes


def _unfolded(fold: re.Match) -> str:
    return f"\n\n{fold[1]} {' '.join(fold[2].split())}\n\n"


def question(text: str) -> str:
    """Return what prose asks just before a prediction, up to the last question of a paragraph, with
    as much before it as 60 words hold; "" where it asks nothing.
    """
    for asks in (re.compile(r"\?"), TELLS):
        for paragraph in reversed(paragraphs(text)):
            said = parted(paragraph)
            end = max((place for place, each in enumerate(said, 1) if asks.search(each)), default=0)
            if end:
                end += end < len(said) and bool(TELLS.search(said[end]))  # "Write it down."
                begin = end - 1
                while begin and len(" ".join(said[begin - 1 : end]).split()) <= QUESTION_WORDS:
                    begin -= 1
                return " ".join(said[begin:end])
    return ""


def questions(text: str) -> list[tuple[str, str]]:
    """Return (question, answer) of what is folded under "Check yourself", as Markdown."""
    return [(plain(asked), plain(answer)) for asked, answer in DETAILS.findall(text)]
