"""Predictions, beside sums that can be done by hand."""

import pytest

from convladder import ConvProblem
from convladder.networks.scale import cost

SQUARE = ConvProblem.parse("8x10x4,3x3x4,s1,p1")  # 8 rows of 40 values
LAYERS = [SQUARE] * 3
SLOW = cost.Link(0.5, 160.0)  # a row a second


def rates(put=SLOW, fetch=SLOW, peer=SLOW, task=0.0, layers=(1.0, 2.0, 3.0)):
    return cost.Rates(layers, put, fetch, peer, task)


def test_by_images():
    found = cost.by_images(LAYERS, 5, rates(), 2)
    assert found.send == 2 * 0.5 + 5 * 8 and found.collect == found.send
    assert found.compute == 3 * 6 and found.exchange == 0
    assert found.seconds == found.send + found.compute + found.collect


def test_by_rows_with_halos_exchanged():
    found = cost.by_rows(LAYERS, 1, rates(task=0.25), 2, exchange=True)
    assert found.send == 2 * 0.5 + 2 * 5  # two bands of four rows, with a row of halo each
    assert found.compute == 0.25 + 3  # half of each layer
    assert found.exchange == 2 * (0.25 + 0.5 + 1)  # a row to the neighbour, before layers 2 and 3
    assert cost.by_rows(LAYERS, 1, rates(), 4, True).exchange == 2 * 2 * (0.5 + 1)  # two neighbours


def test_by_rows_computed_twice():
    found = cost.by_rows(LAYERS, 1, rates(), 2)
    assert found.exchange == 0
    assert found.send == 2 * 0.5 + 2 * 7
    assert found.compute == pytest.approx((6 * 1 + 5 * 2 + 4 * 3) / 8)


def test_by_channels():
    found = cost.by_channels(LAYERS, 1, rates(), 2)
    assert found.send == 2 * (0.5 + 8)
    assert found.compute == 3
    assert found.exchange == 2 * (0.5 + 4)  # the other half of each map but the last


def test_alternating():
    found = cost.alternating([SQUARE] * 4, 1, rates(task=0.25, layers=(1.0, 1.0, 2.0, 2.0)), 2)
    assert found.send == found.collect == 2 * (0.5 + 8)
    assert found.compute == 0.25 + 3
    assert found.exchange == 2 * 0.25 + 2 * 0.5 + 8  # one map's sums, between the two pairs


def test_by_layers_waits_for_the_slowest_stage():
    free = cost.Link(0.0, float("inf"))
    found = cost.by_layers(LAYERS, 4, rates(free, free, free), 2, batches=4)
    assert found.compute == 4 * 3 and found.exchange == 3  # layers 1 and 2, then layer 3
    assert cost.by_layers(LAYERS, 4, rates(free, free, free), 2, batches=1).seconds == 4 * 6


def test_traffic():
    found = cost.traffic(LAYERS, 2)
    row, image = 160, 8 * 160
    assert found["images"] == cost.CutTraffic(image, 0, image)
    assert found["rows"] == cost.CutTraffic(10 * row, 2 * 2 * row, image)
    assert found["channels"] == cost.CutTraffic(2 * image, 2 * image, image)
    assert found["layers"] == cost.CutTraffic(image, image, image)
    assert found["channels"].total == 5 * image
