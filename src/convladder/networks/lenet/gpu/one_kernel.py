"""Past the RTX 2060 ladder: the whole network in one kernel, chunk by chunk beside the copies."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from ..network import Weights
from ..rungs import rung
from .bytes import Bytes, scaled
from .session import GpuSession

BLOCK_IMAGES, THREADS = 16, 256  # of a block, as in one_kernel.cu
BLOCK_SHARED_BYTES = 4 * (16 * 786 + 6 * 12 * 12 * 16)  # images, and maps after the first pool


def label(
    session: GpuSession, count: int, arrays: SimpleNamespace, shared: int = BLOCK_SHARED_BYTES
) -> None:
    """Launch the plan's one kernel with `shared` bytes of shared memory a block."""
    (name,) = session.plan.kernels
    session.launch(
        name,
        -(-count // BLOCK_IMAGES),
        THREADS,
        arrays.x,
        *session.weights,
        arrays.answer,
        count,
        shared_bytes=shared,
    )


def for_bytes(weights: Weights) -> list[np.ndarray]:
    """Return the arrays as `bytes` has them, the second convolution's as `[i_c,k_h,k_w,k_c]`."""
    arrays = scaled(weights)
    arrays[2] = np.ascontiguousarray(arrays[2].transpose(2, 0, 1, 3))
    return arrays


def for_floats(weights: Weights) -> list[np.ndarray]:
    """Return the same arrays, the first convolution's for pixels from 0 to 1."""
    return [weights.conv1, *for_bytes(weights)[1:]]


@rung(name="one_kernel", device="gpu", number=11)
class OneKernel(GpuSession):
    """Bytes up, labels back; one launch and two copies a chunk.

    Two maps of 16 images fit into shared memory: only bytes and labels touch global memory, sums
    stay in registers, and the arithmetic is all that is left.
    """

    plan = Bytes.plan.but(
        kernels={"lenet<unsigned char>": "one_kernel.cu"},
        layers=(label,),
        maps={},
        arrange=for_bytes,
        constants=("conv1", "conv1_bias"),
        labels=np.uint8,
        chunks=5,  # of 2,000 images: 125 blocks, one for each multiprocessor of an H200
        streams=3,
    )


@rung(name="one_kernel_floats", device="gpu", number=12)
class OneKernelFloats(GpuSession):
    """For a comparison on equal terms; more chunks, since the last one's kernel is what shows.

    The same kernel for images that come as float32, as PyTorch takes them: the transfer then takes
    four times as long, and hides all of the arithmetic.
    """

    plan = OneKernel.plan.but(
        kernels={"lenet<float>": "one_kernel.cu"},
        arrange=for_floats,
        pixels=np.float32,
        chunks=10,
    )
