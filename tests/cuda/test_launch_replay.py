"""Launches as replays: turns that equal the counts of a profile, faults, and bad input."""

import numpy as np
import pytest

from convladder import cuda

TURN = """extern "C" __global__ void turn(const float* x, float* y) {
    __shared__ float tile[32][PITCH];
    tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    y[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}"""
REVERSE = """extern "C" __global__ void reverse(const float* x, float* y) {
    __shared__ float tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = tile[63 - threadIdx.x];
}"""
HALF = """extern "C" __global__ void half(const float* x, float* y) {
    if (threadIdx.x % 2)
        y[threadIdx.x] = x[threadIdx.x];
}"""


def floats(count: int) -> np.ndarray:
    return np.arange(count, dtype=np.float32)


def turn(pitch: int, **more):
    source = TURN.replace("PITCH", str(pitch))
    return cuda.replay(source, 1, (32, 32), 0, floats(1024), floats(1024), **more)


def steps_of(replay) -> list[dict]:
    return replay.trace["scenes"][0]["steps"]


@pytest.mark.parametrize("pitch, passes", [(32, 33), (33, 2)])
def test_a_pass_is_a_turn(pitch, passes):
    replay = turn(pitch)
    assert f"{passes} passes through shared memory" in replay.trace["alt"]
    assert len(steps_of(replay)) == passes + 3  # a load, a store and the barrier
    left_out = turn(33, steps=2).trace["scenes"][0]["left_out"]
    assert left_out == "The first 2 of 5 steps are shown."


@pytest.mark.parametrize("stride, turns", [(1, 1), (8, 8)])
def test_four_sectors_of_global_memory_are_a_turn(stride, turns):
    source = HALF.replace("if (threadIdx.x % 2)", "").replace("x[thr", f"x[{stride} * thr")
    replay = cuda.replay(source, 1, 32, 0, floats(1024), floats(1024))
    loads = [step for step in steps_of(replay) if "read" in step]
    assert len(loads) == turns
    assert all(len(step.get("wait", ())) == (n < turns - 1) for n, step in enumerate(loads))


def test_a_race_opens_where_it_happens_and_names_both_threads():
    replay = cuda.replay(REVERSE, 1, 64, 0, floats(64), floats(64), warps=(0, 1))
    faults = [n for n, step in enumerate(steps_of(replay)) if step.get("event") == "fault"]
    assert faults == [replay.trace["poster"]]
    step = steps_of(replay)[faults[0]]
    assert "no barrier in between" in step["say"]
    assert [label for _, _, label in step["marks"]] == ["thread 32 writes, thread 31 reads"]


def test_warps_take_turns_between_barriers():
    steps = steps_of(turn(33, warps=(0, 1)))
    rows = [step["bars"][0][0] for step in steps if step.get("event") != "barrier"]
    assert rows[:4] == [0, 1, 0, 1]
    assert [step.get("event", "") for step in steps].count("barrier") == 1


def test_the_arrays_get_their_results():
    x, y = (cuda.to_device(a, "emulator") for a in (floats(32), np.zeros(32, np.float32)))
    replay = cuda.Kernel(HALF, "half", "emulator").replay(1, 32, 0, x, y)
    assert {step["active"] for step in steps_of(replay)} == {"1:32:2"}, "masked lanes take no part"
    assert np.array_equal(y.get(), np.where(np.arange(32) % 2, floats(32), 0))


@pytest.mark.parametrize(
    "more, said",
    [
        ({"warps": (32,)}, "no warp 32: a block of 1024 threads has warps 0 to 31"),
        ({"warps": 1}, r"warps=1 .* write warps=\(0,\)"),
        ({"of_block": 1}, "no block 1: the grid has blocks 0 to 0"),
        ({"steps": 0}, "steps=0 cannot be shown; 1 to 4,000 can"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(more, said):
    with pytest.raises(cuda.LaunchError, match=said):
        turn(33, **more)


def test_an_excerpt_of_a_long_source_begins_at_a_statement():
    signature = """extern "C" __global__ void copy(const float* x,
                                float* y)
{
    int i = threadIdx.x;
    y[i] =
        x[i];
}"""
    long = "// a comment\n" * 50 + signature
    scene = cuda.replay(long, 1, 32, 0, floats(32), floats(32)).trace["scenes"][0]
    assert scene["source"][0].startswith('extern "C"')
    assert {scene["source"][step["line"] - 1].strip() for step in scene["steps"]} <= {
        *("y[i] =", "x[i];")
    }
