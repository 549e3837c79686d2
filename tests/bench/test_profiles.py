"""Profiles of rungs: refused in a sentence where there is nothing to profile with, and printed."""

import pytest

from convladder import cuda
from convladder.bench import profiles as module
from convladder.bench.profiles import Profiles, profiles
from convladder.cli import main
from convladder.measure.cuda import cupti
from convladder.measure.cuda.profile import Activity, profile_of
from convladder.networks.lenet.rungs import get_rung

RUN = [Activity("call", "cuLaunchKernel", 0, 900), Activity("kernel", "conv", 1000, 5000, 1)]


@pytest.mark.skipif(cuda.gpu(), reason="there is a GPU here")
@pytest.mark.parametrize(
    "command",
    [
        ["ladder", "lenet", "--profile"],
        ["ladder", "lenet", "--profile", "--rungs", "bytes"],
        ["record", "--profiles"],
    ],
)
def test_without_a_gpu_it_is_said(command, capsys):
    assert main(command) == 2
    assert "there is no NVIDIA GPU that CuPy sees" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["--profile", "--rungs", "lanes"], "--profile is of the GPU's rungs"),
        (["--profile", "--device", "cpu"], "--profile is of the GPU's rungs"),
        (["--timelines", "."], "add --profile"),
    ],
)
def test_what_cannot_be_profiled_is_said(command, message, capsys):
    assert main(["ladder", "lenet", *command]) == 2
    assert message in capsys.readouterr().err


def test_without_cupti_the_command_is_named(monkeypatch, capsys):
    monkeypatch.setattr(cuda, "gpu", lambda: True)
    monkeypatch.setattr(cupti, "find_spec", lambda name: None)
    assert main(["ladder", "lenet", "--profile"]) == 2
    assert "cupti-python is not installed" in capsys.readouterr().err


def test_a_rung_of_the_processor_has_no_profile():
    with pytest.raises(ValueError, match="lanes run on the processor"):
        profiles([get_rung("lanes")])


def test_tables_are_printed_and_drawn(monkeypatch, capsys, tmp_path):
    seen = {"bytes": profile_of([RUN], [2e-5], (1e-5, 1.1e-5, 1.2e-5))}
    monkeypatch.setattr(cupti, "missing", lambda: None)
    monkeypatch.setattr(
        module,
        "profiles",
        lambda *args, **kwargs: Profiles(10_000, seen, {}, {"torch, compiled": "no compiler"}),
    )
    command = ["ladder", "lenet", "--rungs", "bytes", "--profile", "--timelines", str(tmp_path)]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "bytes: 10,000 images, 11.0 µs host to host (20.0 µs with the profiler)" in out
    assert "100.0%  4.00 µs      1  4.00 µs  4.00 µs  4.00 µs  conv" in out
    assert "cuLaunchKernel" in out and "torch, compiled did not run: no compiler" in out
    assert (tmp_path / "bytes.png").stat().st_size > 1000


def test_a_program_is_profiled_when_it_is_first_asked_for(monkeypatch):
    made = []
    monkeypatch.setattr(cupti, "cupti_session", lambda: None)
    monkeypatch.setattr(cupti, "profiled", lambda run, wall, budget, most: (run(), wall, most))

    def way(name):
        made.append(name)
        return lambda: name

    watch = module.LazyProfiles(
        {name: lambda name=name: way(name) for name in "ab"},
        {"a": (1, 2, 3), "b": (4, 5, 6)},
        0.1,
        5,
        made.append,
    )
    assert list(watch) == ["a", "b"] and "a" in watch and "c" not in watch and not made
    assert watch["b"] == watch["b"] == ("b", (4, 5, 6), 5)
    assert made == ["b", "b, profiled"]
