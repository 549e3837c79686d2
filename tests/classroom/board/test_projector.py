"""The page in a browser with thirty learners: nothing overflows, at two sizes, light and dark.

CONVLADDER_SHOTS=FOLDER keeps pictures of what was looked at. Weekly.
"""

import os
from pathlib import Path

import pytest

from convladder.classroom.board.catalogue import catalogue
from convladder.classroom.board.plan import read_plan
from convladder.journal import course_root

from ...tools.book.browser import chromium
from .conftest import checked, told

pytestmark = pytest.mark.weekly
NAMES = [
    "Ada <script>alert(1)</script>",
    "Maximiliane-Theodora von und zu Hohenlohe-Schillingsfürst",
    "李小龍",
    "Björn Þórðarson",
    "عبد الرحمن بن محمد",
    "O'Brien & Söhne",
    "W" * 40,
]
SPILLED = """() => [...document.querySelectorAll(`header, header *, #chapters *, main > *, main h2,
    main h3, main .bar, main .card, main .acts, main .acts *, main .histogram, main .line,
    main .who span, main .question, main small, main .value b, main .mark b`)].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 1 || box.left < -1 || box.bottom > innerHeight + 1
    || (!each.children.length && each.scrollWidth > each.clientWidth + 1
        && getComputedStyle(each).textOverflow !== 'ellipsis'
        && getComputedStyle(each).display !== 'inline'));
}).map((each) => `${each.tagName}.${each.className} ${each.textContent.slice(0, 40)}`)"""


def play(board, part, stuck):
    """Thirty who are at a chapter's lab, some stuck, and have predicted all that it asks."""
    for number in range(30):
        name = NAMES[number] if number < len(NAMES) else f"Learner {number:02} Doublename-Lastname"
        token = board.join(name)
        events = [
            told("opened", notebook=f"{folder}/{part.number}_{part.key}")
            for folder in ("course", "labs")
        ]
        for index, task in enumerate(part.tasks[: 1 + number % len(part.tasks)]):
            mistakes = list(task.mistakes)[:5]
            if number % 3:
                events += [checked(task.name)]
            else:
                mistake = mistakes[(number + index) % len(mistakes)]
                events.append(checked(task.name, "wrong values", mistake))
                events += [
                    {**events[-1], "uid": f"{number:08x}{index:08x}{n:08x}"} for n in range(stuck)
                ]
        for question in part.questions:
            events.append(
                told(
                    "guessed",
                    notebook=f"course/{part.number}_{part.key}",
                    what=question.asks,
                    cell=question.guessed,
                    prediction=(question.usual or 3) * (0.2 + number / 20),
                )
            )
        board.send(token, *events[:200])


@pytest.mark.parametrize(
    "width, height, scheme",
    [(1280, 720, "light"), (1280, 720, "dark"), (1920, 1080, "light"), (1920, 1080, "dark")],
)
def test_nothing_overflows_on_a_projector(tmp_path, width, height, scheme):
    """8 s each. The chapter with most exercises, and that with most questions."""
    from .conftest import Served

    course = catalogue(course_root())
    plan = read_plan(course_root() / "classroom/guide/syllabi/two_days.toml", course, 2)
    board = Served(tmp_path / "board", course, named=True, plan=plan)
    part = max(course.parts, key=lambda each: len(each.tasks))
    play(board, part, stuck=3)
    asked = max(course.parts, key=lambda each: len(each.questions))
    said = []

    with chromium() as browser:
        page = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        ).new_page()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on(
            "console",
            lambda line: said.append(line.text) if line.type in ("error", "warning") else None,
        )
        page.on("dialog", lambda box: (said.append(box.message), box.dismiss()))

        def look(name):
            page.wait_for_timeout(250)
            if folder := os.environ.get("CONVLADDER_SHOTS"):
                Path(folder).mkdir(parents=True, exist_ok=True)
                page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png")
            assert page.evaluate(SPILLED) == [], name

        def press(name):
            page.get_by_role("button", name=name, exact=True).click()
            page.wait_for_timeout(600)

        page.goto(f"{board.address}?key={board.keys.teach}")
        page.wait_for_selector(".exercise")
        assert "key" not in page.url and page.locator("html").get_attribute("data-theme") == scheme
        look("exercises")
        press("Names")
        look("names")
        assert page.get_by_text(NAMES[0][:40]).count(), "as text"
        press("Mistakes")
        assert page.locator(".card").count() == 4
        look("mistakes")
        press("Predictions")
        look("votes")
        assert page.locator(".histogram").count() == 0
        press("Show the guesses")
        assert page.locator(".histogram").count() == 1 and page.locator(".value").count() == 0
        look("guesses")
        press("Reveal the measured value")
        assert page.locator(".value").count() == 1
        look("revealed")
        press("Discuss and vote again")
        look("again")
        page.locator("#chapters button").nth(course.parts.index(asked)).click()
        look("questions")
        press("Pace")
        press("Start the plan now")
        assert page.locator(".mark").count() == 2, "the plan, and the room"
        look("pace")
    board.stop()
    assert said == []
