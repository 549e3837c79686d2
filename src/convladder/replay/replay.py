"""A replay as a notebook shows it: its story in words, and the player that takes their place."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from .trace import FORMAT, VERSION, ReplayError, Scene, check_trace, dumped, whole

HERE = Path(__file__).parent
PACE = 300  # milliseconds of a turn


class Replay:
    """One scene, or two side by side on one clock.

    alt: the story in a sentence or two, for those who do not see it, the same on any machine.
    opens_at: the turn to open on, a telling one. pace: milliseconds of a turn. Raises
    `ReplayError`, which says what is wrong with the scenes.
    """

    def __init__(self, *scenes: Scene, alt: str, opens_at: int = 0, pace: int = PACE) -> None:
        first, pace = whole(opens_at, "opens_at"), whole(pace, "pace")
        told = {"format": FORMAT, "version": VERSION, "alt": alt, "poster": first, "pace": pace}
        for scene in scenes:
            if not isinstance(scene, Scene):
                raise ReplayError(f"a replay is made of one or two of type Scene, not of {scene!r}")
        self.scenes = scenes
        self.trace: dict = told | {"scenes": [scene.as_json() for scene in scenes]}
        check_trace(self.trace)

    @classmethod
    def of(cls, trace: dict) -> Replay:
        """Return the replay of a trace that was kept. Raises `ReplayError` for what is none."""
        check_trace(trace)
        made = cls.__new__(cls)
        made.scenes, made.trace = (), trace
        return made

    def beside(self, other: Replay, alt: str, **more: Any) -> Replay:
        """Return both on one clock, and open where the first of them is done.

        more: as of a `Replay`. Raises `ReplayError` unless both were recorded, with a scene each.
        """
        for each in (self, other):
            if not isinstance(each, Replay) or len(each.scenes) != 1:
                raise ReplayError(
                    f"{each!r} can't stand beside another: record two replays of one scene each"
                )
        first = min(scene.turns for scene in (*self.scenes, *other.scenes))
        more = {"opens_at": first, "pace": self.trace["pace"]} | more
        return Replay(*self.scenes, *other.scenes, alt=alt, **more)

    @property
    def html(self) -> str:
        """Return the story and a script that puts the player in its place.

        JupyterLab drops the script of a notebook that it does not trust, and what stands before it
        stays. In the course that is a picture, taken when the notebook is saved (`tools.replays`).
        """
        trace = dumped(self.trace).replace("</", "<\\/")
        return (
            f"<p>{escape(self.trace['alt'])}</p><script>(() => {{ const poster = document"
            f".currentScript.previousElementSibling; {_player()} "
            f"convladderReplay(poster, {trace}); }})()</script>"
        )

    def __repr__(self) -> str:
        return f"Replay: {self.trace['alt']}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict:
        return {"text/html": self.html, "text/plain": repr(self)}


@cache
def _player() -> str:
    """Return the player in one line, without comments, its style within it."""
    script = (HERE / "player.js").read_text(encoding="utf-8")
    script = re.sub(r"(?m)^\s*//.*\n|^\s+|\s+//.*$", "", script).replace("\n", " ")
    style = " ".join((HERE / "player.css").read_text(encoding="utf-8").split())
    return (
        'if (!document.getElementById("cl-replay-style")) { const style = '
        'document.createElement("style"); style.id = "cl-replay-style"; '
        f"style.textContent = {style!r}; document.head.append(style); }} {script}"
    )
