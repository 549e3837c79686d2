"""What is staged is the notebooks, fitted to a book: links, order, alt texts, players."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from nbformat.v4 import new_output

from convladder.teach import versus
from tools.book.players import DATA, MOST, explores, states
from tools.book.stage import UNANSWERED, mathml, stage
from tools.notebooks.notebook import read, write

from ..notebooks.conftest import notebook, picture

PLAYER = {
    "controls": [
        {"name": "size", "kind": "choice", "values": ["1", "2"], "first": 0},
        {"name": "grey", "kind": "tick", "values": ["False", "True"], "first": 0},
    ],
    "frames": {
        "0,0": {"file": "a.png", "width": 10, "alt": "dot"},
        "0,1": {"why": "no </script> for it"},
    },
}


def staged(checkout: Path, frames: Path | None = None) -> Path:
    folder = checkout / "build" / "source"
    stage(checkout, folder, frames or checkout / "none")
    return folder


def text(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


def test_links_lead_to_pages_of_the_book(checkout):
    folder = staged(checkout)
    source = read(folder / "course/01_a.ipynb").cells[1].source
    assert "[lab](../labs/01_a.ipynb), [Lab 01 · Do A](../labs/01_a.ipynb)" in source
    assert '[out](https://x.org),\n[term](glossary.md#24-of-a-kind "Two.")' in source
    assert "[kernel](../src/k.cu.md), all kernels, $a_b$" in source
    assert text(folder, "src/k.cu.md").endswith(
        "# `k.cu`\n\n`````cuda\n__global__ void k() {}\n`````\n"
    )
    assert text(folder, "docs/results.md") == "# Results\nall\n"
    assert "## 2:4, of a kind" in text(folder, "course/glossary.md")


def test_nobody_is_told_that_they_made_no_prediction(checkout):
    said = versus(..., 3.5, "ms")._repr_html_()
    assert UNANSWERED in said
    nb = notebook("# 02 · B", ("versus()", [new_output("display_data", {"text/html": said})]))
    write(nb, checkout / "course" / "02_b.ipynb")
    shown = read(staged(checkout) / "course" / "02_b.ipynb").cells[1].outputs[0].data["text/html"]
    assert shown == said.replace(UNANSWERED, "") and "3.5 ms" in shown


def test_a_chapter_is_followed_by_its_lab_and_that_by_its_solution(checkout):
    folder = staged(checkout)
    contents = read(folder / "course" / "01_a.ipynb").cells[-1].source
    assert "\nLab </labs/01_a>\nSolution </solutions/01_a>\n" in contents
    assert read(folder / "solutions/01_a.ipynb").cells[0].source == "# Solution of lab 01 · Do A"


def test_the_front_page_lists_what_is_in_the_folders(checkout):
    front = text(staged(checkout), "index.md")
    assert "| [01 · A: what it says](course/01_a.ipynb) |  | [Do A](labs/01_a.ipynb) |" in front
    assert "\n01 · A <course/01_a>\n" in front and "\ncourse/glossary\n" in front
    assert "{" not in front.replace("```{toctree}", "")


def test_each_picture_keeps_its_own_alt_text(checkout):
    folder = staged(checkout)
    assert json.loads(text(folder, "pictures.json"))["course/01_a"] == ["first", "second", "dot"]


def test_a_picture_with_controls_gets_a_sentence_or_its_player(checkout):
    def added() -> str:
        cell = read(staged(checkout, checkout / "frames") / "course/01_a.ipynb").cells[3]
        assert [*cell.outputs[0].data] == ["image/png", "text/plain"]
        return cell.outputs[1].data["text/html"]

    assert added() == (
        '<p class="no-player">In JupyterLab this picture has controls: '
        "<code>size</code> and <code>grey</code>.</p>"
    )
    place = checkout / "frames" / "01_a" / "1" / DATA
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(PLAYER))
    assert added().startswith('<div class="player" data-frames="../frames/01_a/1/"><script type')
    assert added().count("</script>") == 1
    stale = json.loads(json.dumps(PLAYER).replace("dot", "another picture"))
    place.write_text(json.dumps(stale))
    assert "no-player" in added()


def test_what_answers_a_prediction_is_folded_and_a_map_leads_to_pages(checkout):
    links = "[a](../labs/01_a.ipynb), [b](https://x.org/b.ipynb)"
    chapter = notebook(
        "# 01 · A",
        "prediction = ...",
        ("versus(prediction, 3)", [picture()]),
        "# 2 · B",
        ("progress()", [new_output("display_data", {"text/markdown": links, "text/plain": "a"})]),
    )
    write(chapter, checkout / "course" / "01_a.ipynb")
    _, ask, answer, _, shown, *_ = read(staged(checkout) / "course/01_a.ipynb").cells
    assert answer.metadata.tags == ["hide-output"] and not ask.metadata and not shown.metadata
    led = links.replace("labs/01_a.ipynb", "labs/01_a.html")
    assert shown.outputs[0].data["text/markdown"] == led


@pytest.mark.parametrize(
    "source, found",
    [
        ("x = 1\nexplore(f, a=[1]);", True),
        ("explore(f)\nx", False),
        ("y = explore(f)", False),
        ("%%bash\nls", False),
    ],
)
def test_a_cell_that_ends_in_explore_is_seen(source, found):
    assert bool(explores(notebook(source).cells[0])) == found


def test_what_stands_below_a_brace_is_drawn_there():
    pytest.importorskip("docutils", reason="no extra `book` here")
    formula = ElementTree.fromstring(mathml(r"\underbrace{x_a}_{k\text{ values}} \cdot w"))
    brace, times, factor = formula
    assert brace.tag.endswith("}munder") and "".join(brace[1].itertext()).strip().startswith("k")
    assert brace[0][0].find("{*}msub") is not None or brace[0][0].tag.endswith("}msub")


def test_many_controls_move_one_at_a_time():
    assert len(set(states([8, 16], [0, 0]))) == MOST
    some = states([43, 3], [0, 1])
    assert len(some) == 43 + 3 - 1 == len(set(some))
    assert all(a == 0 or b == 1 for a, b in some) and (0, 1) in some
