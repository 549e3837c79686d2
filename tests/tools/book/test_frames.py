"""Frames are drawn where the notebook runs, for all states or for one control at a time."""

import json

import pytest

from tools.book.players import DATA, MOST, draw_frames, first_alt, states
from tools.notebooks.notebook import write

from ..notebooks.conftest import notebook

DRAW = """\
from convladder.teach import Picture, explore
from convladder.teach.plots.style import figure

def draw(size, mode, grid):
    if size == 2 and mode == "b":
        raise ValueError("two of b are too many")
    fig, ax = figure(1, 1)
    ax.plot([0, size + start])
    return Picture(fig, f"a line to {size + start}, {mode}")

explore(draw, size=(1, 3), mode=["a", "b"], grid=True)"""

GAME = "def game():\n    return explore(draw, size=(1, 99), mode=[1], grid=True)\n\ngame()"


def test_many_controls_move_one_at_a_time():
    assert len(set(states([8, 16], [0, 0]))) == MOST
    some = states([43, 3], [0, 1])
    assert len(some) == 43 + 3 - 1 == len(set(some))
    assert all(a == 0 or b == 1 for a, b in some) and (0, 1) in some


@pytest.mark.weekly
def test_frames_see_what_the_notebook_made(tmp_path):
    """Three seconds: a kernel, and Matplotlib in it."""
    cells = "start = 10", f"{DRAW}\nNone", GAME, DRAW, "1 / 0"
    write(notebook("# 01 · A", *cells), tmp_path / "course" / "01_a.ipynb")
    write(notebook("# 02 · B", "1 / 0"), tmp_path / "course" / "02_b.ipynb")
    lines = []
    assert draw_frames(tmp_path, tmp_path / "frames", say=lines.append) == 1
    assert lines == ["course/01_a: 1 players, 3 frames"]  # equal pictures are one file
    data = json.loads((tmp_path / "frames" / "01_a" / "1" / DATA).read_text())
    assert [(each["name"], each["kind"], each["first"]) for each in data["controls"]] == [
        ("size", "slider", 0),
        ("mode", "choice", 0),
        ("grid", "tick", 1),
    ]
    assert len(data["frames"]) == 12 and first_alt(data) == "a line to 11, a"
    assert data["frames"]["2,1,0"]["alt"] == "a line to 13, b"
    assert "two of b are too many" in data["frames"]["1,1,0"]["why"]
    assert data["frames"]["0,0,0"]["file"] == data["frames"]["0,1,1"]["file"]
