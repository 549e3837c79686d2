"""From the checkout to the site: staged, made by Sphinx, joined by the players' frames.

Formulas become MathML as a page is built, every picture gets its alt text, and a page that is a
notebook gets buttons that open it elsewhere. Nothing is fetched from the network, then or later."""

from __future__ import annotations

import io
import json
import shutil
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .stage import FRAMES, FRONT, PICTURES, FormulaError, mathml, stage


class BookError(Exception):
    """A book that cannot be made; the text says why, and what to do."""


@dataclass(frozen=True)
class BuiltSite:
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


def build(root: Path, folder: Path, repository: str = "", branch: str = "main") -> BuiltSite:
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
    return BuiltSite(
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


STATIC = Path(__file__).with_name("static")
SETTINGS = {
    "project": "ConvLadder",
    "author": "The ConvLadder authors",
    "copyright": "The ConvLadder authors: text and figures CC BY 4.0, code BSD-3-Clause",
    "html_title": "ConvLadder",
    "extensions": ["myst_nb", "tools.book.build"],
    "nb_execution_mode": "off",
    "nb_merge_streams": True,
    "nb_render_markdown_format": "gfm",  # of what cells show: tables too
    "nb_code_prompt_show": "What came out",  # of a cell that answers a prediction
    "nb_code_prompt_hide": "Fold it again",
    "source_suffix": {".ipynb": "myst-nb", ".md": "myst-nb"},
    "myst_enable_extensions": ["dollarmath"],
    "myst_heading_anchors": 3,
    "highlight_language": "none",  # of text between fences; cells say theirs
    "html_math_renderer": "mathml",
    "html_theme": "sphinx_book_theme",
    "html_static_path": [str(STATIC)],
    "html_context": {"default_mode": "auto"},  # light or dark, as the reader's system is
    "html_css_files": ["book.css"],
    "html_js_files": [("book.js", {"defer": "defer"})],
    "html_scaled_image_link": False,  # a player's controls stand where the link would be
    "html_copy_source": False,
    "html_favicon": str(STATIC / "favicon.svg"),  # a browser asks for one in any case
    "html_show_sourcelink": False,
    "html_theme_options": {
        "navbar_persistent": [],  # the search that would stand there twice
        "use_download_button": False,
        "use_fullscreen_button": False,
        "show_toc_level": 2,
        "show_navbar_depth": 1,
        "home_page_in_toc": True,
        "pygments_light_style": "a11y-high-contrast-light",
        "pygments_dark_style": "a11y-high-contrast-dark",
    },
}

# Where a notebook of a public repository opens. The one place that knows these addresses.
ELSEWHERE = {
    "Codespaces": "https://codespaces.new/{repository}?quickstart=1",
    "Colab": "https://colab.research.google.com/github/{repository}/blob/{branch}/{page}.ipynb",
    "Binder": "https://mybinder.org/v2/gh/{repository}/{branch}?urlpath=lab/tree/{page}.ipynb",
}
ICONS = {
    "Codespaces": "fas fa-laptop-code",
    "Colab": "fas fa-infinity",
    "Binder": "fas fa-cloud",
    "Repository": "fas fa-code-branch",
}


def launch_links(repository: str, branch: str, page: str) -> dict[str, str]:
    """Return name -> address of what opens a notebook, and of its file in the repository.

    repository: its address, "https://github.com/OWNER/NAME". page: "course/03_mec".
    """
    path = urlsplit(repository).path.strip("/").removesuffix(".git")
    links = {"Repository": f"{repository.removesuffix('.git')}/blob/{branch}/{page}.ipynb"}
    return {
        name: address.format(repository=path, branch=branch, page=page)
        for name, address in ELSEWHERE.items()
    } | links


def setup(app: Any) -> dict[str, bool]:
    """Enter what is added to Sphinx here. Sphinx calls it."""
    app.add_config_value("book_repository", "", "html", str)
    app.add_config_value("book_branch", "main", "html", str)
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("doctree-read", _name_pictures)
    app.connect("html-page-context", _lead_to_the_next_chapter)
    app.connect("html-page-context", _add_launch_buttons, priority=502)  # after the theme's own
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(translator: Any, node: Any) -> None:
    _formula(translator, node, block=False)


def _block(translator: Any, node: Any) -> None:
    _formula(translator, node, block=True)


def _formula(translator: Any, node: Any, block: bool) -> None:
    from docutils import nodes
    from sphinx.errors import SphinxError

    try:
        formula = mathml(node.astext(), block)
    except FormulaError as error:
        raise SphinxError(f"{node.source}: {error}") from error
    translator.body.append(f'<div class="formula">{formula}</div>' if block else formula)
    raise nodes.SkipNode


def _name_pictures(app: Any, doctree: Any) -> None:
    """Give each picture that a cell shows the alt text that its notebook stores."""
    from docutils import nodes

    pictures = json.loads((Path(app.srcdir) / PICTURES).read_text(encoding="utf-8"))
    shown = [
        image
        for output in doctree.findall(nodes.container)
        if "cell_output" in output["classes"]
        for image in output.findall(nodes.image)
    ]
    alts = pictures.get(app.env.docname, [])
    for image, alt in zip(shown, alts, strict=True):
        image["alt"] = alt


def _lead_to_the_next_chapter(
    app: Any, page: str, template: str, context: dict, doctree: Any
) -> None:
    """Let "Next" lead from a chapter, its lab, its solution and what is deeper to the next chapter,
    where Sphinx would go through every solution."""
    chapters = app.env.toctree_includes.get("index", [])
    chapters = [each for each in chapters if each.startswith("course/") and each[7].isdigit()]
    number = page.rpartition("/")[2][:2]
    place = next((i for i, each in enumerate(chapters) if each[7:9] == number), None)
    if place is None:
        return
    before = chapters[place - 1] if place else "index"
    for way, other in (
        ("prev", before if page == chapters[place] else chapters[place]),
        ("next", chapters[place + 1] if place + 1 < len(chapters) else "course/glossary"),
    ):
        title = app.env.titles[other].astext()
        context[way] = {"link": context["pathto"](other), "title": title}


def _add_launch_buttons(app: Any, page: str, template: str, context: dict, doctree: Any) -> None:
    if not app.config.book_repository or not str(app.env.doc2path(page)).endswith(".ipynb"):
        return
    links = launch_links(app.config.book_repository, app.config.book_branch, page)
    context["header_buttons"].append(
        {
            "type": "group",
            "label": "launch-buttons",
            "icon": "fas fa-rocket",
            "tooltip": "Open this notebook in",
            "buttons": [
                {
                    "type": "link",
                    "text": name,
                    "tooltip": f"Open in {name}",
                    "url": address,
                    "icon": ICONS[name],
                }
                for name, address in links.items()
            ],
        }
    )
