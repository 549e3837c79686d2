"""What the small kernels' benchmark launches is right, and its judge sees what is wrong."""

from dataclasses import replace

import numpy as np
import pytest

from convladder import ConvProblem, cuda
from convladder.teach.plots.gpu_memory import GROUPS
from studies.gpu import small_kernel_cases as cases

from ...sampling import sampled

SMALL = cases.Sizes(
    values=4096,
    few=(1, 7),
    many=(2, 3),
    image=ConvProblem.parse("6x7x8,3x3x16"),
    depthwise=replace(ConvProblem.parse("2x6x7x8,3x3x8,p1"), groups=8),
)


@pytest.mark.parametrize("group", sampled(list(cases.GROUPS), 2, str))
def test_what_is_timed_is_right(group):
    for name, make in cases.GROUPS[group](SMALL, 2).items():
        if name != cases.CUDNN:
            ready = make()
            ready.judge()
            ready.run()
            assert ready.bytes > 0


def test_the_tables_know_every_group():
    assert tuple(cases.GROUPS) == GROUPS


def test_a_wrong_sum_is_seen():
    total = cuda.to_device(np.zeros(1, np.float32))
    with pytest.raises(RuntimeError, match="sum is wrong by 1; nothing was timed"):
        cases._once("sum", lambda: total.set(np.ones(1, np.float32)), total, 0.0)
    with pytest.raises(RuntimeError, match="wrong by nan"):
        cases._once("sum", lambda: total.set(np.full(1, np.nan, np.float32)), total, 0.0)
