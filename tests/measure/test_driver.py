"""What a driver says of its GPUs, and what we make of it: drivers here are played."""

import ctypes
from types import SimpleNamespace

import pytest

from convladder.cli import doctor
from convladder.core.install import install_text
from convladder.measure.cuda.driver import Driver, driver, missing_gpu_extra


def library(cuda: int = 12040, gpus=(("Tesla T4", 7, 5),), opens: bool = True):
    """A libcuda of the functions that are asked; `opens`: whether cuInit succeeds."""

    def set_int(place, value: int) -> int:
        ctypes.cast(place, ctypes.POINTER(ctypes.c_int))[0] = value
        return 0

    def name(buffer, size, number) -> int:
        buffer.value = gpus[number][0].encode()
        return 0

    return SimpleNamespace(
        cuDriverGetVersion=lambda place: set_int(place, cuda),
        cuInit=lambda flags: 0 if opens else 100,
        cuDeviceGetCount=lambda place: set_int(place, len(gpus)),
        cuDeviceGetName=name,
        cuDeviceGetAttribute=lambda place, which, number: set_int(
            place, gpus[number][1 if which == 75 else 2]
        ),
    )


def found(**played) -> Driver | None:
    return driver(lambda path: library(**played))


def absent(path: str):
    raise OSError(path)


def test_a_driver_is_read_without_cupy():
    assert found() == Driver((12, 4), (("Tesla T4", (7, 5)),))
    both = found(cuda=13000, gpus=(("old", 6, 1), ("NVIDIA H200", 9, 0)))
    assert both.best == ("NVIDIA H200", (9, 0)) and both.cuda == (13, 0)
    assert driver(absent) is None
    assert found(opens=False).gpus == ()  # a container that was given none
    opened = []
    driver(lambda path: opened.append(path) or (_ for _ in ()).throw(OSError()))
    assert opened == ["libcuda.so.1", "libcuda.so"]


NEW, OLD = {"cuda": 13000}, {"cuda": 12040}
PASCAL = {"gpus": (("Tesla P100", 6, 0),), **NEW}


@pytest.mark.parametrize(
    "played, installed, words, extra",
    [
        (None, None, "there is no NVIDIA driver", None),
        ({"gpus": ()}, 13, "sees no GPU", None),
        (PASCAL, 13, "Tesla P100 has compute capability 6.0", None),
        ({"cuda": 11040}, None, "its driver knows CUDA 11.4", None),
        (NEW, None, "Tesla T4, and no CuPy", "gpu"),
        (OLD, None, "Tesla T4, and no CuPy", "gpu12"),
        (OLD, 13, "knows CUDA 12.4, which is too old for the CuPy of CUDA 13", "gpu12"),
        (NEW, 13, "which CuPy cannot open", None),
    ],
)
def test_it_is_said_in_words_what_is_in_the_way(played, installed, words, extra):
    why, mends = missing_gpu_extra(None if played is None else found(**played), installed)
    assert words in why and mends == extra


@pytest.fixture
def without_cupy(monkeypatch):
    monkeypatch.setattr(doctor, "cupy_cuda", lambda: None)
    monkeypatch.setattr(doctor, "_kernel", lambda: doctor.Check("kernel", True, "", None, True))


def checks(played, monkeypatch) -> dict[str, doctor.Check]:
    monkeypatch.setattr(doctor, "driver", lambda: played and found(**played))
    card = SimpleNamespace(gpu=None, tier="emulator", compiler="g++")
    return {check.what: check for check in doctor.examine(card)}


def test_doctor_names_the_one_command(without_cupy, monkeypatch):
    what = "GPU (CUDA kernels at their own speed)"
    new = checks(NEW, monkeypatch)
    assert new[what].remedy == install_text("gpu")
    assert any(name.startswith("extra gpu ") for name in new)
    assert not any(name.startswith("extra gpu12") for name in new)
    old = checks(OLD, monkeypatch)
    assert old[what].remedy == "make env EXTRAS=gpu12,lab,scale"
    assert "those chapters run in the tier 'emulator'" in old[what].found
    assert any(name.startswith("extra gpu12") for name in old)
    assert checks(None, monkeypatch)[what].remedy is None
    monkeypatch.setattr(doctor, "cupy_cuda", lambda: 12)
    names = checks(OLD, monkeypatch)
    assert not any(name.startswith(("extra gpu ", "extra inspect")) for name in names)
