"""What `small_kernels` times: each group's launches, ready to run, with a judge of the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from convladder.bench.rounds import error_by, error_of
from convladder.core.problem import ConvProblem
from convladder.core.reference import Oracle, random_arrays
from convladder.core.registry import get_method
from convladder.cpu.layouts import from_blocked, to_blocked
from convladder.gpu.depthwise import any_launch
from convladder.gpu.layouts import layout_launch
from convladder.gpu.reductions import (
    HISTOGRAMS,
    SUMS,
    histogram_launch,
    products_launch,
    sum_launch,
)
from convladder.gpu.staged import STAGES, TILE, blur_launch

CUDNN = "cuDNN"
ANY = "a thread a channel"  # the depthwise kernel for any window


@dataclass(frozen=True)
class Sizes:
    """How much each kernel gets: on a GPU so much that a launch is short beside it.

    `few` and `many`: blocks of a blur for each multiprocessor, and rows that each goes down.
    """

    values: int = 2**25
    few: tuple[int, int] = (1, 4096)
    many: tuple[int, int] = (16, 256)
    image: ConvProblem = ConvProblem.parse("130x130x64,3x3x64")
    depthwise: ConvProblem = replace(ConvProblem.parse("16x112x112x256,3x3x256,p1"), groups=256)


@dataclass(frozen=True)
class Ready:
    """A launch, whether its result is right (raises `RuntimeError` if not), its bytes."""

    run: Callable[[], object]
    judge: Callable[[], object]
    bytes: int


def sums(sizes: Sizes, sms: int) -> dict[str, Callable[[], Ready]]:
    """Return chapter 07's sums of small whole numbers, which floats add up without rounding."""
    from convladder import cuda

    n = sizes.values
    x = np.random.default_rng(6).integers(-4, 5, n).astype(np.float32)
    there, right = cuda.to_device(x), float(x.sum(dtype=np.float64))

    def ready(kind: str, blocks: int | None) -> Ready:
        total, launch = cuda.to_device(np.zeros(1, np.float32)), sum_launch(kind, n, blocks)
        return Ready(
            lambda: launch(there, total),
            lambda: _once(f"sum_{kind}", lambda: launch(there, total), total, right),
            x.nbytes,
        )

    cases = {kind: (kind, None) for kind in SUMS} | {"warps, few blocks": ("warps", 8 * sms)}
    return {name: partial(ready, *case) for name, case in cases.items()}


def histograms(sizes: Sizes, sms: int) -> dict[str, Callable[[], Ready]]:
    """Return chapter 07's histograms: of noise, of similar neighbours, of black."""
    from convladder import cuda

    n = sizes.values
    pictures = {
        "noise": np.random.default_rng(7).integers(0, 256, n).astype(np.uint8),
        "smooth": (128 + 100 * np.sin(np.arange(n) / 500)).astype(np.uint8),
        "black": np.zeros(n, np.uint8),
    }

    def ready(name: str, kind: str) -> Ready:
        there = cuda.to_device(pictures[name])
        bins, launch = cuda.to_device(np.zeros(256, np.uint32)), histogram_launch(kind, n, 8 * sms)
        return Ready(
            lambda: launch(there, bins),
            lambda: _once(
                f"histogram_{kind}",
                lambda: launch(there, bins),
                bins,
                np.bincount(pictures[name], minlength=256),
            ),
            n,
        )

    return {
        f"{name}, {kind}": partial(ready, name, kind) for name in pictures for kind in HISTOGRAMS
    }


def divergence(sizes: Sizes, sms: int) -> dict[str, Callable[[], Ready]]:
    """Return chapter 07's loops of 1 and 8 rounds: neighbours that differ, and sorted."""
    from convladder import cuda

    n = sizes.values // 8
    mixed = np.where(np.arange(n) % 2, 8, 1).astype(np.int32)
    x = cuda.to_device(np.full((8, n), 2, np.float32))

    def ready(trips: np.ndarray) -> Ready:
        there, y, launch = cuda.to_device(trips), cuda.empty(n), products_launch(n)
        return Ready(
            lambda: launch(there, x, y),
            lambda: _once("products", lambda: launch(there, x, y), y, 2.0**trips),
            8 * n + 4 * int(trips.sum()),
        )

    return {"mixed": partial(ready, mixed), "sorted": partial(ready, np.sort(mixed))}


def stages(sizes: Sizes, sms: int) -> dict[str, Callable[[], Ready]]:
    """Return chapter 08's blur with every number of stages, on few blocks and on many."""
    from convladder import cuda

    def ready(count: int, rows: int, blocks: int) -> Ready:
        x = np.random.default_rng(8).standard_normal((rows, blocks * TILE), dtype=np.float32)
        there, y = cuda.to_device(x), cuda.empty(x.shape)
        launch = blur_launch(rows, blocks * TILE, count)
        wide = np.pad(x.astype(np.float64), ((0, 0), (1, 1)))
        right = (wide[:, :-2] + wide[:, 1:-1] + wide[:, 2:]) / 3
        return Ready(
            lambda: launch(there, y),
            lambda: _once(f"{count} stages", lambda: launch(there, y), y, right, 1e-5),
            2 * x.nbytes,
        )

    return {
        f"{name}, {count}": partial(ready, count, rows, sms * blocks)
        for name, (blocks, rows) in (("few", sizes.few), ("many", sizes.many))
        for count in STAGES
    }


def layouts(sizes: Sizes, sms: int) -> dict[str, Callable[[], Ready]]:
    """Return chapter 05's convolution in three layouts, threads along pixels or channels."""
    from convladder import cuda

    p = sizes.image
    x, w = random_arrays(p)
    there, oracle = cuda.to_device(w), Oracle(x, w, p)

    def ready(block: int, by_pixel: bool) -> Ready:
        image = cuda.to_device(to_blocked(x[0], block))
        y = cuda.empty((p.k_c // block, p.o_h, p.o_w, block))
        launch = layout_launch(p, block, by_pixel)

        def judge() -> None:
            launch(image, there, y)
            error_by(oracle, "conv_layout", from_blocked(y.get(), p.k_c)[None], p)

        return Ready(lambda: launch(image, there, y), judge, p.compulsory_bytes())

    return {
        f"{name}, {'pixels' if by_pixel else 'channels'}": partial(ready, block, by_pixel)
        for name, block in (("NCHW", 1), ("NCHW8c", 8), ("NHWC", p.i_c))
        for by_pixel in (True, False)
    }


def depthwise(sizes: Sizes, sms: int) -> dict[str, Callable[[], Ready]]:
    """Return chapter 17's depthwise layer by both kernels here, and by cuDNN where PyTorch is."""
    from convladder import cuda

    p = sizes.depthwise
    one = p.with_batch(1)
    x, w = random_arrays(p)

    def judged(name: str, run: Callable[[], Any]) -> Ready:
        def judge() -> None:
            y = run().get()
            for image in {0, p.i_n - 1}:
                error_of(name, y[image : image + 1], x[image : image + 1], w, one)

        return Ready(run, judge, p.compulsory_bytes())

    def general() -> Ready:
        there, weights, y = cuda.to_device(x), cuda.to_device(w), cuda.empty(p.output_shape)
        launch = any_launch(p)

        def run():
            launch(there, weights, y)
            return y

        return judged(ANY, run)

    def ours() -> Ready:
        return judged(
            "gpu_depthwise",
            partial(get_method("gpu_depthwise").run, cuda.to_device(x), cuda.to_device(w), p),
        )

    def cudnn() -> Ready:
        import cupy
        import torch

        from convladder.bench.libraries.pytorch import on_current_stream

        images = torch.from_dlpack(cuda.to_device(x)).permute(0, 3, 1, 2)
        kernels = (
            torch.from_numpy(w)
            .cuda()
            .permute(3, 2, 0, 1)
            .contiguous(memory_format=torch.channels_last)
        )

        def run():
            with on_current_stream():
                y = torch.nn.functional.conv2d(
                    images, kernels, padding=tuple(p.padding), groups=p.groups
                )
                return cupy.from_dlpack(y.permute(0, 2, 3, 1))

        return judged(CUDNN, run)

    return {ANY: general, "gpu_depthwise": ours, CUDNN: cudnn}


def _once(name: str, launch: Callable[[], None], result, right, within: float = 0.0) -> None:
    """Launch on what is zero, or of arbitrary content; compare. Raises `RuntimeError`."""
    launch()
    worst = float(np.max(np.abs(result.get().astype(np.float64) - right)))
    if not worst <= within:
        raise RuntimeError(f"{name} is wrong by {worst:g}; nothing was timed")


GROUPS = {
    "sums": sums,
    "histograms": histograms,
    "divergence": divergence,
    "stages": stages,
    "layouts": layouts,
    "depthwise": depthwise,
}
