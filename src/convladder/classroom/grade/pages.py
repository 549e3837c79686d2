"""What comes out for people: a page for each learner, and one of the class. No script in them."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from ...teach.grading import stages
from ...teach.grading.verdict import STEPS
from .archive import clean
from .gradebook import safe_cell
from .judging import NOT_HANDED_IN, Graded
from .room import Learner, Room
from .walls import MISSING

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --soft: #5c5c5c; --line: #d9d9d9; --back: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --soft: #a8a8a8; --line: #444; --back: #161616 } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 58rem; margin: 2rem auto; padding: 0 1.2rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
.wide { overflow-x: auto }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line);
  vertical-align: top }
th { font-weight: 600; color: var(--soft); white-space: nowrap } td.n { text-align: right }
section { border-left: 4px solid #c85000; padding: .1rem 0 .1rem .9rem; margin: 1.2rem 0 }
section.passed { border-color: #00855f } section.grey { border-color: #8c8c8c }
section h3 { margin: 0; font-size: 1rem } p { margin: .4rem 0 } small, .soft { color: var(--soft) }
pre { overflow-x: auto; background: rgba(128,128,128,.12); padding: .6rem; font-size: .85rem }
code { background: rgba(128,128,128,.12); padding: 0 .2rem; overflow-wrap: anywhere }
.grid th.up { writing-mode: vertical-rl; transform: rotate(180deg); vertical-align: bottom;
  padding: .4rem .1rem; text-align: left }
td { overflow-wrap: anywhere } .wide td { overflow-wrap: break-word }
.bad { color: #c85000; font-weight: 600 }
@media (prefers-color-scheme: dark) { .bad { color: #ff9a52 } }
"""
_GREY = (NOT_HANDED_IN, stages.NOT_ATTEMPTED, stages.NOT_JUDGED)
_MARKS = {stages.PASSED: "✓", stages.NOT_ATTEMPTED: "–", NOT_HANDED_IN: "–", stages.NOT_JUDGED: "?"}


def write_pages(room: Room, folder: Path, notes: Iterable[str] = ()) -> Path:
    """Write a page for each learner, and of the class a page, a table and `results.json`.

    Returns the class's page. Raises OSError.
    """
    (folder / "learners").mkdir(parents=True, exist_ok=True)
    for learner in room.learners:
        (folder / "learners" / file_name(learner)).write_text(
            learner_page(learner), encoding="utf-8"
        )
    with (folder / "class.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["Learner", "Passed", *room.names])
        for learner in room.learners:
            stages_of = [
                learner.graded[name].verdict.stage if name in learner.graded else NOT_HANDED_IN
                for name in room.names
            ]
            table.writerow([safe_cell(clean(learner.name)), learner.passed, *stages_of])
    (folder / "results.json").write_text(json.dumps(_results(room), indent=1), encoding="utf-8")
    path = folder / "class.html"
    path.write_text(class_page(room, notes), encoding="utf-8")
    return path


def file_name(learner: Learner) -> str:
    """Return the name of a learner's page: letters and digits, and of each one its own."""
    key = learner.submission.key
    slug = re.sub(r"[^a-z0-9]+", "-", learner.name.casefold()).strip("-")[:40]
    return f"{slug}-{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()[:8]}.html"


def learner_page(learner: Learner) -> str:
    """Return a learner's page: each verdict with its hints."""
    parts = [
        f"<h1>{_text(learner.name)}</h1>",
        f"<p>{learner.passed} of {len(learner.graded)} exercises passed.</p>",
    ]
    parts += [f"<p>{_text(problem)}</p>" for problem in learner.problems]
    for lab, result in sorted(learner.labs.items()):
        parts.append(f"<h2>Lab {lab:02}</h2>")
        parts += [_exercise(name, each) for name, each in result.graded.items()]
        if result.notes:
            items = "".join(f"<li>{_prose(note)}</li>" for note in result.notes)
            parts.append(
                f'<p class="soft">While the notebook ran:</p><ul class="soft">{items}</ul>'
            )
    return _page(learner.name, parts)


def class_page(room: Room, notes: Iterable[str] = ()) -> str:
    """Return the class's page: who passed what, the commonest mistakes, what to look at."""
    count, names = len(room.learners), room.names
    parts = [f"<h1>{count} submission{'s' * (count != 1)}, {len(names)} exercises</h1>"]
    parts.append(
        "<h2>Exercises</h2>"
        + _table(
            ("Lab", "Exercise", "Passed", "Not attempted", "Not judged here"),
            [
                (
                    f"{room.exercises.names[name]:02}",
                    name + " *" * (name in room.known),
                    f"{room.passed(name)} of {count}",
                    str(_count(room, name, stages.NOT_ATTEMPTED, NOT_HANDED_IN)),
                    str(_count(room, name, stages.NOT_JUDGED)),
                )
                for name in names
            ],
        )
    )
    if room.known:
        parts.append(
            '<p class="soft">* These cases are the same for every seed: a table of the '
            "right answers passes.</p>"
        )
    mistakes = room.mistakes()
    if mistakes:
        parts.append(
            "<h2>The commonest mistakes</h2>"
            + _table(
                ("Learners", "Exercise", "Mistake", "What learners see"),
                [(str(many), name, mistake, hint) for name, mistake, many, hint in mistakes[:20]],
            )
        )
    parts += ["<h2>Learners</h2>", _grid(room, names)]
    rows = "".join(
        f"<tr><td>{_link(learner)}</td><td>{'<br>'.join(map(_text, learner.look))}</td></tr>"
        for learner in room.learners
        if learner.look
    )
    if rows:
        parts.append(
            '<h2>A person should look</h2><p class="soft">None of this proves anything, '
            f"and none of it has changed a verdict.</p><table>{rows}</table>"
        )
    problems = [
        f"{learner.name}: {problem}" for learner in room.learners for problem in learner.problems
    ]
    known = [*room.notes, *notes, *problems]
    if known:
        parts.append(
            "<h2>To know</h2><ul>" + "".join(f"<li>{_text(note)}</li>" for note in known) + "</ul>"
        )
    parts.append(
        f"<h2>How it was judged</h2><p>Cases of the seed {room.exercises.seed}: "
        "<code>--seed</code> with it gives them again. Values were compared outside of "
        "the submissions' processes; what a verdict owes to a submission's own word "
        "stands on the learner's page. "
        + (
            f"<b>Beware: {_text(MISSING[room.walls])}.</b>"
            if room.walls in MISSING
            else "Each notebook ran with an own system of files, without network."
        )
        + "</p>"
    )
    return _page("The class", parts)


def _exercise(name: str, each: Graded) -> str:
    verdict = each.verdict
    kind = "passed" if verdict.passed else "grey" if verdict.stage in _GREY else ""
    parts = [
        f'<section class="{kind}"><h3>{_text(name)}: {_text(verdict.stage)}</h3>',
        f"<p>{_prose(verdict.message)}</p>",
    ]
    if verdict.symptom:
        parts.append(f"<p>{_prose(verdict.symptom)}</p>")
    parts += [
        f"<p><small>{step}</small><br>{_prose(hint)}</p>"
        for step, hint in zip(STEPS, verdict.hints)
    ]
    if verdict.detail:
        parts.append(f"<pre>{_text(verdict.detail)}</pre>")
    if each.told and verdict.passed:
        parts.append(
            "<p><small>The grader compared the values. The process that made them told "
            f"it {_text(' and '.join(each.told))}.</small></p>"
        )
    if each.differs:
        parts.append(f'<p class="{"bad" * each.forged}">{_text(each.differs)}</p>')
    return "\n".join([*parts, "</section>"])


def _grid(room: Room, names: list[str]) -> str:
    head = "<th>Learner</th><th>Passed</th>" + "".join(
        f'<th class="up">{room.exercises.names[name]:02} {_text(name)}</th>' for name in names
    )
    rows = []
    for learner in room.learners:
        cells = [f"<td>{_link(learner)}</td>", f'<td class="n">{learner.passed}</td>']
        for name in names:
            each = learner.graded.get(name)
            stage = each.verdict.stage if each else NOT_HANDED_IN
            forged = each is not None and each.forged
            cells.append(
                f'<td class="{"bad" * forged}" title="{_text(stage)}">'
                f"{_MARKS.get(stage, '✗')}{'!' * forged}</td>"
            )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="wide"><table class="grid"><tr>{head}</tr>{"".join(rows)}</table></div>'
        '<p class="soft">✓ passed, ✗ not yet, – not attempted or not handed in, '
        "? not judged here, ! the notebook shows “passed” all the same.</p>"
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    body = "".join(
        "<tr>" + "".join(f"<td>{_prose(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    titles = "".join(f"<th>{title}</th>" for title in head)
    return f'<div class="wide"><table><tr>{titles}</tr>{body}</table></div>'


def _count(room: Room, name: str, *which: str) -> int:
    return sum(
        name not in each.graded
        and NOT_HANDED_IN in which
        or name in each.graded
        and each.graded[name].verdict.stage in which
        for each in room.learners
    )


def _link(learner: Learner) -> str:
    return f'<a href="learners/{file_name(learner)}">{_text(learner.name)}</a>'


def _text(text: str) -> str:
    return escape(clean(text))


def _results(room: Room) -> dict:
    """Return the results for other programs."""
    learners = [
        {
            "name": one.name,
            "key": one.submission.key,
            "passed": one.passed,
            "entered": one.entered,
            "look": one.look,
            "problems": one.problems,
            "exercises": {
                name: {
                    "stage": each.verdict.stage,
                    "misconception": each.verdict.misconception,
                    "stored": each.stored,
                    "told": list(each.told),
                }
                for name, each in one.graded.items()
            },
        }
        for one in room.learners
    ]
    return {
        "seed": room.exercises.seed,
        "same_cases": room.known,
        "walls": room.walls,
        "learners": learners,
    }


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", _text(text)).replace("\n", "<br>")


def _page(title: str, parts: Iterable[str]) -> str:
    # Nothing runs and nothing is loaded, whatever a name or a message holds.
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head>"
        f"<body>\n{chr(10).join(parts)}\n</body></html>\n"
    )
