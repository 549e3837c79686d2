"""Lab 11, exercise 3: float32's digits from tensor cores."""

import numpy as np

from ..exercise import Exercise, Misconception, edit
from ..mocks.tensor_cores import TensorCores, matrix
from .e2_split_tf32 import split_tf32

MOST_UNITS = 6
LIMIT = 1e-6  # of the sum of |a·b|


def my_product(a, b, multiply):
    a_large, a_small = split_tf32(a)
    b_large, b_small = split_tf32(b)
    product = multiply(a_small, b_large, "TF32") + multiply(a_large, b_small, "TF32")
    return product + multiply(a_large, b_large, "TF32")


def accept(a, b, multiply, product):
    shape = [a.shape[0], b.shape[1]]
    if not isinstance(product, np.ndarray) or list(product.shape) != shape:
        got = list(product.shape) if isinstance(product, np.ndarray) else type(product).__name__
        return f"The result is {got}; it should be an array of shape {shape}."
    if product.dtype != np.float32:
        return f"The result is {product.dtype}, not float32."
    if not np.isfinite(product).all():
        return "The result holds NaN or infinity. float16 ends at 65,504."
    left, right = (np.asarray(each, np.float64) for each in (a, b))
    off, size = abs(product - left @ right), abs(left) @ abs(right)
    error = float((off[size > 0] / size[size > 0]).max(initial=0))
    if error <= LIMIT:
        return None
    return (
        f"The result is off by {error:.1e} of the sum of |a·b|. float32 itself stays below "
        f"{LIMIT:.0e}."
    )


def operands(fill, rows, depth, columns, big, little):
    a, b = fill(rows, depth) * np.float32(big), fill(depth, columns) * np.float32(little)
    return matrix(a), matrix(b), TensorCores(MOST_UNITS)


def in_halves(a, b, multiply):
    """Three products in float16, for three units: right while no number leaves its range."""
    parts = []
    for x in (np.asarray(a), np.asarray(b)):
        with np.errstate(over="ignore", invalid="ignore"):
            large = x.astype(np.float16).astype(np.float32)
            parts.append((large, x - large))
    (a_large, a_small), (b_large, b_small) = parts
    mixed = multiply(a_small, b_large, "float16") + multiply(a_large, b_small, "float16")
    return mixed + multiply(a_large, b_large, "float16")


SUM = 'multiply(a_small, b_large, "TF32") + multiply(a_large, b_small, "TF32")'

EXERCISE = Exercise(
    name="my_product",
    lab=11,
    task="A product with float32's digits from tensor cores, for six units or fewer.",
    solution=my_product,
    accept=accept,
    cases=lambda rng: [
        (1, 2, 1, 1.0, 1.0),
        (24, 256, 16, 1.0, 1.0),
        (24, 256, 16, 3e5, 2e-7),
        (24, 1, 16, 3e5, 3e5),
        (24, 3, 16, float(rng.uniform(0.5, 2)), 1.0),
    ],
    inputs=operands,
    valid=lambda rows, depth, columns, big, little: rows * depth * columns * big * little > 0,
    mend="large·large, small·large and large·small of `split_tf32`'s parts, each by "
    '`multiply(…, "TF32")`',
    misconceptions=[
        Misconception(
            "one product in TF32",
            edit("return product + ", "return "),
            "You keep three digits.",
            "Each factor is rounded to ten bits. The small parts hold what's lost.",
        ),
        Misconception(
            "one product in half precision",
            [
                lambda a, b, multiply: multiply(a, b, "float16"),
                lambda a, b, multiply: multiply(a, b, "bfloat16"),
            ],
            "You keep two or three digits, and large numbers may be infinite.",
            "Half precision has 7 or 10 bits of fraction. Split the matrices into parts.",
        ),
        Misconception(
            "one mixed product only",
            [edit(SUM, SUM[: SUM.index(" + ")]), edit(SUM, SUM[SUM.index(" + ") + 3 :])],
            "You gain less than a digit over one product.",
            "The small part of either matrix matters: both mixed products are needed.",
        ),
        Misconception(
            "all four products",
            edit(SUM, SUM + ' + multiply(a_small, b_small, "TF32")'),
            "The digits are right, for eight units.",
            "small·small is below float32's own rounding. Leave it out.",
        ),
        Misconception(
            "numbers outside float16's range",
            in_halves,
            "Right where the numbers are near 1. Large ones are infinite, small ones lose digits.",
            "Divide each matrix by a power of two first, and multiply the result by both.",
        ),
    ],
)
