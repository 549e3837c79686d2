"""The two limits of a GPU, measured: the roofline's flat top and its slope."""

from __future__ import annotations

from ..gpu.launch import Launch
from ..gpu.probes import by_fours
from ..measure import Roofline
from ..measure.cuda.gpu_info import gpu_info
from ..measure.cuda.timing import timed_on_gpu

CHAINS = 8  # of a thread, as `#define`d in limits.cu
TURNS = 4096
BLOCKS_AN_SM, THREADS = 16, 256
COPIED = 2**26  # floats: too many for any L2 cache


def gpu_roofline() -> Roofline:
    """Measure FLOP/s of multiply-adds in registers, bytes/s read and written of a large copy.

    Needs a GPU. Raises `RuntimeError` if either kernel's result is wrong.
    """
    from .. import cuda

    blocks = BLOCKS_AN_SM * gpu_info()["multiprocessors"]
    launch = Launch("limits.cu", "multiply_adds", (blocks,), (THREADS,), 0, (0.5, 1.0, TURNS))
    out = cuda.empty((blocks * THREADS,))
    launch(out)
    if not (out.get() == 2.0 * CHAINS).all():  # where sum = sum / 2 + 1 comes to rest
        raise RuntimeError("multiply_adds is wrong; this is a defect of the package")
    calls = {"flops": lambda: launch(out), "bytes": by_fours(COPIED).ready()}
    seconds = {name: timing.low for name, timing in timed_on_gpu(calls).items()}
    flops = 2 * CHAINS * TURNS * blocks * THREADS
    return Roofline(flops / seconds["flops"], 2 * 4 * COPIED / seconds["bytes"], threads=1)
