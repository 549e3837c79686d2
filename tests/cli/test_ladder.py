"""`convladder ladder`: what it prints, draws, writes and refuses, for layers and for LeNet-5."""

import json
import re

import pytest

from convladder import ConvProblem, cuda, methods
from convladder.bench import conv, conv_gpu, lenet, libraries, metadata, profiles
from convladder.bench.conv_cpu import ConvComparison
from convladder.bench.conv_tables import cpu_cells, cpu_means, rivals
from convladder.bench.lenet import ARITHMETIC
from convladder.bench.profiles import Profiles
from convladder.bench.records import newest
from convladder.bench.records.conv_gpu import cudnn_seconds, seconds_of
from convladder.bench.result import Result
from convladder.measure import Comparison, machine
from convladder.measure.cuda import cupti
from convladder.measure.cuda.profile import Activity, profile_of
from convladder.measure.quick import VARIABLE
from convladder.measure.timing import timing_of

from . import SMALL, told

PNG = b"\x89PNG"


@pytest.fixture(autouse=True)
def quickly(measurements_in_full, monkeypatch):
    """Here is read what commands say; how long they measure is for the timer's own tests."""
    monkeypatch.setenv(VARIABLE, "1")


def test_the_ladder_has_a_row_for_every_method(capsys):
    code, out, err = told(capsys, "ladder", "conv", "--shape", SMALL, "--threads", "1")
    assert (code, err) == (0, "") and out.startswith(SMALL)
    table, auto = out.split("-\n", 1)[1].split("\n\n", 1)
    rows = [line.split()[0] for line in table.splitlines() if line]
    small = ConvProblem.parse(SMALL)
    assert rows == [method.name for method in methods("cpu") if not method.unsupported(small)]
    assert auto.startswith("auto takes ") and "fastest" in auto


def test_a_skipped_method_has_its_reason(capsys):
    words = ["--shape", "40x40x16,3x3x16", "--methods", "loops,im2col"]
    code, out, _ = told(capsys, "ladder", "conv", *words)
    assert code == 0 and re.search(r"Skipped:\nloops \(.*plain Python", out)


def test_the_ladder_fits_the_terminal_and_marks_a_disturbed_row_once(capsys, monkeypatch):
    words = ["ladder", "conv", "--shape", SMALL, "--methods", "im2col,mec_rows"]
    monkeypatch.setattr("convladder.bench.result.Result.disturbed", property(lambda _: True))
    for columns in (60, 100):
        monkeypatch.setenv("COLUMNS", str(columns))
        out = told(capsys, *words)[1]
        rows = out.split("\n\n")[1].splitlines()
        assert max(map(len, rows)) <= columns and ("quartiles" in out) == (columns == 100)
        assert [row.split()[0] for row in rows[2:4]] == ["im2col*", "mec_rows*"]
        assert "".join(rows[:4]).count("*") == 2 and "* disturbed: " in rows[4]


def test_record_and_picture(capsys, tmp_path):
    record, picture = tmp_path / "r.json", tmp_path / "r.png"
    words = ["--shape", SMALL, "--methods", "mec_rows, im2col", "--json", str(record)]
    assert told(capsys, "ladder", "conv", *words, "--plot", str(picture))[0] == 0
    data = json.loads(record.read_text())
    assert data["machine"] == machine().as_dict() and data["problem"] == SMALL
    assert [result["method"] for result in data["results"]] == ["mec_rows", "im2col"]
    assert picture.read_bytes().startswith(PNG)


@pytest.mark.parametrize(
    "words, sentence",
    [
        ("conv --shape cv13", "'cv13' is not a convolution"),
        ("conv --shape 999999x99999x64,3x3x64", "GiB of memory and this machine"),
        ("conv --methods dft", "there is no method 'dft'; there are loops,"),
        ("conv --threads 0", "threads=0 is out of range"),
        ("conv --peers --shape cv1 --methods loops", "no method takes cv1: loops ("),
        ("conv --methods ,", "--methods ',' names no method"),
        ("conv --methods gpu_naive", "gpu_naive: not on the processor"),
        ("conv --peers --plot p.png", "--plot draws the ladder of one layer"),
        ("conv --device gpu", "there is no NVIDIA GPU here"),
        ("conv --json no/such/r.json", "there is no folder no/such"),
        ("lenet --rungs lanes,bytes", "both devices"),
        ("lenet --rungs lane", "there is no rung 'lane'"),
        ("lenet --rungs ,", "names no rung"),
        ("lenet --rungs lanes --images 10001", "1 to 10,000"),
        ("lenet --profile --rungs lanes", "--profile is of the GPU's rungs"),
        ("lenet --timelines .", "add --profile"),
    ],
)
def test_a_bad_request_gets_one_sentence(capsys, monkeypatch, words, sentence):
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    monkeypatch.setattr("convladder.cuda.gpu", lambda: False)
    code, out, err = told(capsys, "ladder", *words.split())
    assert (code, out) == (2, "")
    assert sentence in err and err.splitlines()[-1].startswith("convladder")


def test_every_layer_and_the_means(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    small = dict.fromkeys(("cv1", "cv2", "report"), ConvProblem.parse(SMALL))
    monkeypatch.setattr(conv, "layers", lambda shape: small)
    words = "--shape paper --threads 1 --peers --methods mec_rows,im2col --json"
    code, out, _ = told(capsys, "ladder", "conv", *words.split(), str(tmp_path / "r.json"))
    assert code == 0 and "mec_rows does" in out and "Not there to compare with: torch" in out
    assert re.search(r"[\d.]+× as fast as im2col \(geometric mean; least", out)
    run = json.loads((tmp_path / "r.json").read_text())["runs"][0]
    assert set(run["layers"]) == set(small) and run["threads"] == 1


def compared(**seconds):
    """A comparison whose one round lasted so many seconds."""
    of = {"torch, NCHW": "torch"} if "torch, NCHW" in seconds else {}
    rounds = Comparison.of({name: (time,) for name, time in seconds.items()}, 1)
    return ConvComparison.of(ConvProblem.parse(SMALL), 1, rounds, of, {}, 1e9)


def test_the_summary_names_the_worst_layer_and_the_mean():
    results = {"a": compared(ours=1.0, im2col=4.0), "b": compared(ours=2.0, im2col=2.0)}
    first = cpu_means(results, "ours")[0]
    assert first.startswith("2.00× as fast as im2col (geometric mean; least 1.00× on b;")


def test_a_rival_that_was_not_on_every_layer_has_no_column():
    results = {
        "a": compared(**{"ours": 1.0, "im2col": 2.0, "torch, NCHW": 2.0}),
        "b": compared(**{"ours": 1.0, "torch, NCHW": 3.0}),
    }
    assert rivals(results, "ours") == ["torch"]
    rows, columns = cpu_cells(results, "ours")
    assert [row[columns.index("vs torch")] for row in rows] == ["2.00×", "3.00×"]


# --- conv, with a record in the place of a GPU ------------------------------------------------

RECORD = newest("conv-gpu")
SINGLE = RECORD["runs"][0]
ON_GPU = ("ladder", "conv", "--device", "gpu")


def measured(layer, name):
    """Return one entry of a record's layer as it was."""
    entry = dict(layer["entries"][name])
    graph, plain = tuple(entry.pop("graph")), tuple(entry.pop("plain"))
    problem, timing = ConvProblem.parse(layer["problem"]), timing_of(list(graph), 1)
    library = "cudnn" if name.startswith("cudnn") else None
    return Result(name, problem, timing, graph, library=library, plain=plain, **entry)


@pytest.fixture
def h200(monkeypatch):
    """Comparisons whose entries are those that the record has of the layer."""
    layers = {layer["problem"]: layer for layer in SINGLE["layers"].values()}

    def compare(problem, takers, with_cudnn=True, **more):
        layer = layers[str(problem)]
        names = [taker.name for taker in takers if taker.name in layer["entries"]]
        names += [name for name in layer["entries"] if name.startswith("cudnn") and with_cudnn]
        return {name: measured(layer, name) for name in names}

    monkeypatch.setattr("convladder.cuda.gpu", lambda: True)
    monkeypatch.setattr(conv, "missing", list)
    monkeypatch.setattr(conv_gpu, "compare_on_gpu", compare)
    monkeypatch.setattr(metadata, "gpu_info", lambda: RECORD["card"])


def test_one_layer_beside_cudnn(capsys, h200):
    words = "--peers --shape cv8 --methods gpu_mec,gpu_implicit_gemm"
    code, out, err = told(capsys, *ON_GPU, *words.split())
    assert (code, err) == (0, "") and "NVIDIA H200" in out
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.startswith("gpu_")}
    layer = SINGLE["layers"]["cv8"]
    for name in ("gpu_mec", "gpu_implicit_gemm"):
        ratio = cudnn_seconds(layer) / seconds_of(layer, name)
        assert rows[name][-1] == f"{ratio:.2f}×"


# --- lenet ------------------------------------------------------------------------------------


def test_rungs_are_printed_and_written(capsys, tmp_path, monkeypatch):
    monkeypatch.delenv("CONVLADDER_QUICK", raising=False)  # which takes fewer images
    file = tmp_path / "record.json"
    words = "--device cpu --rungs lanes,compiled --images 64 --threads 1 --budget 0.01 --json"
    code, out, _ = told(capsys, "ladder", "lenet", *words.split(), str(file))
    lines = out.splitlines()
    assert code == 0 and "64 images" in lines[0]
    assert [line.split()[0] for line in lines[4:]] == ["lanes", "compiled", "multiply-adds"]
    assert lines[-1].endswith("100%") and all("%" in line for line in lines[4:])
    record = json.loads(file.read_text())
    assert set(record["rounds"]) == {"lanes", "compiled", ARITHMETIC} and record["images"] == 64


@pytest.mark.skipif(cuda.gpu(), reason="there is a GPU")
def test_on_the_emulator_rungs_are_judged(capsys):
    code, out, _ = told(capsys, "ladder", "lenet", "--rungs", "one_kernel", "--images", "3")
    assert code == 0 and "emulator: judged, not timed" in out


def test_a_wrong_rung_fails_the_command(capsys, monkeypatch):
    wrong = lenet.LenetComparison("", "cpu", 3, {}, judged={"lanes": "off"}, wrong=("lanes",))
    monkeypatch.setattr(lenet, "compare_rungs", lambda *args, **kwargs: wrong)
    code, out, _ = told(capsys, "ladder", "lenet", "--rungs", "lanes")
    assert code == 1 and "WRONG: off" in out


def test_profiles_are_printed_and_drawn(monkeypatch, capsys, tmp_path):
    run = [Activity("call", "cuLaunchKernel", 0, 900), Activity("kernel", "conv", 1000, 5000, 1)]
    seen = {"bytes": profile_of([run], [2e-5], (1e-5, 1.1e-5, 1.2e-5))}
    found = Profiles(10_000, seen, {}, {"torch, compiled": "no compiler"})
    monkeypatch.setattr(cupti, "missing", lambda: None)
    monkeypatch.setattr(profiles, "profiles", lambda *args, **kwargs: found)
    words = ["--rungs", "bytes", "--profile", "--timelines", str(tmp_path)]
    code, out, _ = told(capsys, "ladder", "lenet", *words)
    assert code == 0
    assert "bytes: 10,000 images, 11.0 µs host to host (20.0 µs with the profiler)" in out
    assert "100.0%  4.00 µs      1  4.00 µs  4.00 µs  4.00 µs  conv" in out
    assert "cuLaunchKernel" in out and "torch, compiled did not run: no compiler" in out
    assert (tmp_path / "bytes.png").read_bytes().startswith(PNG)
