"""How the notebooks are made: executed, normalised, turned into labs, and checked.

`convladder notebooks run | labs | check` is the way in; CONTRIBUTING.md says when to use which.
"""

from .execute import execute, run
from .labs import labs, make_lab
from .notebook import NotebookError, course_root, find
from .rules import NotebookReport, Violation, check

__all__ = [
    "Violation",
    "NotebookError",
    "NotebookReport",
    "check",
    "course_root",
    "execute",
    "find",
    "labs",
    "make_lab",
    "run",
]
