"""Every comparison of the course: judged, timed in paired rounds, kept. A module each.

What the benchmarks share: `rounds` judges, then times in paired rounds; `result` is the outcome;
`metadata` begins a record; `libraries` are the others in the race; `conv_cpu` and `conv_gpu` do
convolutions, `conv_analysis` keeps and reads them by layer, `conv_tables` prints.

A benchmark is a file here that says `NAME` and `HELP`: `convladder record --NAME` finds it, calls
its `measure`, prints its `lines(record)` and keeps the record. What `measure` may take, by
keyword, each only if it names it:

- `progress(what)`, which is told what begins
- `device`: "cpu" or "gpu", as `--device` says
- `threads`: a list of numbers of threads, empty for the default, as `--threads` says
- `shape`: one layer, or every one, as `--shape` says

It returns the record, which begins with its metadata (see metadata.py), and raises `ValueError` for
an invalid request, `RuntimeError` or `ImportError` where this machine cannot make the record. A
`folder(record)` names the folder of its records where that is not `NAME`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "conv_analysis": ["runs_of"],
        "ladder": ["climb"],
        "libraries.conv": ["peers"],
        "profiles": ["profile_records"],
        "records": ["load_records"],
        "rounds": ["geometric_mean"],
    },
)


@cache
def benchmarks() -> dict[str, ModuleType]:
    """Return every benchmark by name, in alphabetical order of the files."""
    modules = (
        importlib.import_module(found.name)
        for found in pkgutil.iter_modules(__path__, f"{__name__}.")
    )
    return {module.NAME: module for module in modules if hasattr(module, "NAME")}
