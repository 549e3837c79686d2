"""Chapter 08's probes, and the record of their times, made on the emulator with a clock of ours."""

import json
from dataclasses import replace
from functools import partial

import pytest

from convladder import ConvProblem, cuda
from convladder.bench import metadata, steps
from convladder.bench.records import file_name, load_records
from convladder.cli import main
from convladder.gpu import probes
from convladder.gpu.variants import VARIANTS
from convladder.measure import Timing
from convladder.teach.plots import gpu_memory as gpu_times

from ..sampling import sampled

SMALL = ConvProblem.parse("2x12x20x8,3x3x64")


PROBES = [
    *(probes.strided(100, 3, 2), probes.by_fours(520), probes.four_scalars(999)),
    *(probes.row_sums(33, 3), probes.blur("global"), probes.blur("constant", 9, 40)),
]


@pytest.mark.parametrize("probe", sampled(PROBES, 3, lambda probe: probe.launch.kernel))
def test_a_probe_is_right_and_without_fault(probe):
    probe.ready()()
    assert probe.profile().ok


def test_a_wrong_result_is_not_timed():
    right = probes.by_fours(512)
    probe = probes.Probe(right.launch, right.inputs, right.expected + [0, 0, 0, 1] * 128)
    with pytest.raises(RuntimeError, match="by_fours is wrong"):
        probe.ready()


@pytest.fixture
def clock(monkeypatch):
    """A GPU's clock that calls everything once and says one millisecond."""

    def timed(calls, budget=0.0):
        for call in calls.values():
            call()
        return {name: Timing(1e-3, 0.5e-3, 2e-3, 5, 1) for name in calls}

    card = {"gpu": "NVIDIA Test 1", "multiprocessors": 1, "driver": "1"}
    monkeypatch.setattr(steps, "timed_on_gpu", timed)
    for module in (metadata, steps, gpu_times):
        monkeypatch.setattr(module, "gpu_info", lambda: card)
    monkeypatch.setattr(metadata, "gpu_versions", lambda: {"cupy-cuda13x": "0"})
    monkeypatch.setattr(steps, "nvrtc_version", lambda: "0")
    for name, value in dict(COPIED=4096, TURNS=100, BLOCKS_AN_SM=1, LAYER=SMALL).items():
        monkeypatch.setattr(steps, name, value)
    for function in (steps.time_ladder, steps.time_registers):
        monkeypatch.setattr(function, "__defaults__", (SMALL,))
    monkeypatch.setattr(steps, "PROBES", {"banks": {"pitch 32": partial(probes.row_sums, 32)}})
    monkeypatch.setattr(cuda, "gpu", lambda: True)
    gpu_times._here.cache_clear()
    yield
    gpu_times._here.cache_clear()


@pytest.mark.weekly
def test_a_record_is_written_read_and_shown(clock, monkeypatch, tmp_path, capsys):
    path = tmp_path / "nvidia-test-1.json"
    assert main(["record", "--steps", str(path)]) == 0
    assert "NVIDIA Test 1" in capsys.readouterr().out
    written = json.loads(path.read_text())
    assert file_name(written) == path.name
    assert list(written["ladder"]) == list(steps.NAMES)
    assert list(written["registers"]) == [variant.name for variant in VARIANTS]
    assert written["limits"]["flops_per_s"] == 2 * 8 * 100 * 256 / 0.5e-3

    monkeypatch.setattr(cuda, "gpu", lambda: False)
    monkeypatch.setattr(gpu_times, "load_records", lambda kind: load_records(tmp_path))
    label = f"NVIDIA Test 1, recorded {written['date']}"
    assert gpu_times.memory_step_times("ladder") == {label: dict.fromkeys(steps.NAMES, 1e-3)}
    assert gpu_times.gpu_peaks() == {label: 256 * written["card"]["multiprocessors"] * 1.98e9}
    assert gpu_times.memory_steps_source().startswith(label)
    monkeypatch.setattr(steps, "kernels", lambda: {"naive.cu": "another"})
    assert list(gpu_times.memory_step_times("ladder")) == [f"{label}, kernels since changed"]


@pytest.mark.weekly
def test_nothing_is_recorded_if_a_rung_is_wrong(clock, monkeypatch, tmp_path):
    right = steps.get_method
    wrong = replace(right("gpu_shared"), run=lambda x, w, p: cuda.to_device(0 * x.get()[..., :1]))
    monkeypatch.setattr(steps, "get_method", lambda n: wrong if n == "gpu_shared" else right(n))
    with pytest.raises(RuntimeError, match="gpu_shared is wrong"):
        steps.measure()
