"""The second way out: what leaves early, what it costs, and that the others are as before."""

import numpy as np
import pytest

from convladder.networks import lenet
from convladder.networks.compress import network as nets
from convladder.networks.lenet.network import MACS
from convladder.networks.memory import early_exit

IMAGES = nets.BATCH + 100  # two parts


@pytest.mark.parametrize("block", early_exit.SIDES)
def test_the_ends_of_the_threshold(block):
    images = lenet.images()[:IMAGES]
    full = nets.run(nets.network(), nets.pixels(images)).argmax(axis=1)
    none, all_of_them = (early_exit.run(images, threshold, block) for threshold in (1.01, 0))
    assert none.share == 0 and all_of_them.share == 1
    np.testing.assert_array_equal(none.labels, full)
    head = early_exit.head(block)
    before, behind = early_exit.split_macs(block)
    assert before + behind == MACS
    assert none.macs == MACS + head.macs and all_of_them.macs == before + head.macs
    some = early_exit.run(images, 0.9, block)
    assert 0.2 < some.share < 1
    np.testing.assert_array_equal(some.labels[some.early], all_of_them.labels[some.early])
    np.testing.assert_array_equal(some.labels[~some.early], full[~some.early])


def test_no_head_after_block_3():
    with pytest.raises(ValueError, match="no head after block 3; there are heads after 1 and 2"):
        early_exit.head(3)
