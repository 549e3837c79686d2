"""Attention that makes one token at a time, and the keys and values that it keeps for that."""

from __future__ import annotations

import numpy as np


def cache_bytes(layers: int, kv_heads: int, width: int, tokens: int, itemsize: int = 2) -> int:
    """Return the bytes of a KV cache: a key and a value of `width` for each head, token, layer."""
    return 2 * layers * kv_heads * width * tokens * itemsize


class Attention:
    """One causal attention layer with random weights, float32; `kv_heads` divides `heads`.

    Each group of `heads // kv_heads` queries shares a key and a value: all of them with one group
    (multi-head), several (grouped-query). `step` fills `cache[2, tokens, kv_heads, width]`.
    """

    def __init__(self, heads: int, kv_heads: int, width: int, tokens: int, seed: int = 0):
        if heads % kv_heads:
            raise ValueError(f"heads={heads} is not a multiple of kv_heads={kv_heads}")
        rng = np.random.default_rng(seed)
        self.inputs = heads * width
        scale = np.float32(self.inputs**-0.5)
        self.query = rng.standard_normal((self.inputs, heads, width), np.float32) * scale
        self.keys_values = (
            rng.standard_normal((2, self.inputs, kv_heads, width), np.float32) * scale
        )
        self.cache = np.zeros((2, tokens, kv_heads, width), np.float32)
        self.length = 0

    def step(self, x: np.ndarray) -> np.ndarray:
        """Return `y[heads, width]` for the next token `x[inputs]`; its key and value are kept."""
        self.cache[:, self.length] = np.einsum("i,cihw->chw", x, self.keys_values)
        self.length += 1
        return self._attend(x, *self.cache[:, : self.length])

    def whole(self, x: np.ndarray) -> np.ndarray:
        """Return `y[heads, width]` for the last token of `x[tokens, inputs]`, nothing kept."""
        return self._attend(x[-1], *np.einsum("ti,cihw->cthw", x, self.keys_values))

    def _attend(self, x: np.ndarray, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
        query = np.einsum("i,ihw->hw", x, self.query)
        grouped = query.reshape(keys.shape[1], -1, keys.shape[2])
        scores = np.einsum("gqw,tgw->gqt", grouped, keys) / keys.shape[2] ** 0.5
        likely = np.exp(scores - scores.max(axis=2, keepdims=True))
        likely /= likely.sum(axis=2, keepdims=True)
        return np.einsum("gqt,tgw->gqw", likely, values).reshape(query.shape)
