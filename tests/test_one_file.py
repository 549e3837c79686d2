"""A method, a rung of each device, an exercise and a benchmark: each is added by a file alone.

The files are those of `tests/added`. A process that has them where the package looks runs what a
contributor would.
"""

import re
from pathlib import Path

import pytest

from .python import python

ROOT = Path(__file__).parents[1]
ADDED = Path(__file__).with_name("added")
PYTEST = "-m pytest -p no:xdist -p no:cacheprovider".split()
TESTS = (
    "tests/core/test_registry.py",
    "tests/cpu/test_methods.py",
    "tests/networks/lenet/test_cpu.py",
    "tests/networks/lenet/test_gpu.py",
    "tests/exercises/test_exercises.py",
)
PROVEN = {  # what must have run and passed, each at least so many times
    r"test_method_agrees_with_the_oracle\[shift ": 12,
    r"test_all_images\[doubles\]": 1,
    r"test_other_images_and_weights\[.*doubles\]": 3,
    r"test_gpu.py::test_labels_and_logits\[batched_pinned\]": 1,
    r"test_a_stub_is_not_attempted\[lab99-twice\]": 1,
    r"test_the_solution_passes\[lab99-twice\]": 1,
    r"test_a_mistake_gets_its_own_hints\[lab99-twice-0\]": 1,
    r"test_registry.py::test_": 6,
}
SESSION = """
from convladder import methods
from convladder.cli import main
from convladder.teach import check

assert [m.chapter for m in methods()] == sorted(m.chapter for m in methods())
assert check("twice", lambda n: n + n).passed
assert check("twice", lambda n: n * n).misconception == "squared"
assert main("ladder conv --shape 2x7x5x3,3x2x4 --methods im2col,shift".split()) == 0
assert main("ladder lenet --device cpu --rungs doubles --images 20 --budget 0.01".split()) == 0
assert main("ladder lenet --device gpu --rungs batched_pinned --images 20".split()) == 0
assert main(["record", "--pages", FILE]) == 0
"""


def run(*command: str) -> str:
    """Return what a Python with the added files writes; fails where the command does."""
    done = python(*command, folder=ROOT, PYTHONPATH=str(ADDED))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.weekly  # half a minute with the start of pytest and what it collects
def test_the_tests_take_a_new_file_in():
    chosen = "(test_registry or shift or doubles or twice or batched_pinned) and not no_answer"
    out = run(*PYTEST, "-v", "-k", chosen, *TESTS)
    for name, least in PROVEN.items():
        assert len(re.findall(f"{name}.* PASSED", out)) >= least, f"{name}\n{out}"


@pytest.mark.weekly
def test_the_commands_take_a_new_file_in(tmp_path):
    file = tmp_path / "pages.json"
    out = run("-c", SESSION.replace("FILE", repr(str(file))))
    assert re.search(r"^ *shift ", out, re.MULTILINE)
    assert re.search(r"^ *doubles ", out, re.MULTILINE)
    assert re.search(r"^ *batched_pinned ", out, re.MULTILINE)
    assert "1,048,576 fresh bytes filled" in out and '"seconds"' in file.read_text()
