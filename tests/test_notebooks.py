"""The committed notebooks keep every rule.

nbval, which `pytest` runs beside this file, executes them. What it cannot see is in
`tools.notebooks.rules`, whose own tests are in tests/tools/notebooks/.
"""

import json
import re
from pathlib import Path

import pytest

from convladder.journal.course_index import CourseNotebook
from tools.notebooks.notebook import find
from tools.notebooks.rules import check

ROOT = Path(__file__).parents[1]


def test_every_notebook_keeps_the_rules():
    findings = check(ROOT).findings
    assert not findings, "\n".join(map(str, findings))


def test_no_html_fixes_the_colour_of_its_text():
    """No one colour has a contrast of 4.5 on white and on black; text takes the page's."""
    shown = [
        "".join(output["data"]["text/html"])
        for folder in ("course", "course/deeper", "solutions", "labs")
        for path in find(ROOT, folder)
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    ]
    fixed = {
        match
        for html in shown
        for match in re.findall(r"(?<![\w-])color: ?(?!var\(|inherit)[#\w]+", html)
    }
    assert len(shown) > 400 and fixed == set()


@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_solution_is_stored_as_passed(path):
    """What runs and is stored may still be refused: a check raises nothing."""
    said = [
        line
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        if "check(" in "".join(cell["source"])
        for output in cell.get("outputs", ())
        for line in [*output.get("text", ()), *output.get("data", {}).get("text/plain", ())]
    ]
    names = CourseNotebook(path).exercises
    verdicts = [line.strip() for line in said if line.partition(": ")[0] in names]
    assert {*verdicts} >= {f"{name}: passed" for name in names}
    assert all(verdict.endswith(": passed") for verdict in verdicts)
