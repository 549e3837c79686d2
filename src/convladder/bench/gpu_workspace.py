"""A GEMM's time against the workspace that it may have."""

from __future__ import annotations

from collections.abc import Mapping

from ..problem import ConvProblem

LIMITS = (0, 2**16, 2**18, 2**20, 2**22, 2**25)  # bytes
LAYERS = ("report", "cv6", "cv11", "cv12")  # one whose GEMM fills the chip, three that do not


def limits(problems: Mapping[str, ConvProblem]) -> list[dict]:
    """cuBLASLt's GEMM of im2col and of MEC under each limit: what it proposes first, and the best.

    Rows of `layer`, `what` ("im2col" or "mec"), `limit`, `seconds` and `used` (bytes) of the first
    proposal, `best_seconds` and `best_used` of the fastest. Times are graph replays.
    """
    from ..gpu.gemm import Batch
    from ..gpu.mec import batches

    rows = []
    for layer, p in problems.items():
        whole = Batch(p.pixels, p.window, p.k_c, lda=p.window, stride=0, count=1)
        for what, batch, size in (
            ("im2col", whole, p.im2col_bytes()),
            ("mec", batches(p, p.i_c, "B")[0], p.mec_bytes()),
        ):
            rows += [
                {"layer": layer, "what": what, "limit": limit, **_under(batch, size // 4, p, limit)}
                for limit in LIMITS
            ]
    return rows


def _under(batch, values: int, problem: ConvProblem, limit: int) -> dict[str, float]:
    import cupy

    from ..gpu.cublaslt import Multiplication

    rng = cupy.random.default_rng(0)
    a = rng.standard_normal(values, dtype="float32")
    b = rng.standard_normal(problem.params, dtype="float32")
    c, spare = cupy.empty(problem.output_shape, "float32"), cupy.empty(max(limit, 16), "uint8")
    multiply = Multiplication(batch, limit)
    times = [
        replayed(lambda number=number: multiply(a, b, c, spare, number))
        for number in range(len(multiply.algorithms))
    ]
    best = times.index(min(times))
    return {
        "seconds": times[0],
        "used": multiply.algorithms[0].workspace,
        "best_seconds": times[best],
        "best_used": multiply.algorithms[best].workspace,
    }


def replayed(call, calls: int = 20, replays: int = 7) -> float:
    """Median seconds of one call, `calls` of them in a graph."""
    import cupy

    with cupy.cuda.Stream(non_blocking=True) as stream:
        call()
        stream.synchronize()
        stream.begin_capture()
        for _ in range(calls):
            call()
        graph = stream.end_capture()
        times = []
        for _ in range(replays + 1):
            start, stop = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            graph.launch(stream)
            stop.record()
            stop.synchronize()
            times.append(cupy.cuda.get_elapsed_time(start, stop) / 1e3 / calls)
    return sorted(times[1:])[replays // 2]
