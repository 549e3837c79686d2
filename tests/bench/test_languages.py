"""One kernel in four languages: what can be said without a GPU."""

import pytest

from convladder import ConvProblem, cuda
from convladder.bench import languages
from convladder.core.reference import compare, random_arrays
from convladder.gpu.languages import LANGUAGES, bound, same_launch


@pytest.mark.parametrize("text", ["9x8x2,3x2x9,s2x3", "6x7x3,3x2x5"])
def test_in_cuda_it_is_right_where_tiles_do_not_fit(text):
    p = ConvProblem.parse(text)
    x, w = random_arrays(p)
    y = cuda.empty(p.output_shape)
    assert same_launch(p).profile(cuda.to_device(x), cuda.to_device(w), y).ok
    assert compare(y.get(), x, w, p).ok


def test_what_cannot_be_bound_is_said():
    p = ConvProblem.parse("6x7x3,3x2x5")
    with pytest.raises(ValueError, match="language='Mojo'; there are CUDA C"):
        bound("Mojo", p, *3 * [None])
    with pytest.raises(ValueError, match="without padding"):
        bound(LANGUAGES[0], ConvProblem.parse("6x7x3,3x2x5,p1"), *3 * [None])


def test_a_record_is_told_by_line():
    record = {
        "card": {"gpu": "a GPU"},
        "layer": "a layer",
        "tile": [1, 2, 3],
        "flops": 2e12,
        "seconds": {"CUDA C++": {"seconds": 1.0}, "Triton": {"seconds": 0.5}},
        "issue": {"CUDA C++": 0.01, "Triton": 0.4},
        "absent": {"CuTe DSL": "not there"},
    }
    _, ours, triton, cute = languages.lines(record)
    assert "2.00 TFLOP/s" in ours and "1.00 times" in ours
    assert "at most" not in ours and "0.50 times CUDA C++'s, at most" in triton
    assert cute == "CuTe DSL: not here: not there"
