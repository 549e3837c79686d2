"""What the instructor's guide says of a chapter, for the speaker's notes: minutes and predictions.

The guide is a page of Markdown for each chapter, `classroom/guide/NN_name.md` beside `course/`, of
a checkout. Slides are made without it as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

ROW = re.compile(r"^\| *(\d+) *\| *(\d+) *\|(.+)\|(.+)\|$", re.MULTILINE)
QUOTED = re.compile("“(.+?)”")
PREDICTION = re.compile(r"^### (.+?)\n+In “(.+?)”\.\n+(.+?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
SAID = ("Why", "Wrong guesses", "Vote")  # the answer is on the slide, as it was measured


@dataclass(frozen=True)
class Guide:
    """minutes: section -> a sentence of the time plan. votes: (section, prediction) -> what to say,
    a paragraph each.
    """

    minutes: dict[str, str] = field(default_factory=dict)
    votes: dict[tuple[str, str], list[str]] = field(default_factory=dict)


def guide(root: Path, chapter: str) -> Guide:
    """Return what the guide of the checkout at `root` says of a chapter ("03_mec"); all empty where
    there is none.
    """
    path = root / "classroom" / "guide" / f"{chapter}.md"
    if not path.is_file():
        return Guide()
    text = path.read_text(encoding="utf-8")
    minutes, votes = {}, {}
    for begin, length, titles, what in ROW.findall(text):
        for title in QUOTED.findall(titles):
            end = int(begin) + int(length)
            minutes[title] = f"**Minute {begin} to {end}.** {what.strip()}"
    for asked, section, said in PREDICTION.findall(text):
        points = re.split(r"^- ", said, flags=re.MULTILINE)[1:]
        kept = [" ".join(point.split()) for point in points]
        votes[section, _key(asked)] = [
            point for point in kept if point.startswith(tuple(f"*{word}" for word in SAID))
        ]
    return Guide(minutes, votes)


def _key(asked: str) -> str:
    return " ".join(asked.replace("`", "").split())


def votes_on(found: Guide, section: str, asked: str) -> list[str]:
    """Return what the guide says of one prediction, known by its section and its comment."""
    return found.votes.get((section, _key(asked)), [])
