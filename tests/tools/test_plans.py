"""Plans are made from the notebooks, and are up to date."""

from pathlib import Path

from convladder.journal.course_index import chapters
from tools.plans import BREAK, LONGEST, PLANS, _rows, page

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_notebooks_give():
    assert (ROOT / "classroom" / "plans.md").read_text(encoding="utf-8") == page(chapters(ROOT)), (
        "python -m tools.plans > classroom/plans.md"
    )


def test_a_session_has_a_break_before_it_gets_long():
    by_number = {chapter.page.number: chapter for chapter in chapters(ROOT)}
    for _, sessions in PLANS.values():
        for session in sessions:
            since = 0
            for minutes, what in _rows(session.split(), by_number):
                since = 0 if what == "Break" else since + minutes
                assert minutes == BREAK if what == "Break" else since <= max(LONGEST, minutes)
