"""Results of this machine and of others, kept with all that is needed to judge them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

RECORDS = Path(__file__).parent  # those that come with the course
VERSIONS = ("torch", "onnxruntime", "llvmlite")  # besides those on the machine card


def file_name(record: Mapping) -> str:
    """Of a record, after its processor: `amd-epyc-2-cores.json`."""
    words = f"{record['machine']['cpu']} {record['machine']['cores']} cores"
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") + ".json"


def records(folder: Path = RECORDS) -> list[dict]:
    """All records of a folder, those of the course by default, the newest first.

    They are drawn with machine and date, and never mixed with live figures unmarked.
    """
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda record: record["date"], reverse=True)


def versions() -> dict[str, str | None]:
    """Of the packages that a record names besides the machine card; None: not installed."""
    return {package: _version(package) for package in VERSIONS}


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
