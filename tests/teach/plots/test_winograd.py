"""Chapter 06: tiles, points, rounding, and the record of a GPU."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.bench.conv_cpu import ConvComparison
from convladder.core.problem import PAPER, RESNET
from convladder.core.reference import ErrorModel, compare, conv2d_float64, random_arrays
from convladder.core.winograd_transforms import growth
from convladder.measure import Comparison
from convladder.teach.plots import winograd as drawn
from convladder.teach.plots import winograd as rounding
from convladder.teach.plots import winograd as told
from convladder.teach.plots.winograd import POINT_SETS
from studies.gpu.winograd import LAYERS


@pytest.mark.parametrize(
    "m, outputs, tiles, products", [(2, 4, 2, 64), (4, 14, 4, 576), (6, 14, 3, 576), (6, 4, 1, 64)]
)
def test_tiles_and_their_products(m, outputs, tiles, products):
    alt = drawn.winograd_tiles_picture(m, outputs).alt
    assert alt.startswith(f"{tiles} by {tiles} tiles of {m + 2} by {m + 2} pixels, {m} apart")
    assert f"{products} products" in alt and f"makes {9 * outputs**2:,}" in alt


@pytest.mark.parametrize("name", POINT_SETS)
def test_matrices_of_each_set_of_points(name):
    m = len(POINT_SETS[name]) - 1
    picture = drawn.points_picture(name)
    assert f"F({m}, 3)" in picture.alt
    shown = [text.get_text() for ax in picture.figure.axes for text in ax.texts]
    assert shown.count("∞") == 3 and len(shown) > (m + 2) ** 2 + (m + 2) * 3 + m * (m + 2)
    with pytest.raises(ValueError, match="there are 0 ±1"):
        drawn.points_picture("0, 1")


@pytest.fixture(scope="module")
def record():
    return told.winograd_gpu_record()


def test_leads_are_of_all_layers(record):
    for batch in told.gpu_means(record):
        ahead = told.gpu_ahead(record, batch)
        assert set(ahead) == set(LAYERS)
        assert len(set(ahead["cv3"].values())) == 1  # 7×7: Winograd does not take it
    assert told.gpu_ahead(record, 32)["cv8"]["auto's choice"] > 2


def test_without_a_record(monkeypatch):
    monkeypatch.setattr(told, "winograd_records", lambda: [])
    with pytest.raises(LookupError, match="no record of Winograd"):
        told.winograd_gpu_record()


def by_auto(threads, torch):
    """Layers of which the microkernel takes 2 s, F(4) 1 s and PyTorch as long as told."""
    return {
        name: ConvComparison.of(
            problem,
            threads,
            Comparison.of({"microkernel": (2.0,), "F(4)": (1.0,), "NCHW": (torch,)}, threads),
            {"NCHW": "torch"},
            {},
            1e9,
            "F(4)",
        )
        for name, problem in (PAPER | RESNET).items()
    }


def test_a_processor_s_run():
    ahead = told.cpu_ahead(by_auto(1, 3.0))
    assert set(ahead) == set(PAPER | RESNET)
    assert all(row == {"microkernel": 1.5, "auto's choice": 3.0} for row in ahead.values())


SMALL = ConvProblem.parse("2x9x11x5,3x3x4,p1")


@pytest.mark.parametrize(
    "m, points", [(2, None), (6, None), (4, (0, 1, -1, 2, -2)), (2, (0, 1, 2))]
)
def test_any_points_are_right(m, points):
    x, w = random_arrays(SMALL)
    y = rounding.winograd_with(x, w, SMALL, m, points)
    model = ErrorModel((m, m), growth(m, 3, points))
    assert compare(y, x, w, SMALL, model).ok
    assert not compare(np.roll(y, 1, 1), x, w, SMALL, model).ok


def test_roundings():
    values = np.linspace(-1, 1, 2 * 2 * 5, dtype=np.float32).reshape(2, 2, 5) ** 3
    assert (rounding.as_it_is(values) == values).all()
    assert 0 < np.abs(rounding.in_half(values) - values).max() <= 2.0**-12
    assert 0 < np.abs(rounding.in_bytes(values) - values).max() <= 0.5 / 127 + 1e-7
    each = np.abs(values).max(axis=2, keepdims=True) / 127
    assert (np.abs(rounding.in_bytes_each(values) - values) <= 0.501 * each).all()
    zeros = np.zeros((2, 2, 3), np.float32)
    assert (rounding.in_bytes(zeros) == 0).all() and (rounding.in_bytes_each(zeros) == 0).all()


def test_fewer_bits_and_larger_tiles_lose_more():
    found = rounding.rounding_errors(ConvProblem.parse("18x18x32,3x3x16,p1"))
    for each in found.values():
        assert each["direct"] < each["F(2)"] < each["F(4)"] < each["F(6)"]
        assert each["F(4)"] < each["F(4), 0 ±1 ±2"]
    float32, half, one, several = found.values()
    assert all(float32[way] < half[way] < one[way] for way in one)
    assert several["F(4)"] < one["F(4)"] and one["F(4), 0 ±1 ±2"] > 0.5


def test_errors_are_relative():
    x, w = random_arrays(SMALL)
    right = conv2d_float64(x, w, SMALL)
    assert rounding.largest_error(1.5 * right, right) == pytest.approx(0.5)
    assert rounding.typical_error(1.5 * right, right) == pytest.approx(0.5)
