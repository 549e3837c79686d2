"""The size of an output, which lab 01's exercises share."""

from __future__ import annotations


def output_shape(image, kernel, stride, padding):
    """Return the pair (o_h, o_w) for pairs (vertical, horizontal) of whole numbers."""
    return tuple((i + 2 * p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding))
