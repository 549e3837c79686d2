"""The one place that reads and writes records."""

import pytest

from convladder.bench import records as store


def test_the_newest_record_comes_first_and_undated_ones_last(tmp_path):
    days = {"a": "2026-01-02", "b": "2026-11-20", "c": None, "d": "2025-12-31"}
    for name, day in days.items():
        store.write({"date": day}, tmp_path / f"{name}.json")
    assert [r["date"] for r in store.load_records(tmp_path)] == [
        "2026-11-20",
        "2026-01-02",
        "2025-12-31",
        None,
    ]
    assert store.newest(tmp_path) == {"date": "2026-11-20"}


def test_what_is_written_is_read(tmp_path):
    record = {"what": "a[1,2] in µs", "times": [1.5, 2]}
    store.write(record, tmp_path / "new" / "r.json")
    assert store.load(tmp_path / "new" / "r.json") == record
    assert '"times": [1.5, 2]\n' in (tmp_path / "new" / "r.json").read_text()


@pytest.mark.parametrize(
    "record, name",
    [
        (
            {"machine": {"cpu": "(R) AMD EPYC 9R14 (Zen 4)", "cores": 2}},
            "r-amd-epyc-9r14-zen-4-2-cores.json",
        ),
        ({"card": {"gpu": "NVIDIA H200"}}, "nvidia-h200.json"),
        ({"device": {"name": "NVIDIA H200"}}, "nvidia-h200.json"),
    ],
)
def test_a_record_is_named_after_its_machine(record, name):
    assert store.file_name(record) == name
    assert store.place("steps", record) == store.RECORDS / "steps" / name


def test_comments_do_not_change_a_digest(tmp_path):
    def digest(text):
        (tmp_path / "a.cu").write_text(text)
        return store.digests(tmp_path, ["a.cu"])["a.cu"]

    assert digest("int a; // one\n") == digest("int  a;\n// two") != digest("int b;")
