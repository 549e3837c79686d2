"""Chapter 12's two ladders on this GPU, each rung beside cuBLAS."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from convladder.bench.libraries.pytorch import graph, on_current_stream
from convladder.bench.metadata import gpu_metadata
from convladder.bench.records import digests
from convladder.bench.records.gemm import LIBRARY, seconds
from convladder.bench.rounds import judge_then_time, paired_rounds
from convladder.core.progress import Progress, report_progress
from convladder.gpu import hgemm, sgemm
from convladder.gpu.launch import KERNELS
from convladder.measure.cuda.gpu_info import require_gpu
from convladder.measure.cuda.timing import captured, event_seconds

FOLDER = "gemm"

CUBES = ((4096, 4096, 4096), (8192, 8192, 8192))
# 1×1 layers of ResNet-50, 32 images: pixels, filters, channels.
LAYERS = ((100352, 256, 64), (6272, 256, 1024), (1568, 2048, 512))
GRAPH = 4e-3  # seconds of calls replayed at once, about
LOOP = 8.0  # seconds, in which the clock settles at what the power limit allows
ROUNDS = 9


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return seconds a rung for each shape. Raises `RuntimeError` without a GPU or if one errs."""
    require_gpu("the ladders of chapter 12 are climbed there")
    import cupy

    with cupy.cuda.Stream(non_blocking=True):
        half = {_text(shape): _half(shape, progress) for shape in (*CUBES, *LAYERS)}
        single = {_text(CUBES[0]): _single(CUBES[0], progress)}
        sustained = _sustained(CUBES[0])
    files = sorted({rung.file for rung in hgemm.RUNGS} | {"sgemm.cu", "hgemm_warp.cuh"})
    return {
        **gpu_metadata(),
        "kernels": digests(KERNELS, files),
        "float16": half,
        "float32": single,
        "sustained": {"shape": _text(CUBES[0]), **sustained},
    }


def _text(shape: tuple[int, int, int]) -> str:
    return "×".join(map(str, shape))


def _arrays(shape: tuple[int, int, int], dtype: str, turned: bool):
    """Signed values of about 1, of which none is the other's mirror image, and room for `c`."""
    import cupy

    m, n, k = shape
    random = cupy.random.default_rng(12)
    a = random.standard_normal((m, k), dtype="float32") + cupy.float32(0.25)
    b = random.standard_normal((n, k) if turned else (k, n), dtype="float32")
    return a.astype(dtype), b.astype(dtype), cupy.zeros((m, n), dtype)


def _half(shape: tuple[int, int, int], progress: Progress) -> dict[str, list[float]]:
    a, b, c = _arrays(shape, "float16", turned=True)
    calls = {
        rung.name: hgemm.launch(rung, a, b, c)
        for rung in (*hgemm.RUNGS, hgemm.specialised(128, 5, 1, 8))
        if rung.refusal(*shape) is None
    }
    return _timed(shape, calls, a, b.T, c, progress)


def _single(shape: tuple[int, int, int], progress: Progress) -> dict[str, list[float]]:
    a, b, c = _arrays(shape, "float32", turned=False)
    calls = {rung.name: rung.launch(a, b, c) for rung in sgemm.RUNGS}
    return _timed(shape, calls, a, b, c, progress)


def _timed(shape, calls: dict[str, Callable], a, factor, c, progress: Progress):
    """Judge each call by float64, then time graphs of it and of cuBLAS in turns."""
    import cupy

    right = a.astype("float64") @ factor.astype("float64")
    scale = abs(a).astype("float64") @ abs(factor).astype("float64")
    limit = 2.0**-10 * abs(right) * (c.dtype == "float16") + 2.0**-18 * scale

    def judge(name: str, call: Callable) -> bool:
        c[...] = float("nan")
        call()
        if not bool((abs(c.astype("float64") - right) <= limit).all()):
            raise RuntimeError(f"{name} is wrong on {_text(shape)}; nothing was timed")
        return True

    def time(ways: dict[str, Callable]):
        graphs, number = {}, {}
        with on_current_stream():
            for calls, capture in ((ways, captured), (_cublas(a, factor, c), graph)):
                for name, call in calls.items():
                    number[name] = max(1, min(20, int(GRAPH / event_seconds(call, ahead=2))))
                    graphs[name] = capture(call, number[name])
            taken = paired_rounds(graphs, ROUNDS, clock=_seconds, progress=progress)
        return {
            name: [float(f"{seconds / number[name]:.4g}") for seconds in rounds]
            for name, rounds in taken.rounds.items()
        }

    times, _ = judge_then_time(
        calls, judge, time, progress=lambda name: progress(f"{_text(shape)}, {name}")
    )
    cupy.get_default_memory_pool().free_all_blocks()
    return times


def _seconds(replay: Callable) -> float:
    return event_seconds(replay, ahead=1)


def _sustained(shape: tuple[int, int, int]) -> dict[str, dict[str, float]]:
    """Return seconds, MHz and watts of the last rung and of cuBLAS, each in a loop of its own."""
    a, b, c = _arrays(shape, "float16", turned=True)
    with on_current_stream():
        graphs = {
            hgemm.RUNGS[-1].name: captured(hgemm.launch(hgemm.RUNGS[-1], a, b, c), 20),
            LIBRARY: graph(_cublas(a, b.T, c)[LIBRARY], 20),
        }
        return {name: _looped(replay) for name, replay in graphs.items()}


def _looped(replay: Callable) -> dict[str, float]:
    """Return a call's seconds in the second half of a loop; clock and power are read within it."""
    from cupy import cuda

    first, middle, last = (cuda.Event() for _ in range(3))
    half = int(LOOP / 2 / event_seconds(replay, ahead=1))
    for event in (first, middle):
        event.record()
        for _ in range(half):
            replay()
    last.record()
    middle.synchronize()
    query = ["nvidia-smi", "--query-gpu=clocks.sm,power.draw", "--format=csv,noheader,nounits"]
    told = subprocess.run(query, check=True, capture_output=True, text=True, timeout=20).stdout
    last.synchronize()
    mhz, watts = map(float, told.splitlines()[0].split(","))
    seconds = cuda.get_elapsed_time(middle, last) / 1e3 / half / 20
    return {"seconds": float(f"{seconds:.4g}"), "mhz": mhz, "watts": watts}


def _cublas(a, factor, c) -> dict[str, Callable]:
    """PyTorch's product, without TF32: as the factors lie, and with the second one turned."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    x, lying, out = (torch.as_tensor(each, device="cuda") for each in (a, factor, c))
    turned = lying.t().contiguous().t() if factor.flags.c_contiguous else lying.contiguous()
    return {
        LIBRARY: partial(torch.mm, x, lying, out=out),
        f"{LIBRARY}, other layout": partial(torch.mm, x, turned, out=out),
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each rung: TFLOP/s, and its speed over cuBLAS's."""
    for kind in ("float32", "float16"):
        for shape, timings in record[kind].items():
            m, n, k = map(int, shape.split("×"))
            found = seconds(timings)
            yield f"{kind}, {shape}"
            for name, each in found.items():
                yield (
                    f"  {name:34} {2 * m * n * k / each / 1e12:6.1f} TFLOP/s  "
                    f"{found[LIBRARY] / each:5.2f}× cuBLAS"
                )
    shape, *looped = record["sustained"].items()
    m, n, k = map(int, shape[1].split("×"))
    yield f"float16, {shape[1]}, in a loop of {LOOP:.0f} seconds"
    for name, each in looped:
        rate = 2 * m * n * k / each["seconds"] / 1e12
        yield f"  {name:34} {rate:6.1f} TFLOP/s at {each['mhz']:.0f} MHz, {each['watts']:.0f} W"
