"""The replays of workers: who waits, and for how long."""

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda.latency_hiding import staged
from convladder.exercises.mocks import Costs, RehearsalGpu, equal_chunks
from convladder.replay.trace import numbers
from convladder.teach.replays import (
    engines_replay,
    false_sharing_replay,
    race_replay,
    stages_replay,
)

from .scene_values import last_tally, last_values

REVERSE = """extern "C" __global__ void reverse(const float* x, float* y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  BARRIER
  y[threadIdx.x] = tile[63 - threadIdx.x];
}"""


@pytest.mark.parametrize("rounds", [1, 5])
def test_counters_in_one_line_take_turns(rounds):
    own, one = false_sharing_replay(rounds).scenes
    assert own.turns == 6 + rounds and one.turns == 2 * rounds * 7
    for scene in (own, one):
        assert scene.steps[-1]["tally"]["additions"] == 2 * rounds


@pytest.mark.parametrize("stages, copy, compute", [(1, 6, 2), (2, 4, 4), (4, 6, 2)])
def test_slices_take_as_long_as_the_model_says(stages, copy, compute):
    better, _ = stages_replay(1, stages, copy, compute).scenes
    done = staged(stages, copy, compute, 8)
    assert better.turns == done[-1].ends
    idle = done[-1].ends - 8 * compute
    assert last_tally(better) == {"slices multiplied": 8, "turns without arithmetic": idle}
    for step in better.steps:  # no slice is multiplied where another arrives
        written, read = (
            {cell // 8 for _, cells in step.get(kind, ()) for cell in numbers(cells)}
            for kind in ("write", "read")
        )
        assert not written & read


def test_engines_work_side_by_side():
    def timeline(streams):
        gpu = RehearsalGpu(Costs(lambda n: 20, lambda n: 20, lambda n: 20), 600)
        for number, chunk in enumerate(equal_chunks(600, 6)):
            for step in (gpu.upload, gpu.kernel, gpu.download):
                step(chunk, number % streams)
        gpu.wait()
        return gpu.timeline()

    fast, slow = engines_replay({"3": timeline(3), "1": timeline(1)}).scenes
    most = [max(len({bar[0] for bar in step.get("bars", ())}) for step in scene.steps)
            for scene in (fast, slow)]  # fmt: skip
    assert fast.turns < 0.6 * slow.turns and most == [3, 1]
    for scene in (fast, slow):  # all chunks come back
        written = {cell for step in scene.steps for array, cells in step.get("write", ())
                   for cell in numbers(cells) if array == 2}  # fmt: skip
        assert written == set(range(24))


@pytest.mark.parametrize("scene, barrier", [(0, "__syncthreads();"), (1, "")])
def test_a_race_has_the_results_of_the_emulator(scene, barrier):
    x, y = cuda.to_device(np.arange(64, dtype=np.float32)), cuda.empty((64,))
    kernel = cuda.Kernel(REVERSE.replace("BARRIER", barrier), "reverse")
    races = kernel.profile(1, 64, 0, x, y).races
    values = ["?" if np.isnan(value) else int(value) for value in y.get()]
    shown = race_replay().scenes[scene]
    assert last_values(shown, 1) == values and bool(races) == (not barrier)
    assert last_tally(shown)["wrong values"] == values.count("?")
