"""A KV cache changes no value, and has the bytes that the formula says."""

import numpy as np
import pytest

from convladder.networks.memory import Attention, cache_bytes

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_each_step_gives_what_the_whole_text_gives(kv_heads):
    layer = Attention(heads=4, kv_heads=kv_heads, width=5, tokens=7)
    text = RNG.standard_normal((7, layer.inputs), dtype=np.float32)
    for t, token in enumerate(text, start=1):
        assert np.allclose(layer.step(token), layer.whole(text[:t]), rtol=1e-4, atol=1e-6)
    assert layer.cache.nbytes == cache_bytes(1, kv_heads, 5, 7, itemsize=4)


def test_attention_beside_its_definition():
    layer = Attention(heads=2, kv_heads=1, width=3, tokens=4)
    x = RNG.standard_normal((4, 6))
    keys, values = (np.einsum("ti,iw->tw", x, kv[:, 0].astype(float)) for kv in layer.keys_values)
    for head in range(2):
        weights = np.exp(keys @ (x[-1] @ layer.query[:, head].astype(float)) / 3**0.5)
        right = weights / weights.sum() @ values
        assert np.allclose(layer.whole(x)[head], right)


def test_groups_must_divide_the_heads():
    with pytest.raises(ValueError, match="heads=6 is not a multiple of kv_heads=4"):
        Attention(6, 4, 8, 1)
