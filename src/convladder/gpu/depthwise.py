"""Depthwise convolution: a thread a channel, for a few outputs side by side."""

from __future__ import annotations

from ..problem import ConvProblem
from ..registry import method
from .launch import Launch, dimensions, too_many, value_launch

PIXELS = 4  # outputs of a thread, as the `#define` on top of the kernel says


def depthwise_launch(problem: ConvProblem) -> Launch:
    """Return a launch with a thread for `PIXELS` outputs of a row and channel."""
    p = problem
    threads = p.i_n * p.o_h * -(-p.o_w // PIXELS) * p.k_c
    return value_launch("depthwise.cu", "conv_depthwise", threads, (*dimensions(p), *p.dilation))


def _unsupported(problem: ConvProblem) -> str | None:
    if not problem.depthwise:
        return (f"it has groups={problem.groups} of {problem.group_i_c} channel(s), and this "
                f"kernel a group for each of several channels: groups=i_c={problem.i_c}; use "
                "gpu_coalesced for one group")
    return too_many(problem)


@method(
    name="gpu_depthwise",
    title="Depthwise, a thread a channel",
    device="gpu",
    chapter=7,
    rung=4,
    idea="With no sum over channels a value has k_h·k_w multiply-adds and no more: neighbouring "
    "threads take neighbouring channels, and the bytes, each moved once, set the pace.",
    workspace_bytes=lambda problem: 0,
    skips_padding=True,
    unsupported=_unsupported,
    dilation_and_groups="itself",
)
def gpu_depthwise(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays; `w[k_h,k_w,1,k_c]`."""
    from .. import cuda

    y = cuda.empty(problem.output_shape)
    depthwise_launch(problem)(x, w, y)
    return y
