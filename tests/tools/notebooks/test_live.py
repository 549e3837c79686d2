"""The chapters that use a GPU are found, and ran there without a fault."""

import pytest

from convladder.bench.records import load_records
from convladder.journal import course_root
from tools.notebooks.live import PATIENCE, gpu_notebooks
from tools.notebooks.notebook import NotebookError


def test_those_that_use_a_gpu_are_found_by_what_they_say():
    with pytest.raises(NotebookError, match="no chapter 01 that uses a GPU"):
        gpu_notebooks(course_root(), ["01"])
    names = {path.name[:2] for path in gpu_notebooks(course_root())}
    assert {"07", "08", "09", "10", "13", "14", "15", "16", "18"} <= names
    assert not names & {"00", "01", "02", "03", "04", "05", "06", "17"}


def test_what_gpus_said_is_without_a_fault():
    for record in load_records("live"):
        for name, notebook in record["notebooks"].items():
            assert not notebook["wrong"], f"{name}: {notebook['wrong'].keys()}"
            if record["jobs"] == 1:  # beside others a cell takes longer
                assert max(notebook["seconds"].values()) <= PATIENCE, name
