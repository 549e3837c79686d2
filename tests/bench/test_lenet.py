"""Rungs beside libraries, and the command that prints them."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from convladder import cuda
from convladder.bench import lenet as bench
from convladder.bench import libraries as packages
from convladder.bench.lenet import compare_rungs
from convladder.bench.lenet_times import ARITHMETIC, BYTES, COPY, LenetComparison
from convladder.bench.libraries import LIBRARIES, Library
from convladder.cli import main
from convladder.networks.lenet.rungs import get_rung


def right(count: int) -> np.ndarray:
    return get_rung("lanes").run(bench.images()[:count])


@pytest.fixture
def libraries(monkeypatch):
    """One that is right, one that is quick, one that is broken."""

    def broken():
        raise RuntimeError("no compiler\nand more")

    found = [
        Library("torch, broken", "torch", broken),
        Library("torch, right", "torch", lambda: right(100)),
        Library("torch, wrong", "torch", lambda: np.zeros(100, np.int64)),
    ]
    monkeypatch.setattr(bench, "peers", lambda *args: found)


def test_what_is_wrong_is_not_timed(libraries):
    result = compare_rungs([get_rung("lanes")], count=100, threads=1, with_peers=True, budget=0.01)
    assert result.judgements["torch, right"].ok and not result.judgements["torch, wrong"].ok
    assert set(result.comparison.timings) == {"lanes", "torch, right", ARITHMETIC}
    assert result.libraries == {"torch, right": "torch", "torch, wrong": "torch"}
    assert result.absent == {"torch, broken": "RuntimeError: no compiler"}
    seconds = result.comparison.timings["lanes"].median
    assert result.flops_per_s("lanes") == pytest.approx(2 * 281_640 * 100 / seconds)
    assert result.of_the_peak("lanes") == result.comparison.ratio(ARITHMETIC, "lanes")


def test_the_quicker_way_of_a_library_counts():
    rungs = [get_rung("lanes"), get_rung("compiled")]
    result = compare_rungs(rungs, count=64, threads=1, budget=0.01)
    ways = LenetComparison(
        "cpu", 64, {}, result.comparison, {}, {"lanes": "torch", "compiled": "torch"}, {}
    )
    quicker = min(("lanes", "compiled"), key=lambda n: result.comparison.timings[n].median)
    assert ways.best_of("torch") == quicker
    assert ways.best_of("onnxruntime") is None


def test_the_emulator_judges_and_times_nothing():
    if cuda.gpu():
        pytest.skip("there is a GPU")
    result = compare_rungs([get_rung("bytes")], count=20, with_peers=True)
    assert result.judgements["bytes"].ok and result.judgements["bytes"].images == 20
    assert result.comparison is None and not result.device_seconds and not result.libraries


def test_the_bare_parts_of_a_run(monkeypatch):
    images, pinned = bench.images()[:5], []
    monkeypatch.setattr(
        bench.streams,
        "pinned",
        lambda shape, dtype: (pinned.append(dtype), np.empty(shape, dtype))[1],
    )
    parts = bench._copies(images)
    assert {BYTES, COPY, f"{COPY}, pageable", "labels from logits"} == set(parts)
    assert pinned == [np.uint8, np.float32]
    assert parts["labels from logits"]().shape == (5,)
    calls = []
    assert bench._issue(lambda: calls.append(1)) > 0 and calls == [1]
    for name in (BYTES, COPY, f"{COPY}, pageable"):
        parts[name]()


def test_rungs_of_both_devices_do_not_meet():
    with pytest.raises(ValueError, match="2 devices"):
        compare_rungs([get_rung("lanes"), get_rung("bytes")])


def test_missing_libraries_are_named(monkeypatch):
    monkeypatch.setattr("convladder.bench.libraries.find_spec", lambda name: None)
    from convladder.bench.libraries.lenet import peers

    assert packages.missing() == list(LIBRARIES)
    assert peers(bench.images()[:2], bench.weights(), "cpu", 1) == []
    assert peers(bench.images()[:2], bench.weights(), "gpu", 1) == []


def test_command(capsys, tmp_path, monkeypatch):
    file = tmp_path / "record.json"
    command = [
        "ladder",
        "lenet",
        "--device",
        "cpu",
        "--rungs",
        "lanes,compiled",
        "--images",
        "64",
        "--threads",
        "1",
        "--budget",
        "0.01",
        "--json",
        str(file),
    ]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "64 images" in lines[0]
    assert [line.split()[0] for line in lines[4:]] == ["lanes", "compiled", "multiply-adds"]
    assert lines[-1].endswith("100%") and all("%" in line for line in lines[4:])
    record = json.loads(file.read_text())
    assert set(record["rounds"]) == {"lanes", "compiled", ARITHMETIC} and record["images"] == 64


@pytest.mark.weekly
def test_a_run_of_fewer_images_is_not_drawn_beside_the_records(tmp_path, monkeypatch, capsys):
    drawn = []

    class Picture:
        def __init__(self, fig, alt):
            drawn.append(alt)

        def save(self, path):
            path.write_bytes(b"")

    monkeypatch.setattr("convladder.teach.plots.lenet.Picture", Picture)
    monkeypatch.setattr("convladder.measure.machine", lambda: SimpleNamespace(cpu="This One"))
    command = ["--device", "cpu", "--rungs", "lanes", "--budget", "0.01", "--plot"]
    plot = tmp_path / "p.png"
    assert main(["ladder", "lenet", *command, str(plot), "--images", "64"]) == 0 and plot.exists()
    assert main(["ladder", "lenet", *command, str(plot)]) == 0
    assert "This One, here" not in drawn[0] and "This One, here" in drawn[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rungs", "lanes,bytes"], "both devices"),
        (["--rungs", "bytes", "--device", "cpu"], "both devices"),
        (["--rungs", "lane"], "there is no rung 'lane'"),
        (["--rungs", ","], "names no rung"),
        (["--rungs", "lanes", "--images", "0"], "--images 0: there are 1 to 10,000"),
        (["--rungs", "lanes", "--images", "10001"], "1 to 10,000"),
        (["--rungs", "lanes", "--threads", "0"], "threads=0"),
        (["--rungs", "lanes", "--json", "none/x.json"], "there is no folder none"),
    ],
)
def test_command_refuses_what_cannot_be(arguments, message, capsys):
    assert main(["ladder", "lenet", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_command_on_the_emulator(capsys):
    if cuda.gpu():
        pytest.skip("there is a GPU")
    assert main(["ladder", "lenet", "--rungs", "one_kernel", "--images", "3"]) == 0
    assert "emulator: judged, not timed" in capsys.readouterr().out


def test_command_without_the_memory(monkeypatch, capsys):
    def full(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr(bench, "compare_rungs", full)
    assert main(["ladder", "lenet", "--rungs", "lanes"]) == 2
    assert "10,000 images and their maps need more memory" in capsys.readouterr().err
