"""Tensor cores of NumPy: what they read, what they cost, and what a matrix refuses."""

import numpy as np
import pytest

from convladder.exercises.mocks.tensor_cores import OutsideTheCores, TensorCores, matrix


@pytest.mark.parametrize(
    "format, third", [("TF32", 1 + 2**-10), ("float16", 1 + 2**-10), ("bfloat16", 1)]
)
def test_a_product_reads_so_many_bits(format, third):
    one = np.ones((1, 1), np.float32)
    assert TensorCores()(one * np.float32(1 + 2**-10 + 2**-12), one, format) == third


def test_units_add_up_and_too_many_are_told():
    cores, one = TensorCores(most=3), np.ones((2, 2), np.float32)
    assert "did not multiply" in cores.objection()
    cores(one, one, "TF32")
    cores(one, one, "float16")
    assert (cores.units, cores.objection()) == (3, None)
    cores(one, one, "bfloat16")
    assert "4 units; 3 are allowed" in cores.objection()
    with pytest.raises(ValueError, match="'int8'.*float16"):
        cores(one, one, "int8")


@pytest.mark.parametrize(
    "product", [lambda a, b: a @ b, np.dot, lambda a, b: np.einsum("ij,jk->ik", a, b)]
)
def test_a_matrix_is_multiplied_by_tensor_cores_alone(product):
    a = matrix(np.ones((2, 2), np.float32))
    with pytest.raises(OutsideTheCores):
        product(a, a)
    assert type(a - a) is np.ndarray
