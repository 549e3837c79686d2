"""Resident memory by kind, from a text and from a real process."""

import sys

import pytest

from convladder.measure.process_memory import resident_after


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_a_process_of_its_own():
    bare = resident_after("pass")
    grown = resident_after("data = bytearray(b'x' * 50_000_000)")
    assert bare["code"] > 500_000
    assert 45e6 < grown["own data"] - bare["own data"] < 60e6
    with pytest.raises(RuntimeError, match="failed in a process of its own: ModuleNotFoundError"):
        resident_after("import no_such_module")
