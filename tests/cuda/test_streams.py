"""Streams, pinned memory and graphs: what they promise on any backend."""

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda import streams

ADD = """
extern "C" __global__ void add(const float* x, float* y, float value) {
    y[threadIdx.x] = x[threadIdx.x] + value;
}
"""


@pytest.fixture
def add():
    return cuda.Kernel(ADD, "add")


def test_one_stream_after_another_there_and_back(add):
    first, second = streams.stream(), streams.stream()
    x, y = cuda.to_device(np.zeros(32, np.float32)), cuda.empty(32)
    cuda.synchronize()
    for _ in range(20):
        with first:
            add[1, 32](x, y, 1.0)
        second.after(first)
        with second:
            add[1, 32](y, x, 1.0)
        first.after(second)
    second.synchronize()
    assert (x.get() == 40).all()
    host, answer = streams.pinned(32), streams.pinned(32)
    host[:] = np.arange(32)
    with first:
        streams.upload(x, host)
        add[1, 32](x, y, 0.5)
        streams.download(answer, y)
    first.synchronize()
    assert (answer == np.arange(32) + 0.5).all()


def test_a_graph_does_its_work_at_each_launch(add):
    x, y = cuda.to_device(np.zeros(32, np.float32)), cuda.empty(32)
    side = streams.stream()

    def work():
        main = streams.current()
        side.after(main)
        with side:
            add[1, 32](x, y, 1.0)
            add[1, 32](y, x, 1.0)
        main.after(side)

    graph = streams.CudaGraph(work)
    cuda.synchronize()
    before = x.get()
    queue = streams.stream()
    with queue:
        for _ in range(3):
            graph.launch()
    queue.synchronize()
    assert (x.get() == before + 6).all()


def test_a_copy_of_another_size_or_type_is_refused():
    x = cuda.empty(8)
    for host in (np.zeros(9, np.float32), np.zeros(8), np.zeros(16, np.float32)[::2]):
        with pytest.raises(ValueError, match=r"host's float.* the device's float32\[8\]"):
            streams.upload(x, host)
        with pytest.raises(ValueError, match="must be contiguous and match"):
            streams.download(host, x)
