"""The player in a real browser: what it shows at a turn, its keys, its clock, its colours."""

import pytest

from convladder.replay import Replay, Scene

SHOW = "turn => document.querySelector('.cl-replay').replay.show(turn)"
NOW = "() => document.querySelector('.cl-replay').replay.now"
SAID = "() => [...document.querySelectorAll('.cl-say')].map(each => each.textContent)"


def scene(title: str, turns: int) -> Scene:
    made = Scene(title, source=["for", "  load"], lanes=4, rows=["warp 0"])
    x = made.array("x, in memory", 2, 8, group=4, values=[*range(16)])
    made.array("more", turns, 1, under=True)
    for n in range(4):
        made.step(
            f"load {n}",
            {"loads": n + 1},
            read=[(x, [n, n + 4, n + 8, n + 12], range(4))],
            write=[(x, 15, None, [n])],
            marks=[(x, n, f"cell {n}")],
            bars=[(0, turns, "load", "load")],
            event="fault" if n == 2 else "",
            turns=turns,
            line=2,
        )
    return made


@pytest.fixture
def page(browser, tmp_path):
    """Two scenes on one clock: 4 turns and 12."""
    replay = Replay(scene("fast", 1), scene("slow", 3), alt="Slow waits.", opens_at=1, pace=20)
    path = tmp_path / "page.html"
    viewport = '<meta name="viewport" content="width=device-width">'
    path.write_text(f"<!doctype html><meta charset=utf-8>{viewport}<main>{replay.html}</main>")
    page = browser.new_page(viewport={"width": 1000, "height": 700})
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(path.as_uri())
    yield page
    page.close()
    assert not problems


def pixels(page) -> str:
    return page.evaluate("() => document.querySelector('canvas').toDataURL()")


def test_it_takes_the_posters_place_and_opens_on_the_telling_turn(page):
    assert page.locator("img").count() == 0 and page.locator(".cl-replay").count() == 1
    assert page.evaluate(NOW) == 1 and page.evaluate(SAID) == ["load 1", "load 0"]
    assert page.locator(".cl-count").inner_text() == "2 / 12"
    assert page.locator(".cl-mark.cl-fault").count() == 2


def test_both_scenes_run_on_one_clock_and_back(page):
    page.evaluate(SHOW, 7)
    assert page.evaluate(SAID) == ["Done after 4 turns.", "load 2"]
    there = pixels(page)
    for turn in (0, 3, 11, 7):
        page.evaluate(SHOW, turn)
    assert pixels(page) == there
    page.evaluate(SHOW, 1)
    assert pixels(page) != there
    assert page.locator(".cl-tally b").all_inner_texts() == ["2", "1"]


def test_keys_step_play_and_jump(page):
    page.locator(".cl-replay").focus()
    for key, turn in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowRight", 6), ("ArrowLeft", 3),
                      ("End", 11), ("Home", 0)):  # fmt: skip
        page.keyboard.press(key)
        assert page.evaluate(NOW) == turn, key
    page.keyboard.press("Space")
    page.wait_for_function(f"({NOW})() === 11")
    page.wait_for_function("() => document.querySelector('.cl-play').textContent.includes('Play')")


def test_it_is_dark_where_the_page_is(page):
    light = pixels(page)
    page.evaluate("() => { document.body.style.background = 'rgb(17, 17, 17)'; }")
    page.wait_for_selector(".cl-dark")
    assert pixels(page) != light


def test_axe_finds_nothing(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no extra `browser`")
    found = axe.Axe().run(page).response["violations"]
    ours = [each["id"] for each in found if "cl-replay" in str(each["nodes"])]
    assert not ours
