"""Links lead somewhere on GitHub, in JupyterLab and in the book; those to the glossary define."""

from pathlib import Path

import pytest

from tools.notebooks.links import (
    GLOSSARY,
    HEADING,
    link_findings,
    slug,
    with_anchors,
    write_terms,
)
from tools.notebooks.notebook import NotebookError, read, source_ids, write

from .conftest import notebook

ROOT = Path(__file__).parents[3]
TERMS = """# Glossary

What the terms mean.

## Amdahl's law
A "law", with `code` and *stress*
on two lines.

## 2:4, of a kind
Two.
"""


def test_the_glossary_has_an_anchor_for_each_term():
    headings = HEADING.findall((ROOT / GLOSSARY).read_text(encoding="utf-8"))
    terms = [(anchor, slug(name)) for marks, anchor, name in headings if marks == "##"]
    assert len(terms) > 100 and all(anchor == own for anchor, own in terms)


@pytest.mark.parametrize(
    "source, words",
    {
        "[a](none.ipynb)": "links to none.ipynb, which is not there",
        "[a](glossary.md#24-of-a-kind)": "says '', not the definition",
        '[a](glossary.md#24-of-a-kind "Three.")': "says 'Three.', not the definition",
        "[a](glossary.md#Amdahl's-law)": "there is no such anchor",
    }.items(),
)
def test_a_link_that_does_not_hold_is_told(checkout, source, words):
    (checkout / GLOSSARY).write_text(with_anchors(TERMS))
    ((what, _),) = link_findings(source, checkout / "course" / "01_a.ipynb")
    assert words in what


def test_terms_are_written_everywhere_and_labs_keep_their_ids(checkout):
    (checkout / GLOSSARY).write_text(TERMS)
    for folder in ("course", "solutions", "labs"):
        write(
            notebook("# 01 · A", "# [two](../course/glossary.md#24-of-a-kind)", "x"),
            checkout / folder / "01_a.ipynb",
        )
    assert len(write_terms(checkout)) == 4
    solution, lab = (read(checkout / folder / "01_a.ipynb") for folder in ("solutions", "labs"))
    assert '#24-of-a-kind "Two.")' in lab.cells[1].source
    assert [cell.id for cell in lab.cells] == source_ids(solution)
    assert not write_terms(checkout)
    write(notebook("# 01 · A"), checkout / "labs" / "01_a.ipynb")
    with pytest.raises(NotebookError, match="labs/01_a.ipynb .* notebooks labs 01`"):
        write_terms(checkout)
