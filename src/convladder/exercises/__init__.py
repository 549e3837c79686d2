"""The labs' exercises: each is `EXERCISE` in a file of its own, labNN/eN_name.py.

The file's number gives the order within the lab. `exercise.py` says what an exercise is.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

from .exercise import Exercise

_FILE = re.compile(r"lab(\d+)/e(\d+)_(\w+)\.py")


def load_exercise(name: str) -> Exercise:
    """Return the exercise `name`; only its own file is imported.

    Raises KeyError, with the names that there are, for any other name.
    """
    modules = _modules()
    if name not in modules:
        near = get_close_matches(str(name), modules)
        likely = f"Do you mean {' or '.join(map(repr, near))}? " if near else ""
        raise KeyError(f"There is no exercise {name!r}. {likely}All are: {', '.join(modules)}.")
    return import_module(modules[name]).EXERCISE


def exercise_names() -> list[str]:
    """Return the names of all exercises, in their order. Imports none of them."""
    return list(_modules())


@cache
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
