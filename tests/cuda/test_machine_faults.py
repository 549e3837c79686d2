"""What fails on a machine, whatever the kernel: told as that, or made anew, and never a mistake."""

import shutil
import signal
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from convladder import cuda
from convladder.core.temporary_folder import temporary_folder
from convladder.cuda.emulator import compile_cache, compiler, toolchain, worker_client

from ..sampling import sampled

pytestmark = [
    pytest.mark.usefixtures("emulator"),
    pytest.mark.skipif(sys.platform != "linux", reason="folders and signals as on Linux"),
]
KEPT = (
    *(compile_cache.folder, compiler.runtime, compiler.build),
    *(toolchain.compiler, toolchain.version, toolchain.options, worker_client.process),
)


def afresh():
    worker_client.process().end()
    for each in KEPT:
        each.cache_clear()


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder of compiled kernels with the runtime alone, for a process that knows none."""
    runtime = compiler.runtime()
    (tmp_path / "kernels").mkdir()
    shutil.copy(runtime, tmp_path / "kernels")
    monkeypatch.setenv("CONVLADDER_CACHE", str(tmp_path))
    afresh()
    yield tmp_path / "kernels"
    monkeypatch.undo()
    afresh()


def doubled(body="x[threadIdx.x] *= 2;"):
    source = f'extern "C" __global__ void f(float *x) {{ {body} }}'
    x = cuda.to_device(np.arange(4, dtype=np.float32))
    cuda.Kernel(source, "f")[1, 4](x)
    return x.get().tolist()


RIGHT = [0, 2, 4, 6]


# To compile the header anew takes seconds, and the runtime ten.
DAMAGED = [
    *sampled(list(product(["f-*.so"], ("empty", "short", "zeros", "one byte"))), 1, str),
    pytest.param("*/*.gch", "one byte", marks=pytest.mark.weekly),
    pytest.param("runtime-*.so", "short", marks=pytest.mark.weekly),
]


@pytest.mark.parametrize("name, damage", DAMAGED)
def test_damaged_files_are_made_anew(folder, name, damage):
    assert doubled() == RIGHT
    for file in folder.glob(name):
        data = bytearray(file.read_bytes())
        if damage == "empty":
            data.clear()
        elif damage == "short":
            del data[len(data) // 2 :]
        elif damage == "zeros":
            data = bytes(len(data))
        else:
            data[len(data) // 3] ^= 1
        file.unlink()  # the worker that runs has the whole one
        file.write_bytes(data)
    afresh()
    assert doubled() == doubled("x[threadIdx.x] += x[threadIdx.x];") == RIGHT


def fake_compiler(monkeypatch, tmp_path, does):
    """Let the compiler answer for itself as ever, and do something else with a source."""
    real = shutil.which("g++") or shutil.which("clang++")
    fake = tmp_path / "c++"
    fake.write_text(
        f'#!/bin/sh\ncase "$*" in -dumpversion|--version) exec {real} "$@";; esac\n{does}\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("CXX", str(fake))
    afresh()


@pytest.mark.parametrize(
    "does, said",
    [
        ("echo 'x.cpp:1: fatal error: writing x.s: No space left' >&2; exit 1", "No space"),
        ("kill -9 $$", "signal 9"),
        ("", "No such file"),
    ],
)  # fmt: skip
def test_a_failing_compiler_is_no_mistake_in_the_source(folder, tmp_path, monkeypatch, does, said):
    fake_compiler(monkeypatch, tmp_path, does)
    if not does:  # it is gone after it was found
        toolchain.compiler()
        (tmp_path / "c++").unlink()
    with pytest.raises(cuda.EmulatorError, match=said):
        doubled()


@pytest.mark.weekly
def test_a_folder_that_takes_no_programs_is_not_used(folder, monkeypatch):
    class Mounted:
        f_flag = 8  # ST_NOEXEC

    runtime = next(folder.glob("runtime-*"))
    temporary_folder().joinpath(runtime.name).write_bytes(runtime.read_bytes())
    monkeypatch.setattr(compile_cache.os, "statvfs", lambda path: Mounted)
    assert doubled() == RIGHT
    assert not list(folder.glob("f-*.so"))


def test_a_worker_that_the_system_ends(folder, monkeypatch):
    doubled()
    process = worker_client.process()
    started = process._start

    def starts_and_ends():
        started()
        process._child.send_signal(signal.SIGKILL)
        process._child.wait()

    monkeypatch.setattr(process, "_start", starts_and_ends)
    with pytest.raises(cuda.EmulatorError, match="ended from outside.*signal 9"):
        doubled()


def test_a_home_that_nobody_knows():
    """No HOME, and a user whom the system does not know: as containers have it."""
    code = (
        "import pwd\n"
        "pwd.getpwuid = lambda uid: {}[uid]\n"
        "import convladder\n"
        "from pathlib import Path\n"
        "from convladder.journal import journal_path\n"
        "print(Path.home(), journal_path().name)"
    )
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert done.stdout.split() == ["/nonexistent", "progress.jsonl"], done.stderr
