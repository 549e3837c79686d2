"""Turns of atomic functions in shared memory, as Nsight Compute counted them on an NVIDIA H200."""

import numpy as np
import pytest

from convladder import cuda

from ..sampling import sampled

pytestmark = pytest.mark.usefixtures("emulator")
I = np.arange(32)  # noqa: E741 - as in the models
PLACES = {
    "own bank": I,
    "one place": 0 * I,
    "two a place": I // 2,
    "four a place": I // 4,
    "half at one": np.where(I < 16, 0, I),
    "stride 2": 2 * I,
    "stride 4": 4 * I,
    "one bank": 32 * I,
    "one bank, two a place": I // 2 * 32,
}
# Wavefronts of an operation of a warp (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom), driver
# 580.159.04, November 2026; for floats, rounds of the loop that the compiler makes of it
# (smsp__inst_executed_op_shared_atom_dot_cas).
COUNTED = {
    "atomicAdd(&t[at], 1u)": (1, 1, 1, 1, 1, 2, 4, 32, 16),
    "atomicAdd(&t[at], v)": (1, 32, 2, 4, 16, 2, 4, 32, 32),
    "atomicMax(&t[at], v)": (1, 32, 2, 4, 16, 2, 4, 32, 32),
    "atomicExch(&t[at], v)": (1, 32, 2, 4, 16, 2, 4, 32, 32),
    "atomicAdd((float*)&t[at], 0.5f)": (1, 32, 2, 4, 16, 2, 4, 32, 32),
}
SOURCE = """extern "C" __global__ void k(const int* where, unsigned v, unsigned* out) {
    __shared__ unsigned t[1024];
    for (int i = threadIdx.x; i < 1024; i += 32) t[i] = 0;
    __syncwarp();
    int at = where[threadIdx.x];
    CALL;
    __syncwarp();
    out[threadIdx.x] = t[at];
}"""


@pytest.mark.parametrize("call", sampled(list(COUNTED), 2, str))
def test_turns_are_those_of_a_gpu(call):
    kernel = cuda.Kernel(SOURCE.replace("CALL", call), "k")
    turns = []
    for places in PLACES.values():
        where, out = cuda.to_device(places.astype(np.int32)), cuda.empty(32, np.uint32)
        report = kernel.profile(1, 32, 0, where, np.uint32(3), out)
        assert report.ok and report.shared_atomics == 32
        turns.append(report.shared_atomic_turns)
    assert dict(zip(PLACES, turns)) == dict(zip(PLACES, COUNTED[call]))
