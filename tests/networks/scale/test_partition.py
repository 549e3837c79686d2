"""Bands, judged by what they are for: the oracle on a band's rows gives the oracle's own rows."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import conv2d_float64, random_arrays
from convladder.networks.scale.cost import Link, Rates, by_rows, image_bytes, traffic
from convladder.networks.scale.partition import banded, bands, halo_rows, needed, shares

from ...conftest import ODD_PROBLEMS


def by_band(x, w, problem, piece):
    rows = np.pad(
        x[:, piece.first : piece.last], ((0, 0), (piece.top, piece.bottom), (0, 0), (0, 0))
    )
    return conv2d_float64(rows, w, banded(problem, piece))


def test_shares_are_even_and_leave_nothing_out():
    assert shares(7, 3) == [range(0, 3), range(3, 5), range(5, 7)]
    assert shares(3, 5) == [range(0, 1), range(1, 2), range(2, 3)]
    with pytest.raises(ValueError, match="cannot cut 0 things"):
        shares(0, 2)


DILATED = [
    ConvProblem.parse(text)
    for text in ("13x5x2,3x2x3,p1,d3x1", "12x9x2,2x3x4,s2x1,p2,d4x2", "9x7x4,3x3x4,p4,d4,g2")
]


@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize("problem", [*ODD_PROBLEMS, *DILATED], ids=str)
def test_bands_together_are_the_whole(problem, parts):
    x, w = random_arrays(problem)
    cut = bands(problem, parts)
    whole = np.concatenate([by_band(x, w, problem, piece) for piece in cut], axis=1)
    assert np.array_equal(whole, conv2d_float64(x, w, problem))
    assert all(
        piece.first == piece.last or 0 <= piece.first < piece.last <= problem.i_h for piece in cut
    )


def test_a_dilated_window_makes_wide_halos():
    dilated = ConvProblem.parse("20x6x1,3x3x1,p4,d4")
    assert [(piece.first, piece.last) for piece in bands(dilated, 2)] == [(0, 14), (6, 20)]
    assert halo_rows(dilated, 2) == 8
    assert [(piece.first, piece.last) for piece in needed([dilated] * 2, 0, 4)] == [(0, 12), (0, 8)]
    row = image_bytes(dilated) // 20
    assert traffic([dilated] * 2, 2)["rows"].exchanged == 8 * row
    rates = Rates((1.0, 1.0), *[Link(0.0, row)] * 3)
    assert by_rows([dilated] * 2, 1, rates, 2, exchange=True).exchange == 4


@pytest.mark.parametrize(
    "texts",
    [
        ("19x5x2,3x3x3,s2,p1", "10x3x3,1x2x2,s3,p1", "4x2x2,3x1x2,s1,p1"),
        ("19x9x2,3x3x3,p2,d3x2", "17x9x3,2x2x2,s2x1,p1,d3x1"),
    ],
)
def test_layers_of_any_stride_need_what_gives_their_rows(texts):
    layers = []
    for number, text in enumerate(texts):
        p = ConvProblem.parse(text)
        layers.append((p, random_arrays(p, seed=number)[1]))
    problems = [p for p, _ in layers]
    x, _ = random_arrays(problems[0])
    whole = x
    for p, w in layers:
        whole = conv2d_float64(whole, w, p)
    for share in shares(problems[-1].o_h, 2):
        pieces = needed(problems, share.start, share.stop)
        rows = x[:, pieces[0].first : pieces[0].last]
        for (p, w), piece in zip(layers, pieces):
            padded = np.pad(rows, ((0, 0), (piece.top, piece.bottom), (0, 0), (0, 0)))
            rows = conv2d_float64(padded, w, banded(p, piece))
        assert np.allclose(rows, whole[:, share.start : share.stop], rtol=1e-12)
