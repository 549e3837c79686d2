"""A sound site has no findings, and each fault is told."""

import json
import sys
from pathlib import Path

import pytest

from tools.book.check import check

from .test_stage import PLAYER

PAGE = """<!DOCTYPE html><html><head><link rel="stylesheet" href="../_static/a.css?v=1">
<script src="../_static/a.js"></script><link rel="next" href="https://x.org"></head>
<body><h1 id="top">A</h1><a href="#top">a</a> <a href="../index.html#b">b</a>
<a href="https://x.org/">out</a><math><mi>x</mi></math>
<img src="../_static/a.png" alt="dot"><div class="player" data-frames="../frames/01_a/1/">
<script type="application/json">%s</script></div></body></html>"""


@pytest.fixture
def site(checkout: Path) -> Path:
    site = checkout / "site"
    for name, text in {
        "course/01_a.html": PAGE % json.dumps(PLAYER).replace("</", "<\\/"),
        "index.html": '<p id="b">b</p>',
        "labs/01_a.html": "",
        "solutions/01_a.html": "",
        "_static/a.png": "",
        "_static/a.css": "p { background: url(data:x) }",
        "_static/a.js": "",
        "frames/01_a/1/a.png": "",
    }.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    return site


def test_a_sound_site_has_no_findings(checkout, site):
    assert list(check(checkout, site)) == []


@pytest.mark.parametrize(
    "before, after, words",
    [
        ("#top", "#none", "leads to #none, which has no such place"),
        ("index.html#b", "index.html#B", "which has no such place"),
        ("../index.html#b", "../labs/none.html", "which is not there"),
        ('src="../_static/a.js"', 'src="https://cdn.org/a.js"', "fetches https://cdn.org/a.js"),
        ('href="../_static/a.css?v=1"', 'href="//cdn.org/a.css"', "fetches //cdn.org/a.css"),
        ("../_static/a.png", "../_static/b.png", "../_static/b.png is not there"),
        ('alt="dot"', "", "a picture without alt text"),
        ('alt="dot"', 'alt="other"', "a player begins with 'dot', its picture with 'other'"),
        ('a.png", "width"', 'b.png", "width"', "a player lacks 1 frames"),
        ('<h1 id="top">', '<h1 id="top"><i id="top">', "two elements with the id 'top'"),
        ('class="player"', 'class="none"', "0 players for 1 pictures with controls"),
        ("</body>", "." * 500_000, "bytes, more than 500,000"),
    ],
)
def test_each_fault_of_a_page_is_told(checkout, site, before, after, words):
    page = site / "course" / "01_a.html"
    text = page.read_text()
    assert before in text
    page.write_text(text.replace(before, after, 1))
    if "class" in before:
        page.write_text(page.read_text().replace('type="application/json"', ""))
    assert any(words in finding for finding in check(checkout, site))


def test_faults_of_the_site_are_told(checkout, site, monkeypatch):
    (site / "_static" / "a.css").write_text("@import 'https://fonts.org/a.css';")
    (site / "labs" / "01_a.html").unlink()
    monkeypatch.setattr(sys.modules[check.__module__], "SITE_BYTES", 10)
    findings = "\n".join(check(checkout, site))
    assert "_static/a.css: fetches https://fonts.org/a.css" in findings
    assert "labs/01_a has no page" in findings
    assert "bytes without frames, more than 10" in findings
