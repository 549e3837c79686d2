"""From the checkout to the site: staged, made by Sphinx, joined by the players' frames."""

from __future__ import annotations

import io
import shutil
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from .stage import FRAMES, FRONT, stage


class BookError(Exception):
    """A book that cannot be made; the text says why, and what to do."""


@dataclass(frozen=True)
class Built:
    """A site. size: its bytes without frames. players: pictures with controls that have frames, of
    `pictures`. warnings: what Sphinx found wrong.
    """

    index: Path
    pages: int
    size: int
    players: int
    pictures: int
    seconds: float
    warnings: list[str]


def build(root: Path, folder: Path, repository: str = "", branch: str = "main") -> Built:
    """Make the site of the checkout at `root` in `folder`/site, from the stored outputs.

    Frames are taken from `folder`/frames. repository: address of the public repository, for the
    buttons that open a notebook elsewhere; none without it. Raises BookError where Sphinx or the
    checkout is missing, or Sphinx stops.
    """
    if find_spec("myst_nb") is None or find_spec("sphinx_book_theme") is None:
        raise BookError(
            "Sphinx is not installed in this environment: `make book` brings it, or "
            'pip install -c constraints.txt -e ".[book]"'
        )
    if not (root / FRONT).is_file():
        raise BookError(
            f"there is no {FRONT} in {root}: the book is made in a clone of the repository"
        )
    begun = time.perf_counter()
    frames, source, site = folder / FRAMES, folder / "source", folder / "site"
    staged = stage(root, source, frames, repository)
    shutil.rmtree(site, ignore_errors=True)
    warnings = _sphinx(source, site, folder / "doctrees", repository, branch)
    for path in (site / "objects.inv", site / ".buildinfo", *(site / "_static").glob("*.html")):
        path.unlink(missing_ok=True)  # for other books, another build, and templates
    (site / ".nojekyll").touch()  # GitHub Pages would drop folders that begin with _
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    if frames.is_dir():
        shutil.copytree(frames, site / FRAMES)
    return Built(
        site / "index.html",
        sum(1 for _ in site.rglob("*.html")),
        size,
        staged.players,
        staged.pictures,
        time.perf_counter() - begun,
        warnings,
    )


def _sphinx(source: Path, site: Path, doctrees: Path, repository: str, branch: str) -> list[str]:
    """Run Sphinx on what is staged; returns its warnings."""
    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.console import nocolor

    from .settings import SETTINGS

    said = io.StringIO()
    nocolor()
    options = SETTINGS | {"book_repository": repository, "book_branch": branch}
    shutil.rmtree(doctrees, ignore_errors=True)  # what is staged is new in any case
    try:
        app = Sphinx(
            source, None, site, doctrees, "html", options, status=None, warning=said, parallel=2
        )
        app.build()
    except SphinxError as error:
        raise BookError(f"Sphinx stopped: {error}") from error
    return [line for line in said.getvalue().splitlines() if line.strip()]
