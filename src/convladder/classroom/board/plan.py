"""A day's plan, from a syllabus, and where the room is in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median

from ..syllabus import Entry, SyllabusError, read
from .catalogue import Catalogue

NEAR = 5.0  # minutes that the room may be off before the board says so
_PARTS = {"chapter": "course", "lab": "labs"}


class PlanError(Exception):
    """A plan that cannot be used; the text says where and why."""


@dataclass(frozen=True)
class Block:
    """A part of the plan. chapter: a key of the catalogue, "" for a break; part: course or labs.

    asks: the exercises, or ids of the questions, that it has of them.
    """

    title: str
    minutes: float
    chapter: str = ""
    part: str = ""
    asks: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Plan:
    """What is to happen when, from the moment that the instructor starts it."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def minutes(self) -> float:
        """Return how long all of it takes."""
        return sum(block.minutes for block in self.blocks)

    def at(self, minute: float) -> tuple[int, float]:
        """Return which block is due `minute` minutes after the start, and since how many minutes.
        After the end: the last block's number and its length."""
        begun = 0.0
        for index, block in enumerate(self.blocks):
            if minute < begun + block.minutes:
                return index, max(0.0, minute - begun)
            begun += block.minutes
        return len(self.blocks) - 1, self.blocks[-1].minutes

    def begins(self, index: int) -> float:
        """Return at which minute a block begins."""
        return sum(block.minutes for block in self.blocks[:index])

    def minute_of(self, chapter: str, part: str, done: set[str], now: float) -> float | None:
        """Return which minute of the plan fits who is in a chapter or lab and has `done` these
        questions or exercises, None where the plan has it not. Of a chapter that comes twice the
        minute nearest to `now` counts."""
        fits = [
            self.begins(index) + block.minutes * len(done & block.asks) / len(block.asks or "-")
            for index, block in enumerate(self.blocks)
            if (block.chapter, block.part) == (chapter, part)
        ]
        return min(fits, key=lambda minute: abs(minute - now)) if fits else None


def read_plan(path: Path | str, course: Catalogue, day: int = 1) -> Plan:
    """Return the plan of a syllabus's session, counted from 1. Raises PlanError."""
    try:
        found = read(Path(path))
    except SyllabusError as error:
        raise PlanError(str(error)) from error
    if not 1 <= day <= len(found.sessions):
        raise PlanError(f"{path} has {len(found.sessions)} sessions, and no {day}")
    session = found.sessions[day - 1]
    if not session.entries or session.minutes <= 0:
        raise PlanError(f"{path}: session {day} has no minutes")
    title = found.title if len(found.sessions) == 1 else f"{found.title} · {session.title}"
    return Plan(title, tuple(_block(entry, course, path) for entry in session.entries))


def _block(entry: Entry, course: Catalogue, path: Path | str) -> Block:
    part = _PARTS.get(entry.kind, "")
    found = next((each for each in course.parts if each.number == entry.chapter), None)
    if part and found is None:
        raise PlanError(
            f"{path}: {entry.title!r} names a chapter {entry.chapter!r} that the "
            "course does not have"
        )
    if not part or found is None:
        return Block(entry.title, entry.minutes)
    if part == "labs":
        asks = {
            task.name for task in found.tasks if not entry.exercises or task.name in entry.exercises
        }
    else:
        asks = {
            each.id
            for each in found.questions
            if each.folder == "course" and (not entry.sections or each.section in entry.sections)
        }
    return Block(entry.title, entry.minutes, found.key, part, frozenset(asks))


def sentence(plan: Plan, minute: float, places: list[float]) -> str:
    """Return how the room stands: `places`, the minute of the plan that each learner is at."""
    index, gone = plan.at(minute)
    block = plan.blocks[index]
    if minute >= plan.minutes:
        due = "The plan is at its end."
    else:
        due = f"Now: {block.title}, minute {gone:.0f} of {block.minutes:g}."
    if not places or not block.chapter:
        return due
    apart = behind(minute, places)
    if abs(apart) < NEAR:
        return f"{due} The room is where the plan is."
    return (
        f"{due} The middle of the room is about {abs(apart):.0f} minutes "
        f"{'behind' if apart > 0 else 'ahead'}."
    )


def behind(minute: float, places: list[float]) -> float:
    """Return how many minutes the middle of the room is behind the plan; ahead below 0."""
    return minute - median(places)
