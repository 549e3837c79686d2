"""Numba, whose cache is a convenience here: where it fails, a function is compiled once more.

All modules that compile take `numba` from here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any

import numba
from numba.core import caching, codegen

from .machine_error import MachineError
from .processor import arm_features
from .temporary_folder import temporary_folder

if numba.config.DISABLE_JIT:
    raise MachineError(
        "NUMBA_DISABLE_JIT is set, so Numba compiles nothing here, and what must be compiled "
        "cannot run; unset it and start again"
    )

if numba.config.CPU_FEATURES is numba.config.CPU_NAME is None:
    # What our code asks for by name, as `sdot`, ends the process where LLVM thinks it absent. Of
    # matrix registers (SME) LLVM must decide itself.
    more = [f"+{name}" for name, there in arm_features().items() if there and name != "sme"]
    if more:
        told = codegen.get_host_cpu_features()
        numba.config.CPU_FEATURES = ",".join([told, *more] if told else more)


def cache_folder() -> str | None:
    """Return where Numba keeps what this package compiles; None where there is no place for it."""
    try:
        return caching.FunctionCache(cache_folder).cache_path
    except (RuntimeError, OSError):
        return None


FROM = re.compile(r"^ *from (\.+)([\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


def _stamp(file: str) -> str:
    """Return a digest of a source and of all that it imports by relative names, and they in turn.

    Numba inlines functions and constants of those, but asks for changes of the first alone.
    """
    digests: dict[str, bytes] = {}
    wait = [file]
    while wait:
        if (source := wait.pop()) not in digests and os.path.isfile(source):
            digests[source], imports = _read(source, os.stat(source).st_mtime_ns)
            wait += imports
    return sha256(b"".join(digests[source] for source in sorted(digests))).hexdigest()


@cache
def _read(source: str, changed: int) -> tuple[bytes, list[str]]:
    """Return the digest of a source, and files that it may import."""
    text, imports = Path(source).read_bytes(), []
    for dots, path, names in FROM.findall(text.decode(errors="replace")):
        at = Path(source).parents[len(dots) - 1].joinpath(*path.split("."))
        imports += [f"{at}.py", *(f"{at}/{name}.py" for name in re.findall(r"\w+", names))]
    return sha256(text).digest(), imports


def compiled_once(make: Callable) -> Callable:
    """Return `make` with a cache, and with a lock, under which it runs once for all threads.

    Where two threads compiled the same, `functools.cache` would keep one result and drop the other,
    whose code is then freed while somebody calls it by its address.
    """
    cached, lock = cache(make), RLock()

    @wraps(make)
    def once(*key: Any) -> Any:
        with lock:
            return cached(*key)

    return once


_one_call = RLock()


@cache
def threading_layer() -> str:
    """Return what Numba's threads come from, once they start: "tbb", "omp" or "workqueue"."""
    for layer in ("tbb", "omp"):
        if numba.config.THREADING_LAYER != "workqueue":
            with suppress(ImportError):
                import_module(f"numba.np.ufunc.{layer}pool")
                return layer
    return "workqueue"


def one_at_a_time(function: Callable) -> Callable:
    """Return a Numba function of parallel loops that any thread may call.

    Without TBB and OpenMP (macOS as it comes) calls wait for one another: Numba's own threads
    (workqueue) end the process at a second call.
    """
    if threading_layer() != "workqueue":
        return function

    @wraps(function)
    def call(*arguments: Any) -> Any:
        with _one_call:
            return function(*arguments)

    return call


OURS = f"{Path(__file__).parents[1]}{os.sep}"
_numbas_stamp = caching._SourceFileBackedLocatorMixin.get_source_stamp
_load, _save = caching.Cache.load_overload, caching.Cache.save_overload


def _source_stamp(self: Any) -> Any:
    """Return our stamp of this package's files; others keep Numba's, or their caches go stale."""
    return _stamp(self._py_file) if self._py_file.startswith(OURS) else _numbas_stamp(self)


def _load_overload(self: caching.Cache, *args: Any) -> Any:
    """Take a damaged file for one that is not there."""
    try:
        return _load(self, *args)
    except Exception:  # unpickling what is cut short raises nearly anything
        with suppress(OSError):
            self.flush()
        return None


def _save_overload(self: caching.Cache, *args: Any) -> None:
    """Save, unless the disk is full."""
    with suppress(OSError):
        _save(self, *args)


caching._SourceFileBackedLocatorMixin.get_source_stamp = _source_stamp
caching.Cache.load_overload, caching.Cache.save_overload = _load_overload, _save_overload
kept_in = cache_folder()
if kept_in is None:
    numba.config.CACHE_DIR = str(temporary_folder() / "numba")
