"""What the pictures of chapter 17 say, beside counts made another way."""

import pytest

from convladder import PAPER
from convladder.teach.plots import winograd as drawn
from convladder.teach.plots.winograd import POINT_SETS


@pytest.mark.parametrize(
    "m, outputs, tiles, products", [(2, 4, 2, 64), (4, 14, 4, 576), (6, 14, 3, 576), (6, 4, 1, 64)]
)
def test_tiles_and_their_products(m, outputs, tiles, products):
    alt = drawn.winograd_tiles_picture(m, outputs).alt
    assert alt.startswith(f"{tiles} by {tiles} tiles of {m + 2} by {m + 2} pixels, {m} apart")
    assert f"{products} products" in alt and f"makes {9 * outputs**2:,}" in alt


def test_what_hangs_over_is_said():
    words = [t.get_text() for t in drawn.winograd_tiles_picture(6, 4).figure.axes[0].texts]
    assert "20 outputs are made and thrown away" in words
    fits = [t.get_text() for t in drawn.winograd_tiles_picture(2, 4).figure.axes[0].texts]
    assert not any("thrown away" in text for text in fits)


@pytest.mark.parametrize("name", POINT_SETS)
def test_matrices_of_each_set_of_points(name):
    m = len(POINT_SETS[name]) - 1
    picture = drawn.points_picture(name)
    assert f"F({m}, 3)" in picture.alt
    shown = [text.get_text() for ax in picture.figure.axes for text in ax.texts]
    assert shown.count("∞") == 3 and len(shown) > (m + 2) ** 2 + (m + 2) * 3 + m * (m + 2)
    with pytest.raises(ValueError, match="there are 0 ±1"):
        drawn.points_picture("0, 1")


def test_the_parts_add_up_to_the_model_s_time():
    layers = {"cv9": PAPER["cv9"], "cv5": PAPER["cv5"]}
    ax = drawn.winograd_parts_picture(layers).figure.axes[0]
    words = [text.get_text() for text in ax.texts]
    expected = [
        f"{drawn.direct(p, drawn.host_isa().lanes, 1) / winograd_cost(p, m):.2f} times"
        for p in layers.values()
        for m in drawn.sizes(p.k_h)
    ]
    assert all(text.startswith(each) for text, each in zip(words, expected, strict=True))


def winograd_cost(problem, m):
    from convladder.cpu.winograd import expected

    return expected(problem, m, 1)


@pytest.mark.weekly
def test_errors_and_leads():
    picture = drawn.error_growth_picture({"some": {2: 1e-7, 4: 1e-6}, "others": {4: 1e-5}})
    assert "some, others" in picture.alt and picture.figure.axes[0].get_yscale() == "log"
    rows = {"a": {"ours": 2.0, "theirs": 0.5}, "b": {"ours": 3.0}}
    one = drawn.ahead_picture(rows, "title", "ratio")
    assert "ours, theirs on a, b" in one.alt
