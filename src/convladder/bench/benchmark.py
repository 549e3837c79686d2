"""A benchmark: what `convladder record` measures on this machine, prints and writes as a record.

A file of this folder registers its own, and nothing else has to know of it:

    register("pages", "the time that a fill of fresh memory takes", measure, lines)
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ..core.progress import Progress, report_progress

EVERY_LAYER = "paper"  # as a shape: cv1 to cv12 and the MEC report's layer


@dataclass(frozen=True)
class Options:
    """The options of a benchmark's command line; a benchmark may ignore some of them.

    `threads`: numbers of threads, empty for the benchmark's own; `shape`: one layer, or
    `EVERY_LAYER`; `progress` is told what begins.
    """

    threads: tuple[int, ...] = ()
    shape: str = EVERY_LAYER
    progress: Progress = report_progress


@dataclass(frozen=True)
class Benchmark:
    """`name` is its flag of `convladder record`, and its records' folder.

    `measure(options)` returns the record, which begins with its metadata (see metadata.py). It
    raises `ValueError` for an invalid request, `RuntimeError` or `ImportError` where this machine
    cannot make the record. `lines(record)` are printed.
    """

    name: str
    help: str
    measure: Callable[[Options], dict[str, object]]
    lines: Callable[[Mapping], Iterator[str]]


_BENCHMARKS: dict[str, Benchmark] = {}


def register(
    name: str,
    help: str,
    measure: Callable[[Options], dict[str, object]],
    lines: Callable[[Mapping], Iterator[str]],
) -> None:
    """Add a benchmark."""
    _BENCHMARKS[name] = Benchmark(name, help, measure, lines)


@cache
def benchmarks() -> Mapping[str, Benchmark]:
    """Return every benchmark by name, in alphabetical order."""
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__, f"{__package__}."):
        importlib.import_module(module.name)
    return dict(sorted(_BENCHMARKS.items()))
