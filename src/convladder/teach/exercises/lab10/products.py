"""Products of parts on tensor cores, right and wrong: what an exercise of lab 10 is made of."""

from __future__ import annotations

import numpy as np

from ....number_formats import BFLOAT16, TF32, rounded


def cut_off(x, fraction):
    """Clear the bits below so many of a float32's fraction."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return (bits >> (23 - fraction) << (23 - fraction)).view(np.float32)


def _split(x, fraction=TF32.fraction, parts=2, to=rounded):
    found, rest = [], np.asarray(x)
    for _ in range(parts):
        found.append(to(rest, fraction) if len(found) < parts - 1 or to is rounded else rest)
        rest = rest - found[-1]
    return found


def products(a, b, multiply, pairs, format="TF32", fraction=TF32.fraction, parts=2, to=rounded):
    """Add up the products of some pairs of parts, the smallest first."""
    left, right = _split(a, fraction, parts, to), _split(b, fraction, parts, to)
    return sum(multiply(left[i], right[j], format) for i, j in sorted(pairs, key=sum, reverse=True))


def three(a, b, multiply):
    return products(a, b, multiply, [(0, 0), (0, 1), (1, 0)])


def bfloats(a, b, multiply, most):
    pairs = [(i, j) for i in range(3) for j in range(3) if i + j <= most]
    return products(a, b, multiply, pairs, "bfloat16", BFLOAT16.fraction, 3)


def scaled_halves(
    a, b, multiply, back=(True, True), scaled=True, which=(True, True), whole=np.floor
):
    """Return a product of three in float16: exact powers of two keep all in its range."""
    size = [
        2.0 ** whole(np.log2(np.abs(np.asarray(each)).max())) if scaled and this else 1.0
        for each, this in zip((a, b), which)
    ]
    (al, a_s), (bl, b_s) = (
        _halves(np.asarray(each) / np.float32(one)) for each, one in zip((a, b), size)
    )
    product = sum(multiply(*pair, "float16") for pair in ((a_s, bl), (al, b_s), (al, bl)))
    return product * np.float32(size[0] ** back[0] * size[1] ** back[1])


def scaled_once(a, b, multiply):
    """Return one product in float16 of matrices divided by their largest value."""
    size = [np.abs(np.asarray(each)).max() for each in (a, b)]
    left, right = (np.asarray(each) / np.float32(one) for each, one in zip((a, b), size))
    return multiply(left, right, "float16") * np.float32(size[0] * size[1])


def through_float16(product):
    with np.errstate(over="ignore"):
        return product.astype(np.float16).astype(np.float32)


def _halves(x):
    with np.errstate(over="ignore", invalid="ignore"):
        large = x.astype(np.float16).astype(np.float32)
        return large, x - large
