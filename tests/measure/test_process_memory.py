"""Resident memory by kind, from a text and from a real process."""

import sys

import pytest

from convladder.measure.process_memory import by_kind, resident_after

SMAPS = """\
5581c0a0-5581c0b0 r-xp 00001000 08:01 131 /usr/bin/some python
Size:                 40 kB
Rss:                  24 kB
5581c0b0-5581c0c0 r--p 00001000 08:01 131 /usr/lib/libz.so
Rss:                   8 kB
5581d000-5581e000 rw-p 00000000 00:00 0 [heap]
Rss:                 100 kB
7f0000000000-7f0000001000 rwxp 00000000 00:00 0
Rss:                   4 kB
"""


def test_kinds():
    assert by_kind(SMAPS) == {"code": 24 * 1024, "files": 8 * 1024, "own data": 104 * 1024}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_a_process_of_its_own():
    bare = resident_after("pass")
    grown = resident_after("data = bytearray(b'x' * 50_000_000)")
    assert bare["code"] > 500_000
    assert 45e6 < grown["own data"] - bare["own data"] < 60e6
    with pytest.raises(RuntimeError, match="failed in a process of its own: ModuleNotFoundError"):
        resident_after("import no_such_module")
