"""Nsight Compute over every case, in one process: its counts by case."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from .case import Case

METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
}
# Asked for where this chip has them.
MORE = {
    "shared_load_requests": "smsp__inst_executed_op_shared_ld.sum",
    "shared_store_requests": "smsp__inst_executed_op_shared_st.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "global_load_instructions": "smsp__inst_executed_op_global_ld.sum",
    "global_store_instructions": "smsp__inst_executed_op_global_st.sum",
}
SECONDS = 240


def count(cases: Sequence[Case]) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """Count with ncu: the metrics asked for, by our names, and their values by each case's name.

    Raises `RuntimeError` if ncu cannot count here, or if a result was wrong on the GPU.
    """
    metrics = METRICS | available()
    ours = "|".join(sorted({base(case.kernel) for case in cases}))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "ncu.csv"
        done = subprocess.run(
            [
                "ncu",
                "--clock-control",
                "none",
                "--csv",
                "--page",
                "raw",
                "--print-units",
                "base",
                "--log-file",
                str(log),
                "--metrics",
                ",".join(metrics.values()),
                "--kernel-name",
                f"regex:^({ours})$",
                sys.executable,
                "-m",
                __package__,
                "cases",
            ],
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        text = log.read_text() if log.exists() else ""
    if done.returncode:
        raise RuntimeError(
            f"ncu ended with {done.returncode}: {(text + done.stdout + done.stderr)[-2000:]}"
        )
    wrong = json.loads(done.stdout.strip().splitlines()[-1])
    if bad := {name: what for name, what in wrong.items() if what is not None}:
        raise RuntimeError(f"wrong on this GPU, so nothing is recorded: {bad}")
    return metrics, by_case(cases, rows(text.splitlines()), metrics)


def available() -> dict[str, str]:
    """Return the entries of `MORE` that ncu knows for this chip."""
    done = subprocess.run(
        ["ncu", "--query-metrics"], capture_output=True, text=True, timeout=SECONDS
    )
    known = {line.split()[0] for line in done.stdout.splitlines() if line.split()}
    return {name: metric for name, metric in MORE.items() if metric.split(".")[0] in known}


def rows(lines: Iterable[str]) -> list[dict[str, str]]:
    """Read the launches in ncu's raw CSV: one a row behind the header and the row of units."""
    table = [line for line in lines if line.startswith('"')]
    return list(csv.DictReader(table))[1:]


def by_case(
    cases: Sequence[Case], found: Sequence[dict[str, str]], metrics: dict[str, str]
) -> dict[str, dict[str, int]]:
    """Return each case's counts, the n-th launch being the n-th case's.

    Kernels that the array library launched between ours are left out. Raises `RuntimeError` if the
    launches are not those of `cases`.
    """
    ours = {base(case.kernel) for case in cases}
    launches = [row for row in found if base(row["Kernel Name"]) in ours]
    names = [base(row["Kernel Name"]) for row in launches]
    if names != [base(case.kernel) for case in cases]:
        raise RuntimeError(
            f"ncu saw {len(names)} launches of our kernels, not the "
            f"{len(cases)} that were made: {names}"
        )
    return {
        case.name: {name: number(row[metric]) for name, metric in metrics.items()}
        for case, row in zip(cases, launches, strict=True)
    }


def base(kernel: str) -> str:
    """Return a kernel's name without return type, template arguments and parameters."""
    return kernel.removeprefix("void ").split("<")[0].split("(")[0].strip()


def number(text: str) -> int:
    """Read a count as ncu prints it, `1,024` or `1024.00`."""
    return int(float(text.replace(",", "")))
