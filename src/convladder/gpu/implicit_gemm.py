"""Implicit GEMM on CUDA cores: the lowered matrix exists only slice by slice, in shared memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from .chip import chip
from .launch import dimensions, instance, size_defines, source_with
from .tile_choice import EMULATOR, TileChip, TilePlan, choose, predicted_cycles

MOST = 2**31 - 1  # values of x, pixels of y: they are numbered by an int


def pad_columns(w, problem: ConvProblem):
    """Return `w[k_h·k_w·i_c, k_c]`, `k_c` padded by zeros to a multiple of 4: rows align.

    Device arrays; with `k_c` a multiple of 4 it is `w` itself.
    """
    from .. import cuda

    spare = -problem.k_c % 4
    if not spare:
        return w
    flat = w.get().reshape(problem.window, problem.k_c)
    return cuda.to_device(np.pad(flat, ((0, 0), (0, spare))))


def source(problem: ConvProblem | None, plan: TilePlan, clusters: bool) -> str:
    """Return the kernel's text for a plan, a problem's sizes (not the batch) as constants."""
    defines = {} if problem is None else size_defines(problem)
    if plan.split > 1:
        defines["SPLIT"] = plan.split
        if clusters:
            defines["CLUSTER"] = 1
    return source_with("implicit_gemm.cu", defines)


def kernel_name(plan: TilePlan, bias_relu: bool = False) -> str:
    """Return the name of the template's instance."""
    t = plan.tile
    block, thread = (t.pixels, t.channels), (t.thread_pixels, t.thread_channels)
    numbers = (*block, plan.depth, *thread, plan.vector, t.blocks, int(bias_relu))
    return instance("implicit_gemm", *numbers)


@cache
def _compiled(problem: ConvProblem | None, plan: TilePlan, bias_relu: bool):
    from .. import cuda

    return cuda.Kernel(source(problem, plan, chip().clusters), kernel_name(plan, bias_relu))


@cache
def _launcher(problem: ConvProblem, plan: TilePlan, bias_relu: bool, constants: bool):
    """Return the launcher of a plan, and the sizes that it takes after the arrays."""
    kernel = _compiled(problem.with_batch(1) if constants else None, plan, bias_relu)
    grid = (plan.tiles(problem), 1, plan.split)
    launch = kernel[grid, plan.tile.threads, plan.shared_bytes(problem)]
    return launch, tuple(np.int32(size) for size in dimensions(problem))


def run(x, w, problem: ConvProblem, plan: TilePlan | None = None, bias=None, constants=None):
    """Return `y[i_n,o_h,o_w,k_c]` from device arrays, `w` as `pad_columns` leaves it.

    With `bias[k_c]`, `max(0, y + bias)` in the same kernel. `plan` defaults to the model's choice
    for this chip; `constants`: whether sizes are compiled in, by default on a GPU only, where a
    problem's own kernel pays and the emulator would compile for longer than it runs.

    Raises `ValueError` for a bias with a split plan where sums meet by atomics.
    """
    from .. import cuda

    here = chip()
    plan = plan or choose(problem, here)
    atomics = plan.split > 1 and not here.clusters
    if atomics and bias is not None:
        raise ValueError(
            f"split={plan.split} adds up in y, where no block knows when to apply the bias; "
            "use a plan with split=1"
        )
    constants = cuda.backend() == "gpu" if constants is None else constants
    launch, sizes = _launcher(problem, plan, bias is not None, constants)
    y = _zeros(problem.output_shape) if atomics else cuda.empty(problem.output_shape)
    launch(x, w, w if bias is None else bias, y, *sizes)
    return y


@dataclass(frozen=True)
class Counted:
    """A problem's launch as the emulator counts it, with sizes as arguments.

    `plan` defaults to the model's choice for a chip that gains nothing from many blocks.
    """

    problem: ConvProblem
    plan: TilePlan | None = None

    def profile(self, x, w, y, bias=None):
        """Return the emulator's report, on device arrays; `bias[k_c]` for the fused epilogue.

        `w[k_h,k_w,i_c,k_c]`, or as `pad_columns` leaves it. A split plan adds onto `y`.
        """
        from .. import cuda

        plan = self.plan or choose(self.problem, EMULATOR)
        kernel = cuda.Kernel(source(None, plan, False), kernel_name(plan, bias is not None))
        weights = pad_columns(w, self.problem)
        return kernel.profile(
            (plan.tiles(self.problem), 1, plan.split),
            plan.tile.threads,
            plan.shared_bytes(self.problem),
            x,
            weights,
            weights if bias is None else bias,
            y,
            *dimensions(self.problem),
        )


def _zeros(shape: tuple[int, ...]):
    from .. import cuda

    if cuda.backend() == "gpu":
        import cupy

        return cupy.zeros(shape, np.float32)
    y = cuda.empty(shape)
    y.set(np.zeros(shape, np.float32))
    return y


def expected_cycles(problem: ConvProblem, on: TileChip) -> float:
    """Return the clock cycles of the plan that is chosen, for `auto` to compare with others."""
    return predicted_cycles(problem, choose(problem, on), on)


def too_large(problem: ConvProblem) -> str | None:
    """Return why a problem is refused, or None."""
    values = problem.i_n * problem.padded_h * problem.padded_w * problem.i_c
    for what, number in (("values of x", values), ("pixels of y", problem.pixels)):
        if number > MOST:
            return f"it has {number:,} {what} and can number {MOST:,}; use a smaller batch"
    return None


@method(
    name="gpu_implicit_gemm",
    device="gpu",
    chapter=10,
    rung=1,
    workspace_bytes=lambda problem: 0,
    unsupported=too_large,
    prepare=pad_columns,
    cost=lambda problem: expected_cycles(problem, chip()),
)
def gpu_implicit_gemm(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays; `w` as `pad_columns` leaves it.

    A GEMM whose blocks gather their slice of the lowered matrix from the image into shared memory:
    no matrix in global memory, no workspace, and the tile that suits layer and chip.
    """
    return run(x, w, problem)
