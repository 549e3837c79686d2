"""Pictures of replays, taken of the player itself by a browser: posters, and README's animation."""

from __future__ import annotations

import base64
import io
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from convladder.core.picture_html import picture_html

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
    r'(?s)(?:<p>(?P<story>[^<]*)</p>|<img alt="(?P<alt>[^"]*)"[^>]*>)'
    r"(?P<script><script>.*?convladderReplay\(.*?</script>)"
)
LOOK = """<!doctype html><meta charset="utf-8"><style>body { margin: 0; }
.cl-replay { border: 0 !important; padding: 4px !important; } .cl-source { display: none; }
.cl-replay .cl-say { min-height: 1.4em !important; } .cl-bar > * { display: none; }
.cl-replay .cl-bar { margin: 0; NOTE } </style>"""
NOTE = 'color: var(--read); } .cl-bar::after { content: "Run the cell to play ▶";'


def add_posters(nb: NotebookNode) -> None:
    """Let each replay of a notebook have a picture before its script: the turn it opens on.

    Raises `FileNotFoundError` if there is a replay and no browser.
    """
    for cell in nb.cells:
        for output in cell.get("outputs", ()):
            if html := output.get("data", {}).get("text/html", ""):
                output.data["text/html"] = REPLAY.sub(_with_poster, html)


def _with_poster(replay: re.Match) -> str:
    written = io.BytesIO()
    picture = _screenshot(LOOK.replace("NOTE", NOTE) + f"<p></p>{replay['script']}", _width(replay))
    few = picture.quantize(COLOURS, method=1, dither=0)
    few.save(written, format="png", optimize=True)
    alt = unescape(replay["story"] or replay["alt"])
    data = base64.b64encode(written.getvalue()).decode()
    return picture_html(alt, data, _width(replay)) + replay["script"]


def _width(replay: re.Match) -> int:
    return WIDTHS[replay["script"].count('"title":') > 1]


def frames(html: str, turns: Sequence[int]) -> list[Image]:
    """Return the pictures of a replay at some turns. html: of its output."""
    replay, look = REPLAY.search(html), LOOK.replace("NOTE", "display: none")
    width, page = _width(replay), f"<p></p>{replay['script']}"
    high = int(_screenshot(look + page, width).height / SHARP)
    pictures = []
    for first in range(0, len(turns), AT_ONCE):
        some = turns[first : first + AT_ONCE]
        strip = _screenshot(
            look + f'<div style="height: {high}px; overflow: hidden">{page}</div>' * len(some)
            + '<script>document.querySelectorAll(".cl-replay").forEach((each, n) => '
            f"each.replay.show({[*some]}[n]))</script>",
            width, high * len(some),
        )  # fmt: skip
        tall = round(high * SHARP)
        pictures += [
            strip.crop((0, n * tall, strip.width, (n + 1) * tall)) for n in range(len(some))
        ]
    return pictures


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
