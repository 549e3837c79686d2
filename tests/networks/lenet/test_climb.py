"""A rung is climbed only if its labels are right."""

import pytest

from convladder.networks.lenet import climb, digits


def test_a_rung_that_is_wrong_is_not_climbed(monkeypatch):
    class Wrong:
        def run(self):
            return 9 - digits.labels()[:16]

    monkeypatch.setattr(climb, "opened", lambda rung: Wrong())
    with pytest.raises(AssertionError, match="labels are wrong"):
        climb.climb_rung("bytes")
