"""The labs' exercises: each is `EXERCISE` in a file that is called as it is, labNN/eN_name.py.

The file's number gives the order within the lab. What exercises of a lab share stands beside them,
in files without a number (`layers.py`).
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from ..grading.exercise import Exercise

_FILE = re.compile(r"lab(\d+)/e(\d+)_(\w+)\.py")


def load_exercise(name: str) -> Exercise:
    """Return the exercise `name`: its file is imported, and the others' are not.

    Raises KeyError for a name that no exercise has.
    """
    return _imported(_modules()[name])


def load_exercises() -> dict[str, Exercise]:
    """Return all exercises by name, in the order of the labs and within each."""
    return {name: _imported(module) for name, module in _modules().items()}


def exercise_names() -> list[str]:
    """Return the names of all exercises, in their order. Imports none of them."""
    return list(_modules())


def _imported(module: str) -> Exercise:
    return import_module(module).EXERCISE


def _modules() -> dict[str, str]:
    """Return each exercise's module by its name. Raises ValueError where two have one name."""
    found = [
        _FILE.fullmatch(file.relative_to(folder).as_posix())
        for folder in map(Path, __path__)
        for file in folder.glob("lab*/e*_*.py")
    ]
    modules: dict[str, str] = {}
    for file in sorted(filter(None, found), key=lambda file: (int(file[1]), int(file[2]))):
        if file[3] in modules:
            raise ValueError(f"two exercises are named {file[3]!r}: rename {file[0]}")
        modules[file[3]] = f"{__name__}.{file[0].removesuffix('.py').replace('/', '.')}"
    return modules
