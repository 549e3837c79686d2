"""What `convladder lab` adds to JupyterLab's style: letters of code that read well."""

import re

import pytest

from convladder.cli.lab import CONFIG
from convladder.teach.plots.axes import LEAST, contrast

# JupyterLab's: of cells and of what they show
GROUNDS = {"true": ("#f5f5f5", "white"), "false": ("#212121", "#111111")}
CSS = (CONFIG / "custom" / "custom.css").read_text(encoding="utf-8")


@pytest.mark.parametrize("light", GROUNDS)
def test_letters_of_code_read_well(light):
    block = re.search(rf'body\[data-jp-theme-light="{light}"\] {{(.*?)}}', CSS, re.DOTALL)[1]
    colours = dict(re.findall(r"--jp-mirror-editor-(\w+)-color: (#\w+);", block))
    assert {"comment", "meta"} <= set(colours)
    for name, colour in colours.items():
        assert min(contrast(colour, ground) for ground in GROUNDS[light]) >= LEAST, name
