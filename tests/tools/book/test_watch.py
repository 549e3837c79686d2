"""The page with all replays: each once, below the words on it."""

from pathlib import Path

import pytest
from nbformat.v4 import new_output

from convladder.replay import Replay, Scene
from tools.book.stage import DEEPER, notebooks
from tools.book.watch import PAGE, watch_page

from ..notebooks.conftest import notebook

ROOT = Path(__file__).parents[3]


def stored(*titles: str):
    def output(title: str):
        scene = Scene(title)
        scene.array("x", 1, 1)
        scene.step("reads", read=[(0, 0)])
        return new_output("display_data", {"text/html": Replay(scene, alt=title).html})

    return notebook("# 01 · A", *((f"play({title!r})", [output(title)]) for title in titles))


@pytest.mark.parametrize("count, said", [(0, "names a replay more"), (2, "leaves out replays of")])
def test_a_replay_too_many_or_too_few_is_refused(count, said):
    with pytest.raises(ValueError, match=said):
        watch_page("- [A](../course/01_a.ipynb): one.", {"course/01_a": stored(*"ab"[:count])})


def test_the_page_has_every_replay_of_the_course():
    pages = {page.name: page.nb for page in notebooks(ROOT) if page.folder in ("course", DEEPER)}
    page = watch_page((ROOT / PAGE).read_text(encoding="utf-8"), pages)
    assert page.count("convladderReplay(poster") >= 18
