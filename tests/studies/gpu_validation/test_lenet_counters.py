"""Counters of LeNet's kernels: given to the launch that they are of, or refused."""

from studies.gpu_validation import lenet_counters as rungs
from studies.gpu_validation import ncu

CSV = """==PROF== Profiling "conv_relu"
"ID","Kernel Name","Grid Size","Block Size","dram__bytes_read.sum","gpu__time_duration.sum","x"
"","","","","byte","nsecond","%"
"0","conv_relu","(27, 1, 1)","(128, 1, 1)","1,024","2,500","12.5"
"1","cupy_copy__float32","(1, 1, 1)","(128, 1, 1)","1","1","1"
"2","void lenet<unsigned char>(const T1 *, int)","(125, 1, 1)","(256, 1, 1)","64","9,000","nan"
"""
METRICS = {"dram_read": "dram__bytes_read.sum", "seconds": "gpu__time_duration.sum", "share": "x"}
MADE = [["baseline", "conv_relu", 1], ["one_kernel", "lenet<unsigned char>", 2000]]


def test_counts_go_to_their_rung():
    found = rungs.by_rung(MADE, ncu.rows(CSV.splitlines()), METRICS)
    assert found == {
        "baseline": [
            {
                "kernel": "conv_relu",
                "images": 1,
                "grid": "(27, 1, 1)",
                "block": "(128, 1, 1)",
                "dram_read": 1024.0,
                "seconds": 2.5e-6,
                "share": 12.5,
            }
        ],
        "one_kernel": [
            {
                "kernel": "lenet<unsigned char>",
                "images": 2000,
                "grid": "(125, 1, 1)",
                "block": "(256, 1, 1)",
                "dram_read": 64.0,
                "seconds": 9e-6,
            }
        ],
    }
