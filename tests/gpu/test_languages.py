"""One kernel in several languages: what can be said without a GPU.

numba.cuda is there on every machine; Numba decides once a process, so each case has its own.
"""

import pytest

from convladder import ConvProblem, cuda
from convladder.core.reference import compare, random_arrays
from convladder.gpu.languages import same_launch

from ..python import python


@pytest.mark.parametrize("text", ["9x8x2,3x2x9,s2x3", "6x7x3,3x2x5"])
def test_in_cuda_it_is_right_where_tiles_do_not_fit(text):
    p = ConvProblem.parse(text)
    x, w = random_arrays(p)
    y = cuda.empty(p.output_shape)
    assert same_launch(p).profile(cuda.to_device(x), cuda.to_device(w), y).ok
    assert compare(y.get(), x, w, p).ok


RUN = """
import sys
from convladder import ConvProblem
from convladder.core.reference import compare, random_arrays
from convladder.gpu.languages import run_numba
assert "numba.cuda" not in sys.modules and "triton" not in sys.modules
p = ConvProblem(1, 9, 8, 2, 3, 2, 9, stride=(2, 3))
x, w = random_arrays(p)
print(compare(run_numba(x, w, p), x, w, p).ok)
"""


def told(program, **variables):
    done = python("-W", "error", "-c", program, **variables)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.strip()


def test_chapter_11s_kernel_is_right_where_tiles_do_not_fit():
    assert told(RUN) == "True"


SIMULATED = """
from convladder import cuda
from convladder.gpu import languages
languages.gpu = lambda: {gpu}
languages._works = lambda: {works}
import numba
languages.load_numba_cuda()
print(numba.config.ENABLE_CUDASIM)
"""


@pytest.mark.weekly
@pytest.mark.parametrize(
    "gpu, works, set_before, simulated",
    [
        (False, True, {}, 1),
        (True, True, {}, 0),
        (True, False, {}, 1),
        (True, True, {"NUMBA_ENABLE_CUDASIM": "1"}, 1),
    ],
)
def test_the_simulator_is_for_those_without_a_gpu_that_numba_finds(
    gpu, works, set_before, simulated
):
    assert told(SIMULATED.format(gpu=gpu, works=works), **set_before) == str(simulated)
