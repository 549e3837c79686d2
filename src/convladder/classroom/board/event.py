"""Events from a learner's notebook, validated before any of them is kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ...grading.words import STAGES
from ...journal import CHECKED, GUESSED, OPENED, PREDICTED
from ...journal.event import number as json_number
from .course import CourseParts, mistakes_of

_UID = re.compile(r"[0-9a-f]{8,64}")
_TEXTS = ("uid", "time", "kind", "notebook", "cell", "exercise", "stage", "misconception", "what")
LARGEST = 1e100  # beyond it no number is a measurement


class BoardEvent(NamedTuple):
    """An event as the board keeps it. at: seconds since 1970. part: key of a chapter.

    question: ids of the predictions that it may be about, with spaces between them.
    """

    uid: str
    kind: str
    at: float
    part: str = ""
    exercise: str = ""
    stage: str = ""
    mistake: str = ""
    case: str = ""
    question: str = ""
    prediction: float | None = None
    measured: float | None = None


def cleaned(data: Any, course: CourseParts, now: float) -> BoardEvent | None:
    """Return the part of an event that is kept; None if it isn't an event of this course.

    The only text of a learner's machine that is passed on is the smallest failing case.
    """
    if not isinstance(data, Mapping):
        return None
    text = {name: str(data.get(name, ""))[:300] for name in _TEXTS}
    if not _UID.fullmatch(text["uid"]):
        return None
    part, at = course.part_of(text["notebook"]), _seconds(text["time"], now)
    if text["kind"] == OPENED:
        return BoardEvent(text["uid"], OPENED, at, part.key) if part else None
    if text["kind"] == CHECKED:
        part = course.part_of_exercise.get(name := text["exercise"])
        if part is None or text["stage"] not in (*STAGES.values(), "passed"):
            return None
        mistake = text["misconception"] if text["misconception"] in mistakes_of(name) else ""
        case = line(data.get("case", ""), 200)
        return BoardEvent(text["uid"], CHECKED, at, part.key, name, text["stage"], mistake, case)
    guess, measured = number(data.get("prediction")), number(data.get("measured"))
    if part is None or guess is None:
        return None
    if text["kind"] == GUESSED and (asked := course.question_of(part, text["what"])):
        return BoardEvent(text["uid"], GUESSED, at, part.key, question=asked, prediction=guess)
    if text["kind"] == PREDICTED and (ids := part.measured_in.get(text["cell"])):
        words = " ".join(ids)
        return BoardEvent(
            text["uid"], PREDICTED, at, part.key, "", "", "", "", words, guess, measured
        )
    return None


def line(text: Any, most: int) -> str:
    """Return a text as the board shows it: one line, without control characters."""
    kept = (
        letter if unicodedata.category(letter)[0] not in "CZ" else " "
        for letter in str(text)[: 10 * most]
    )
    return " ".join("".join(kept).split())[:most].strip()


def number(value: Any) -> float | None:
    """Return a number that can be a measurement; None for any other value."""
    found = json_number(value)
    return float(found) if found is not None and abs(found) < LARGEST else None


def _seconds(text: str, now: float) -> float:
    try:
        moment = datetime.fromisoformat(text)
        at = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return now
    return min(at, now)
