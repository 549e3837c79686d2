"""MEC taken apart: what is timed is the layer's own multiplications, in other shapes."""

import pytest

from convladder import REPORT
from studies.gpu.mec_parts import HEIGHTS, report_batches


def macs(batch):
    return batch.count * batch.rows * batch.inner * batch.columns


def test_all_shapes_multiply_the_same_but_for_padding():
    batches = report_batches()
    more = {"view, 4 channels": 4 / 3, "view, rows of 24": 24 / 21}
    for name, batch in batches.items():
        assert macs(batch) == pytest.approx(REPORT.macs * more.get(name, 1), rel=1e-12), name
    assert len(batches) == len(HEIGHTS) + 8
