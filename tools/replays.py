"""Pictures of replays, taken of the player itself by a browser: posters, and README's animation."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from convladder.core.picture_html import picture_html
from convladder.replay import Replay

from .notebooks.notebook import read

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from PIL.Image import Image

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDTHS = {False: 620, True: 900}  # of one scene or two, in CSS pixels
SHARP = 1.5  # pixels of a picture for one of CSS
MOST_HIGH = 1400  # CSS pixels
AT_ONCE = 10  # frames on a page
COLOURS = 48
REPLAY = re.compile(
    r"(?s)(?:<p>[^<]*</p>|<img [^>]*>)<script>\(\(\) => (?:(?!</script>).)*?"
    r"convladderReplay\(poster, (\{(?:(?!</script>).)*\})\); \}\)\(\)</script>"
)
ANIMATED = ("02_counting_cost", 0)  # the replay that README shows: of which chapter, and its number
ANIMATION, FRAMES, PACE = "course/replay.webp", 48, 170  # and milliseconds of a frame
LOOK = """<!doctype html><meta charset="utf-8"><style>body { margin: 0; }
.cl-replay { border: 0 !important; padding: 4px !important; } .cl-source { display: none; }
.cl-bar > * { display: none; } .cl-replay .cl-bar { margin: 0; NOTE } </style>"""
NOTE = """color: var(--read); } .cl-bar::after { content: "Run the cell to play ▶"; }
.cl-replay .cl-say { min-height: 1.4em !important;"""
SHOW = """<script>document.querySelectorAll(".cl-replay").forEach(
  (each, n) => each.replay.show(TURNS[n] ?? each.replay.last))</script>"""


def add_posters(nb: NotebookNode) -> None:
    """Let each replay have today's player, and a picture before it: the turn it opens on.

    Raises `FileNotFoundError` if there is a replay and no browser.
    """
    for cell in nb.cells:
        for output in cell.get("outputs", ()):
            if html := output.get("data", {}).get("text/html", ""):
                output.data["text/html"] = REPLAY.sub(_with_poster, html)


def _with_poster(found: re.Match) -> str:
    replay = Replay.of(json.loads(found[1]))
    story, script = replay.html.split("<script>", 1)
    width, written = _width(replay), io.BytesIO()
    picture = _screenshot(LOOK.replace("NOTE", NOTE) + replay.html, width)
    few = picture.quantize(COLOURS, method=1, dither=0)
    few.save(written, format="png", optimize=True)
    data = base64.b64encode(written.getvalue()).decode()
    return f"{picture_html(replay.trace['alt'], data, width)}<script>{script}"


def _width(replay: Replay) -> int:
    return WIDTHS[len(replay.trace["scenes"]) > 1]


def replays(nb: NotebookNode) -> Iterator[re.Match]:
    """Yield the replays that a notebook stores: matches of their HTML, whose group 1 is a trace."""
    for cell in nb.cells:
        for output in cell.get("outputs", ()):
            yield from REPLAY.finditer(output.get("data", {}).get("text/html", ""))


def frames(replay: Replay, turns: Sequence[int]) -> list[Image]:
    """Return the pictures of a replay at some turns."""
    look, width = LOOK.replace("NOTE", "display: none"), _width(replay)
    counted = replay.html + SHOW.replace("TURNS", "[]")  # with all its counts, at its end
    high = int(_screenshot(look + counted, width).height / SHARP)
    pictures = []
    for first in range(0, len(turns), AT_ONCE):
        some = [*turns[first : first + AT_ONCE]]
        box = f'<div style="height: {high}px; overflow: hidden">{replay.html}</div>'
        page = look + box * len(some) + SHOW.replace("TURNS", str(some))
        strip = _screenshot(page, width, high * len(some))
        tall = round(high * SHARP)
        pictures += [
            strip.crop((0, n * tall, strip.width, (n + 1) * tall)) for n in range(len(some))
        ]
    return pictures


def animate(root: Path) -> Path:
    """Write README's moving picture from a replay that a chapter stores, and return its path."""
    chapter, number = ANIMATED
    found = [*replays(read(root / "course" / f"{chapter}.ipynb"))][number]
    replay = Replay.of(json.loads(found[1]))
    turns = max(scene_turns(scene) for scene in replay.trace["scenes"])
    count = min(FRAMES, turns)
    pictures = frames(replay, [n * (turns - 1) // (count - 1) for n in range(count)])
    paces = [PACE] * (count - 1) + [10 * PACE]  # it stays on the last one
    path = root / ANIMATION
    small = [each.resize((each.width * 2 // 3, each.height * 2 // 3)) for each in pictures]
    palette = small[count // 2].quantize(COLOURS, method=1, dither=0)
    first, *rest = (each.quantize(palette=palette, dither=0).convert("RGB") for each in small)
    first.save(path, save_all=True, append_images=rest, duration=paces, loop=0, lossless=True)
    return path


def scene_turns(scene: dict) -> int:
    """Return how many turns a scene takes."""
    return sum(step.get("turns", 1) for step in scene["steps"])


def _screenshot(html: str, width: int, height: int | None = None) -> Image:
    """Return how a page looks in a window of so many CSS pixels; without `height`, to its end."""
    from PIL import Image, ImageChops

    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise FileNotFoundError(f"pictures of replays need a browser: {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as folder:
        page, picture = Path(folder) / "page.html", Path(folder) / "page.png"
        page.write_text(html, encoding="utf-8")
        subprocess.run(
            [
                browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                f"--user-data-dir={folder}/profile", f"--force-device-scale-factor={SHARP}",
                f"--window-size={width},{height or MOST_HIGH}", f"--screenshot={picture}",
                page.as_uri(),
            ],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        image = Image.open(picture).convert("RGB")
    if height:
        return image
    paper = Image.new("RGB", image.size, image.getpixel((0, 0)))
    marked = ImageChops.difference(image, paper).getbbox()
    return image.crop((0, 0, image.width, min(image.height, marked[3] + 8)))
