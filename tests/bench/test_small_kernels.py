"""What the small kernels' benchmark launches is right, and its judge sees what is wrong."""

from dataclasses import replace

import numpy as np
import pytest

from convladder import ConvProblem, cuda
from convladder.bench import small_kernels

SMALL = small_kernels.Sizes(
    values=4096, few=(1, 7), many=(2, 3), image=ConvProblem.parse("6x7x8,3x3x16"),
    depthwise=replace(ConvProblem.parse("2x6x7x8,3x3x8,p1"), groups=8))  # fmt: skip


@pytest.mark.parametrize("group", small_kernels.GROUPS)
def test_what_is_timed_is_right(group):
    for name, make in small_kernels.GROUPS[group](SMALL, 2).items():
        if name != small_kernels.CUDNN:
            ready = make()
            ready.judge()
            ready.run()
            assert ready.bytes > 0


def test_a_wrong_sum_is_seen():
    total = cuda.to_device(np.zeros(1, np.float32))
    with pytest.raises(RuntimeError, match="sum is wrong by 1; nothing was timed"):
        small_kernels._once("sum", lambda: total.set(np.ones(1, np.float32)), total, 0.0)
    with pytest.raises(RuntimeError, match="wrong by nan"):
        small_kernels._once("sum", lambda: total.set(np.full(1, np.nan, np.float32)), total, 0.0)


@pytest.mark.skipif(cuda.gpu(), reason="there is a GPU")
def test_without_a_gpu_nothing_is_timed():
    with pytest.raises(RuntimeError, match="no NVIDIA GPU here"):
        small_kernels.measure()
