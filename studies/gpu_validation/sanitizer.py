"""compute-sanitizer over the kernels of `faults`: what it says of each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from .case import Broken

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
BLIND = ("memcheck", "racecheck")  # to races in global memory, of which they are asked all the same
SECONDS = 200
LARGEST_POOL = 12


def verdicts(kernels: Iterable[Broken]) -> dict[str, dict[str, dict]]:
    """Return the tools' words: `broken`, a verdict for each kernel whose fault some tool looks
    for; for each tool `unseen`, of all other broken ones, `sound`, of those without a fault, and
    `fenced`, of `races.FENCED`. A verdict has `tool`, `errors` and the first thing that was `said`.
    """
    jobs = {(kind, tool): (tool, kind) for kind in ("sound", "fenced") for tool in TOOLS}
    jobs |= {("unseen", tool): (tool, "unseen") for tool in BLIND}
    jobs |= {
        ("broken", each.name): (each.tool, "broken", each.name) for each in kernels if each.tool
    }
    with ThreadPoolExecutor(min(LARGEST_POOL, os.cpu_count() or 1)) as pool:
        found = dict(zip(jobs, pool.map(lambda job: _verdict(*job), jobs.values()), strict=True))
    kinds = {kind: {} for kind, _ in jobs}
    for (kind, name), said in found.items():
        kinds[kind][name] = said
    return kinds


def _verdict(tool: str, *what: str) -> dict:
    command = ["compute-sanitizer", "--tool", tool, sys.executable, "-m", __package__, *what]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"tool": tool, "errors": None, "said": f"not done within {SECONDS} s"}
    return {"tool": tool, **read(done.stdout + done.stderr)}


def read(text: str) -> dict:
    """Read compute-sanitizer's output: the number of errors, the first line that tells of one."""
    lines = [
        line.removeprefix("=========").strip()
        for line in text.splitlines()
        if line.startswith("=========")
    ]
    totals = [re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", line) for line in lines]
    errors = [int(total[1]) for total in totals if total]
    told = [
        line
        for line in lines
        if line and not line.startswith("COMPUTE-SANITIZER") and "SUMMARY" not in line
    ]
    return {"errors": max(errors, default=None), "said": told[0] if told and any(errors) else ""}
