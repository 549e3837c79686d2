"""Zeros lie in their pattern, and cost what it says."""

import numpy as np
import pytest

from convladder.networks.compress.patterns import PATTERNS, kept_weights, pattern_costs


@pytest.mark.parametrize("left", [50, 10])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_zeros_lie_in_their_pattern_and_cost_what_it_says(pattern, left):
    kept = kept_weights(pattern, left)
    if pattern == "two of four":
        assert (kept.reshape(4, 4, -1).sum(1) == 2).all()
    elif pattern == "channels":
        assert np.array_equal(kept, np.outer(kept.any(1), kept.any(0)))
        assert abs(kept.mean() - left / 100) < 0.05
    else:
        assert kept.sum() == round(left / 100 * kept.size)
    costs = pattern_costs(kept, pattern)
    assert (costs["a dense kernel"] < 1) == (pattern == "channels")
    assert costs["bytes"] >= kept.mean() == costs["a kernel made for it"]
