"""A stand-in for tensor cores: products of rounded matrices, sums in float32, and what they cost.

One unit is the time of a float16 product on an NVIDIA H100 or H200: TF32 takes two (495 against
989 TFLOP/s, NVIDIA's data sheet).
"""

from __future__ import annotations

import numpy as np

from ...core.number_formats import BFLOAT16, TF32, rounded

UNITS = {"float16": 1, "bfloat16": 1, "TF32": 2}


class OutsideTheCores(Exception):
    """Matrices were multiplied by something else than the tensor cores."""


class Matrix(np.ndarray):
    """An array that does all but multiply by another matrix, which `@` and its kin refuse."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if ufunc is np.matmul:
            raise OutsideTheCores("`@` is a product of the processor's, in float32")
        plain = [np.asarray(each) if isinstance(each, Matrix) else each for each in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    def __array_function__(self, func, types, args, kwargs):
        if func in (np.dot, np.inner, np.einsum, np.tensordot, np.vdot):
            raise OutsideTheCores(f"`np.{func.__name__}` is a product of the processor's")
        return super().__array_function__(func, types, args, kwargs)

    def dot(self, *_):
        raise OutsideTheCores("`dot` is a product of the processor's, in float32")


class TensorCores:
    """`multiply(a, b, format)`: `a @ b` with both rounded to "float16", "bfloat16" or "TF32".

    units: what the products so far have cost, a whole product of one size each. most: what an
    answer may cost, or None.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most, self.units = most, 0

    def __call__(self, a: np.ndarray, b: np.ndarray, format: str) -> np.ndarray:
        """Return float32 `[m, n]` of `a[m, k]` and `b[k, n]`.

        Raises ValueError for a format that tensor cores do not have here.
        """
        if format not in UNITS:
            raise ValueError(f"multiply(..., format={format!r}): there are {', '.join(UNITS)}")
        self.units += UNITS[format]
        left, right = (_read(np.asarray(each), format) for each in (a, b))
        return left @ right

    def objection(self) -> str | None:
        """Return the check's objection to an answer that used none of it, or too much."""
        if not self.units:
            return "did not multiply anything by the `multiply` that it was handed."
        if self.most is not None and self.units > self.most:
            return (
                f"spent {self.units} units; {self.most} are allowed. A product costs 1 in "
                "float16 or bfloat16, and 2 in TF32."
            )
        return None

    def __deepcopy__(self, memo: dict) -> TensorCores:
        return TensorCores(self.most)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorCores) and self.most == other.most

    def __repr__(self) -> str:
        return "tensor cores" if self.most is None else f"tensor cores, for {self.most} units"


def matrix(values: np.ndarray) -> Matrix:
    """Return `values` as an array that only tensor cores multiply."""
    return np.asarray(values).view(Matrix)


def _read(values: np.ndarray, format: str) -> np.ndarray:
    if format == "float16":
        with np.errstate(over="ignore"):
            return values.astype(np.float16).astype(np.float32)
    fraction = (TF32 if format == "TF32" else BFLOAT16).fraction
    return rounded(values.astype(np.float32), fraction)
