"""A day's plan, or a term's: what is taught in which minute, from a file of TOML.

`python -m convladder.classroom.syllabus` writes the pages beside those of the guide.

    title = "Half a day"
    about = "For whom, and what they can do at the end."

    [[session]]                    # a day, or a week's meeting
    title = "Four hours"
    start = "09:00"                # when it usually begins; a room may begin when it likes

    [[session.entry]]
    start = 25                     # minutes after the session's beginning
    minutes = 40
    kind = "chapter"               # chapter, lab, break or discussion
    chapter = "01"                 # of a chapter or lab: its two digits
    title = "im2col and GEMM"      # for people; without one, it is named by its kind
    sections = ["Each window becomes a column"]    # a chapter in part: its headings
    exercises = ["lower_windows"]                  # a lab in part: its exercises

    [[session.home]]               # what is left for home: as an entry, without a start
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

KINDS = ("chapter", "lab", "break", "discussion")


class SyllabusError(ValueError):
    """Say in a sentence what is wrong with a syllabus, and where."""


@dataclass(frozen=True)
class Entry:
    """What happens from minute `start` on for `minutes`; of work for home, `start` is None."""

    start: int | None
    minutes: int
    kind: str
    title: str
    chapter: str = ""
    sections: tuple[str, ...] = ()
    exercises: tuple[str, ...] = ()

    @property
    def stop(self) -> int | None:
        """Return the minute in which it ends; None of work for home."""
        return None if self.start is None else self.start + self.minutes


@dataclass(frozen=True)
class Session:
    """A day or a meeting: its entries in order, without gaps, and what is left for home."""

    title: str
    start: str
    entries: tuple[Entry, ...]
    home: tuple[Entry, ...]

    @property
    def minutes(self) -> int:
        """Return how long it takes, breaks included."""
        return sum(entry.minutes for entry in self.entries)

    def at(self, minute: float) -> Entry | None:
        """Return what is to happen `minute` minutes after the beginning; None before and after."""
        for entry in self.entries:
            if entry.start <= minute < entry.stop:
                return entry
        return None

    def clock(self, minute: int) -> str:
        """Return the time of day `minute` minutes after the usual start: "10:05"."""
        hours, minutes = map(int, self.start.split(":"))
        return f"{(hours + (minutes + minute) // 60) % 24:02d}:{(minutes + minute) % 60:02d}"


@dataclass(frozen=True)
class Syllabus:
    """A plan of one session or of several."""

    title: str
    about: str
    sessions: tuple[Session, ...]


def read(path: Path) -> Syllabus:
    """Return the plan in a file of TOML.

    Raises SyllabusError with one sentence where the file cannot be read as one: a key that is
    missing or unknown, a kind that there is not, an entry that does not begin where the one before
    it ends.
    """
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        return Syllabus(
            found["title"],
            found["about"].strip(),
            tuple(_session(each) for each in found["session"]),
        )
    except OSError as error:
        raise SyllabusError(f"{path} cannot be read: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise SyllabusError(f"{path} is no TOML: {error}") from error
    except KeyError as error:
        raise SyllabusError(f"{path} lacks {error.args[0]!r}") from error
    except (SyllabusError, TypeError, AttributeError) as error:
        raise SyllabusError(f"{path}: {error}") from error


def page(syllabus: Syllabus) -> str:
    """Write a plan as Markdown: for each session a table, and what is taken of which chapter."""
    lines = [f"# {syllabus.title}", "", syllabus.about, "", _LEFT_OUT]
    for session in syllabus.sessions:
        lines += [
            "",
            f"## {session.title}",
            "",
            f"{_hours(session.minutes)} with breaks.",
            "",
            "| begins | minutes | | what |",
            "|--:|--:|---|---|",
        ]
        lines += [
            f"| {session.clock(entry.start)} | {entry.minutes} | {_where(entry)} | {entry.title} |"
            for entry in session.entries
        ]
        parts = [entry for entry in session.entries if entry.sections or entry.exercises]
        if parts:
            lines += ["", "In part:", "", *map(_part, parts)]
        if session.home:
            lines += ["", f"For home, {_hours(sum(entry.minutes for entry in session.home))}:", ""]
            lines += [f"{_part(entry)} ({entry.minutes} minutes)" for entry in session.home]
    return "\n".join(lines) + "\n"


_LEFT_OUT = (
    "*A chapter in part:* its other cells are run and not read (Shift+Enter, Shift+Enter), since\n"
    "later cells use what they define."
)


def _where(entry: Entry) -> str:
    return f"{entry.kind} {entry.chapter}" if entry.chapter else ""


def _part(entry: Entry) -> str:
    parts = [f"“{name}”" for name in entry.sections] + [f"`{name}`" for name in entry.exercises]
    return f"- {_where(entry).capitalize()}: {', '.join(parts)}"


def _hours(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return " ".join(filter(None, [hours and f"{hours} h", rest and f"{rest} min"]))


def _session(found: dict) -> Session:
    entries = tuple(_entry(each, each["start"]) for each in found["entry"])
    minute = 0
    for entry in entries:
        if entry.start != minute:
            raise SyllabusError(
                f"{entry.title!r} in {found['title']!r} begins in minute "
                f"{entry.start}, and what is before it ends in {minute}"
            )
        minute += entry.minutes
    home = tuple(_entry(each, None) for each in found.get("home", ()))
    return Session(found["title"], found["start"], entries, home)


def _entry(found: dict, start: int | None) -> Entry:
    kind = found["kind"]
    if kind not in KINDS:
        raise SyllabusError(f"kind = {kind!r} is none of {', '.join(KINDS)}")
    rest = {key: value for key, value in found.items() if key not in ("start", "title")}
    for name in ("sections", "exercises"):
        rest[name] = tuple(rest.get(name, ()))
    return Entry(start, title=found.get("title", kind), **rest)


if __name__ == "__main__":
    for path in sorted(Path("classroom/guide/syllabi").glob("*.toml")):
        path.with_suffix(".md").write_text(page(read(path)), encoding="utf-8")
