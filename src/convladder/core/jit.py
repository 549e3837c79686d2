"""Numba, whose cache is a convenience here: where it fails, a function is compiled once more.

All modules that compile take `numba` from here.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from threading import RLock
from typing import Any

import numba
from numba.core import caching

from .machine_error import MachineError
from .temporary_folder import temporary_folder

if numba.config.DISABLE_JIT:
    raise MachineError(
        "NUMBA_DISABLE_JIT is set, so Numba compiles nothing here, and what must be compiled "
        "cannot run; unset it and start again"
    )


def cache_folder() -> str | None:
    """Return where Numba keeps what this package compiles; None where there is no place for it."""
    try:
        return caching.FunctionCache(cache_folder).cache_path
    except (RuntimeError, OSError):
        return None


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


def _anew(load: Callable) -> Callable:
    """Return Numba's `load_overload`, for which a damaged file is one that is not there."""

    def load_overload(self: caching.Cache, *args: Any) -> Any:
        try:
            return load(self, *args)
        except Exception:  # unpickling what is cut short raises nearly anything
            with suppress(OSError):
                self.flush()
            return None

    return load_overload


def _if_possible(save: Callable) -> Callable:
    """Return Numba's `save_overload`, to which a full disk is no error."""

    def save_overload(self: caching.Cache, *args: Any) -> None:
        with suppress(OSError):
            save(self, *args)

    return save_overload


caching.Cache.load_overload = _anew(caching.Cache.load_overload)
caching.Cache.save_overload = _if_possible(caching.Cache.save_overload)
kept_in = cache_folder()
if kept_in is None:
    numba.config.CACHE_DIR = str(temporary_folder() / "numba")
