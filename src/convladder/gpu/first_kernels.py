"""The four kernels of chapter 07 on the MEC report's layer, checked and ready to be timed."""

from __future__ import annotations

from collections.abc import Callable

from ..core.problem import REPORT, ConvProblem
from .lowering import im2col_launch, mec_launch
from .untiled import coalesced_launch, naive_launch


def report_kernels(problem: ConvProblem = REPORT) -> dict[str, tuple[Callable[[], None], int]]:
    """Return by name (launch it, the bytes that it must read and write at least).

    Each ran once and its result was compared. Raises `ValueError` for a wrong one.
    """
    from .. import cuda
    from ..core.reference import compare, random_arrays
    from ..cpu import im2col, mec

    x, w = random_arrays(problem)
    images, weights = cuda.to_device(x), cuda.to_device(w)
    ready = {}
    for name, launch, expected in (
        ("im2col's lowering", im2col_launch(problem), im2col.lower(x, problem)),
        ("MEC's lowering", mec_launch(problem), mec.lower(x, problem)),
    ):
        lowered = cuda.empty(expected.shape)
        launch(images, lowered)
        if not (lowered.get() == expected).all():
            raise ValueError(f"{name} differs from the processor's on {problem}: mend the kernel")
        ready[name] = (_on(launch, images, lowered), x.nbytes + expected.nbytes)
    for name, launch in (
        ("direct, down the image", naive_launch(problem)),
        ("direct, along the channel", coalesced_launch(problem)),
    ):
        y = cuda.empty(problem.output_shape)
        launch(images, weights, y)
        agreement = compare(y.get(), x, w, problem)
        if not agreement.ok:
            raise ValueError(f"{name} on {problem}: {agreement.reason}")
        ready[name] = (_on(launch, images, weights, y), problem.compulsory_bytes())
    return ready


def _on(launch: Callable[..., None], *arrays: object) -> Callable[[], None]:
    return lambda: launch(*arrays)
