"""Pictures in these tests: their figures kept to look into, and each kind rendered once."""

import sys

import pytest

from convladder.measure.quick import VARIABLE
from convladder.teach import Picture

_RENDERED = set()  # functions of which this process has rendered a picture


@pytest.fixture(autouse=True)
def quickly(measurements_in_full, monkeypatch):
    """Leaderboards measure; here is looked at what they draw, and how answers are judged."""
    monkeypatch.setenv(VARIABLE, "1")


@pytest.fixture(autouse=True)
def figures(monkeypatch, pytestconfig):
    """The figures of all pictures that a test draws, in order.

    The weekly run renders the first picture of each function, with warnings as errors. At a push
    the notebooks render theirs.
    """
    kept, to_render, init = [], [], Picture.__init__

    def keep(self, *args, **kwargs):
        init(self, *args, **kwargs)
        kept.append(self.figure)
        maker = sys._getframe(1).f_code
        if maker not in _RENDERED:
            _RENDERED.add(maker)
            to_render.append(self)

    monkeypatch.setattr(Picture, "__init__", keep)
    yield kept
    for picture in to_render if "not weekly" not in pytestconfig.option.markexpr else ():
        assert picture.png.startswith(b"\x89PNG")
