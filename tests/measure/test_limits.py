import numpy as np
import pytest

from convladder import PAPER
from convladder.measure import Roofline, copy_bandwidth, limits, roofline
from convladder.measure.timing import Sample


def test_below_the_ridge_traffic_limits_and_above_it_arithmetic():
    roof = Roofline(flops_per_s=100e9, bytes_per_s=20e9, threads=1)
    assert roof.ridge == 5
    assert roof.attainable(2) == 40e9
    assert roof.attainable(5) == 100e9
    assert roof.attainable(50) == 100e9
    for intensity in (0, float("nan")):
        with pytest.raises(ValueError, match=f"intensity={intensity!r} "):
            roof.attainable(intensity)
    with pytest.raises(ValueError, match="threads=0 "):
        roofline(0)


def test_the_limit_of_a_problem_is_at_its_compulsory_intensity():
    layer = PAPER["cv12"]
    roof = Roofline(flops_per_s=1e15, bytes_per_s=1e9, threads=1)
    moved = 4 * (7 * 7 * 512 + 3 * 3 * 512 * 512 + 5 * 5 * 512)
    assert roof.limit(layer) == pytest.approx(2 * 25 * 9 * 512 * 512 / moved * 1e9)


def test_bytes_read_and_written_both_count(monkeypatch):
    copied = []

    def timed_as_one_second(work, threads, repeats):
        for thread in range(threads):
            work(thread)
        return Sample(1.0)

    def copyto(to, source):
        assert source.all() and to.all(), "a page never written is no page of memory"
        copied.append(source.nbytes + to.nbytes)
        assert not np.may_share_memory(source, to)

    monkeypatch.setattr(limits, "best_seconds", timed_as_one_second)
    monkeypatch.setattr(limits.np, "copyto", copyto)
    monkeypatch.setattr(limits, "thread_count", lambda n: n)
    assert copy_bandwidth(2) == sum(copied)
    assert len(copied) == 2
    assert limits.LEAST_BYTES <= sum(copied) <= limits.MOST_BYTES
