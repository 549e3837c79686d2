"""What every benchmark offers, and the one loop of `convladder record` that serves them all."""

import json
from types import ModuleType

import pytest

from convladder.bench import benchmarks
from convladder.bench import records as store
from convladder.cli import record

from ..test_cli import told


@pytest.mark.parametrize("name, benchmark", benchmarks().items(), ids=benchmarks())
def test_a_benchmark_offers_its_names(name, benchmark):
    assert benchmark.NAME == name and callable(benchmark.measure) and callable(benchmark.lines)
    assert benchmark.HELP == benchmark.HELP.strip() and not benchmark.HELP.endswith(".")


KEPT = {  # where the course keeps records, and who explains them
    "": "conv", "compile": "compile", "gpu": "conv",
    "int8": "int8", "l1": "l1", "launches": "launches",
    "profiles": "profiles", "scale": "scale", "steps": "steps",
}  # fmt: skip
OF_A_STUDY = {"compile": "networks", "scale": "runs"}  # in these folders, records that have this
RECORDS = [
    (kind, record)
    for kind in KEPT
    for record in store.load_records(kind)
    if OF_A_STUDY.get(kind) not in record
]


@pytest.mark.parametrize(
    "kind, record", RECORDS, ids=[f"{kind}/{store.file_name(record)}" for kind, record in RECORDS]
)
def test_a_kept_record_lies_where_a_new_one_would_and_is_told(kind, record):
    """The same file would be written over, and what is printed of it speaks of its machine."""
    benchmark = benchmarks()[KEPT[kind]]
    folder = benchmark.folder(record) if hasattr(benchmark, "folder") else benchmark.NAME
    assert folder == kind and store.place(folder, record).is_file()
    lines = list(benchmark.lines(record))
    assert lines and all(isinstance(line, str) for line in lines)


def made(monkeypatch, **names) -> ModuleType:
    """A benchmark that is not in the course."""
    benchmark = ModuleType("made")
    vars(benchmark).update({"NAME": "made", "HELP": "x", "lines": lambda record: ["done"], **names})
    monkeypatch.setattr(record, "benchmarks", lambda: {**benchmarks(), "made": benchmark})
    return benchmark


def test_measure_is_given_what_it_names(capsys, monkeypatch, tmp_path):
    made(
        monkeypatch,
        measure=lambda threads, device, size=3: {
            "threads": threads,
            "device": device,
            "size": size,
        },
    )
    path = tmp_path / "r.json"
    assert told(capsys, "record", "--made", str(path), "--threads", "1", "--threads", "2")[:2] == (
        0,
        f"done\n\nWritten to {path}\n",
    )
    assert json.loads(path.read_text()) == {"threads": [1, 2], "device": "cpu", "size": 3}


@pytest.mark.parametrize("kind", [ValueError, RuntimeError, ImportError])
def test_why_it_cannot_be_is_one_sentence(capsys, monkeypatch, tmp_path, kind):
    def measure():
        raise kind("there is no sun")

    made(monkeypatch, measure=measure)
    code, out, err = told(capsys, "record", "--made", str(tmp_path / "r.json"))
    assert (code, out, err) == (2, "", "convladder: --made: there is no sun\n")
    assert not list(tmp_path.iterdir())
