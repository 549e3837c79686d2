"""Lab 10, exercise 5: float32's digits from tensor cores."""

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
    error = float((abs(product - left @ right) / (abs(left) @ abs(right))).max())
    if error <= LIMIT:
        return None
    return (
        f"The result is off by {error:.1e} of the sum of |a·b|. float32 itself stays below "
        f"{LIMIT:.0e}."
    )


def operands(fill, rows, depth, columns, big, little):
    a, b = fill(rows, depth) * np.float32(big), fill(depth, columns) * np.float32(little)
    return matrix(a), matrix(b), TensorCores(MOST_UNITS)


def bfloats(pairs):
    """Return a product of three bfloat16 parts each, of which these pairs meet."""

    def answer(a, b, multiply):
        left, right = bfloat_parts(np.asarray(a)), bfloat_parts(np.asarray(b))
        return sum(multiply(left[i], right[j], "bfloat16") for i, j in pairs)

    return answer


def bfloat_parts(x):
    parts = []
    for _ in range(3):
        bits = np.ascontiguousarray(x - sum(parts, np.float32(0))).view(np.uint32)
        half = np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
        parts.append((bits + half & np.uint32(0xFFFF0000)).view(np.float32))
    return parts


def scaled_halves(a, b, multiply, one=True, back=True):
    """Three products in float16, of matrices that a power of two brings near 1."""
    a, b = np.asarray(a), np.asarray(b)
    scales = [
        np.float32(2.0 ** np.floor(np.log2(abs(x).max()))) if one else np.float32(1) for x in (a, b)
    ]
    parts = []
    for x, scale in zip((a, b), scales, strict=True):
        with np.errstate(over="ignore", invalid="ignore"):
            large = (x / scale).astype(np.float16).astype(np.float32)
            parts.append((large, x / scale - large))
    (al, a_s), (bl, b_s) = parts
    total = sum(multiply(*pair, "float16") for pair in ((a_s, bl), (al, b_s), (al, bl)))
    return total * (scales[0] * scales[1] if back else np.float32(1))


SUM = 'multiply(a_small, b_large, "TF32") + multiply(a_large, b_small, "TF32")'

EXERCISE = Exercise(
    name="my_product",
    lab=10,
    task="A product with float32's digits from tensor cores, for six units or fewer.",
    solution=my_product,
    accept=accept,
    cases=lambda rng: [
        (1, 2, 1, 1.0, 1.0),
        (24, 256, 16, 1.0, 1.0),
        (24, 256, 16, 3e5, 2e-7),
        (24, 1, 16, 1.0, 1.0),
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
            "a mixed product subtracted",
            [
                edit(SUM, SUM.replace(" + ", " - ")),
                edit("return product + ", "return -product + "),
            ],
            "Your error is as large as that of a single product.",
            "The parts add up to the numbers, so all products are added.",
        ),
        Misconception(
            "too few or too many bfloat16 products",
            [
                bfloats([(0, 1), (1, 0), (0, 0)]),
                bfloats([(i, j) for i in range(3) for j in range(3)]),
                bfloats([(0, 2), (2, 0), (0, 1), (1, 0), (0, 0)]),
            ],
            "With bfloat16 parts you miss digits, or spend nine units.",
            "Three parts a matrix, and the six products with `i + j <= 2`.",
        ),
        Misconception(
            "numbers outside float16's range",
            [
                lambda a, b, multiply: scaled_halves(a, b, multiply, one=False),
                lambda a, b, multiply: scaled_halves(a, b, multiply, back=False),
            ],
            "Right where the numbers are near 1. Otherwise there are infinities, or a factor.",
            "Divide each matrix by a power of two first, and multiply the result by both.",
        ),
        Misconception(
            "a product of the processor",
            lambda a, b, multiply: (np.asarray(a, np.float64) @ np.asarray(b, np.float64)).astype(
                np.float32
            ),
            "Nothing went through `multiply`.",
            "The exercise is about what tensor cores can do.",
        ),
    ],
)
