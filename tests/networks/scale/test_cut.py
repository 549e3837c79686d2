"""Bands, judged by what they are for: the oracle on a band's rows gives the oracle's own rows."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import conv2d_float64, random_arrays
from convladder.networks.scale.partition import band, banded, bands, needed, shares


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


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_bands_together_are_the_whole(problem, parts):
    x, w = random_arrays(problem)
    cut = bands(problem, parts)
    whole = np.concatenate([by_band(x, w, problem, piece) for piece in cut], axis=1)
    assert np.array_equal(whole, conv2d_float64(x, w, problem))
    assert all(
        piece.first == piece.last or 0 <= piece.first < piece.last <= problem.i_h for piece in cut
    )


def test_rows_that_are_not_there_are_refused():
    p = ConvProblem.parse("12x4x1,3x3x1")
    for rows in ((0, 11), (5, 5), (-1, 3)):
        with pytest.raises(ValueError, match="o_h=10"):
            band(p, *rows)


def test_layers_of_any_stride_need_what_gives_their_rows():
    texts = ("19x5x2,3x3x3,s2,p1", "10x5x3,1x2x2,s3,p1", "4x6x2,3x1x2,s1,p1")
    layers, x = [], None
    for number, text in enumerate(texts):
        p = ConvProblem.parse(text)
        if layers:
            p = ConvProblem(
                1, *layers[-1][0].output_shape[1:], p.k_h, p.k_w, p.k_c, p.stride, p.padding
            )
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
