"""One kernel in four languages: what can be said without a GPU."""

import pytest

from convladder import ConvProblem, cuda
from convladder.core.reference import compare, random_arrays
from convladder.gpu.languages import same_launch


@pytest.mark.parametrize("text", ["9x8x2,3x2x9,s2x3", "6x7x3,3x2x5"])
def test_in_cuda_it_is_right_where_tiles_do_not_fit(text):
    p = ConvProblem.parse(text)
    x, w = random_arrays(p)
    y = cuda.empty(p.output_shape)
    assert same_launch(p).profile(cuda.to_device(x), cuda.to_device(w), y).ok
    assert compare(y.get(), x, w, p).ok
