"""Pictures with controls, as the book has them: frames drawn beforehand, and a few lines of script.

The picture that the notebook stores stands on the page as any other. What follows it here, hidden,
is read by `static/book.js`, which puts the controls above the picture.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_output

from ..notebooks.code import explores

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
