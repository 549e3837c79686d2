"""What every benchmark offers, and the one loop of `convladder record` that serves them all."""

import json
import re

import pytest

from convladder.bench import conv, libraries
from convladder.bench import records as records
from convladder.bench.benchmark import Benchmark, benchmarks
from convladder.cli import record
from convladder.measure import timing
from convladder.measure.quick import VARIABLE

from ..cli import SMALL, told

RECORDS = [(name, found) for name in benchmarks() for found in records.load_records(name)]


@pytest.mark.parametrize(
    "name, found", RECORDS, ids=[f"{name}/{records.file_name(found)}" for name, found in RECORDS]
)
def test_a_record_lies_where_a_new_one_would_and_is_printed(name, found):
    assert records.place(name, found).is_file()
    lines = list(benchmarks()[name].lines(found))
    assert lines and all(isinstance(line, str) for line in lines)


@pytest.fixture
def added(monkeypatch):
    """A function that adds a benchmark "added" which measures as it is told."""

    def add(measure) -> None:
        one = Benchmark("added", "x", measure, lambda record: ["done"])
        monkeypatch.setattr(record, "benchmarks", lambda: {**benchmarks(), "added": one})

    return add


def test_measure_is_given_what_was_asked_for(capsys, added, tmp_path):
    added(lambda options: {"threads": options.threads, "shape": options.shape})
    path = tmp_path / "r.json"
    words = ["record", "--added", str(path), "--threads", "1", "--threads", "2", "--shape", "cv1"]
    assert told(capsys, *words) == (0, f"done\n\nWritten to {path}\n", "")
    assert json.loads(path.read_text()) == {"threads": [1, 2], "shape": "cv1"}


def test_why_it_cannot_be_is_one_sentence(capsys, added, tmp_path):
    def measure(options):
        raise RuntimeError("there is no sun")

    added(measure)
    code, out, err = told(capsys, "record", "--added", str(tmp_path / "r.json"))
    assert (code, out, err) == (2, "", "convladder: --added: there is no sun\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["no/such/r.json"], "there is no folder no/such"),
        (["--shape", "cv13"], "'cv13' is not a convolution"),
        (["--threads", "0"], "threads=0 is out of range"),
    ],
)
def test_a_bad_request_is_refused_before_it_is_measured(capsys, monkeypatch, words, sentence):
    monkeypatch.setattr(conv, "compare_methods", lambda *args, **kwargs: pytest.fail("measured"))
    code, out, err = told(capsys, "record", *words)
    assert (code, out) == (2, "") and sentence in err


def test_no_record_of_measurements_cut_short(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, "1")
    code, _, err = told(capsys, "record", str(tmp_path / "r.json"), "--shape", SMALL)
    assert code == 2 and f"{VARIABLE} is set" in err and not list(tmp_path.iterdir())


def test_a_processors_record_is_printed_and_written(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    for name in ("LONGEST_REST", "SETTLE_SECONDS", "BLOCK_SECONDS"):
        monkeypatch.setattr(timing, name, 0.0)
    path = tmp_path / "r.json"
    code, out, _ = told(capsys, "record", str(path), "--shape", SMALL, "--threads", "1")
    assert code == 0 and list(json.loads(path.read_text())["runs"][0]["layers"]) == [SMALL]
    assert out.startswith("1 thread\n") and "as fast as im2col (geometric mean" in out
    assert re.search(r"Not there to compare with: torch, onnxruntime\. Add with: \S+ -m pip", out)
