"""Lab 02: a block of layers that a reader designs."""

import numpy as np
import pytest

from convladder.teach.plots.block_design import (
    ENTRIES,
    OUTPUT,
    YOURS,
    blocks_leaderboard,
    design,
    faults,
    review,
    runner,
)

GOOD = ["depthwise 7x7,s2,p3", "1x1x128"]


def test_layers_are_fed_with_the_output_before():
    first, second = design(GOOD)
    assert first.output == (28, 28, 64) and second.output == OUTPUT
    assert first.weights == 7 * 7 * 64 and first.macs == 28 * 28 * 7 * 7 * 64
    assert first.compulsory_bytes == 4 * (56 * 56 * 64 + 7 * 7 * 64 + 28 * 28 * 64)
    assert second.weights == 64 * 128
    assert second.seconds == 2 * second.macs / 100e9, "arithmetic is its limit"
    assert first.seconds == first.compulsory_bytes / 20e9, "memory is its limit"


def test_the_textbook_entry_keeps_the_rules_and_can_be_beaten():
    textbook = design(ENTRIES["separable 3x3, twice"])
    assert not faults(textbook) and not faults(design(GOOD))
    assert sum(x.seconds for x in design(GOOD)) < sum(x.seconds for x in textbook)


def test_a_block_runs():
    y = runner(design(GOOD))()
    assert y.shape == (1, *OUTPUT) and np.isfinite(y).all()


@pytest.mark.parametrize(
    "texts, told",
    [
        (["depthwise 7x7,s1,p3", "1x1x128"], "should give"),
        (["1x1x32", "depthwise 7x7,s2,p3", "1x1x128"], "32 channels"),
        (["7x7x128,s2,p3"], "401,408 weights"),
        (["depthwise 7x7,s2,p3"], "mixes"),
        ([], "should give"),
        (..., "not been attempted"),
        ("3x3x128", "list of texts"),
        ([3], "list of texts"),
        (["3x3"], "'3x3'"),
        (GOOD, "Within the rules"),
        (["1x1x128,s2"], "sees 1 x 1"),
        (["3x3x1000000000,s2,p1"], "GiB; stay below 1.00 GiB"),
        (["3x3x128,foo"], "Layer '3x3x128,foo' is not a valid layer"),
    ],
)
def test_review_says_it_in_words(texts, told):
    assert told in review(texts)


@pytest.mark.weekly
def test_leaderboard_shows_your_block_if_there_is_one():
    assert YOURS in blocks_leaderboard(GOOD).alt
    for no_block in (..., None, ["3x3"], [3], ["3x3x1000000000,s2,p1"]):
        assert YOURS not in blocks_leaderboard(no_block).alt
