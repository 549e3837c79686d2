"""The whole book, built and opened in a browser. Weekly: two minutes on two cores."""

import json
from pathlib import Path

import pytest

from tools.book.check import HtmlPage

from ...python import python

pytestmark = pytest.mark.weekly

ROOT = Path(__file__).parents[3]
PAGES = (
    "index.html",
    "course/03_mec.html",
    "course/15_compilers.html",
    "labs/03_mec.html",
    "course/glossary.html",
)
WIDTHS = (1400, 1000, 390)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The book with the frames of chapter 15, whose pictures are few."""
    pytest.importorskip("myst_nb", reason="no extra `book` here")
    folder = tmp_path_factory.mktemp("book")
    words = "-m tools book --frames 13 --repository https://github.com/me/it --folder".split()
    done = python(*words, folder, folder=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def test_each_picture_says_what_its_notebook_says(site):
    said = json.loads((site.parent / "source" / "pictures.json").read_text(encoding="utf-8"))
    assert sum(map(len, said.values())) > 150
    for name, alts in said.items():
        shown = HtmlPage(site / f"{name}.html").pictures
        assert [alt for alt in shown if alt in alts] == alts, name


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_fits(browser, site, name, width, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("pageerror", lambda error: pytest.fail(f"{name}: {error}"))
    page.goto(f"file://{site / name}")
    page.wait_for_load_state("load")
    wide = page.evaluate("document.documentElement.scrollWidth")
    found = Axe().run(page).response["violations"]
    page.close()
    assert wide <= width
    assert [url for url in fetched if not url.startswith(("file://", "data:"))] == []
    serious = [
        (each["id"], node["html"][:200], node["failureSummary"])
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
    assert serious == []


def test_search_works_from_a_folder(browser, site):
    page = browser.new_page()
    page.goto(f"file://{site}/search.html?q=bank+conflict")
    page.wait_for_selector("ul.search li a")
    assert any("08" in each for each in page.locator("ul.search li a").all_inner_texts())
    page.close()


def test_a_player_moves_and_fetches_a_frame_when_it_is_shown(browser, site):
    page = browser.new_page()
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto(f"file://{site}/course/15_compilers.html")
    slider = page.locator(".player-controls input[type=range]").first
    slider.scroll_into_view_if_needed()
    picture = page.locator(".cell_output:has(.player) img").first
    before = picture.get_attribute("alt")
    assert not any("/frames/" in url for url in fetched)
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "picture => picture.complete && picture.naturalWidth > 0", arg=picture.element_handle()
    )
    assert picture.get_attribute("alt") != before
    assert sum("/frames/" in url for url in fetched) == 1
    page.close()
