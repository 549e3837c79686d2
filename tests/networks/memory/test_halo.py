"""Halos by arithmetic against halos by trying: which pixels change which outputs."""

import numpy as np
import pytest

from convladder.networks.memory.halo import Slide, field, sizes, spans


def reaches(slides, i):
    """`[outputs, pixels]`: whether the output depends on the pixel, layer by layer."""
    seen = np.eye(i, dtype=bool)
    for k, s, p in slides:
        zeros = np.zeros((p, i), bool)
        padded = np.concatenate([zeros, seen, zeros])
        outputs = (len(padded) - k) // s + 1
        seen = np.stack([padded[s * at : s * at + k].any(axis=0) for at in range(outputs)])
    return seen


def by_chance(seed):
    rng = np.random.default_rng(seed)
    slides = [
        Slide(k := int(rng.integers(1, 5)), int(rng.integers(1, 3)), int(rng.integers(0, k)))
        for _ in range(rng.integers(1, 5))
    ]
    return slides, 40 + int(rng.integers(0, 9))


@pytest.mark.parametrize("seed", range(12))
def test_spans_hold_what_outputs_depend_on_and_no_more(seed):
    slides, i = by_chance(seed)
    seen = reaches(slides, i)
    assert len(seen) == sizes(slides, i)[-1]
    rng = np.random.default_rng(seed)
    for begin in rng.integers(0, len(seen), 5).tolist():
        end = begin + 1 + int(rng.integers(0, len(seen) - begin))
        needed = np.flatnonzero(seen[begin:end].any(axis=0))
        first = spans(slides, i, begin, end)[0]
        if all(k >= s for k, s, _ in slides):
            assert (first.begin, first.end) == (needed[0], needed[-1] + 1)
        else:  # between windows there are pixels that nothing reads
            assert first.begin <= needed[0] and needed[-1] < first.end


def test_known_fields():
    assert field([Slide(3)] * 4) == (9, 1, 0)
    assert field([Slide(3, 1, 1)] * 4) == (9, 1, -4)
    assert field([Slide(7, 2, 3), Slide(3, 2, 1)]) == (11, 4, -5)  # the stem of a ResNet


def test_what_cannot_be():
    with pytest.raises(ValueError, match="a window of 5 does not fit into 3 pixels"):
        sizes([Slide(3), Slide(5)], 5)
    with pytest.raises(ValueError, match="outputs 4 to 9 are not within the stack's 8"):
        spans([Slide(3)], 10, 4, 9)
