"""What other machines recorded, in words: always with the machine and the day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...bench.conv_analysis import median_share, runs_of, standing
from ...bench.conv_cpu import ConvComparison
from ...bench.libraries import LIBRARIES
from ..display.table import Table, table

SUBJECT = "microkernel"
# What this course had set itself to reach: of the peak on the median layer; how many times as long
# libraries take, in the mean and on their best layer.
PEAK_GOAL = 0.92
MEAN_GOALS = {"torch": 1.05, "onnxruntime": 1.0}
LEAST_GOALS = {"torch": 0.95}


def cpu_provenance(record: Mapping) -> str:
    """Return where and when: "AMD EPYC, AVX-512, 2 cores, recorded 2026-11-21"."""
    card, cores = record["machine"], record["machine"]["cores"]
    return (
        f"{card['cpu']}, {card['isa']}, {cores} core{'s' * (cores > 1)}, recorded {record['date']}"
    )


def threads_text(run: Mapping[str, ConvComparison]) -> str:
    """Return how many threads a run had: "2 threads"."""
    threads = next(iter(run.values())).threads
    return f"{threads} thread{'s' * (threads > 1)}"


def libraries_of(run: Mapping[str, ConvComparison]) -> list[str]:
    """Return the libraries that were there on every layer."""
    return [name for name in LIBRARIES if all(each.best_of(name) for each in run.values())]


def missed_goals(run: Mapping[str, ConvComparison]) -> list[str]:
    """Return the goals of this course that a run did not reach, in words;
    none if it reached them all.
    """
    share = median_share(run, SUBJECT)
    words = [f"{share:.1%} of the peak for {PEAK_GOAL:.0%}"] if share < PEAK_GOAL else []
    for library in libraries_of(run):
        result = standing(run, library, SUBJECT)
        if result.mean < MEAN_GOALS[library]:
            words.append(f"{library} takes {result.mean:.3f} for {MEAN_GOALS[library]}")
        if result.least < LEAST_GOALS.get(library, 0.0):
            words.append(
                f"{library} takes {result.least:.3f} on {result.layer} for {LEAST_GOALS[library]}"
            )
    return words


def cpu_table(records: Sequence[Mapping]) -> Table:
    """Return a row for each run of each record and each library that was there: means over the
    layers.

    Raises ValueError where no record has a library to stand beside.
    """
    rows = []
    for record in records:
        for run in runs_of(record):
            share = f"{median_share(run, SUBJECT):.1%}"
            for library in libraries_of(run):
                result = standing(run, library, SUBJECT)
                rows.append(
                    (
                        cpu_provenance(record),
                        threads_text(run),
                        share,
                        library,
                        f"{result.mean:.2f}",
                        f"{result.least:.2f} on {result.layer}",
                        f"{result.unprepared:.2f}",
                    )
                )
    if not rows:
        raise ValueError(
            "no record has torch or onnxruntime beside the microkernel; "
            "`convladder record` writes one where they are installed"
        )
    return table(
        rows, ("machine", "run", "of the peak", "library", "takes", "least", "packing included")
    )


def run_lines(record: Mapping) -> list[str]:
    """Return, for each run of a record, who was ahead, where one was slowest, and goals missed."""
    lines = []
    for run in runs_of(record):
        ratios = {
            f"{library} on {layer}": each.ratio(library, SUBJECT)
            for library in libraries_of(run)
            for layer, each in run.items()
        }
        ahead = [f"{name} ({ratio:.2f})" for name, ratio in ratios.items() if ratio < 1]
        slowest = max(ratios, key=ratios.get, default=None)
        lines += [
            f"{cpu_provenance(record)}, {threads_text(run)}:",
            f"    faster than the microkernel: {', '.join(ahead) or 'none'}",
            f"    slowest: {slowest} ({ratios[slowest]:.2f})" if ratios else "    no library there",
            f"    goals missed: {'; '.join(missed_goals(run)) or 'none'}",
        ]
    return lines
