"""classroom/guide: a page for each chapter, whose minutes, predictions and mistakes are there."""

import re
from functools import cache
from pathlib import Path

import pytest

from convladder.exercises import load_exercise
from convladder.journal.course_index import CourseNotebook, noted_predictions
from tools.notebooks.guide import stored_values, with_values
from tools.notebooks.reading_time import OPENING

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "classroom" / "guide"
CHAPTERS = sorted((ROOT / "course").glob("*.ipynb"))
SAID = ["Answer", "Why", "Wrong guesses", "Vote"]  # of each prediction

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.name[:2])


@cache
def page(chapter: Path) -> str:
    return (GUIDE / f"{chapter.stem}.md").read_text(encoding="utf-8")


def part(chapter: Path, name: str) -> str:
    return page(chapter).split(f"## {name}\n")[1].split("\n## ")[0]


@cache
def headings(path: Path) -> list[str]:
    """Return the sections of a notebook, from its sources alone."""
    cells = CourseNotebook(path).cells
    text = "\n".join(source for kind, source in cells if kind == "markdown")
    return re.findall(r"(?m)^## +(.+)$", text)


def solution(chapter: Path) -> CourseNotebook | None:
    path = ROOT / "solutions" / chapter.name
    return CourseNotebook(path) if path.exists() else None


def test_each_chapter_has_its_page_and_no_other():
    assert sorted(path.stem for path in GUIDE.glob("[0-9]*.md")) == [p.stem for p in CHAPTERS]
    assert len(CHAPTERS) > 15


@each_chapter
def test_minutes_of_the_plan_are_those_of_the_boxes(chapter):
    lab = solution(chapter)
    boxes = [CourseNotebook(chapter).minutes] + ([lab.minutes] if lab else [])
    plan = part(chapter, "Time plan")
    tables = re.findall(r"(?m)^The (?:chapter|lab), (\d+) minutes:\n\n((?:\|.*\n?)+)", plan)
    assert [int(said) for said, _ in tables] == boxes
    for (_, table), box in zip(tables, boxes):
        minute = 0
        for begins, minutes in re.findall(r"^\| (\d+) \| (\d+) \|", table, re.MULTILINE):
            assert int(begins) == minute
            minute += int(minutes)
        assert minute == box


@each_chapter
def test_sections_and_exercises_that_a_page_names_are_there(chapter):
    lab = solution(chapter)
    there = {*headings(chapter), *(headings(lab.path) if lab else ())}
    named = [" ".join(name.split()) for name in re.findall(r"“([^”]+)”", page(chapter))]
    assert len(named) > 3
    assert [name for name in named if name not in there] == []
    rows = re.findall(r"^\| \d+ \| \d+ \| `(\w+)` \|", page(chapter), re.MULTILINE)
    assert [name for name in rows if name not in (lab.exercises if lab else ())] == []
    assert not lab or set(rows) == set(lab.exercises)


@each_chapter
def test_predictions_that_a_page_names_stand_in_the_chapter(chapter):
    room = part(chapter, "Predictions to ask the room") + "\n"
    asked = re.findall(r"(?m)^### (.+)\n\nIn “([^”]+)”\.\n\n((?:- .+\n(?:  .+\n)*)+)", room)
    assert len(asked) == room.count("###") >= 1
    assert len(asked) >= min(3, CourseNotebook(chapter).predictions)
    there = {
        (name, comment)
        for name, sources in under_headings(chapter).items()
        for source in sources
        for comment in noted_predictions(source).values()
    }
    for comment, section, told in asked:
        assert (section, comment) in there
        assert re.findall(r"^- \*(.+?)\.\*", told, re.MULTILINE) == SAID


@each_chapter
def test_bold_answers_are_those_that_the_chapter_stores(chapter):
    assert with_values(page(chapter), chapter) == page(chapter)


@each_chapter
def test_answers_that_are_the_same_on_any_machine_are_bold(chapter):
    for question, value, compared in stored_values(chapter):
        told = page(chapter).partition(f"### {question}\n")[2]
        assert not (compared and told) or f"- *Answer.* **{value}**" in told.split("\n### ")[0]


def test_another_stored_value_changes_the_page():
    chapter = CHAPTERS[-1]
    (question, value, _), *_ = stored_values(chapter)
    old = f"### {question}\n\nIn “There”.\n\n- *Answer.* **2 times**, some say 2.\n"
    assert with_values(old, chapter) == old.replace("2 times", value)
    with pytest.raises(KeyError, match="nothing"):
        with_values(old.replace(question, "nothing"), chapter)


@cache
def under_headings(chapter: Path) -> dict[str, list[str]]:
    """Return the sources of the code cells under each heading."""
    found, name = {OPENING: []}, OPENING
    for kind, source in CourseNotebook(chapter).cells:
        if kind == "code":
            found[name].append(source)
        else:
            name = (re.findall(r"^## +(.+)$", source, re.MULTILINE) or [name])[-1]
            found.setdefault(name, [])
    return found


@each_chapter
def test_the_three_mistakes_are_of_the_lab_s_exercises(chapter):
    exercises = (solution(chapter) or CourseNotebook(chapter)).exercises
    mistakes = part(chapter, "Three mistakes to expect")
    named = re.findall(r"(?m)^- \*\*(.+?)\*\* \(`(\w+)`\)", mistakes)
    assert len(named) == (3 if exercises else 0)
    for mistake, exercise in named:
        assert exercise in exercises
        assert mistake in [each.name for each in load_exercise(exercise).misconceptions]


@each_chapter
def test_minutes_that_are_left_are_those_of_the_box(chapter):
    head = "\n".join(
        source for kind, source in CourseNotebook(chapter).cells[:4] if kind == "markdown"
    )
    left = re.compile(r"leaves?\s+(?:out\s+)?(\d+)\s+minutes")
    assert left.findall(part(chapter, "What to cut when late")) == left.findall(head)


def test_the_list_of_pages_has_every_chapter_s_minutes():
    pages = (GUIDE / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| \[(\d\d) [^]]+\]\((\S+)\.md\) \| (\d+) \| (\d*) ?\|", pages)
    assert rows == [
        (
            chapter.name[:2],
            chapter.stem,
            str(CourseNotebook(chapter).minutes),
            str(solution(chapter).minutes) if solution(chapter) else "",
        )
        for chapter in CHAPTERS
    ]
