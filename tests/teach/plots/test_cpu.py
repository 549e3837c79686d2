"""What records say, in a table: their own machine, the means over their layers."""

import pytest

from convladder import ConvProblem
from convladder.bench.conv_analysis import runs_of
from convladder.bench.conv_cpu import ConvComparison
from convladder.bench.records import load_records
from convladder.measure import Comparison
from convladder.teach.plots.microkernel import (
    cpu_provenance,
    cpu_table,
    libraries_of,
    run_lines,
    threads_text,
)

PROBLEM = ConvProblem.parse("9x9x4,3x3x8")


def made(threads=1, prepare=0.0, **seconds):
    """A comparison whose only round lasted so many seconds; others than ours are libraries."""
    rounds = {
        "microkernel": (seconds.pop("ours"),),
        **{f"{name}, a way": (time,) for name, time in seconds.items()},
    }
    return ConvComparison.of(
        PROBLEM,
        threads,
        Comparison.of(rounds, threads),
        {f"{name}, a way": name for name in seconds},
        {"microkernel": prepare},
        PROBLEM.flops / 1.0,
    )


def record(*runs, cores=2, date="2026-01-02"):
    card = {"cpu": "Some CPU", "isa": "AVX2", "cores": cores}
    return {
        "machine": card,
        "date": date,
        "runs": [
            {
                "threads": next(iter(run.values())).threads,
                "layers": {layer: each.as_dict() for layer, each in run.items()},
            }
            for run in runs
        ],
    }


RUN = {
    "a": made(ours=2.0, prepare=2.0, torch=4.0),
    "b": made(ours=4.0, prepare=4.0, torch=4.0),
    "c": made(ours=8.0, prepare=8.0, torch=16.0),
}


def test_a_row_has_the_machine_the_day_and_the_means():
    (row,) = cpu_table([record(RUN)]).cells
    assert row == [
        "Some CPU, AVX2, 2 cores, recorded 2026-01-02",
        "1 thread",
        "25.0%",
        "torch",
        "1.59",
        "1.00 on b",
        "0.79",
    ]


def test_a_row_for_each_run_and_library():
    both = {"a": made(threads=2, ours=1.0, torch=2.0, onnxruntime=3.0)}
    cells = cpu_table([record(RUN, both), record(RUN, date="2025-01-01")]).cells
    assert [row[1] + ", " + row[3] for row in cells] == [
        "1 thread, torch",
        "2 threads, torch",
        "2 threads, onnxruntime",
        "1 thread, torch",
    ]
    assert cells[-1][0].endswith("recorded 2025-01-01")


def test_a_library_that_missed_a_layer_is_left_out():
    run = {"a": made(ours=1.0, torch=2.0, onnxruntime=2.0), "b": made(ours=1.0, torch=2.0)}
    assert libraries_of(run) == ["torch"]
    with pytest.raises(ValueError, match="no record has torch or onnxruntime"):
        cpu_table([record({"a": made(ours=1.0)})])


def test_one_core_and_one_thread_in_words():
    assert cpu_provenance(record(RUN, cores=1)).startswith("Some CPU, AVX2, 1 core, recorded")
    assert threads_text({"a": made(threads=1, ours=1.0)}) == "1 thread"


def test_the_records_of_the_course_have_both_libraries_on_every_layer():
    cells = cpu_table(load_records("conv-cpu")).cells
    assert {row[3] for row in cells} == {"torch", "onnxruntime"}
    assert len(cells) == 2 * sum(len(each["runs"]) for each in load_records("conv-cpu"))


def test_lines_of_a_record_name_the_slowest():
    for record in load_records("conv-cpu"):
        lines = run_lines(record)
        assert len(lines) == 3 * len(runs_of(record))
        assert all(line.startswith(cpu_provenance(record)) for line in lines[::3])
        assert all("slowest: " in line and "(" in line for line in lines[2::3])
