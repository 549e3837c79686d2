"""Bytes of training on several devices, against the paper's figures and by hand."""

from convladder.networks.scale import all_reduce_bytes, sent_bytes, training_memory


def test_the_papers_figures():
    """Its table 1: 7.5 billion weights on 64 devices, in GB."""
    found = [round(training_memory(7_500_000_000, 64, stage).total / 1e9, 1) for stage in range(4)]
    assert found == [120.0, 31.4, 16.6, 1.9]


def test_an_all_reduce_nears_twice_the_array():
    assert [all_reduce_bytes(1200, n) for n in (1, 2, 3, 4)] == [0, 1200, 1600, 1800]
    assert all_reduce_bytes(1e6, 1000) < 2e6


def test_only_whole_shares_of_weights_send_more():
    assert sent_bytes(1000, 4) == sent_bytes(1000, 4, 2) == all_reduce_bytes(2000, 4)
    assert sent_bytes(1000, 4, 3) == 1.5 * sent_bytes(1000, 4)
