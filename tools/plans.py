"""Plans for half a day, two days and a term; minutes and titles are the notebooks' own.

`python -m tools.plans` prints `classroom/plans.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from convladder.journal import course_root
from convladder.journal.course_index import Chapter, chapters, hours_text

BREAK, LONGEST = 15, 100  # minutes: of a break, and of work before one
PLANS = {  # "03" is a chapter, "03L" its lab; a session is a string
    "Half a day": ("For people who know NumPy. No GPU, no C.", ["00 01 01L 03"]),
    "Two days": (
        "On the processor on the first day, on the GPU (or its emulator) on the second.",
        ["00 01 01L 02 03 03L", "07 08 08L 10"],
    ),
}
TERM = "A term"


def page(found: list[Chapter]) -> str:
    """Return the plans of a course as Markdown."""
    by_number = {chapter.page.number: chapter for chapter in found}
    plans = {
        title: (about, [[n for n in each.split() if n[:2] in by_number] for each in sessions])
        for title, (about, sessions) in PLANS.items()
    }
    term = [
        [n, *([f"{n}L"] if by_number[n].lab else [])]
        for n in by_number
        if by_number[n].page.minutes
    ]
    plans[TERM] = ("A chapter and its lab each week; what is left of the lab goes home.", term)
    lines = [
        "# Plans",
        "",
        "Minutes are those of the notebooks' boxes, for a reader who tries everything. In a room,",
        "cut what the guide's page of a chapter names. Made by",
        "`python -m tools.plans > classroom/plans.md`.",
    ]
    for title, (about, sessions) in plans.items():
        lines += ["", f"## {title}", "", about]
        for number, session in enumerate(sessions, 1):
            rows = list(_rows(session, by_number))
            total = sum(minutes for minutes, _ in rows)
            lines += ["", f"**Session {number}**, {hours_text(total)}", "", "| from | minutes | |"]
            lines += ["|--:|--:|---|"]
            begins = 0
            for minutes, what in rows:
                lines.append(f"| {begins // 60}:{begins % 60:02d} | {minutes} | {what} |")
                begins += minutes
    return "\n".join(lines) + "\n"


def _rows(session: list[str], by_number: dict[str, Chapter]) -> Iterator[tuple[int, str]]:
    """Yield minutes and words of a session, with breaks in it."""
    since = 0
    for item in session:
        chapter = by_number[item[:2]]
        part = chapter.lab if item.endswith("L") else chapter.page
        minutes = part.minutes or 0
        if since and since + minutes > LONGEST:
            yield BREAK, "Break"
            since = 0
        since += minutes
        kind = "Lab" if item.endswith("L") else "Chapter"
        yield minutes, f"{kind} {item[:2]}: {part.name}"


if __name__ == "__main__":
    print(page(chapters(Path(course_root()))), end="")
