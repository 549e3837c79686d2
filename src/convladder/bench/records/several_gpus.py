"""Records of collectives and of cuts between GPUs of one host, read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import nan
from statistics import median

from . import newest


def gpu_run() -> dict:
    """Return the newest record of collectives and cuts between GPUs."""
    return newest("several-gpus")


def collective_us(run: Mapping, name: str, size: int) -> float:
    """Return the microseconds that one collective took on the fewest GPUs, or NaN."""
    for each in run["collectives"]:
        if (each["what"], each["bytes"]) == (name, size):
            return round(1e6 * median(each["seconds"]), 1)
    return nan


def gains(record: Mapping) -> Iterator[tuple[dict, float]]:
    """Yield each run of a cut, and how many times as fast it was as one GPU by images."""
    alone = {run["type"]: median(run["seconds"]) for run in record["cuts"] if run["gpus"] == 1}
    for each in record["cuts"]:
        if each["gpus"] > 1:
            yield each, alone[each["type"]] / median(each["seconds"])


def gpu_cut_gain(run: Mapping, cut: str, kind: str) -> float:
    """Return how many times as fast as one GPU the fewest were by one cut, or NaN."""
    for each, gain in gains(run):
        if (each["what"], each["type"]) == (cut, kind):
            return round(gain, 2)
    return nan
