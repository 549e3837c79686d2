"""Pictures of chapter 08: what a batch reads, stacked bars, recorded times."""

import numpy as np
import pytest

from convladder import PAPER, REPORT
from convladder.cpu import mec as on_cpu
from convladder.exercises.mocks.cublas import ColumnMajorBlas
from convladder.gpu import mec
from convladder.teach.plots import cublas_mec
from convladder.teach.plots.cublas_mec import (
    SEGMENTS,
    calls_picture,
    gemm_view_picture,
    memory_picture,
    package_entries,
)
from studies.gpu.mec_parts import HEIGHTS

LAYERS = {**PAPER, "report": REPORT}


def test_the_view_is_drawn_on_mecs_own_matrix():
    image = cublas_mec.IMAGE.astype(np.float32)[None, :, :, None]
    assert (on_cpu.lower(image, cublas_mec.TOY).reshape(5, 21) == cublas_mec.L).all()


@pytest.mark.parametrize(
    "numbers, words",
    [
        ((0, 21, 3), "the partition."),
        ((4, 21, 3), "the partition."),
        ((1, 20, 3), "not the partition."),
        ((4, 21, 9), "not the partition, 12 values behind L."),
        ((0, 3, 3), "BLAS refuses it."),
        ((0, 21, 9), "the partition."),
    ],
)
def test_the_view_says_what_its_numbers_mean(numbers, words):
    assert gemm_view_picture(*numbers).alt.endswith(words)


def test_bars_name_their_segments():
    bars = {"a": {"predicted": {"input": 2**20, "workspace": 2**22}, "measured": {"output": 5}}}
    picture = memory_picture(bars, "memory")
    assert picture.alt == "Stacked bars of device memory for a: input, output, workspace."
    with pytest.raises(ValueError, match="'heap'.*no such segment; choose from"):
        memory_picture({"a": {"predicted": {"heap": 1}}}, "memory")
    assert len(set(SEGMENTS.values())) == len(SEGMENTS), "two segments look the same"


def test_recorded_times_are_drawn_from_rows_alone():
    limits = [
        {"layer": layer, "what": what, "limit": limit, "seconds": 1e-5 * (1 + limit % 7)}
        for layer in ("report", "cv12")
        for what in ("im2col", "mec")
        for limit in (0, 2**16, 2**25)
    ]
    assert "report, cv12" in cublas_mec.limits_picture(limits, "a GPU").alt
    gemms = [
        {
            "name": name,
            "seconds": 5e-5,
            "batch": {
                "rows": rows,
                "count": 48400 // rows,
                "inner": 147,
                "lda": 4746,
                "stride": 21,
            },
        }
        for name, rows in [*((f"{n} rows", n) for n in HEIGHTS), ("view", 220)]
    ]
    alt = cublas_mec.gemm_shapes_picture(gemms, "a GPU").alt
    assert "220 to 48400 rows" in alt and "view: lda 4,746, stride 21" in alt
    rows = [
        {"layer": layer, "batch": batch, "A": 1e-5, "B": 2e-5}
        for layer in ("cv1", "cv12")
        for batch in (8, 32)
    ]
    assert (
        "batches of 8 and 32: cv1, cv12"
        in cublas_mec.solutions_picture(rows, LAYERS, 100, "a GPU").alt
    )
    standing = cublas_mec.methods_against_cudnn_picture(
        {"one": {"cv1": 1.5, "cv2": 0.5}, "two": {"cv2": 1}}, "x"
    )
    assert standing.alt == "Times of one, two over cuDNN's, for cv1, cv2."


def test_the_packages_points_are_what_its_methods_hand_to_the_library():
    problem = REPORT.with_batch(3)
    one, many = package_entries(problem)
    assert one == (
        "gpu_im2col",
        1,
        4 * (problem.pixels * 147 + 147 * 64 + problem.pixels * 64),
        problem.im2col_bytes(),
    )
    assert many[:2] == ("gpu_mec", 3) and many[3] == problem.mec_bytes()
    blas, L = ColumnMajorBlas(), np.zeros(problem.mec_bytes() // 12, np.float32)
    batch = mec.batches(problem, 3, "B")[0]
    blas.sgemm_strided_batched(
        "N",
        "N",
        64,
        220,
        147,
        np.zeros(147 * 64, np.float32),
        64,
        0,
        L,
        batch.lda,
        batch.stride,
        np.zeros(220 * 220 * 64, np.float32),
        64,
        220 * 64,
        220,
    )
    assert many[2] == 3 * 4 * blas.moved
    assert calls_picture([one, many], yours="x").alt.endswith("each of gpu_im2col, gpu_mec.")
