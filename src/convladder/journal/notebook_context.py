"""Which notebook and which cell is running, as far as a kernel can know."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from .course_index import FOLDERS


def shell() -> Any:
    """Return the shell of a notebook's kernel, None elsewhere. Imports nothing."""
    ipython = sys.modules.get("IPython")
    found = ipython.get_ipython() if ipython and hasattr(ipython, "get_ipython") else None
    return found if getattr(found, "kernel", None) is not None else None


@cache
def is_script_of_a_notebook() -> bool:
    """Return whether this process runs a notebook that was saved as a script, by nbconvert say."""
    file = getattr(sys.modules["__main__"], "__file__", None)
    try:
        return bool(file) and "\n# In[" in Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False


def notebook_cell() -> tuple[str, str]:
    """Return ("course/03_mec", digest of the running cell), each "" where it cannot be known.

    Jupyter tells a kernel its notebook by JPY_SESSION_NAME, VS Code by a name in its space.
    """
    kernel = shell()
    if kernel is None:
        return "", ""
    path = kernel.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME", "")
    raw = kernel.history_manager.input_hist_raw if kernel.history_manager else [""]
    return _name(Path(str(path))), cell_digest(raw[-1])


def cell_digest(source: str) -> str:
    """Return the digest that identifies a code cell: the first eight digits of its id."""
    return hashlib.sha256(f"code\n{source.strip(chr(10))}".encode()).hexdigest()[:8]


def _name(path: Path) -> str:
    if path.suffix != ".ipynb" or path.parent.name not in FOLDERS:
        return ""
    return f"{path.parent.name}/{path.stem}"
