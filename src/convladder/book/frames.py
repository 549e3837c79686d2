"""The frames of the book's players, drawn where their notebook runs: some pictures need its values.

A player has a frame for each state of its controls if these are at most `MOST`; else one for each
value of each control, the others at their first value.
"""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable, Iterable
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .players import DATA, explores

if TYPE_CHECKING:
    from ..teach.explore import Explorer

MOST = 128  # frames of a player
COLOURS = 64  # of a frame: a third of the bytes, and no difference to be seen
TIMEOUT = 1800  # seconds, for all frames of one player on a busy machine


def draw_frames(
    root: Path,
    folder: Path,
    number: str | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> int:
    """Run the chapters that have pictures with controls and draw the frames into `folder`.

    number: of one chapter, "03"; all if None. Measurements in them are cut short: no frame shows a
    time. Returns how many players were drawn. Raises NotebookError where a cell or a frame fails.
    """
    from ..authoring import NotebookError, execute, find
    from ..authoring.notebook import read

    players = 0
    for path in find(root, "course", number):
        nb = read(path)
        moving = [place for place, cell in enumerate(nb.cells) if explores(cell)]
        if not moving:
            continue
        into = folder.resolve() / path.stem
        shutil.rmtree(into, ignore_errors=True)
        execute(_with_first_cell(nb, moving[-1], into), path, timeout=TIMEOUT)
        drawn = sum(1 for each in into.glob(f"*/{DATA}"))
        if drawn != len(moving):
            said = "; ".join(
                output.data["text/plain"]
                for cell in nb.cells
                for output in cell.get("outputs", [])
                if "text/plain" in output.get("data", {})
            )
            raise NotebookError(
                f"course/{path.name}: {drawn} of {len(moving)} players were drawn "
                f"({said}); run the chapter, and mend the picture that fails"
            )
        players += drawn
        files = sum(1 for _ in into.rglob("*.png"))
        say(f"course/{path.stem}: {drawn} players, {files} frames")
    return players


def _with_first_cell(nb: Any, last: int, folder: Path) -> Any:
    """Return the notebook up to cell `last`, its title replaced by what lets explorers write."""
    from nbformat.v4 import new_code_cell

    source = (
        "import os\nos.environ['CONVLADDER_QUICK'] = '1'\n"
        f"from convladder.book.frames import record\nrecord({str(folder)!r})"
    )
    nb.cells = [new_code_cell(source), *nb.cells[1 : last + 1]]
    return nb


def record(folder: str) -> None:
    """Let each cell of this kernel that ends in `explore` write its frames to `folder`/1, /2 and so
    on; other explorers, such as a game, are passed over.
    """
    from IPython import get_ipython
    from nbformat.v4 import new_code_cell

    from ..teach.explore import Explorer

    numbers, shell = itertools.count(1), get_ipython()

    def shown(explorer: Explorer) -> tuple[dict, dict]:
        if not explores(new_code_cell(shell.user_ns["In"][-1])):
            return {}, {}
        return {"text/plain": outcome(explorer, Path(folder) / str(next(numbers)))}, {}

    shell.display_formatter.mimebundle_formatter.for_type(Explorer, shown)


def outcome(explorer: Explorer, folder: Path) -> str:
    """Write an explorer's frames to `folder`, and return how many there are, or what failed."""
    try:
        return f"{write(explorer, folder)} frames"
    except Exception as error:  # IPython would swallow its text
        return f"{type(error).__name__}: {error}"


def write(explorer: Explorer, folder: Path) -> int:
    """Draw an explorer's frames into `folder`, with `player.json`; returns how many states."""
    folder.mkdir(parents=True, exist_ok=True)
    controls = [_control(widget.description, widget) for widget in explorer.controls.values()]
    values = [choices(widget) for widget in explorer.controls.values()]
    firsts = [control["first"] for control in controls]
    frames = {}
    for state in states([len(each) for each in values], firsts):
        picture, why = explorer.attempt(
            tuple(each[place] for each, place in zip(values, state, strict=True))
        )
        key = ",".join(map(str, state))
        frames[key] = _frame(picture, folder) if picture else {"why": why}
    data = {"controls": controls, "frames": frames}
    (folder / DATA).write_text(json.dumps(data, ensure_ascii=False, indent=0), encoding="utf-8")
    return len(frames)


def states(sizes: list[int], firsts: list[int]) -> Iterable[tuple[int, ...]]:
    """Return the states to draw, as places in the controls' values: all, or one control's at a
    time.
    """
    if prod(sizes) <= MOST:
        return list(itertools.product(*map(range, sizes)))
    alone = [
        (*firsts[:control], place, *firsts[control + 1 :])
        for control, size in enumerate(sizes)
        for place in range(size)
    ]
    return list(dict.fromkeys(alone))


def choices(widget: Any) -> list:
    """Return the values that a control can have, in its order."""
    if hasattr(widget, "options"):
        return [value for _, value in widget.options]
    if hasattr(widget, "step"):
        return list(range(widget.min, widget.max + 1, widget.step))
    return [False, True]


def _control(name: str, widget: Any) -> dict:
    values = choices(widget)
    kind = (
        "choice" if hasattr(widget, "options") else "slider" if hasattr(widget, "step") else "tick"
    )
    return {
        "name": name,
        "kind": kind,
        "values": [str(value) for value in values],
        "first": values.index(widget.value),
    }


def _frame(picture: Any, folder: Path) -> dict:
    """Write a picture under a name that follows from its content, so that equal ones are one."""
    from ..teach.plots.style import Picture

    small = Picture(picture.figure, picture.alt, COLOURS)
    name = sha256(small.png).hexdigest()[:12] + ".png"
    (folder / name).write_bytes(small.png)
    return {"file": name, "width": small.width, "alt": picture.alt}
