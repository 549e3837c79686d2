"""Letters in pictures: a contrast of 4.5 to 1 on what they stand on."""

import ast
from pathlib import Path

import numpy as np
import pytest
from matplotlib import colormaps

from convladder.teach.plots import style
from convladder.teach.plots.axes import LEAST, contrast, ink, lettering

PALETTE = ("BLUE", "ORANGE", "GREEN", "PINK", "YELLOW", "SKY", "GREY", "PALE")
ROOM = Path(style.__file__).parent
WRITES = {"text", "annotate", "label_points", "set_title", "supxlabel", "_label", "_note"}
LEGIBLE = {"black", "#222222", "#333333", "GREY", "BLUE", "letters"}  # on white; or chosen before


def test_contrast_is_wcags():
    assert contrast("white", "black") == contrast("black", "white") == pytest.approx(21)
    assert contrast("#777777", "white") == pytest.approx(4.48, abs=0.005)
    assert contrast("#D55E00", "white") == pytest.approx(3.87, abs=0.005)


@pytest.mark.parametrize("name", PALETTE)
def test_letters_of_the_palette_read_well(name):
    colour = getattr(style, name)
    assert contrast(ink(colour), colour) >= LEAST
    assert contrast(lettering(colour), "white") >= LEAST


def test_letters_keep_their_colour_as_far_as_they_can():
    assert lettering(style.BLUE) == style.BLUE.lower()
    red, green, blue = (int(lettering(style.ORANGE)[at : at + 2], 16) for at in (1, 3, 5))
    assert red > 2 * green > blue == 0
    assert contrast(lettering(style.YELLOW), "white") < LEAST + 0.3


@pytest.mark.parametrize("name", ["Blues", "viridis", "PuOr_r", "RdBu"])
def test_letters_read_well_on_every_shade(name):
    shades = colormaps[name](np.linspace(0, 1, 256))
    assert min(contrast(ink(shade), shade) for shade in shades) >= LEAST


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda path: path.stem)
def test_no_picture_writes_in_a_colour_that_reads_badly(path):
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and _name(call.func) in WRITES:
            for keyword in call.keywords:
                bad = [] if keyword.arg != "color" else _pale(keyword.value)
                assert not bad, f"{path.name}:{call.lineno}: {bad}: ink(fill), lettering(colour)?"


def _pale(node):
    """What an expression for a colour may give that neither `ink` nor `lettering` has seen."""
    if isinstance(node, ast.IfExp):
        return _pale(node.body) + _pale(node.orelse)
    if isinstance(node, ast.Call):
        return [] if _name(node.func) in ("ink", "lettering") else [ast.unparse(node)]
    name = node.value if isinstance(node, ast.Constant) else ast.unparse(node)
    return [] if name in LEGIBLE else [name]


def _name(function):
    return getattr(function, "attr", getattr(function, "id", ""))
