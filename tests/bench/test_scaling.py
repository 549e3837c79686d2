"""Scaling: what rises and what falls both count as times one thread."""

from convladder.bench.records.scaling import scaling_gains


def test_a_rate_gains_by_rising_and_a_time_by_falling():
    one = {"bandwidth": 10.0, "peak": 100.0, "im2col": 8.0}
    two = {"bandwidth": 15.0, "peak": 190.0, "im2col": 5.0}
    record = {"threads": {"1": one, "2": two}}
    assert scaling_gains(record) == {
        "bandwidth": {1: 1, 2: 1.5},
        "peak": {1: 1, 2: 1.9},
        "im2col": {1: 1, 2: 1.6},
    }
