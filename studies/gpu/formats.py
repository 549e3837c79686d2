"""What a GPU's tensor cores make of fewer bits, and of two in four: one product, in each format.

Needs an NVIDIA GPU, CuPy and PyTorch; every product is judged before it is timed. PyTorch hands
2:4 to cuSPARSELt, which has the compressed operand on the left, and is asked for its fastest way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from convladder.bench.metadata import gpu_metadata
from convladder.bench.records.formats import format_rates
from convladder.bench.result import timings_as_dict
from convladder.bench.rounds import judge_then_time
from convladder.core.progress import Progress, report_progress
from convladder.measure.cuda.gpu_info import require_gpu
from convladder.measure.cuda.timing import timed_on_gpu

FOLDER = "formats"
SIZE = 8192  # rows and columns of all three matrices: arithmetic is the limit, not memory
ROWS = 64  # of the product that are judged
NEAR = 0.02  # of the largest value that a product in this format may be off, float16 and wider
FLOAT8 = 448.0  # the largest value of E4M3


def measure(size: int = SIZE, progress: Progress = report_progress) -> dict[str, object]:
    """Judge and time every format on this GPU; ready for JSON, times in seconds.

    What this GPU or PyTorch lacks, or has wrong, is not timed, and stands under "absent".
    """
    require_gpu("its tensor cores are what is timed")
    calls, errors, wrong = {}, {}, {}

    def judge(name: str, make: Callable) -> bool:
        calls[name], left, right = make()
        errors[name] = _error(calls[name](), left, right)
        if errors[name] > NEAR:
            wrong[name] = f"wrong: off by {errors[name]:.2g} of the largest value"
        return name not in wrong

    made = dict(formats(size))
    timings, absent = judge_then_time(
        made,
        judge,
        lambda right: timed_on_gpu({name: calls[name] for name in right}, budget=0.3),
        optional=made,
        progress=progress,
    )
    return {
        **gpu_metadata(),
        "size": size,
        "operations": 2 * size**3,
        "absent": absent | wrong,
        "formats": {
            name: {**timing, "error": errors[name]}
            for name, timing in timings_as_dict(timings).items()
        },
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield the rate of each format, and who is absent."""
    for name, rate in format_rates(record).items():
        yield f"{name:<14}{rate / 1e12:>7.0f} T operations/s"
    for name, why in record["absent"].items():
        yield f"{name}: absent, {why}"


def formats(size: int) -> Iterator[tuple[str, Callable]]:
    """Yield `(name, make)`; `make()` gives the product and the operands that it should be of."""
    import torch

    generator = torch.Generator("cuda").manual_seed(0)

    def operands(kept: int = 4) -> tuple:
        """Standard normal float16; of the left one's neighbours in a row, `kept` of four."""
        a, b = (
            torch.randn(size, size, generator=generator, device="cuda", dtype=torch.float16)
            for _ in "ab"
        )
        if kept < 4:
            a.view(size, -1, 4)[..., kept:] = 0
        return a, b

    def plain(kind: torch.dtype, tf32: bool = False) -> tuple:
        a, b = (array.to(kind) for array in operands())

        def run() -> torch.Tensor:
            torch.backends.cuda.matmul.allow_tf32 = tf32
            return a @ b

        return run, a, b

    def columns(b: torch.Tensor) -> torch.Tensor:
        """As tensor cores want the right operand of bytes: each column's values side by side."""
        return b.t().contiguous().t()

    def bytes_of(kind: torch.dtype, kept: int = 4) -> tuple:
        a, b = operands(kept)
        if kind == torch.int8:
            a, b = 32 * a, 32 * b
        most = 127 if kind == torch.int8 else FLOAT8
        return tuple(array.clamp(-most, most).to(kind) for array in (a, b))

    def int8() -> tuple:
        a, b = bytes_of(torch.int8)
        right = columns(b)
        return lambda: torch._int_mm(a, right), a, b

    def float8() -> tuple:
        a, b = bytes_of(torch.float8_e4m3fn)
        right, one = columns(b), torch.ones((), device="cuda")

        def run() -> torch.Tensor:
            return torch._scaled_mm(a, right, one, one, out_dtype=torch.float16)

        return run, a, b

    def two_of_four(kind: torch.dtype, result: torch.dtype | None = None) -> tuple:
        a, b = operands(kept=2) if kind == torch.float16 else bytes_of(kind, kept=2)
        small = torch._cslt_compress(a)
        right, how = (b, {}) if kind == torch.float16 else (columns(b), {"out_dtype": result})
        best = torch._cslt_sparse_mm_search(small, right, **how)  # of cuSPARSELt's algorithms
        return lambda: torch._cslt_sparse_mm(small, right, alg_id=best, **how), a, b

    yield "float32", lambda: plain(torch.float32)
    yield "TF32", lambda: plain(torch.float32, tf32=True)
    yield "float16", lambda: plain(torch.float16)
    yield "float16, 2:4", lambda: two_of_four(torch.float16)
    yield "float8", float8
    yield "float8, 2:4", lambda: two_of_four(torch.float8_e4m3fn, torch.float16)
    yield "int8", int8
    yield "int8, 2:4", lambda: two_of_four(torch.int8, torch.int32)


def _error(product, left, right) -> float:
    """The largest difference from float64, of some rows, over the largest value."""
    import torch

    rows = left[:ROWS].to(torch.float32).double() @ right.to(torch.float32).double()
    off = (product[:ROWS].double() - rows).abs().max() / rows.abs().max()
    return float(off) if torch.isfinite(off) else float("inf")
