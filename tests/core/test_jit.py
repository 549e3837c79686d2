"""Numba's cache: where it fails, what is compiled stays right."""

import importlib
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest

from convladder.core import jit
from convladder.core.jit import caching, compiled_once, numba

from ..python import python
from ..sampling import sampled

CODE = """
import sys
sys.path.insert(0, {folder!r})
from convladder.core.jit import kept_in
import module
print(module.f(20), kept_in)
"""
MODULE = """
from convladder.core.jit import numba

@numba.njit(cache=True)
def f(n):
    return n + 1
"""


def run(folder, **environment):
    (folder / "module.py").write_text(MODULE)
    environment = {"NUMBA_CACHE_DIR": str(folder / "cache"), **environment}
    return python("-c", CODE.format(folder=str(folder)), **environment)


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    """Load `module.py` anew at each call, as another process would, and return its `f`."""

    def forget():
        for name in list(sys.modules):
            if name.partition(".")[0] in ("module", "package"):
                del sys.modules[name]

    def load():
        forget()
        importlib.invalidate_caches()
        return importlib.import_module("module").f

    monkeypatch.setattr(jit, "OURS", str(tmp_path))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a second may hold both sources
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "module.py").write_text(MODULE)
    yield load
    forget()


@pytest.mark.parametrize(
    "kind, part", sampled([*product(("nbi", "nbc"), (0.0, 0.5, 0.95))], 2, str)
)
def test_a_damaged_cache_is_made_anew(tmp_path, loaded, kind, part):
    assert loaded()(20) == 21
    (file,) = tmp_path.glob(f"cache/**/*.{kind}")
    whole = file.read_bytes()
    file.write_bytes(whole[: int(part * len(whole))])
    assert loaded()(20) == 21
    again = loaded()
    assert again(20) == 21 and again.stats.cache_hits
    assert len(file.read_bytes()) >= 0.9 * len(whole)


def test_an_update_of_what_a_file_imports(tmp_path, loaded):
    """Numba alone goes by a function's own file, and would run old machine code."""
    package, caller = tmp_path / "package", "from .inner.deepest import (  # long\n    N,\n)\n"
    (package / "inner").mkdir(parents=True)
    (package / "outer.py").write_text("from . import middle\n" + MODULE.replace("1", "middle.g()"))
    (package / "middle.py").write_text(
        caller + MODULE.replace("def f(n)", "def g()").replace("n + 1", "N")
    )
    (tmp_path / "module.py").write_text("from package.outer import f")
    for n in (1, 2, 1):
        (package / "inner" / "deepest.py").write_text(f"N = {n}")
        assert loaded()(20) == 20 + n


def test_only_our_functions_have_our_stamp():
    """Another package's cache would go stale whenever a process imports this one, or doesn't."""
    for function, ours in ((compiled_once, True), (sampled, False)):
        stamp = caching.FunctionCache(function)._impl.locator.get_source_stamp()
        assert (stamp == jit._stamp(function.__code__.co_filename)) is ours


def test_without_any_place_for_it(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "from numba.core import caching\n"
        "def nowhere(self):\n"
        "    if 'convladder-' not in self.get_cache_path():\n"
        "        raise OSError(30, 'Read-only file system')\n"
        "caching._CacheLocator.ensure_cache_path = nowhere\n"
    )
    path = os.pathsep.join([str(tmp_path), *map(str, map(Path, sys.path))])
    done = run(tmp_path, NUMBA_CACHE_DIR="", PYTHONPATH=path)
    assert done.stdout.split() == ["21", "None"], done.stderr


def test_without_compilation_one_sentence_says_why(tmp_path):
    said = run(tmp_path, NUMBA_DISABLE_JIT="1").stderr.splitlines()[-1]
    assert "MachineError: NUMBA_DISABLE_JIT is set" in said


def test_threads_that_compile_the_same_get_one_result():
    made = []

    @compiled_once
    def make(size):
        time.sleep(0.05)
        made.append(size)
        return object()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(make, [1, 1, 2, 1]))
    assert sorted(made) == [1, 2] and len(set(found)) == 2
