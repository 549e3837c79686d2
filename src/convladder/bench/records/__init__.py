"""Results of this machine and of others as JSON, kept with all that is needed to judge them.

Each kind of record has a folder here: `load_records("steps")`, `load_records("conv-gpu")`. What
several places read from one kind has a file of that name beside it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

RECORDS = Path(__file__).parent  # those that come with the course


def load_records(kind: str | Path) -> list[dict]:
    """Return all records of a kind, or of any folder, the newest first; undated ones come last.

    They are drawn with machine and date, and never mixed with live figures unmarked.
    """
    found = [load(path) for path in sorted((RECORDS / kind).glob("*.json"))]
    return sorted(found, key=lambda record: record.get("date") or "", reverse=True)


def newest(kind: str | Path) -> dict:
    """Return the newest record of a kind. Raises `LookupError` where there is none."""
    for record in load_records(kind):
        return record
    raise LookupError(f"there is no record in {RECORDS / kind}")


def load(path: Path) -> dict:
    """Return one record."""
    return json.loads(path.read_text(encoding="utf-8"))


def write(record: Mapping, path: Path) -> None:
    """Write one record, into a folder that is made if its parent is there."""
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(record, indent=1)
    text = re.sub(r"\[\n[\d\s.,e+-]+\]", _on_one_line, text)  # lists of numbers
    path.write_text(text + "\n", encoding="utf-8")


def _on_one_line(numbers: re.Match) -> str:
    return json.dumps(json.loads(numbers[0]))


def place(kind: str, record: Mapping) -> Path:
    """Return where a new record of a kind belongs in the course."""
    return RECORDS / kind / file_name(record)


def file_name(record: Mapping) -> str:
    """Return the name of a record's file, after its GPU or its processor.

    `nvidia-h200.json`, `amd-epyc-2-cores.json`.
    """
    if "card" in record:
        words = record["card"]["gpu"]
    elif "machine" in record:
        words = f"{record['machine']['cpu']} {record['machine']['cores']} cores"
    else:  # of Nsight Compute's counts
        words = record["device"]["name"]
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") + ".json"


def today() -> str:
    """Return the day as records have it: `2026-11-21`, in UTC."""
    return datetime.now(UTC).date().isoformat()


def digests(folder: Path, files: Iterable[str]) -> dict[str, str]:
    """Return a digest of the code of each of `files`, without its comments.

    A record that keeps them tells later whether its kernels are still those of this version.
    """
    code = {
        file: re.sub(r"//.*", "", (folder / file).read_text(encoding="utf-8")).split()
        for file in files
    }
    return {file: sha256(" ".join(words).encode()).hexdigest()[:16] for file, words in code.items()}
