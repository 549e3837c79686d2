import getpass
import json
import os
import platform
import socket
import sys
import types

import pytest
import threadpoolctl

from convladder.cli import main
from convladder.cuda.emulator import toolchain
from convladder.measure import hardware, machine


@pytest.fixture
def fresh():
    for looked_for_once in (machine, toolchain.compiler):
        looked_for_once.cache_clear()
    yield
    for looked_for_once in (machine, toolchain.compiler):
        looked_for_once.cache_clear()


def fake_cupy(count, name=b"NVIDIA Test"):
    def get_device_count():
        if isinstance(count, Exception):
            raise count
        return count

    runtime = types.SimpleNamespace(
        getDeviceCount=get_device_count, getDeviceProperties=lambda device: {"name": name}
    )
    return types.SimpleNamespace(cuda=types.SimpleNamespace(runtime=runtime))


def test_it_goes_into_json_and_back():
    card = machine()
    assert hardware.Machine(**json.loads(json.dumps(card.as_dict()))) == card


def test_facts():
    card = machine()
    assert card.cpu and card.blas
    assert card.arch == platform.machine()
    assert 1 <= card.cores <= os.cpu_count()
    assert card.python == platform.python_version()


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux tells")
def test_facts_of_linux():
    card = machine()
    with open("/proc/meminfo") as lines:
        total = int(next(lines).split()[1]) * 1024
    assert card.memory == pytest.approx(total, rel=0.01)
    assert all(2**12 <= size <= 2**32 for size in card.caches.values())


def test_caches_are_read_from_the_system(tmp_path, monkeypatch):
    for index, (level, kind, size) in enumerate(
        [(1, "Data", "48K"), (1, "Instruction", "32K"), (2, "Unified", "2048K")]
    ):
        entry = tmp_path / f"index{index}"
        entry.mkdir()
        for name, text in (("level", level), ("type", kind), ("size", size)):
            (entry / name).write_text(f"{text}\n")
    monkeypatch.setattr(hardware, "CACHES", tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    assert hardware._caches() == {"L1d": 48 * 1024, "L2": 2 * 1024**2}
    monkeypatch.setattr(hardware, "CACHES", tmp_path / "missing")
    assert hardware._caches() == {}


def test_nothing_private():
    text = json.dumps(machine().as_dict())
    assert "/" not in text.replace("'", ""), "a path"
    assert socket.gethostname() not in text
    if len(user := getpass.getuser()) > 3:
        assert user not in text


def test_a_gpu_that_cupy_sees(monkeypatch, fresh):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(1))
    assert (machine().tier, machine().gpu) == ("gpu", "NVIDIA Test")


@pytest.mark.parametrize(
    "cupy", [None, fake_cupy(0), fake_cupy(RuntimeError("no driver")), types.SimpleNamespace()]
)
def test_no_gpu_and_no_exception(cupy, monkeypatch, fresh):
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(hardware, "_compiler", lambda: "g++ 12")
    assert (machine().tier, machine().gpu) == ("emulator", None)


def test_neither_gpu_nor_compiler(monkeypatch, fresh, tmp_path):
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(toolchain, "find_spec", lambda name: None)
    assert (machine().tier, machine().compiler) == ("recorded", None)


@pytest.mark.skipif(os.name != "posix", reason="writes a shell script")
def test_compilers_are_tried_in_order_until_one_answers(monkeypatch, fresh, tmp_path):
    def install(name, answer):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{answer}\n")
        path.chmod(0o755)
        return path

    def found():
        toolchain.compiler.cache_clear()
        return hardware._compiler()

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(toolchain, "find_spec", lambda name: None)
    assert found() is None
    install("clang++", "echo 19.1.0")
    install("g++", "echo 99; exit 1")  # as on a macOS without its developer tools
    assert found() == "clang++ 19.1.0"
    install("g++", "echo 14")
    assert found() == "g++ 14"
    monkeypatch.setenv("CXX", str(install("mine", "echo 7")))
    assert found() == "mine 7"
    monkeypatch.setenv("CXX", "nowhere")
    assert found() == "g++ 14"


def test_it_names_the_kernels_of_blas_and_what_holds_them_back(monkeypatch, fresh):
    known = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    assert machine().blas_kernels == (known[0]["architecture"] if known else None)
    assert machine().held_back == "" and "held back" not in str(machine())
    machine.cache_clear()
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    assert machine().held_back == "OPENBLAS_CORETYPE=Haswell"
    assert "(held back by OPENBLAS_CORETYPE=Haswell)" in str(machine())


def test_nothing_is_recorded_beside_libraries_that_are_held_back(monkeypatch, capsys):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("OPENBLAS_L2_SIZE", "1")
    assert main(["record"]) == 2
    said = capsys.readouterr().err
    assert "OPENBLAS_CORETYPE=Haswell OPENBLAS_L2_SIZE=1 holds libraries back" in said
