"""Every slide of every deck, opened in a browser: nothing overflows, nothing is small, nothing is
fetched from elsewhere. Weekly: two minutes on two cores.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from convladder.classroom.slides import build

from ...tools.book.browser import chromium

pytestmark = pytest.mark.weekly

ROOT = Path(__file__).parents[3]
DECKS = sorted(path.stem for path in (ROOT / "course").glob("*.ipynb"))
SIZES = ((1280, 720), (1920, 1080))
# Goes through the slides with all that is hidden shown, and returns what is wrong, a line each.
FAULTS = """() => {
  const found = [];
  const scale = Reveal.getScale();
  for (const slide of Reveal.getSlides()) {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v || 0, 99);
    const wrong = (what, node) => found.push(`${h}.${v || 0} ${slide.className.split(" ")[0]} `
      + `${slide.querySelector("h1,h2,h3").textContent}: ${what} `
      + `<${node.tagName} ${node.className}> `
      + node.textContent.replace(/\\s+/g, " ").slice(0, 60));
    const outside = (inner, outer) => Math.max(outer.left - inner.left, outer.top - inner.top,
      inner.right - outer.right, inner.bottom - outer.bottom) / scale;
    const frame = slide.querySelector(".frame");
    const whole = frame.getBoundingClientRect();
    const content = slide.querySelector(".content");
    for (const node of frame.querySelectorAll("*")) {
      const box = node.getBoundingClientRect();
      if (!box.width || node.parentElement.closest("math")) continue;
      if (outside(box, whole) > 0.5) wrong(`${outside(box, whole).toFixed()} px outside`, node);
      if (content && content !== node && content.contains(node)
          && outside(box, content.getBoundingClientRect()) > 2.5)
        wrong(`${outside(box, content.getBoundingClientRect()).toFixed()} px too high`, node);
      const formula = node.tagName === "math" || node.querySelector("math");
      if (node.clientWidth && node.tagName !== "math" && node.scrollWidth > node.clientWidth + 1
          || node.clientWidth && !formula && node.scrollHeight > node.clientHeight + 2)
        wrong("overflows", node);
      const says = [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
      if (says && parseFloat(getComputedStyle(node).fontSize) < 20) wrong("small letters", node);
      if (node.tagName === "IMG") {
        if (box.width / scale < 1000 && box.height / scale < 500)
          wrong("small picture", node);
        if (!node.alt) wrong("picture without alt text", node);
      }
    }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("slides")
    build(ROOT, folder, [])
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with chromium() as each:
        yield each


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("deck", DECKS)
def test_every_slide_fits_and_is_large_enough(browser, folder, deck, size):
    page = browser.new_page(viewport=dict(zip(("width", "height"), size, strict=True)))
    fetched, errors = [], []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((folder / f"{deck}.html").as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    faults = page.evaluate(FAULTS)
    page.close()
    assert not faults, "\n".join(faults)
    assert not errors
    assert all(url.startswith((folder.as_uri(), "data:")) for url in fetched), fetched


def test_the_speaker_s_window_opens_from_a_file_and_follows(browser, folder):
    context = browser.new_context()
    fetched = []
    context.on("request", lambda request: fetched.append(request.url))
    page = context.new_page()
    page.goto((folder / "03_mec.html").as_uri() + "#/2")
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    with context.expect_page() as opened:
        page.keyboard.press("s")
    notes = opened.value.locator(".speaker-controls-notes .value")
    notes.get_by_text("7×7 image").wait_for(timeout=20_000)
    page.bring_to_front()
    page.keyboard.press("Space")
    notes.get_by_text("five windows").wait_for(timeout=20_000)
    assert all(url.startswith((folder.as_uri(), "data:", "about:")) for url in fetched), fetched
    context.close()


def test_answers_wait_for_a_click_and_t_makes_it_dark(browser, folder):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto((folder / "01_im2col_gemm.html").as_uri() + "#/1/2")
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    value = page.locator("section.present.question .answer .value")
    assert (
        value.evaluate("node => getComputedStyle(node.closest('.fragment')).visibility") == "hidden"
    )
    page.keyboard.press("Space")
    value.wait_for(timeout=20_000)  # until it is seen
    assert value.inner_text() == "-6"
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.keyboard.press("t")
    assert light == "rgb(255, 255, 255)" != page.evaluate(ground)
    page.close()


def test_a_deck_prints_a_page_a_slide(browser, folder):
    page = browser.new_page()
    page.goto((folder / "99_the_top.html").as_uri() + "?print-pdf")
    page.wait_for_selector(".pdf-page")
    pages = page.locator(".pdf-page").count()
    assert pages == page.locator(".pdf-page .frame").count() > 8
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") in (0, pages)
    page.close()
