"""Chapter 09: partitions as views, and calls of a library."""

import numpy as np
import pytest

from convladder import REPORT
from convladder.cpu import mec as on_cpu
from convladder.teach.plots import cublas_mec
from convladder.teach.plots.cublas_mec import gemm_view_picture, package_entries


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
