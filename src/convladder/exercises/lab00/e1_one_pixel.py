"""Chapter 00's exercise: one output pixel."""

from ..draws import wholes
from ..exercise import Exercise, Misconception, edit


def one_pixel(window, kernel):
    return float((window * kernel).sum())


PRODUCTS = "(window * kernel)"

EXERCISE = Exercise(
    name="one_pixel",
    lab=0,
    task="One output pixel: the sum of the products of a window and a kernel.",
    solution=one_pixel,
    cases=lambda rng: [((2, 2),), ((3, 3),), ((5, 2),), (wholes(rng, 3, 6),)],
    inputs=lambda fill, kernel: (fill(*kernel), fill(*kernel)[::-1].copy()),
    mend="`(window * kernel).sum()`: each value times the weight in its own place, all added up",
    misconceptions=[
        Misconception(
            "a flipped kernel",
            edit(PRODUCTS, "(window * kernel[::-1, ::-1])"),
            "Your result comes from a kernel turned by 180°, read from its last weight to its "
            "first.",
            "Mathematics flips the kernel before it slides. Deep learning doesn't: its convolution "
            "is cross-correlation, and so is this course's.",
        ),
        Misconception(
            "the product of the sums",
            edit(f"{PRODUCTS}.sum()", "window.sum() * kernel.sum()"),
            "Your result is the sum of the window times the sum of the kernel.",
            "Each value of the window has its own weight. In that product each value meets every "
            "weight.",
        ),
        Misconception(
            "products that are never summed",
            edit(f"float({PRODUCTS}.sum())", "window * kernel"),
            "You return all the products, but one output pixel is one number.",
            "A window becomes one number: multiply, then accumulate. This pair is the MAC that the "
            "whole course counts.",
        ),
        Misconception(
            "a matrix product",
            [
                edit(f"float({PRODUCTS}.sum())", "window @ kernel"),
                edit(PRODUCTS, "(window @ kernel)"),
            ],
            "Your result comes from the matrix product of window and kernel.",
            "A matrix product multiplies rows by columns. Here each value meets the weight in its "
            "own place: `*`, not `@`.",
        ),
    ],
)
