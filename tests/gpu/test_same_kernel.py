"""Chapter 11's kernels in Python: Numba's is right, Triton's is Python, and neither is imported."""

import subprocess
import sys

RUN = """
import sys
from convladder import ConvProblem
from convladder.core.reference import compare, random_arrays
from convladder.teach.models import run_numba
assert "numba.cuda" not in sys.modules and "triton" not in sys.modules
p = ConvProblem(1, 9, 8, 2, 3, 2, 9, stride=(2, 3))
x, w = random_arrays(p)
print(compare(run_numba(x, w, p), x, w, p).ok)
"""


def test_numbas_kernel_is_right_where_tiles_do_not_fit():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN], capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("True\n", "")
