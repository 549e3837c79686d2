"""Lab 00, exercise 1: one output pixel."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception


def one_pixel(window, kernel):
    """Return the sum of products of `window[k_h,k_w]` and `kernel[k_h,k_w]`, a float."""
    return float((window * kernel).sum())


def flipped(window, kernel):
    return float((window * kernel[::-1, ::-1]).sum())


def separate_sums(window, kernel):
    return float(window.sum() * kernel.sum())


def mean(window, kernel):
    return float((window * kernel).mean())


def products(window, kernel):
    return window * kernel


def row_sums(window, kernel, axis=0):
    return (window * kernel).sum(axis=axis)


def matrix_product(window, kernel, summed=False):
    product = window @ kernel
    return float(product.sum()) if summed else product


def transposed(window, kernel, by="transpose"):
    """Let rows of one meet columns of the other; where they are not square, that may raise."""
    if by == "places":
        return float(sum(window[b, a] * kernel[a, b] for a, b in np.ndindex(kernel.shape)))
    if by == "trace":
        return float(np.trace(window @ kernel))
    return float(
        (window * (kernel.T if by == "transpose" else kernel.T.ravel().reshape(kernel.shape))).sum()
    )


def sums_added(window, kernel):
    return float((window + kernel).sum())


def cases(rng: np.random.Generator) -> list[tuple]:
    small = np.arange(1, 5, dtype=np.float32).reshape(2, 2)
    return [(small, np.array([[1, 0], [0, -1]], np.float32))] + [
        tuple(rng.standard_normal((2, *shape), dtype=np.float32)) for shape in [(3, 3), (5, 2)]
    ]


EXERCISE = Exercise(
    name="one_pixel",
    lab=0,
    task="One output pixel: the sum of the products of a window and a kernel.",
    reference=one_pixel,
    cases=cases,
    misconceptions=[
        Misconception(
            "flipped kernel",
            flipped,
            symptom="Your result is that of a kernel turned by 180°, read from its last weight to "
            "its first.",
            concept="Mathematics flips the kernel before it slides. Deep learning does not: its "
            "convolution is cross-correlation, and so is this course's.",
            line="`window * kernel`, both as they are: the first weight meets the first value, and "
            "neither is flipped.",
        ),
        Misconception(
            "product of the sums",
            separate_sums,
            symptom="Your result is the sum of the window times the sum of the kernel.",
            concept="Each value of the window has a weight of its own. In that product each value "
            "meets every weight.",
            line="Multiply each value by the weight at its own place, and sum these products: "
            "`(window * kernel).sum()`.",
        ),
        Misconception(
            "mean in place of sum",
            mean,
            symptom="Your result is the right one divided by the number of values in the window.",
            concept="A convolution adds up its products. Where an average is wanted, the kernel's "
            "own values say so, as those of a blur do.",
            line="`(window * kernel).sum()`: no mean, and no division by the number of values.",
        ),
        Misconception(
            "products never summed",
            products,
            symptom="You return all the products; one output pixel is one number.",
            concept="A window becomes one number: multiply, then accumulate. This pair is the MAC "
            "that the whole course counts.",
            line="Return the sum of the products: `(window * kernel).sum()`.",
        ),
        Misconception(
            "summed along one axis",
            row_sums,
            symptom="You return several sums; one output pixel is one number.",
            concept="The sum runs over both axes of the window.",
            line="`(window * kernel).sum()`, with no `axis`. (Python's own `sum` adds up whole "
            "rows.)",
            choices={"axis": (1,)},
        ),
        Misconception(
            "matrix product",
            matrix_product,
            symptom="Your result comes from a matrix product of window and kernel, rows by "
            "columns.",
            concept="A matrix product adds up along a row and a column. Here each value meets the "
            "weight at its own place, and the shapes need not fit for a matrix product.",
            line="`window * kernel`, value by value, and the sum of that.",
            choices={"summed": (True,)},
        ),
        Misconception(
            "kernel transposed",
            transposed,
            symptom="Where both are square, your result is that of the transposed kernel: its "
            "columns lie where its rows should.",
            concept="`kernel[a, b]` is the weight of row `a`, column `b`, and belongs to "
            "`window[a, b]`. A symmetric kernel does not show the difference.",
            line="`window * kernel`, place by place, row on row: nothing transposed.",
            choices={"by": ("places", "trace", "order")},
        ),
        Misconception(
            "added, not multiplied",
            sums_added,
            symptom="Your result is the sum of all values and all weights: no product is in it.",
            concept="A weight says how much its value counts, so it multiplies.",
            line="First the products, value by value, then their sum: `(window * kernel).sum()`.",
        ),
    ],
)
