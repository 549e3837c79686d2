"""The rung on tensor cores: its two PTX instructions done by hand, all else on the emulator."""

import re

import numpy as np
import pytest

from convladder import cuda
from convladder.networks import lenet
from convladder.networks.lenet.gpu import fragments, session, tensor_core
from convladder.networks.lenet.rungs import get_rung

from .conftest import behind

# What PTX says of the two, lane by lane. Every lane of the warp takes part in each shuffle.
BY_HAND = """
__device__ Rows load_rows(const half* row) {
    Rows a;
    int lane = threadIdx.x % 32;
    for (int matrix = 0; matrix < 4; matrix++) {
        // Lane 8·matrix + r holds the address of row r; lane 4·r + t gets that row's pair t.
        unsigned long long at = __shfl_sync(~0u, (unsigned long long)row, 8 * matrix + lane / 4);
        a.part[matrix] = ((const unsigned*)at)[lane % 4];
    }
    return a;
}

__device__ float2 pair(unsigned bits) {
    return make_float2(__half2float(__ushort_as_half((unsigned short)bits)),
                       __half2float(__ushort_as_half((unsigned short)(bits >> 16))));
}

__device__ void multiply(float* sums, const Rows& a, uint2 b) {
    int lane = threadIdx.x % 32, row = lane / 4, column = lane % 4 * 2;
    for (int half = 0; half < 2; half++)
        for (int t = 0; t < 4; t++) {
            float2 left[2], right[2];
            for (int i = 0; i < 2; i++) {
                left[i] = pair(__shfl_sync(~0u, a.part[2 * half + i], row * 4 + t));
                unsigned theirs = half ? b.y : b.x;
                right[i] = pair(__shfl_sync(~0u, theirs, (column + i) * 4 + t));
            }
            for (int i = 0; i < 4; i++)
                sums[i] += left[i / 2].x * right[i % 2].x + left[i / 2].y * right[i % 2].y;
        }
}
"""


@pytest.fixture
def by_hand(monkeypatch):
    """`tensor_core` with shuffles for its two instructions."""
    source = (session.HERE / "tensor_core.cu").read_text()
    begin = source.index("// Four 8 x 8 matrices"), source.index("__device__ half2 relu")
    text = source[: begin[0]] + BY_HAND + source[begin[1] :]
    assert len(re.findall(r"\basm\b", source)) == 2 and not re.search(r"\basm\b", text)
    monkeypatch.setattr(
        session, "kernel", lambda file, name: cuda.Kernel(text, name, backend="emulator")
    )


@pytest.mark.weekly
@pytest.mark.skipif(cuda.gpu(), reason="arrays are on the GPU, where the kernel runs as it is")
def test_all_but_the_two_instructions(by_hand, monkeypatch, noise, other_weights):
    whole = tensor_core.TensorCore.plan.but(chunks=1)
    monkeypatch.setattr(tensor_core.TensorCore, "plan", whole)
    images = noise[-18:].copy()  # a block of 16, and one of 2
    rung = get_rung("tensor_core")
    assert behind(rung.run(images, other_weights), images, other_weights) < rung.precision
    some = lenet.images()[:16].copy()
    assert lenet.judge(rung.run(some), rung.precision, some).differ == 0


@pytest.mark.skipif(cuda.gpu(), reason="there is a GPU")
def test_the_emulator_says_that_it_cannot():
    with pytest.raises(cuda.CompileError, match="asm.* needs a GPU"):
        get_rung("tensor_core").run(lenet.images()[:1])


def test_packing_is_what_ptx_says():
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(30, 10)).astype(np.float16)
    halves = fragments.packed(matrix, 32, 16).view(np.float16).reshape(2, 2, 32, 2, 2)
    for tile, step, lane, register, pair in np.ndindex(halves.shape):
        k = 16 * step + 8 * register + 2 * (lane % 4) + pair
        n = 8 * tile + lane // 4
        expected = matrix[k, n] if k < 30 and n < 10 else 0
        assert halves[tile, step, lane, register, pair] == expected


def test_a_window_gives_eight_pixels_of_six_channels():
    """Each column of the matrix is one output of the convolution of a window, none twice."""
    window = np.random.default_rng(0).normal(size=(6, 8)).astype(np.float32)
    conv1 = lenet.weights().conv1
    outputs = [
        (window[h : h + 5, v : v + 5, np.newaxis] * conv1[:, :, 0]).sum(axis=(0, 1))
        for h in range(2)
        for v in range(4)
    ]
    found = window.reshape(48) @ fragments.windows(conv1)
    np.testing.assert_allclose(np.sort(found), np.sort(np.ravel(outputs)), rtol=1e-4, atol=1e-5)
