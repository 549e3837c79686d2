"""A link to the glossary, in real JupyterLab: it says the definition, and leads to the term."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .browser import chromium

pytestmark = pytest.mark.weekly

ROOT = Path(__file__).parents[3]
COMMAND = "from convladder.cli import main; raise SystemExit(main())"


@pytest.fixture
def address() -> Iterator[str]:
    """The address of the course in a JupyterLab of its own."""
    lab = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "lab", "--no-browser", "--port", "8931"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env={**os.environ, "JUPYTERLAB_WORKSPACES_DIR": os.devnull},
    )
    for line in lab.stdout:
        if found := re.search(r"http://127\S+", line):
            break
    else:
        raise AssertionError("JupyterLab told no address")
    yield found[0]
    lab.terminate()
    lab.communicate(timeout=30)


def test_a_link_to_the_glossary_leads_to_its_term(address):
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(re.sub(r"/lab\S*\?", "/lab/tree/course/03_mec.ipynb?", address))
        link = page.locator(".jp-Notebook a", has_text="im2col").first
        link.wait_for(timeout=60_000)
        assert "copy every window" in link.get_attribute("title")
        for term, heading in (("im2col", "im2col"), ("stride", "Stride")):
            page.locator(".jp-Notebook a", has_text=term).first.click()
            term = page.locator(".jp-MarkdownViewer h2", has_text=heading).first
            term.wait_for(timeout=30_000)
            page.wait_for_timeout(1500)
            assert 0 < term.bounding_box()["y"] < 300
            page.locator(".lm-TabBar-tabLabel", has_text="03_mec").first.click()
