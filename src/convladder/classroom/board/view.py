"""What the board's page shows: numbers and texts, made of a room for one chapter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from .catalogue import Part, Question, Task
from .histogram import bars, into, position, right
from .histogram import text as number
from .plan import Plan, behind, sentence
from .room import DONE, NOW, STATES, STUCK, Room

MOST = 4  # mistakes at once: more cannot be read from the last row
FEW, MANY = 0.35, 0.70  # share of right guesses between which discussing pays
WORDS = (
    "Nobody",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
)


@dataclass
class Showing:
    """What the instructor has opened of a question: the guesses, a second round, the value."""

    shown: bool = False
    revote: float | None = None
    reveal: float | None = None


@dataclass
class Lesson:
    """What is the same for all who look: title, plan, when it began, what was opened."""

    title: str
    named: bool
    plan: Plan | None
    started: float | None
    showing: dict[str, Showing]
    trouble: str = ""  # what the instructor should know, such as a full disk


def view(room: Room, lesson: Lesson, chapter: str, now: float) -> dict[str, Any]:
    """Return all that a page about `chapter` shows; about the room's own where it is ""."""
    part = room.course.by_key.get(chapter) or _most(room)
    here = Counter(each.place[0] for each in room.learners.values() if each.place)
    return {
        "title": lesson.title,
        "named": lesson.named,
        "trouble": lesson.trouble,
        "learners": len(room.learners),
        "active": sum(now - each.at <= NOW for each in room.learners.values()),
        "stuck_after": room.stuck,
        "states": list(STATES),
        "parts": [_overview(room, each, here[each.key]) for each in room.course.parts],
        "chapter": {"key": part.key, "number": part.number, "name": part.name},
        "exercises": [_exercise(room, task) for task in part.tasks],
        "mistakes": _mistakes(room, now),
        "questions": [
            _question(room, each, lesson.showing.get(each.id, Showing())) for each in part.questions
        ],
        "pace": _pace(room, lesson, now),
    }


def _most(room: Room) -> Part:
    """Return the chapter in which most of the room is."""
    where = Counter(each.place[0] for each in room.learners.values() if each.place)
    return room.course.by_key[where.most_common(1)[0][0]] if where else room.course.parts[0]


def _overview(room: Room, part: Part, here: int) -> dict[str, Any]:
    states = Counter(
        room.state(learner, task) for learner in room.learners.values() for task in part.tasks
    )
    total = len(room.learners) * len(part.tasks)
    return {
        "key": part.key,
        "number": part.number,
        "name": part.name,
        "here": here,
        "done": states[DONE] / total if total else 0.0,
        "stuck": states[STUCK],
    }


def _exercise(room: Room, task: Task) -> dict[str, Any]:
    who: dict[str, list[str]] = {state: [] for state in STATES}
    on: Counter[str] = Counter()
    for learner in room.learners.values():
        state = room.state(learner, task)
        who[state].append(learner.shown)
        if state == STUCK:
            attempt = learner.attempts[task.name]
            on[attempt.mistake or attempt.stage] += 1
    return {
        "name": task.name,
        "task": task.task,
        "who": {state: sorted(names, key=str.casefold) for state, names in who.items()},
        "stuck_on": [{"name": name, "count": count} for name, count in on.most_common(2)],
    }


def _mistakes(room: Room, now: float) -> list[dict[str, Any]]:
    found = []
    for (exercise, name), count in room.mistakes(now).most_common(MOST):
        task = room.course.tasks[exercise]
        mistake, part = task.mistakes[name], room.course.by_key[task.chapter]
        found.append(
            {
                "exercise": exercise,
                "chapter": part.number,
                "name": name,
                "count": count,
                "shows": mistake.shows,
                "line": mistake.line,
                "sentence": f"{_word(count)} of you {'meets' if count == 1 else 'meet'} the same "
                f"thing in `{exercise}`. {mistake.idea}",
            }
        )
    return found


def _word(count: int) -> str:
    return WORDS[count] if count < len(WORDS) else str(count)


def _question(room: Room, question: Question, showing: Showing) -> dict[str, Any]:
    given = [
        guesses
        for learner in room.learners.values()
        if (guesses := learner.guesses.get(question.id)) is not None
    ]
    first = [each.first for each in given if each.first is not None]
    second = [each.second for each in given if each.second is not None]
    truth, source = _truth(question, [each.measured for each in given if each.measured is not None])
    # Whoever does not vote again keeps the first number.
    now = [
        value
        for each in given
        if (value := each.first if each.second is None else each.second) is not None
    ]
    share = (
        sum(right(each, truth) for each in now) / len(now) if now and truth is not None else None
    )
    found: dict[str, Any] = {
        "id": question.id,
        "text": question.text,
        "what": question.what,
        "unit": question.unit,
        "guesses": len(first),
        "again": len(second),
        "voting": showing.revote is not None,
        "shown": showing.shown,
        "revealed": showing.reveal is not None,
        "right": share,
        "advice": _advice(share, len(now), len(second), showing),
        "bars": [],
        "measured": None,
    }
    if showing.shown or showing.reveal is not None:
        drawn = bars([*first, *now])
        found["bars"] = [
            {"label": bar.label, "first": a, "second": b}
            for bar, a, b in zip(
                drawn,
                into(drawn, first),
                into(drawn, now) if second else [0] * len(drawn),
                strict=True,
            )
        ]
        if showing.reveal is not None and truth is not None:
            found["measured"] = {
                "text": f"{number(truth)} {question.unit}".rstrip(),
                "source": source,
                "at": position(drawn, truth),
                "right": sum(right(each, truth) for each in now),
            }
    return found


def _truth(question: Question, measured: list[float]) -> tuple[float | None, str]:
    if measured:
        return median(measured), f"the median of {len(measured)} learners' own" if len(
            measured
        ) > 1 else "one learner's own"
    return question.usual, "from the course's own output, as nobody here has measured it yet"


def _advice(share: float | None, count: int, again: int, showing: Showing) -> str:
    """Return what peer instruction advises: to discuss where 35 to 70 % are right."""
    if share is None or count < 3 or showing.revote is not None and not again:
        return ""
    if showing.reveal is not None:
        return f"{share:.0%} are within a quarter of it."
    said = f"{share:.0%} are right within a quarter: "
    if share < FEW:
        return said + "explain first, then ask again."
    if share > MANY:
        return said + "reveal it and go on."
    return said + (
        "reveal it." if showing.revote is not None else "let neighbours discuss, then vote again."
    )


def _pace(room: Room, lesson: Lesson, now: float) -> dict[str, Any] | None:
    plan = lesson.plan
    if plan is None:
        return None
    minute = None if lesson.started is None else (now - lesson.started) / 60
    at = minute or 0.0
    places = [
        where
        for learner in room.learners.values()
        if learner.place
        and now - learner.at <= NOW
        and (where := plan.minute_of(*learner.place, room.done(learner, *learner.place), at))
        is not None
    ]
    there = Counter(
        learner.place
        for learner in room.learners.values()
        if learner.place and now - learner.at <= NOW
    )
    blocks = [
        {
            "title": block.title,
            "minutes": block.minutes,
            "begins": plan.begins(index),
            "chapter": block.chapter,
            "here": there[block.chapter, block.part] if block.chapter else 0,
        }
        for index, block in enumerate(plan.blocks)
    ]
    return {
        "title": plan.title,
        "minutes": plan.minutes,
        "minute": minute,
        "blocks": blocks,
        "due": plan.at(at)[0],
        "room": median(places) if places else None,
        "behind": behind(at, places) if places and minute is not None else None,
        "sentence": "The plan has not been started."
        if minute is None
        else sentence(plan, minute, places),
    }


def opened(showing: Mapping[str, Showing]) -> tuple[dict[str, float], dict[str, float]]:
    """Return when second rounds were opened, and when values were revealed, by question."""
    return (
        {name: each.revote for name, each in showing.items() if each.revote is not None},
        {name: each.reveal for name, each in showing.items() if each.reveal is not None},
    )
