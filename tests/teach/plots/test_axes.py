"""Letters in pictures: a contrast of 4.5 to 1 on what they stand on."""

import numpy as np
import pytest
from matplotlib import colormaps

from convladder.teach.plots import style
from convladder.teach.plots.axes import LEAST, contrast, ink, lettering

PALETTE = ("BLUE", "ORANGE", "GREEN", "PINK", "YELLOW", "SKY", "GREY", "PALE")


@pytest.mark.parametrize("name", PALETTE)
def test_letters_of_the_palette_read_well(name):
    colour = getattr(style, name)
    assert contrast(ink(colour), colour) >= LEAST
    assert contrast(lettering(colour), "white") >= LEAST


@pytest.mark.parametrize("name", ["Blues", "viridis", "PuOr_r", "RdBu"])
def test_letters_read_well_on_every_shade(name):
    shades = colormaps[name](np.linspace(0, 1, 256))
    assert min(contrast(ink(shade), shade) for shade in shades) >= LEAST
