"""Waves and even shares of a launch's slices."""

import pytest

from convladder.gpu.block_waves import lost, stream_k_shares


@pytest.mark.parametrize("tiles, slices, places", [(1, 1, 3), (3, 4, 2), (5, 72, 4), (7, 10, 12)])
def test_every_slice_is_done_once_and_shares_differ_by_one(tiles, slices, places):
    shares = stream_k_shares(tiles, slices, places)
    done = [
        (tile, k) for share in shares for tile, first, last in share for k in range(first, last)
    ]
    assert done == [(tile, k) for tile in range(tiles) for k in range(slices)]
    lengths = [sum(last - first for _, first, last in share) for share in shares]
    assert len(shares) == places and max(lengths) - min(lengths) <= 1
    assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize(
    "tiles, places, share",
    [(264, 264, 0), (300, 264, 228 / 528), (1, 4, 0.75), (265, 264, 263 / 528)],
)
def test_what_is_lost_is_the_places_without_a_tile(tiles, places, share):
    assert lost(tiles, places) == pytest.approx(share)
