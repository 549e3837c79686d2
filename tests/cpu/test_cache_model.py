"""A cache's misses among the reads of six plain loops."""

import numpy as np

from convladder import ConvProblem
from convladder.cpu import input_reads, misses


def test_reads_are_those_of_the_naive_count_in_the_order_of_the_loops():
    p = ConvProblem.parse("2x5x6x3,2x3x2,s2x1")
    reads = list(input_reads(p))
    assert len(reads) == p.accesses().input
    x = np.arange(2 * 5 * 6 * 3).reshape(p.input_shape)
    assert reads[: p.window] == x[0, :2, :3].ravel().tolist()
    assert reads[-p.window :] == x[1, 2:4, 3:6].ravel().tolist()


def test_padding_is_never_read():
    p = ConvProblem.parse("3x3x1,3x3x1,s1,p1")
    reads = list(input_reads(p))
    assert sorted(set(reads)) == list(range(9))
    assert len(reads) == 4 * 4 + 4 * 6 + 9  # corners, edges, the middle


def test_misses_of_a_cache_that_forgets_the_least_recently_used():
    assert misses([1, 2, 1, 3, 1, 2], capacity=2) == 4  # 2 was forgotten for 3; 1 never
    assert misses([1, 2, 1, 3, 1, 2], capacity=1) == 6
    assert misses([1, 2, 1, 3, 1, 2], capacity=3) == 3
