"""The model of a GPU with streams: what overlaps, what waits, and what nothing orders."""

import copy
import itertools

import pytest

from convladder.exercises.mocks.copy_engines import Costs, Race, RehearsalGpu, equal_chunks
from convladder.measure.cuda.profile import hidden_copies

COSTS = Costs(lambda n: 20.0, lambda n: 18.0, lambda n: 6.0)


def through(gpu, chunks, streams):
    for number, chunk in enumerate(chunks):
        gpu.upload(chunk, number % streams)
        gpu.kernel(chunk, number % streams)
        gpu.download(chunk, number % streams)
    return gpu.wait()


@pytest.mark.parametrize(("streams", "micros"), [
    (1, 1 + 6 * (20 + 18 + 6)),  # one after the other
    (2, 1 + 2 * (20 + 18 + 6) + 20 + 44),  # the copy of two chunks on waits for the way back
    (3, 1 + 6 * 20 + 18 + 6),  # the wire, then the last chunk's kernel
    (6, 1 + 6 * 20 + 18 + 6),
])  # fmt: skip
def test_streams_hide_copies(streams, micros):
    gpu = RehearsalGpu(COSTS, 600)
    assert through(gpu, equal_chunks(600, 6), streams) == 600
    assert gpu.seconds == pytest.approx(micros)
    assert gpu.objection() is None
    events = [a for a in gpu.timeline() if a.kind != "call"]
    for kind in ("upload", "kernel", "download"):  # each engine does one thing at a time
        own = sorted((a.start, a.end) for a in events if a.kind == kind)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(own))
    assert (hidden_copies(events) > 0) == (streams > 1)


def test_after_orders_two_streams():
    gpu = RehearsalGpu(COSTS, 600)
    for chunk in equal_chunks(600, 6):
        gpu.upload(chunk, 0)
        gpu.after(1, 0)
        gpu.kernel(chunk, 1)
        gpu.after(2, 1)
        gpu.download(chunk, 2)
    assert gpu.wait(0) == 0 and gpu.wait(2) == 600
    assert gpu.seconds == pytest.approx(1 + 6 * 20 + 18 + 6)


def test_what_nothing_orders_is_a_race():
    gpu = RehearsalGpu(COSTS, 600)
    gpu.upload((0, 100), 0)
    with pytest.raises(Race, match=r"kernel of chunk \(0, 100\) on stream 1 comes after no upload"):
        gpu.kernel((0, 100), 1)
    with pytest.raises(Race, match="comes after no kernel"):
        gpu.download((0, 100), 0)
    gpu.wait(0)  # the host waited, so it knows
    gpu.kernel((0, 100), 1)
    with pytest.raises(ValueError, match="there are images 0 to 600"):
        gpu.upload((599, 601), 0)
    gpu.upload((100, 200), 0)
    with pytest.raises(Race, match="writes images 150 to 199 once more"):
        gpu.upload((150, 250), 1)


def test_pageable_memory_holds_the_host_up():
    slow = Costs(lambda n: 40.0, lambda n: 18.0, lambda n: 6.0, pinned=False)
    gpu = RehearsalGpu(slow, 600)
    through(gpu, equal_chunks(600, 6), 3)
    assert gpu.seconds > 6 * (40 + 6 + 18)
    assert hidden_copies(gpu.timeline()) == 0


def test_objections():
    gpu = RehearsalGpu(COSTS, 600, budget=100.0)
    assert "did not put anything" in gpu.objection()
    gpu.upload((0, 600), 0)
    assert "unless it waits for all streams" in gpu.objection()
    for _ in range(5):
        gpu.upload((0, 600), 0)
    gpu.wait()
    assert "images 0 to 599, copied to the GPU and never computed" in gpu.objection()
    for step in (gpu.kernel, gpu.download):
        step((0, 600), 0)
    gpu.wait()
    assert "46 µs more than the 100.0 that are allowed" in gpu.objection()
    assert "6 in all, take 120.0 µs by themselves" in gpu.objection()
    gpu.budget = 125.0
    assert "last image is on the GPU after 121.0 µs" in gpu.objection()
    fresh = copy.deepcopy(gpu)
    assert fresh == gpu and fresh.seconds == 0 and fresh.budget == 125.0
