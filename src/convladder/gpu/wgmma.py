"""Implicit GEMM on Hopper's tensor cores (sm_90a): warpgroups multiply from shared memory."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from ..cuda.headers import cuda_headers, include_options
from .chip import chip, no_gpu
from .implicit_gemm import too_large
from .launch import THREADS, compiled, instance, size_defines, source_with
from .nvrtc import allow_shared, built, module
from .tensor_map import BYTES, windows
from .wgmma_choice import DEPTH, GroupPlan, choose

SWIZZLED = 8  # rows of 128 bytes, whose chunks trade places


def prepare(w, problem: ConvProblem, plan: GroupPlan | None = None):
    """Return `w[slice, k_c, DEPTH]` in float16: what each slice wants in shared memory, in order.

    `k_c` is padded by zeros to a multiple of 8, channels to those that `plan` multiplies (default:
    the model's choice for this chip), the window to whole slices. Of the eight chunks in a row of
    128 bytes, chunk c of row n lies in place c ^ (n % 8): the swizzle. Device arrays.
    """
    from .. import cuda

    p = (plan or choose(problem, chip())).inner
    rows, slices = -(-p.k_c // SWIZZLED) * SWIZZLED, -(-p.window // DEPTH)
    taps = w.get().astype(np.float16).reshape(p.k_h, p.k_w, -1, p.k_c)
    channels = np.pad(taps, ((0, 0), (0, 0), (0, p.i_c - taps.shape[2]), (0, 0)))
    flat = channels.reshape(p.window, p.k_c).T
    spare = ((0, rows - p.k_c), (0, slices * DEPTH - p.window))
    chunks = np.pad(flat, spare).reshape(rows, slices, 8, 8)
    places = np.arange(8) ^ np.arange(rows)[:, None] % SWIZZLED
    swizzled = np.take_along_axis(chunks, places[:, None, :, None], axis=2)
    return cuda.to_device(np.ascontiguousarray(swizzled.swapaxes(0, 1)))


def source(problem: ConvProblem) -> str:
    """Return the kernel's text with the problem's sizes as constants (all but the batch)."""
    return source_with("wgmma.cu", size_defines(problem))


def kernel_name(plan: GroupPlan, out: str) -> str:
    """Return the name of the template's instance; `out` is "__half" or "float"."""
    t = plan.tile
    groups = t.groups, producers(plan)
    numbers = (t.pixels, t.channels, *groups, t.stages, plan.wide, t.blocks, plan.split)
    return instance("wgmma_conv", *numbers, out)


def producers(plan: GroupPlan) -> int:
    """Return the warpgroups of a block that fetch: more where they do so value by value."""
    return 2 if plan.wide == 1 else 1


@cache
def _function(plan: GroupPlan, out: str):
    text = source(plan.inner)
    options = [*include_options(text), f"-I{cuda_headers('cuda_fp16.h')}"]
    code, name = built(text, "sm_90a", options, kernel_name(plan, out))
    function = module(code).get_function(name)
    allow_shared(function, plan.shared_bytes)
    return function


@cache
def _launch(plan: GroupPlan, out: str):
    p, tile = plan.image, plan.tile
    function, blocks = _function(replace(plan, image=p.with_batch(1)), out), tile.count(p)
    if plan.split == 1:  # each takes one tile after the other
        blocks = min(blocks, tile.blocks * chip().multiprocessors)
    grid, block = (blocks, 1, plan.split), (128 * (tile.groups + producers(plan)),)
    images = np.int32(p.i_n)

    @lru_cache(64)
    def image_map(address: int) -> np.ndarray:  # a driver's call: kept by address
        if plan.wide <= 8:
            return np.zeros(BYTES, np.uint8).view(f"V{BYTES}")
        near, far = (-p.p_w, -p.p_h), (p.p_w - p.k_w + 1, p.p_h - p.k_h + 1)
        steps = p.stride[::-1]
        return windows(address, p.input_shape, near, far, plan.wide, tile.pixels, steps).view(
            f"V{BYTES}"
        )

    def launch(x, w, y) -> None:
        function(
            grid, block, (image_map(x.data.ptr), x, w, y, images), shared_mem=plan.shared_bytes
        )

    return launch


def lower(x, problem: ConvProblem, image: ConvProblem):
    """Return `x[i_n,i_h,i_w,i_c]`, float32 or float16, as the other one of `images(problem)`.

    `L[i_n,i_h,o_w,i_c]` in float16, with more channels; device arrays.
    """
    from .. import cuda

    p, L = problem, cuda.empty(image.input_shape, np.float16)
    widths = (pixels * p.i_c for pixels in (p.i_w, p.s_w, p.p_w, p.k_w))
    kernel = compiled("lower_rows.cu", f"lower_rows<{_half(x)}>")
    kernel[-(-L.size // (8 * THREADS)), THREADS](x, L, L.size // 8, *widths, p.o_w, image.i_c)
    return L


def _half(x) -> str:
    return "__half" if x.dtype == np.float16 else "float"


def run(x, w, problem: ConvProblem, plan: GroupPlan | None = None):
    """Compute `y[i_n,o_h,o_w,k_c]` from CuPy arrays, `w` as `prepare` leaves it.

    A float16 `x` is taken as it is and gives a float16 result; a float32 one is rounded to float16
    first and gives the float32 sums. `plan` defaults to the model's choice for this chip.
    """
    from .. import cuda

    plan = plan or choose(problem, chip())
    y = cuda.empty(problem.output_shape, x.dtype)
    image = x if plan.image == problem else lower(x, problem, plan.image)
    _launch(plan, _half(x))(image.astype(np.float16, copy=False), w, y)
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
    device="gpu",
    chapter=11,
    rung=3,
    workspace_bytes=lambda problem: 2 * math.prod(choose(problem, chip()).image.input_shape),
    unsupported=unsupported,
    prepare=prepare,
)
def gpu_wgmma(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, CuPy arrays; `w` as `prepare` leaves it.

    Four warps multiply 64×128 by one instruction that reads shared memory by itself, while others
    have the copy engine fetch the next: no fragments, larger tiles, half as much time.
    """
    return run(x, w, problem)
