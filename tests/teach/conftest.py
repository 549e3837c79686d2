"""Pictures in these tests: measured quickly, and their figures kept to look into."""

import pytest

from convladder.measure.quick import VARIABLE
from convladder.teach import Picture


@pytest.fixture(autouse=True)
def quickly(measurements_in_full, monkeypatch):
    """Leaderboards measure; here is looked at what they draw, and how answers are judged."""
    monkeypatch.setenv(VARIABLE, "1")


@pytest.fixture
def figures(monkeypatch):
    """The figures of all pictures that a test draws, in order."""
    kept, init = [], Picture.__init__

    def keep(self, *args, **kwargs):
        init(self, *args, **kwargs)
        kept.append(self.figure)

    monkeypatch.setattr(Picture, "__init__", keep)
    return kept
