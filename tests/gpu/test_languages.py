"""numba.cuda is there on every machine; Numba decides once a process, so each case has its own."""

import os
import subprocess
import sys

import pytest

KERNEL = """
import numpy as np
from convladder.gpu.languages import load_numba_cuda
numba_cuda = load_numba_cuda()

@numba_cuda.jit
def place(y):
    v, h = numba_cuda.grid(2)
    if h < y.shape[0] and v < y.shape[1]:
        y[h, v] = 10 * h + v

y = numba_cuda.to_device(np.full((3, 5), -1, np.float32))
place[(2, 2), (4, 2)](y)
print(y.copy_to_host().tolist())
"""


def told(program, **variables):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_python_kernel_runs_without_a_warning_after_numba():
    assert told("import numba\n" + KERNEL) == str(
        [[10.0 * h + v for v in range(5)] for h in range(3)]
    )


SIMULATED = """
from convladder import cuda
from convladder.gpu import languages
languages.gpu = lambda: {gpu}
languages._works = lambda: {works}
import numba
languages.load_numba_cuda()
print(numba.config.ENABLE_CUDASIM)
"""


@pytest.mark.parametrize(
    "gpu, works, set_before, simulated",
    [
        (False, True, {}, 1),
        (True, True, {}, 0),
        pytest.param(True, False, {}, 1, marks=pytest.mark.weekly),
        pytest.param(True, True, {"NUMBA_ENABLE_CUDASIM": "1"}, 1, marks=pytest.mark.weekly),
    ],
)
def test_the_simulator_is_for_those_without_a_gpu_that_numba_finds(
    gpu, works, set_before, simulated
):
    assert told(SIMULATED.format(gpu=gpu, works=works), **set_before) == str(simulated)
