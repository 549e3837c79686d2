"""Chapter 06: tiles and their products."""

import pytest

from convladder.teach.plots import winograd as drawn


@pytest.mark.parametrize(
    "m, outputs, tiles, products", [(2, 4, 2, 64), (4, 14, 4, 576), (6, 14, 3, 576), (6, 4, 1, 64)]
)
def test_tiles_and_their_products(m, outputs, tiles, products):
    alt = drawn.winograd_tiles_picture(m, outputs).alt
    assert alt.startswith(f"{tiles} by {tiles} tiles of {m + 2} by {m + 2} pixels, {m} apart")
    assert f"{products} products" in alt and f"makes {9 * outputs**2:,}" in alt
