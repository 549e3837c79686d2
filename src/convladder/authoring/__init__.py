"""How the notebooks are made: executed, normalised, turned into labs, checked, and handed out.

`convladder notebooks run | labs | terms | bars | check` and `convladder get` are the ways in;
CONTRIBUTING.md says when to use which.
"""

from ..outline import COPY
from .copies import Got, get
from .course_folder import course_root
from .execute import execute, run
from .frame import write_bars
from .labs import labs, make_lab
from .links import write_terms
from .notebook import NotebookError, find
from .rules import NotebookReport, Violation, check

__all__ = [
    "COPY",
    "Got",
    "Violation",
    "NotebookError",
    "NotebookReport",
    "check",
    "course_root",
    "execute",
    "find",
    "get",
    "labs",
    "make_lab",
    "run",
    "write_bars",
    "write_terms",
]
