"""Slides from a notebook's stored outputs, with nothing from the network."""

import re
from pathlib import Path

import nbformat
import pytest

from convladder.classroom.slides import html, staged, with_mathml

ROOT = Path(__file__).parents[2]
CHAPTER = ROOT / "course" / "03_mec.ipynb"


def test_a_chapter_is_slides_that_fetch_nothing():
    pytest.importorskip("nbconvert")
    page = html(nbformat.read(CHAPTER, 4), CHAPTER.stem)
    assert re.findall(r'(?:src=|<link[^>]*href=)"(?:https?:)?//[^"]*', page) == []
    assert page.count("<section") > 20 and page.count('<aside class="notes">') > 10
    assert 'class="fragment"' in page and "<math" in page and "reveal/dist/reveal.js" in page


def test_each_section_begins_a_slide_and_its_prose_is_in_the_notes():
    cells = [
        nbformat.v4.new_markdown_cell("# A\n\nfirst\n\nsecond\n\n## B\n```\n# no heading\n```"),
        nbformat.v4.new_code_cell("x", outputs=[nbformat.v4.new_output("stream", text="1")]),
        nbformat.v4.new_code_cell("no output"),
    ]
    found = [(c.metadata.slideshow.slide_type, c.source) for c in staged(cells)]
    kinds = [kind for kind, _ in found]
    assert kinds == ["slide", "notes", "slide", "subslide"]
    assert found[0][1] == "# A\n\nfirst" and "second" in found[1][1]
    assert "no heading" in found[2][1]


def test_formulas_are_mathml_and_code_stays():
    made = with_mathml(r"a $x^2$ and `$y$` and $$\frac{1}{2}$$ costs \$5")
    assert made.count("<math") == 2 and "`$y$`" in made and r"\$5" in made
