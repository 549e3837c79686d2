"""What comes from a learner's notebook, held to what it may be before anything is kept of it."""

from __future__ import annotations

import math
import re
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from ...journal import CHECKED, GUESSED, OPENED, PREDICTED
from .catalogue import Catalogue

LARGEST_BODY = 2**16  # bytes of a request
MOST_EVENTS = 200  # of a request
KINDS = (OPENED, CHECKED, GUESSED, PREDICTED)
NAME = 40  # characters of a name on the board
_UID = re.compile(r"[0-9a-f]{8,64}")
_CELL = re.compile(r"[0-9a-f]{8}|")
_LATEST = 1e100  # beyond it no number is a measurement


@dataclass(frozen=True)
class Told:
    """An event as the board keeps it. at: seconds since 1970, never after it was received.

    notebook: "labs/03_mec" of this course, or "". question: id of a guess's or a prediction's.
    """

    uid: str
    kind: str
    at: float
    notebook: str = ""
    exercise: str = ""
    stage: str = ""
    misconception: str = ""
    question: str = ""
    prediction: float | None = None
    measured: float | None = None


def cleaned(data: Any, course: Catalogue, now: float) -> Told | None:
    """Return what is kept of an event, None where it is none or not about this course.

    No text is passed on but what the course itself has: names of notebooks and exercises, stages
    of a check, mistakes of that exercise, ids of questions.
    """
    if not isinstance(data, Mapping):
        return None
    text = {
        name: value if isinstance(value := data.get(name, ""), str) else "\0"
        for name in (
            "uid",
            "time",
            "kind",
            "notebook",
            "cell",
            "exercise",
            "stage",
            "misconception",
            "what",
        )
    }
    if not (
        _UID.fullmatch(text["uid"])
        and _CELL.fullmatch(text["cell"])
        and text["kind"] in KINDS
        and len(text["what"]) <= 200
    ):
        return None
    folder, part = course.part_of(text["notebook"])
    at = _seconds(text["time"], now)
    known = f"{folder}/{part.number}_{part.key}" if part else ""
    if text["kind"] == OPENED:
        return Told(text["uid"], OPENED, at, known) if known else None
    if text["kind"] == CHECKED:
        task = course.tasks.get(text["exercise"])
        if task is None or text["stage"] not in stages():
            return None
        mistake = text["misconception"] if text["misconception"] in task.mistakes else ""
        return Told(text["uid"], CHECKED, at, known, task.name, text["stage"], mistake)
    question = course.question_of(text["kind"], known, text["cell"], text["what"])
    guess, value = _number(data.get("prediction")), _number(data.get("measured"))
    if question is None or guess is None or (value is None and text["kind"] == PREDICTED):
        return None
    return Told(
        text["uid"],
        text["kind"],
        at,
        known,
        question=question.id,
        prediction=guess,
        measured=value if text["kind"] == PREDICTED else None,
    )


def stages() -> frozenset[str]:
    """Return what a check may end with."""
    from ...teach.grading import stages as known

    return frozenset(value for name, value in vars(known).items() if name.isupper())


def lines(told: Iterable[Told], course: Catalogue) -> Iterator[dict[str, object]]:
    """Yield what a learner is shown of their events, a dictionary each."""
    for each in told:
        question = course.questions.get(each.question)
        data = {
            **asdict(each),
            "what": question.text if question else "",
            "time": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(each.at)) + " UTC",
        }
        yield {
            name: value
            for name, value in data.items()
            if name not in ("uid", "at") and value not in ("", None)
        }


def shown_name(text: Any) -> str:
    """Return a name as a board shows it: one line, no control characters or changes of direction,
    40 characters at most; "" where nothing is left of it."""
    kept = "".join(
        letter if unicodedata.category(letter)[0] not in "CZ" else " " for letter in str(text)[:400]
    )
    return " ".join(kept.split())[:NAME].strip()


def _seconds(text: str, now: float) -> float:
    try:
        moment = datetime.fromisoformat(text)
        at = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return now
    return min(at, now)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) and abs(found) < _LATEST else None
