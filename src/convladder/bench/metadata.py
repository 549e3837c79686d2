"""The head of every record: the day, the machine, the versions of the packages in use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..measure import machine
from ..measure.cuda.gpu_info import gpu_info
from ..measure.cuda.gpu_info import versions as gpu_versions
from ..measure.hardware import versions
from .records import today

VERSIONS = ("torch", "onnxruntime", "llvmlite")  # besides those on the machine card


def cpu_metadata(packages: Iterable[str] = VERSIONS) -> dict[str, Any]:
    """Return `date`, `machine` and the `versions` of packages besides those on its card."""
    return {"date": today(), "machine": machine().as_dict(), "versions": versions(packages)}


def gpu_metadata(**more: str | None) -> dict[str, Any]:
    """Return `date`, `card` and `versions`, to which `more` are added. Needs CuPy and a GPU."""
    return {"date": today(), "card": gpu_info(), "versions": {**gpu_versions(), **more}}
