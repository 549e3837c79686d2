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


def test_each_shape_has_the_property_that_it_is_named_for():
    found = report_batches()
    aligned = {
        name
        for name, batch in found.items()
        if all(4 * n % 16 == 0 for n in (batch.lda, batch.stride))
    }
    assert aligned == {"aligned copies", "view, 4 channels", "view, rows of 24"}
    overlapping = {name for name, batch in found.items() if 0 < batch.stride < batch.inner}
    assert overlapping == {"shared, far apart", "view", "view, 4 channels", "view, rows of 24"}
    assert found["all the same"].stride == 0 and found["shared, far apart"].lda == 220 * 147
    assert found["view, long stride"].lda == found["view"].lda
    assert found["side by side"].stride == found["side by side"].inner
    assert found["view"].lda == REPORT.padded_h * REPORT.k_w * REPORT.i_c
