"""A journal of its own for each test."""

from pathlib import Path

import pytest

from convladder.journal import VARIABLE, log


@pytest.fixture
def journal(tmp_path: Path, monkeypatch) -> Path:
    """Its file, which is not there yet, in a folder that is not there either."""
    path = tmp_path / "home" / "progress.jsonl"
    monkeypatch.setenv(VARIABLE, str(path))
    monkeypatch.setattr(log, "_TOLD", set())
    return path
