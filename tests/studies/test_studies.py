"""Every study offers what the command asks of it, and explains the records that it made."""

import pytest

from convladder.bench import records as store
from studies import STUDIES
from studies.__main__ import load, main

# Two studies whose records lie in one folder: those of each have this.
HAS = {
    "compiled": "networks", "compiled-cpu": "contests", "scale": "teams", "networks": "machine",
    "networks-gpu": "card",
}  # fmt: skip


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_explains_its_records(name):
    study = load(name)
    found = [
        record
        for record in store.load_records(study.FOLDER)
        if name not in HAS or HAS[name] in record
    ]
    assert found, "the course has a record of each"
    for record in found:
        assert store.place(study.FOLDER, record).is_file()
        lines = list(study.lines(record))
        assert lines and all(isinstance(line, str) for line in lines)


def test_a_record_is_not_made_in_haste(capsys, monkeypatch):
    monkeypatch.setenv("CONVLADDER_QUICK", "1")
    assert main(["formats"]) == 2
    assert "CONVLADDER_QUICK shortens measurements" in capsys.readouterr().err
