"""Results of this machine and of others, kept with all that is needed to judge them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from .contests import Contest
from .hardware import machine
from .limits import roofline

RECORDS = Path(__file__).with_name("records")  # those that come with the course
VERSIONS = ("torch", "onnxruntime", "llvmlite")  # besides those on the machine card


def contests_as_dict(runs: Sequence[Mapping[str, Contest]]) -> dict[str, object]:
    """Contests by layer, one mapping for each number of threads, with machine, day and versions.

    Raises `ValueError` if there are none, since they say with how many threads.
    """
    if not runs or not all(runs):
        raise ValueError("runs has no contest: nothing was measured, so there is no record")
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine().as_dict(),
        "versions": versions(),
        "runs": [_run_as_dict(contests) for contests in runs],
    }


def _run_as_dict(contests: Mapping[str, Contest]) -> dict[str, object]:
    limits = roofline(next(iter(contests.values())).threads)
    return {
        "threads": limits.threads,
        "limits": {"flops_per_s": limits.flops_per_s, "bytes_per_s": limits.bytes_per_s},
        "layers": {layer: contest.as_dict() for layer, contest in contests.items()},
    }


def contests_of(record: Mapping) -> list[dict[str, Contest]]:
    """What `contests_as_dict` was given, from the record that it made."""
    return [
        {
            layer: Contest.from_dict(data, run["threads"])
            for layer, data in run["layers"].items()
        }
        for run in record["runs"]
    ]


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
