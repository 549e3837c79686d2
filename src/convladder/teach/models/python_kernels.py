"""Kernels written in Python: `numba.cuda`, on a GPU or in its simulator."""

from __future__ import annotations

import os
import subprocess
import sys
from types import ModuleType

from ... import cuda

WORKS = "import sys; from numba import cuda; sys.exit(not cuda.is_available())"


def load_numba_cuda() -> ModuleType:
    """Return `numba.cuda`: on the GPU that it finds, else its simulator, a Python thread for each
    thread.

    Numba decides between the two when `numba.cuda` is first imported, by NUMBA_ENABLE_CUDASIM; so
    call this before. A variable that is set already is left as it is.
    """
    if "numba.cuda" not in sys.modules and "NUMBA_ENABLE_CUDASIM" not in os.environ:
        simulated = not (cuda.gpu() and _works())
        os.environ["NUMBA_ENABLE_CUDASIM"] = str(int(simulated))
        import numba

        numba.config.ENABLE_CUDASIM = int(simulated)  # numba may have read its variables before
    import numba.cuda

    numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a lesson's grid is small, and on purpose
    return numba.cuda


def _works() -> bool:
    """Return whether Numba can use the GPU,
    asked of another process since a first import decides.
    """
    done = subprocess.run([sys.executable, "-c", WORKS], capture_output=True, check=False)
    return done.returncode == 0
