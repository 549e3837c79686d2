"""How processes share the suite: a notebook or a file of tests to one, the longest first.

The seconds are those of `tests/costs.json`, which `.ci/costs` writes.
"""

import json
from pathlib import Path

import pytest

SECONDS = json.loads((Path(__file__).parent / "tests" / "costs.json").read_text())
UNKNOWN = 3.0  # of a new file


def group_of(item: pytest.Item) -> str:
    """Return what runs in one process: a file, or the proofs of one lab's exercises."""
    file = item.nodeid.partition("::")[0]
    exercise = getattr(item, "callspec", None) and item.callspec.params.get("exercise")
    return f"{file} of lab {exercise.lab:02}" if hasattr(exercise, "lab") else file


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not hasattr(config, "workerinput"):
        return  # a single process runs them in the order in which they stand
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group_of(item)))
    items.sort(key=lambda item: -SECONDS.get(group_of(item), UNKNOWN))
