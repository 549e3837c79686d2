import getpass
import json
import os
import platform
import socket
import sys
import types

import pytest

from convladder.cli import main
from convladder.core import processor
from convladder.cpu.isa import host_extensions, host_features
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


def test_facts_go_into_json_and_back():
    card = machine()
    assert hardware.Machine(**json.loads(json.dumps(card.as_dict()))) == card
    assert card.cpu and card.blas and card.arch == platform.machine()
    assert 1 <= card.cores <= os.cpu_count()
    if sys.platform == "linux":
        with open("/proc/meminfo") as lines:
            total = int(next(lines).split()[1]) * 1024
        assert card.memory == pytest.approx(total, rel=0.01)


def test_caches_are_read_from_the_system(tmp_path, monkeypatch):
    for index, (level, kind, size) in enumerate(
        [(1, "Data", "48K"), (1, "Instruction", "32K"), (2, "Unified", "2048K")]
    ):
        entry = tmp_path / f"index{index}"
        entry.mkdir()
        for name, text in (("level", level), ("type", kind), ("size", size)):
            (entry / name).write_text(f"{text}\n")
    monkeypatch.setattr(processor, "CACHES", tmp_path)
    monkeypatch.setattr(processor, "sysctl", dict)
    assert processor.caches() == {"L1d": 48 * 1024, "L2": 2 * 1024**2}
    monkeypatch.setattr(processor, "CACHES", tmp_path / "missing")
    assert processor.caches() == {}


@pytest.fixture
def mac(monkeypatch, tmp_path):
    """What a Mac of 4 fast and 4 slow cores tells, as far as anybody asks."""
    (tmp_path / "sysctl").write_text(
        f"""#!{sys.executable}
print("hw.ncpu: 8", "hw.perflevel0.logicalcpu: 4", "hw.perflevel0.l1dcachesize: 131072",
      "hw.perflevel0.l2cachesize: 12582912", "hw.l1dcachesize: 65536", "hw.l2cachesize: 4194304",
      "hw.optional.arm.FEAT_DotProd: 1", "hw.optional.arm.FEAT_I8MM: 0",
      "hw.optional.arm.FEAT_FP16: 1", "machdep.cpu.brand_string: Apple M1", sep="\\n")
"""
    )
    (tmp_path / "sysctl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    monkeypatch.setattr(processor, "text", lambda path: "")
    monkeypatch.setattr(processor, "CACHES", tmp_path / "missing")
    monkeypatch.setattr(toolchain, "compiler", lambda: ("cc",))
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for name in ("NUMBA_NUM_THREADS", "NUMBA_CPU_FEATURES", "NUMBA_CPU_NAME"):
        monkeypatch.delenv(name, raising=False)
    cached = (processor.sysctl, host_features, toolchain.version)
    for each in cached:
        each.cache_clear()
    yield
    monkeypatch.undo()
    for each in cached:
        each.cache_clear()


def test_a_mac_is_described_by_its_fast_cores(mac):
    assert hardware._cpu() == "Apple M1"
    assert processor.caches() == {"L1d": 128 * 1024, "L2": 12 * 1024**2}
    assert processor.available_cores() == min(4, processor.cpu_quota() or 4)


def test_arms_instructions_are_asked_of_the_system(mac, monkeypatch):
    def there():
        for each in (processor.sysctl, host_features, toolchain.version):
            each.cache_clear()
        return {each.name for each, there in host_extensions().items() if there}

    assert there() == {"NEON", "dot product", "half precision"}
    assert toolchain.version().endswith("FEAT_DotProd FEAT_FP16")
    monkeypatch.setattr(sys, "platform", "linux")
    line = "Features\t: fp asimd fphp asimdhp asimddp i8mm bf16 sve"
    monkeypatch.setattr(processor, "text", lambda path: f"processor: 0\n{line}\n")
    assert there() == {"NEON", "dot product", "half precision", "i8mm", "bf16"}
    assert toolchain.version().endswith(line)


def test_nothing_private():
    text = json.dumps(machine().as_dict())
    assert "/" not in text.replace("'", ""), "a path"
    assert socket.gethostname() not in text
    if len(user := getpass.getuser()) > 3:
        assert user not in text


def test_a_gpu_that_cupy_sees(monkeypatch, fresh):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(1))
    assert (machine().tier, machine().gpu) == ("gpu", "NVIDIA Test")


@pytest.mark.parametrize("cupy", [None, fake_cupy(0), fake_cupy(RuntimeError("no driver"))])
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
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CXX", "mine")
    monkeypatch.setattr(toolchain, "find_spec", lambda name: None)
    for name, answer, found in (
        ("clang++", "echo 19.1.0", "clang++ 19.1.0"),
        ("g++", "echo 99; exit 1", "clang++ 19.1.0"),  # as on a macOS without its developer tools
        ("g++", "echo 14", "g++ 14"),
        ("mine", "echo 7", "mine 7"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{answer}\n")
        (tmp_path / name).chmod(0o755)
        toolchain.compiler.cache_clear()
        assert hardware._compiler() == found


def test_nothing_is_recorded_beside_libraries_that_are_held_back(monkeypatch, capsys, fresh):
    assert machine().held_back == "" and "held back" not in str(machine())
    machine.cache_clear()
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("OPENBLAS_L2_SIZE", "1")
    assert main(["record"]) == 2
    said = capsys.readouterr().err
    assert "OPENBLAS_CORETYPE=Haswell OPENBLAS_L2_SIZE=1 holds libraries back" in said
    assert "(held back by OPENBLAS_CORETYPE=Haswell" in str(machine())
