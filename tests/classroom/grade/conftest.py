"""A notebook's cells in a jail, where this machine can make one."""

import shutil
import sys
from pathlib import Path

import pytest

from convladder.classroom.grade import jail, marking
from convladder.classroom.grade.jail import Jail, JailError

ROOT = Path(__file__).parents[3]
LAB = ROOT / "labs" / "03_mec.ipynb"
CHECK = "from convladder.teach import check\n"
RIGHT = (
    "def lowered_bytes(problem):\n    p = problem\n"
    "    return 4 * p.i_n * p.o_w * p.padded_h * p.k_w * p.i_c\n"
)


def can() -> bool:
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    try:
        found = Jail(marking.staged(LAB), "notebook", float("inf"))
    except JailError:
        return False
    try:
        found.send([])
        return "end" in found.receive(60)
    except jail.Ended:
        return False
    finally:
        found.stop()


@pytest.fixture(scope="module", autouse=True)
def walls():
    if not can():
        pytest.skip("this machine has no bubblewrap, or may not use it")


def verdicts(*cells, seconds=60.0):
    """Return what `mark` says of cells of lab 03."""
    return marking.mark([CHECK, *cells], LAB, 7, seconds)
