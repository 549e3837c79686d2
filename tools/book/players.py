"""Pictures with controls in the book: frames drawn beforehand, and a few lines of script.

The picture that the notebook stores stands on the page as any other. The hidden element after it
is read by `static/book.js`, which puts the controls above the picture. Frames are drawn where
their notebook runs, since some pictures need its values: one for each state of the controls if
there are at most `MOST`, else one for each value of each control, the others at their first value.
"""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable, Iterable
from hashlib import sha256
from html import escape
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode
from nbformat.v4 import new_output

from ..notebooks.code import explores

if TYPE_CHECKING:
    from convladder.teach.explore import Explorer

DATA = "player.json"  # beside the frames of a player: its controls, and a line for each frame


def add_players(nb: NotebookNode, frames: Path, address: str) -> tuple[int, int]:
    """Add to each picture that `explore` left what moves it; returns (players, pictures).

    frames: the folder of this notebook's players, "1", "2" ...; address: that of the same folder as
    the page will know it. A picture without frames, or whose first frame is not of the stored
    picture, gets a sentence instead.
    """
    cells = [cell for cell in nb.cells if explores(cell)]
    players = 0
    for number, cell in enumerate(cells, 1):
        folder = frames / str(number)
        data = _data(folder)
        if data and first_alt(data) == stored_alt(cell):
            html = _player(data, f"{address}/{number}/")
            players += 1
        else:
            html = _sentence(cell)
        cell.outputs.append(new_output("display_data", {"text/html": html}))
    return players, len(cells)


def stored_alt(cell: NotebookNode) -> str | None:
    """Return the alt text of the last picture that a cell shows, None where it shows none."""
    alts = [
        output.metadata["image/png"]["alt"]
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    return alts[-1] if alts else None


def first_alt(data: dict) -> str | None:
    """Return the alt text of a player's first frame."""
    first = ",".join(str(control["first"]) for control in data["controls"])
    return data["frames"][first].get("alt")


def _data(folder: Path) -> dict | None:
    path = folder / DATA
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def _player(data: dict, address: str) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return (
        f'<div class="player" data-frames="{escape(address)}">'
        f'<script type="application/json">{text}</script></div>'
    )


def _sentence(cell: NotebookNode) -> str:
    names = [
        f"<code>{escape(each.arg)}</code>"
        for each in explores(cell).keywords
        if each.arg not in (None, "units")
    ]  # that one names what controls are counted in
    listed = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
    return f'<p class="no-player">In JupyterLab this picture has controls: {listed}.</p>'


ROOT = Path(__file__).resolve().parents[2]  # holds tools/
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
    from ..notebooks.execute import execute
    from ..notebooks.notebook import NotebookError, find, read

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
        f"import os, sys\nos.environ['CONVLADDER_QUICK'] = '1'\nsys.path.insert(0, {str(ROOT)!r})\n"
        f"from tools.book.players import record\nrecord({str(folder)!r})"
    )
    nb.cells = [new_code_cell(source), *nb.cells[1 : last + 1]]
    return nb


def record(folder: str) -> None:
    """Let each cell of this kernel that ends in `explore` write its frames to `folder`/1, /2 and so
    on; other explorers, such as a game, are passed over.
    """
    from IPython import get_ipython
    from nbformat.v4 import new_code_cell

    from convladder.teach.explore import Explorer

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
    from convladder.teach.plots.style import Picture

    small = Picture(picture.figure, picture.alt, COLOURS)
    name = sha256(small.png).hexdigest()[:12] + ".png"
    (folder / name).write_bytes(small.png)
    return {"file": name, "width": small.width, "alt": picture.alt}
