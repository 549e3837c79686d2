"""MEC on a GPU, part by part: lowering and GEMMs each by itself, and the GEMMs in other shapes.

The same multiplications can be one GEMM, a batch of copies, or a batch over MEC's view; which of
their properties costs the time is read by changing one at a time. All times are graph replays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict

from convladder.core.problem import PAPER, REPORT, ConvProblem

from .replayed import replayed_seconds

HEIGHTS = (220, 440, 880, 2420, 4840, 12100, 48400)  # rows of a GEMM, of the report's 220·220
BATCHES = (8, 32)  # images, for solutions A and B


def report_batches() -> dict:
    """Return by name a `gemm.Batch`: the report's layer as one GEMM, as copies, as views of L."""
    from convladder.gpu.gemm import Batch
    from convladder.gpu.mec import batches, padded_depth

    p = REPORT
    strip, filters = p.padded_h, p.k_c
    shapes = {
        f"{p.pixels // rows} of {rows} rows": Batch(
            rows, p.window, filters, lda=p.window, stride=rows * p.window, count=p.pixels // rows
        )
        for rows in HEIGHTS
    }
    shapes["aligned copies"] = Batch(  # nothing more to multiply: a gap of one value after each row
        p.o_w, p.window, filters, lda=p.window + 1, stride=p.o_w * (p.window + 1), count=p.o_h
    )
    far = {"rows": p.o_w, "inner": p.window, "columns": filters, "count": p.o_h}
    shapes["all the same"] = Batch(lda=p.window, stride=0, **far)
    shapes["side by side"] = Batch(lda=p.o_h * p.window, stride=p.window, **far)
    shapes["shared, far apart"] = Batch(lda=p.o_h * p.window, stride=p.k_w * p.i_c, **far)
    shapes["view, long stride"] = Batch(lda=strip * p.k_w * p.i_c, stride=p.window, **far)
    (shapes["view"],) = batches(p, p.i_c, "B")
    (shapes["view, 4 channels"],) = batches(p, padded_depth(p), "B")
    row = 24  # 7·3 values and 3 zeros
    shapes["view, rows of 24"] = Batch(
        p.o_w, p.k_h * row, filters, lda=strip * row, stride=row, count=p.o_h
    )
    return shapes


def report_gemms() -> list[dict]:
    """Time `report_batches`: rows of `name`, `batch` (its fields), `seconds`, cuBLAS's `kernel`.

    Raises `RuntimeError` for a wrong result.
    """
    import cupy

    rows = []
    for name, batch in report_batches().items():
        rng = cupy.random.default_rng(0)
        last = (batch.count - 1) * batch.stride + (batch.rows - 1) * batch.lda + batch.inner
        a = rng.standard_normal(last, dtype="float32")
        b = rng.standard_normal(batch.inner * batch.columns, dtype="float32")
        c = cupy.full(batch.count * batch.rows * batch.columns, cupy.nan, "float32")
        batch(a, b, c)
        shape = batch.count, batch.rows, batch.inner
        steps = tuple(4 * step for step in (batch.stride, batch.lda, 1))
        read = cupy.lib.stride_tricks.as_strided(a, shape, steps)[-1].astype("float64")
        right = read @ b.reshape(batch.inner, batch.columns)
        error = float(abs(c.reshape(batch.count, batch.rows, -1)[-1] - right).max())
        if not error < 1e-3:
            raise RuntimeError(f"{name} is wrong by {error:.1e}; nothing was timed")
        seconds = replayed_seconds(lambda batch=batch, a=a, b=b, c=c: batch(a, b, c))
        kernel = kernel_of(lambda batch=batch, a=a, b=b, c=c: batch(a, b, c))
        rows.append({"name": name, "batch": asdict(batch), "seconds": seconds, "kernel": kernel})
    return rows


def kernel_of(call: Callable[[], object]) -> str:
    """Return the names of the kernels that `call` launches, with commas, by PyTorch's profiler."""
    import cupy
    import torch
    from torch.autograd import DeviceType
    from torch.profiler import ProfilerActivity, profile

    torch.cuda.init()
    with profile(activities=[ProfilerActivity.CUDA]) as found:
        call()
        cupy.cuda.Device().synchronize()
    return ", ".join(event.name for event in found.events() if event.device_type == DeviceType.CUDA)


def parts(problems: Mapping[str, ConvProblem]) -> list[dict]:
    """Return rows of `layer` and each step's seconds: `im2col`, its `gemm`, `lower` (MEC), `gemms`.

    `copies` are MEC's GEMMs on im2col's matrix, in which each has values of its own, `disjoint`
    those of `Batch.disjoint`, `pointers` those of `mec_pointers.multiply`. Layers of few channels
    also with these padded: `lower_aligned`, `gemms_aligned`.
    """
    import cupy

    from convladder.gpu.gemm import Batch
    from convladder.gpu.lowering import lower_im2col, lower_mec
    from convladder.gpu.mec import batches, padded_depth
    from convladder.gpu.mec_pointers import multiply

    rows = []
    for layer, p in problems.items():
        x = cupy.random.default_rng(0).standard_normal(p.input_shape, dtype="float32")
        y = cupy.empty(p.output_shape, "float32")

        def step(lower, *calls, p=p, y=y, run=None) -> tuple[float, float]:
            w = cupy.ones(calls[0].inner * p.k_c, "float32")
            lowered, launches = lower(), [run] if run else calls
            return replayed_seconds(lower), replayed_seconds(
                lambda: [one(lowered, w, y) for one in launches]
            )

        whole = Batch(p.pixels, p.window, p.k_c, lda=p.window, stride=0, count=1)
        copies = Batch(p.o_w, p.window, p.k_c, p.window, stride=p.o_w * p.window, count=p.o_h)
        (view,) = batches(p, p.i_c, "B")
        names = [
            "im2col",
            "gemm",
            "lower",
            "gemms",
            "copies",
            "disjoint",
            "pointers",
            "lower_aligned",
            "gemms_aligned",
        ]
        times = [
            *step(lambda p=p, x=x: lower_im2col(x, p), whole),
            *step(lambda p=p, x=x: lower_mec(x, p), view),
            step(lambda p=p, x=x: lower_im2col(x, p), copies)[1],
            step(lambda p=p, x=x: lower_mec(x, p), *view.disjoint())[1],
            step(
                lambda p=p, x=x: lower_mec(x, p),
                view,
                run=lambda L, w, y, view=view: multiply([view], L, w, y),
            )[1],
        ]
        if p.i_c % 4:
            depth = padded_depth(p)
            times += step(
                lambda p=p, x=x, depth=depth: lower_mec(x, p, depth), batches(p, depth, "B")[0]
            )
        rows.append({"layer": layer, **dict(zip(names, times))})
    return rows


def solutions(problems: Mapping[str, ConvProblem]) -> list[dict]:
    """Return rows of `layer`, `batch` and the seconds of solutions `A` and `B`, all steps.

    Raises `RuntimeError` where the two differ.
    """
    import cupy

    from convladder.gpu.mec import convolve

    rows = []
    for batch in BATCHES:
        for layer, one in problems.items():
            p = one.with_batch(batch)
            rng = cupy.random.default_rng(0)
            x = rng.standard_normal(p.input_shape, dtype="float32")
            w = rng.standard_normal(p.kernel_shape, dtype="float32")
            a, b = (convolve(x, w, p, which=which) for which in "AB")
            if not float(abs(a - b).max()) <= 1e-4 * float(abs(b).max()):
                raise RuntimeError(f"solutions A and B differ on {p}; nothing was timed")
            del a, b
            times = {
                which: replayed_seconds(
                    lambda p=p, x=x, w=w, which=which: convolve(x, w, p, which=which), calls=4
                )
                for which in "AB"
            }
            rows.append({"layer": layer, "batch": batch, **times})
            cupy.get_default_memory_pool().free_all_blocks()
    return rows


def mec_parts(problems: Mapping[str, ConvProblem]) -> dict[str, list[dict]]:
    """Return `parts`, `report_gemms` and `solutions` by these names."""
    return {
        "parts": parts(problems),
        "report_gemms": report_gemms(),
        "solutions": solutions(problems),
    }


if __name__ == "__main__":
    print(json.dumps(mec_parts({**PAPER, "report": REPORT}), indent=1))
