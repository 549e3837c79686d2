"""Implicit GEMM on Hopper's tensor cores (sm_90a): warpgroups multiply from shared memory."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from ..cuda.headers import cuda_headers, include_options
from ..cuda.source_file import read_source
from .chip import chip, no_gpu
from .implicit_gemm import NAMES, too_large
from .launch import KERNELS, dimensions
from .nvrtc import allow_shared, built, module
from .tensor_map import BYTES, windows
from .wgmma_choice import DEPTH, GroupPlan, choose, vector

SWIZZLED = 8  # rows of 128 bytes, whose chunks trade places


def prepare(w, problem: ConvProblem):
    """Return `w[slice, k_c, DEPTH]` in float16: what each slice wants in shared memory, in order.

    `k_c` is padded by zeros to a multiple of 8, the window to whole slices. Of the eight chunks in
    a row of 128 bytes, chunk c of row n lies in place c ^ (n % 8): the swizzle. Device arrays.
    """
    from .. import cuda

    rows, slices = -(-problem.k_c // SWIZZLED) * SWIZZLED, -(-problem.window // DEPTH)
    flat = w.get().reshape(problem.window, problem.k_c).T.astype(np.float16)
    spare = ((0, rows - problem.k_c), (0, slices * DEPTH - problem.window))
    chunks = np.pad(flat, spare).reshape(rows, slices, 8, 8)
    places = np.arange(8) ^ np.arange(rows)[:, None] % SWIZZLED
    swizzled = np.take_along_axis(chunks, places[:, None, :, None], axis=2)
    return cuda.to_device(np.ascontiguousarray(swizzled.swapaxes(0, 1)))


def source(problem: ConvProblem) -> str:
    """Return the kernel's text with the problem's sizes as constants (all but the batch)."""
    sizes = zip(NAMES[1:], dimensions(problem)[1:], strict=True)
    text = read_source(KERNELS / "wgmma.cu")
    return "".join(f"#define {name} {value}\n" for name, value in sizes) + text


def kernel_name(plan: GroupPlan, problem: ConvProblem, out: str) -> str:
    """Return the name of the template's instance; `out` is "__half" or "float"."""
    t = plan.tile
    numbers = (
        t.pixels,
        t.channels,
        t.groups,
        producers(problem),
        t.stages,
        vector(problem),
        t.blocks,
        plan.split,
    )
    return f"wgmma_conv<{', '.join(map(str, numbers))}, {out}>"


def producers(problem: ConvProblem) -> int:
    """Return the warpgroups of a block that fetch: more where they do so value by value."""
    return 2 if vector(problem) == 1 else 1


@cache
def _function(problem: ConvProblem, plan: GroupPlan, out: str):
    text = source(problem)
    options = [*include_options(text), f"-I{cuda_headers('cuda_fp16.h')}"]
    code, name = built(text, "sm_90a", options, kernel_name(plan, problem, out))
    function = module(code).get_function(name)
    allow_shared(function, plan.shared_bytes)
    return function


@cache
def _launch(problem: ConvProblem, plan: GroupPlan, out: str):
    function, tile = _function(problem.with_batch(1), plan, out), plan.tile
    blocks = tile.count(problem)
    if plan.split == 1:  # each takes one tile after the other
        blocks = min(blocks, tile.blocks * chip().multiprocessors)
    grid, block = (blocks, 1, plan.split), (128 * (tile.groups + producers(problem)),)
    (p_h, p_w), images = problem.padding, np.int32(problem.i_n)

    @lru_cache(64)
    def image_map(address: int) -> np.ndarray:  # a driver's call: kept by address
        if vector(problem) < DEPTH:
            return np.zeros(BYTES, np.uint8).view(f"V{BYTES}")
        far = (p_w - problem.k_w + 1, p_h - problem.k_h + 1)
        return windows(
            address,
            problem.input_shape,
            (-p_w, -p_h),
            far,
            DEPTH,
            tile.pixels,
            problem.stride[::-1],
        ).view(f"V{BYTES}")

    def launch(x, w, y) -> None:
        function(
            grid, block, (image_map(x.data.ptr), x, w, y, images), shared_mem=plan.shared_bytes
        )

    return launch


def run(x, w, problem: ConvProblem, plan: GroupPlan | None = None):
    """Compute `y[i_n,o_h,o_w,k_c]` from CuPy arrays, `w` as `prepare` leaves it.

    A float16 `x` is taken as it is and gives a float16 result; a float32 one is rounded to float16
    first and gives the float32 sums. `plan` defaults to the model's choice for this chip.
    """
    from .. import cuda

    plan = plan or choose(problem, chip())
    half = x.dtype == np.float16
    y = cuda.empty(problem.output_shape, np.float16 if half else np.float32)
    launch = _launch(problem, plan, "__half" if half else "float")
    launch(x.astype(np.float16, copy=False), w, y)
    return y


def unsupported(problem: ConvProblem) -> str | None:
    """Return why a problem is refused, or None."""
    if reason := no_gpu("wgmma"):
        return reason
    import cupy

    capability = int(cupy.cuda.Device().compute_capability)
    if capability != 90:
        return f"it is for compute capability 9.0 (H100, H200); this GPU has {capability / 10}"
    return too_large(problem)


@method(
    name="gpu_wgmma",
    title="Implicit GEMM on Hopper's tensor cores, float16",
    device="gpu",
    chapter=11,
    rung=3,
    idea="Four warps multiply 64×128 by one instruction that reads shared memory by itself, while "
    "others have the copy engine fetch the next: no fragments, larger tiles, half as much time.",
    workspace_bytes=lambda problem: 2 * int(np.prod(problem.input_shape)),
    unsupported=unsupported,
    prepare=prepare,
)
def gpu_wgmma(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, CuPy arrays; `w` as `prepare` leaves it."""
    return run(x, w, problem)
