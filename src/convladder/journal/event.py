"""One thing that happened, and its line in the journal.

A line is a JSON object. `v`, `uid`, `time`, `session`, `course` and `kind` are in each; the others
where they say something.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from numbers import Real
from typing import Any
from uuid import uuid4

VERSION = 1
OPENED, CHECKED, PREDICTED = "opened", "checked", "predicted"
GUESSED = "guessed"  # a prediction written down, before anything was measured
RUNG = "rung"  # a layer timed, for the learner's ladder
# Fields that are texts in every whole event.
TEXTS = "uid time kind notebook cell exercise stage case what layer machine note".split()


@dataclass(frozen=True)
class Event:
    """One event. `uid` is unique, so that a collector recognises an event that it has.

    time: UTC, ISO 8601, to the microsecond. session: of a kernel or a process. course: the
    package's version. notebook: "course/03_mec", "" where it cannot be known. cell: digest of the
    cell's source, as its id in the saved notebook.
    exercise, stage, misconception: of a check; the third is the name of the
    mistake recognised, `case` the smallest case that fails, in one line.
    what, prediction, measured, unit: of a prediction, as `versus` has them; of a guess, `what` is
    the question behind it and `cell` the digest with `...` in the number's place.
    layer, machine, workspace, note: of a rung, whose name is `what` and its seconds `measured`;
    workspace in bytes.
    """

    kind: str
    notebook: str = ""
    cell: str = ""
    exercise: str = ""
    stage: str = ""
    misconception: str = ""
    case: str = ""
    what: str = ""
    prediction: float | None = None
    measured: float | None = None
    unit: str = ""
    layer: str = ""
    machine: str = ""
    workspace: int | None = None
    note: str = ""
    session: str = ""
    course: str = ""
    uid: str = field(default_factory=lambda: uuid4().hex)
    time: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="microseconds"))
    v: int = VERSION

    def line(self) -> str:
        """Return it as a line without its end; what says nothing is left out."""
        kept = {name: value for name, value in vars(self).items() if value not in ("", None)}
        return json.dumps(kept, ensure_ascii=False, allow_nan=False)

    @property
    def factor(self) -> float | None:
        """Return how many times the prediction is off, 1 or more; None where no factor says it."""
        guess, truth = self.prediction, self.measured
        if guess is None or truth is None:
            return None
        if guess == truth:
            return 1.0
        return max(guess / truth, truth / guess) if guess * truth > 0 else None


def parsed(line: str) -> Event | None:
    """Return the event of a line; None for half a line, or one of a kind that this version does
    not know."""
    try:
        data = json.loads(line)
        if not isinstance(data, Mapping) or not 1 <= data["v"] <= VERSION:
            return None
        known = {name: data[name] for name in Event.__dataclass_fields__ if name in data}
        event = Event(**known)
    except (ValueError, KeyError, TypeError):
        return None
    return event if _whole(event) else None


def number(value: Any) -> float | None:
    """Return a number that JSON can hold; None for any other value."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    if not math.isfinite(found):
        return None
    return int(found) if found.is_integer() and abs(found) < 2**53 else found


def _whole(event: Event) -> bool:
    texts = (getattr(event, name) for name in TEXTS)
    values = (event.prediction, event.measured, event.workspace)
    return (
        all(isinstance(text, str) for text in texts)
        and bool(event.uid)
        and all(value is None or number(value) is not None for value in values)
    )
