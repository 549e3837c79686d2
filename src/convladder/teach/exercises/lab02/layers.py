"""The layers that lab 02's exercises are tried on, and what they cost."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem
from ....exercises.draws import as_pairs, layer


# image (i_h, i_w, i_c), kernel (k_h, k_w, k_c), stride (s_h, s_w), padding (p_h, p_w)
def layers(rng: np.random.Generator) -> list[tuple]:
    """Return layers, of which one is the seed's."""
    return [
        ((4, 4, 1), (3, 3, 1), (1, 1), (0, 0)),
        ((5, 4, 2), (4, 2, 1), (1, 1), (2, 1)),
        ((12, 18, 3), (3, 5, 4), (2, 3), (1, 2)),  # does not come out even, and rounds up
        as_pairs(layer(rng, 240, 1)),
        ((28, 28, 256), (3, 3, 512), (1, 1), (1, 1)),
    ]


def problem_of(image, kernel, stride, padding) -> ConvProblem:
    return ConvProblem(1, *image, *kernel, stride, padding)


def counts(image, kernel, stride, padding) -> tuple[int, int]:
    """Return the MACs, and the parameters with their biases."""
    p = problem_of(image, kernel, stride, padding)
    return p.macs, p.params + p.k_c


def accesses(image, kernel, stride, padding, depthwise) -> int:
    """Return the accesses by the naive rule, those to biases included."""
    if depthwise:
        one = problem_of((*image[:2], 1), (*kernel[:2], 1), stride, padding)
        return (image[2] * one.accesses(bias=True)).total
    return problem_of(image, kernel, stride, padding).accesses(bias=True).total
