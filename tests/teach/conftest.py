"""Pictures in these tests: compared by what they are made of, and each kind rendered once."""

import sys

import pytest

from convladder.measure.quick import VARIABLE
from convladder.teach import Picture

from .letters import too_small

_RENDERED = set()  # functions of which this process has rendered a picture


@pytest.fixture(autouse=True)
def quickly(measurements_in_full, monkeypatch):
    """Leaderboards measure; here is looked at what they draw, and how answers are judged."""
    monkeypatch.setenv(VARIABLE, "1")


@pytest.fixture(autouse=True)
def each_kind_of_picture_rendered(monkeypatch):
    """Render the first picture of each function that makes any, with warnings as errors.

    The letters of all the package's are large enough to be read on a narrow page.
    """
    made, rendered, init = [], [], Picture.__init__

    def keep(self, *args, **kwargs):
        init(self, *args, **kwargs)
        frame = sys._getframe(1)
        maker = frame.f_code
        if frame.f_globals["__name__"].startswith("convladder."):  # no test's own
            made.append(self)
        if maker not in _RENDERED:
            _RENDERED.add(maker)
            rendered.append(self)

    monkeypatch.setattr(Picture, "__init__", keep)
    yield
    for picture in rendered:
        assert picture.png.startswith(b"\x89PNG")
    for picture in made:
        assert too_small(picture.figure) == {}, picture.alt
