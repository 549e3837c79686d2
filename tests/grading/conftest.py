import pytest


@pytest.fixture(autouse=True)
def no_journal(monkeypatch, tmp_path):
    """Keep a check's line out of the developer's own journal."""
    monkeypatch.setenv("CONVLADDER_PROGRESS", str(tmp_path / "journal.jsonl"))
