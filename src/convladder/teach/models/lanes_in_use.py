"""How much of a vector register a layer's channels and bytes fill."""

from __future__ import annotations

from ...problem import ConvProblem

BYTES = 4  # of one lane: what one dot product multiplies at a time


def dot_fill(problem: ConvProblem) -> tuple[int, int, float, float]:
    """Return what an output value of an int8 layer takes in registers of 512 bits.

    The products it wants, the dot products of four bytes that it is given (each kernel row begins
    a new one), the share of bytes in use, and of lanes: 8 where the channels fit, else 16.
    """
    p = problem
    quads = p.k_h * -(-p.k_w * p.i_c // BYTES)
    lanes = 16 if p.k_c > 8 else 8
    return (p.window, quads, p.window / (BYTES * quads), p.k_c / (-(-p.k_c // lanes) * lanes))
