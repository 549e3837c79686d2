"""The banks of L1: a record that the rule explains, and a kernel that does what it says."""

import numpy as np

from convladder import cuda
from convladder.bench.l1 import FLOATS, SOURCE
from convladder.bench.records import newest
from convladder.cuda.memory_model import bank_ways, sectors, strided_addresses


def test_banks_and_sectors_explain_the_record():
    clocks = newest("l1")["clocks"]
    assert list(map(int, clocks)) == list(FLOATS)
    for floats, taken in clocks.items():
        request = strided_addresses(int(floats))
        told = max(bank_ways(request), len(sectors(request)) / 4)
        if taken > 3:  # below, the loop itself takes longer
            assert told - 0.05 < taken < 1.26 * told, floats


def test_each_lane_reads_again_and_again_where_it_stands():
    out = cuda.empty(64, np.int32)
    cuda.Kernel(SOURCE, "chase")[1, 64](
        cuda.to_device(np.zeros(1 << 10, np.int32)), out, cuda.empty(1, np.int64), 8, 5
    )
    assert (out.get() == 8 * (np.arange(64) % 32)).all()
