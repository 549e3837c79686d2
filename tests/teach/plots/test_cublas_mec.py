"""Chapter 09: partitions as views, device memory in segments, calls of a library."""

import numpy as np
import pytest

from convladder import PAPER, REPORT, get_method
from convladder.bench.records import load_records
from convladder.bench.records.conv_gpu import gpu_layers
from convladder.cpu import mec as on_cpu
from convladder.gpu.mec import solution
from convladder.teach.plots import cublas_mec
from convladder.teach.plots.cublas_mec import (
    gemm_view_picture,
    measured_memory,
    package_entries,
    predicted_memory,
)


def test_the_view_is_drawn_on_mecs_own_matrix():
    image = cublas_mec.IMAGE.astype(np.float32)[None, :, :, None]
    assert (on_cpu.lower(image, cublas_mec.TOY).reshape(5, 21) == cublas_mec.L).all()


@pytest.mark.parametrize(
    "numbers, words",
    [
        ((0, 21, 3), "the partition."),
        ((1, 20, 3), "not the partition."),
        ((4, 21, 9), "not the partition, 12 values past the end of L."),
        ((0, 3, 3), "BLAS refuses it."),
        ((0, 21, 9), "the partition."),
    ],
)
def test_the_view_says_what_its_numbers_mean(numbers, words):
    assert gemm_view_picture(*numbers).alt.endswith(words)


def test_the_packages_points_are_what_its_methods_hand_to_the_library():
    problem = REPORT.with_batch(3)
    one, many = package_entries(problem)
    moved = 4 * (problem.pixels * 147 + 147 * 64 + problem.pixels * 64)
    assert one == ("gpu_im2col", 1, moved, problem.im2col_bytes())
    assert many[:2] == ("gpu_mec", 3) and many[3] == problem.mec_bytes()


NAMES = ["gpu_im2col", "gpu_mec", "gpu_mec_aligned", "gpu_implicit_gemm"]
BATCH = PAPER["cv5"].with_batch(32)


def test_segments_add_up_to_what_the_problem_and_the_method_say():
    for problem in (REPORT, BATCH):
        for name in NAMES:
            method = get_method(name)
            if method.unsupported(problem) is None:
                assert sum(predicted_memory(method, problem).values()) == (
                    problem.compulsory_bytes() + method.workspace_bytes(problem)
                )


@pytest.mark.parametrize("found", load_records("conv-gpu"))
@pytest.mark.parametrize("batch", [1, 32])
def test_what_was_measured_is_as_predicted_but_for_rounding(found, batch):
    for layer, data in gpu_layers(found, batch).items():
        problem = {**PAPER, "report": REPORT}[layer].with_batch(batch)
        for name in NAMES:
            if name in data["entries"]:
                bars = measured_memory(data, name)
                guess = predicted_memory(get_method(name), problem)
                bars.pop("pool growth")
                assert bars.keys() - {"workspace"} == guess.keys()
                assert all(0 <= bars[s] - guess.get(s, 0) <= 2048 for s in bars)
        reorders = "result to reorder" in measured_memory(data, "gpu_mec")
        assert reorders == (solution(problem) == "A")


def test_growth_is_what_the_pool_took_beyond_its_arrays():
    result = 4 * REPORT.pixels * REPORT.k_c
    entry = {"peak": result + 100, "growth": result + 300}
    layer = {"problem": str(REPORT), "entries": {"cudnn float32 NCHW": entry}}
    found = measured_memory(layer, "cudnn float32 NCHW", library=7)
    assert (found["workspace"], found["pool growth"], found["library, once"]) == (100, 200, 7)
    entry["growth"] = 0  # the pool had it already
    assert measured_memory(layer, "cudnn float32 NCHW")["pool growth"] == 0
