"""The all-reduce between GPUs, rehearsed by processes on the CPU; where torch is installed."""

from statistics import median

import pytest

from studies.gpu import all_reduce

SMALL = all_reduce.Sizes(
    (("4 bytes", 4), ("odd", 4 * 1001)), photos=3, side=12, counted=4096, times=1
)


class Alone:
    """A group of one, which adds nothing up."""

    rank, count, device = 1, 3, "cpu"


@pytest.mark.weekly  # two processes, and messages of 256 MiB between them
def test_all_that_is_recorded_is_right():
    pytest.importorskip("torch")
    found = all_reduce.measure((2,), SMALL, backend="gloo")
    assert [run["what"] for run in found["runs"]] == ["this network", "4 bytes", "odd"]
    assert all(median(run["seconds"]) > 0 for run in found["runs"])
    assert found["received"] == {2: None} and 0 <= found["gradients"]["error"] < 1e-4


def test_a_wrong_sum_is_seen():
    pytest.importorskip("torch")
    array = all_reduce._numbers(Alone, 1500)
    with pytest.raises(RuntimeError, match="the sum on rank 1 is wrong"):
        all_reduce._judge("an array", Alone, array)
    all_reduce._judge("an array", Alone, array * 3)  # rank 1 has 2, and 1 + 2 + 3 is 6
