"""A deck is whole by itself, says what it cannot do, and every section has its sentence."""

import hashlib
import json
import re
import sys
from pathlib import Path

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook, new_output

from tools.notebooks.notebook import write
from tools.book.check import Page
from convladder.classroom.slides import SlidesError, build, deck, markup, sections, sentences
from convladder.classroom.slides.guide import guide
from convladder.classroom.slides.texts import MOST_WORDS, unmatched
from convladder.cli import main

from ...tools.notebooks.conftest import notebook, picture

ROOT = Path(__file__).parents[3]
CHAPTERS = sorted(path.name[:2] for path in (ROOT / "course").glob("*.ipynb"))
SUMS = {
    "reveal.js": "46538b52db48724192f59bf46f5e851a18e302777c46f4a34c32709d010d6a29",
    "reveal.css": "68f915a11ebf7203c0446576b7e952ff61c5dd02134a8a226ffaf62ed42136d2",
    "notes.js": "df1201d19d03241a2897d39c3d38768177df1cbd4bde06327b321cb83461ae89",
    "LICENSE": "34014800f4126ac2525e224166f099f26628612e95c41f76d70841b63138c989",
}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch) -> Path:
    """A chapter with what could break out of a page; its sentences."""
    evil = "<script>alert(1)</script></section><img src=https://x.org/a.png>"
    nb = notebook(
        f"# 01 · A<b>: {evil}\n\nText {evil} [out](https://x.org).\n\n## S & <i>\n\nSo.",
        (f"print('{evil}')\nx = 1\ny = 2", [new_output("stream", name="stdout", text=evil + "\n")]),
        ("draw()", [picture()]),
    )
    write(nb, tmp_path / "course" / "01_a.ipynb")
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "01.toml").write_text('"S & <i>" = "It is <b>so</b>."\n')
    monkeypatch.setattr(deck, "sentences", lambda number: sentences(number, texts))
    return tmp_path


def test_a_deck_fetches_nothing_from_elsewhere_and_escapes_what_it_shows(checkout):
    (made,) = build(checkout, checkout / "out", ["1"])
    page = Page(made.page)
    text = made.page.read_text(encoding="utf-8")
    assert made.slides == 4 and made.size == made.page.stat().st_size
    assert page.links == [] and page.pictures == ["dot"]
    for address in page.fetched:
        assert address.startswith("data:") or (made.page.parent / address).is_file(), address
    assert "&lt;/script&gt;" in text and "<script>alert" not in text and "x.org/a.png>" not in text
    assert text.count("<section") == text.count("</section>") == 6


def test_the_list_names_all_decks_and_dark_is_dark(checkout):
    write(notebook("# 02 · B", ("draw()", [picture()])), checkout / "course" / "02_b.ipynb")
    (checkout / "texts" / "02.toml").write_text("")
    out = checkout / "out"
    build(checkout, out, ["02"], dark=True)
    build(checkout, out, ["01"])
    index = (out / "index.html").read_text(encoding="utf-8")
    assert index.index("01_a.html") < index.index("02_b.html")
    assert '<html lang="en" class="dark">' in (out / "02_b.html").read_text(encoding="utf-8")
    assert (out / "shared" / "reveal" / "notes.js").is_file()


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda root: None, "holds no chapter 77"),
        (
            lambda root: write(notebook("# 77 · C", "x = 1"), root / "course/77_c.ipynb"),
            "stores no outputs, and slides show them: run it first, with `convladder notebooks run 77`",
        ),
        (
            lambda root: write(
                notebook("# 77 · C", ("x", [picture()])), root / "course/77_c.ipynb"
            ),
            "chapter 77 has no sentences: write",
        ),
    ],
)
def test_a_chapter_that_cannot_be_shown_is_one_sentence(checkout, change, words):
    change(checkout)
    with pytest.raises(SlidesError, match=re.escape(words)):
        build(checkout, checkout / "out", ["01", "77"])
    assert not (checkout / "out").exists()


@pytest.mark.parametrize(
    "text, words",
    [
        ('"Other" = "S."', "no sentence for the section 'S & <i>', and 1 more"),
        ('"S & <i>" = 3', "'S & <i>' has no sentence"),
        ("S = ", "is not TOML"),
    ],
)
def test_sentences_that_do_not_fit_are_told(checkout, text, words):
    (checkout / "texts" / "01.toml").write_text(text)
    with pytest.raises(SlidesError, match=re.escape(words)):
        build(checkout, checkout / "out", ["01"])


def test_a_package_that_lacks_is_named_with_the_command_that_brings_it(checkout, monkeypatch):
    markup._markdown.cache_clear()
    monkeypatch.setitem(sys.modules, "docutils.utils", None)
    with pytest.raises(SlidesError, match=r"docutils is not installed: .*pip install .*slides"):
        build(checkout, checkout / "out", ["01"])


def test_a_folder_that_cannot_be_written_is_told(checkout):
    (checkout / "out").write_text("a file")
    with pytest.raises(SlidesError, match=r"out.*: .+; --out FOLDER names another place"):
        build(checkout, checkout / "out", ["01"])


def test_the_command_says_where_the_deck_is(capsys, tmp_path):
    """Of a real chapter: half a second."""
    assert main(["slides", "03", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    page = tmp_path / "03_mec.html"
    assert "03_mec.html" in said and page.as_uri() in said and "S opens" in said
    assert page.stat().st_size < 1_500_000
    notes = page.read_text(encoding="utf-8").count('<aside class="notes">')
    assert notes > 30 and not [line for line in said.splitlines() if "Warning" in line]
    assert main(["slides", "77"]) == 2
    assert "holds no chapter 77" in capsys.readouterr().err


@pytest.mark.parametrize("number", CHAPTERS)
def test_each_section_has_its_sentence_and_each_sentence_its_section(number):
    (path,) = (ROOT / "course").glob(f"{number}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    prose = new_notebook(
        cells=[
            new_markdown_cell("".join(cell["source"]), metadata=cell["metadata"])
            for cell in cells
            if cell["cell_type"] == "markdown"
        ]
    )
    given = sentences(number)
    assert unmatched(sections(prose), given) == [] and len(given) > 3
    for sentence in given.values():
        assert len(sentence.split()) <= MOST_WORDS and sentence[-1] in ".?", sentence


def test_what_came_from_elsewhere_is_as_it_came():
    folder = deck.STATIC / "reveal"
    assert {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.name in SUMS
    } == SUMS


def test_the_guide_is_read_where_it_is(tmp_path):
    assert guide(tmp_path, "01_a").minutes == {}
    path = tmp_path / "classroom" / "guide" / "01_a.md"
    path.parent.mkdir(parents=True)
    path.write_text(
        "| from | minutes | section | what happens |\n|--:|--:|---|---|\n"
        "| 5 | 6 | “A” and “B” | slide it |\n\n## Predictions\n\n### bytes of `x`\n\n"
        "In “A”.\n\n- *Answer.* 3.\n- *Why.* It\n  is.\n- *Vote.* Twice.\n\n## More\n"
    )
    found = guide(tmp_path, "01_a")
    assert found.minutes == {title: "**Minute 5 to 11.** slide it" for title in "AB"}
    assert found.votes == {("A", "bytes of x"): ["*Why.* It is.", "*Vote.* Twice."]}
