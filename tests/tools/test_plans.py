"""Plans are made from the notebooks, and are up to date."""

from pathlib import Path

from convladder.journal.course_index import chapters
from tools.plans import page

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_notebooks_give():
    assert (ROOT / "classroom" / "plans.md").read_text(encoding="utf-8") == page(chapters(ROOT)), (
        "python -m tools.plans > classroom/plans.md"
    )
