"""A child that is forked after its parent used threads, as multiprocessing and data loaders do."""

import os

import pytest

from ..python import python

PARENT = """
import os, signal
import numpy as np
from convladder import conv2d
from convladder.networks import lenet
from convladder.networks.compile import Tensor, compile_graph
from convladder.networks.compile.networks import Builder
from convladder.networks.lenet.rungs import get_rung

x, w = np.ones((2, 9, 9, 4), np.float32), np.ones((3, 3, 4, 8), np.float32)
b = Builder("pool", {"x": Tensor((1, 4, 6, 6))})
pool = compile_graph(b.graph(b.add("MaxPool", "y", "x", kernel=(3, 3), stride=(1, 1))))
jobs = {
    name: lambda name=name: conv2d(x, w, method=name)
    for name in ("im2col", "im2col_threads", "mec_threads", "direct_tiled", "microkernel",
                 "winograd", "winograd_numpy", "fft", "auto")
}
jobs["depthwise"] = lambda: conv2d(x, w[:, :, :1, :4].copy(), groups=4, method="depthwise")
jobs["pool"] = lambda: pool(x=np.ones((1, 4, 6, 6), np.float32))["y"]
for name in ("threads", "lanes"):
    jobs[name] = get_rung(name).session(lenet.images()[:40]).run
for name, job in jobs.items():
    wanted = job()
    if not (child := os.fork()):
        signal.alarm(600)  # a hang
        os._exit(0 if np.array_equal(job(), wanted) else 1)
    if os.waitpid(child, 0)[1]:
        print(name)
"""


@pytest.mark.weekly
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_computes_the_same():
    found = python("-c", PARENT, NUMBA_NUM_THREADS="2")
    assert found.returncode == 0, found.stderr
    assert not found.stdout, found.stdout
