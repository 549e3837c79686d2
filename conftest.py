"""How processes share the suite: a notebook or a file of tests to one, the longest first.

The seconds are those of `tests/costs.json`, which `.ci/costs` writes.
"""

import gc
import importlib
import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from convladder.cli.lab import spare_formats

# nbval imports jsonschema, which takes a second of each process for formats that no notebook has.
spare_formats()
pytest_plugins = ["nbval.plugin"]

# Where it is safe to fork what has loaded a BLAS, as macOS's is not. (By name: nbval must not be
# imported before the line above.)
if sys.platform == "linux":
    nbval_kernel = importlib.import_module("nbval.kernel")
    nbval_kernel.start_new_kernel = importlib.import_module("tests.forked_kernels").start_new_kernel

SECONDS = json.loads((Path(__file__).parent / "tests" / "costs.json").read_text())
UNKNOWN = 3.0  # of a new file

# Processes beside one another, and the kernels that they start: BLAS gets its part of the cores,
# and OpenMP's threads, which are Numba's, sleep while they wait. Else they keep one another from
# the cores, and what takes milliseconds takes ten times as long. (What is timed on several threads
# asks for them by `measure.threads`.) Both are read when NumPy and Numba are loaded.
if processes := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // processes)))
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


# A shell without job control has what it starts in the background ignore the stop button's signal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def group_of(nodeid: str) -> str:
    """Return what runs in one process: a file, or the proofs of one lab's exercises."""
    file, _, name = nodeid.partition("::")
    lab = file.endswith("/test_exercises.py") and re.search(r"\[lab(\d\d)-", name)
    return f"{file} of lab {lab[1]}" if lab else file


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session):
    """Nothing that is collected is garbage: to look for some takes a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    """Every second process reads the folders from their end.

    All of them read all tests, and what one has compiled, another one then finds: Python's code,
    pytest's assertions, Numba's loops. In the same order each would compile all of it itself.
    """
    report = yield
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if int(number) % 2 and isinstance(collector, (pytest.Session, pytest.Directory)):
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("course/deeper/"):  # optional reading, run once a week
            item.add_marker("weekly")
    if hasattr(config, "workerinput"):  # a single process keeps the order in which they stand
        groups = {item: group_of(item.nodeid) for item in items}
        # By their names too, since processes agree on the order, however they have read them.
        items.sort(key=lambda item: (-SECONDS.get(groups[item], UNKNOWN), groups[item]))


def out_of_sight() -> None:
    """Take all that there is out of the garbage collector's sight.

    Each measurement of memory starts with a collection, which would walk over eight thousand tests,
    and over every package that a test before it has loaded: half a second each time.
    """
    gc.collect()
    gc.freeze()


def pytest_collection_finish(session: pytest.Session) -> None:
    out_of_sight()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem and group_of(item.nodeid) != group_of(nextitem.nodeid):
        out_of_sight()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log):
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    config.option.loadscopereorder = False  # they come in order
    return ByGroup(config, log)
