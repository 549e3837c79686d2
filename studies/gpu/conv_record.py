"""Every method and cuDNN on every layer, with what chapters 09 to 11 add: workspace, MEC, float16.

Needs a GPU with CuPy, and PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from convladder.bench import conv
from convladder.bench.benchmark import EVERY_LAYER, Options
from convladder.bench.conv_gpu import BATCHES, HALF, ROUNDS, as_record, compare_on_gpu
from convladder.bench.libraries.cudnn import half_peers
from convladder.bench.result import over_layers
from convladder.core.problem import ConvProblem
from convladder.core.progress import Progress, report_progress
from convladder.core.registry import get_method

from .mec_parts import mec_parts
from .workspace import LAYERS, cublas_steps, cudnn_steps, limits

FOLDER = "conv-gpu"
# ResNet-50's layers (He et al., arXiv 1512.03385) at stride 1, on which float16 is also measured.
HALF_LAYERS = {
    f"{side}×{side}, {k}×{k}, {i_c} to {k_c}": ConvProblem.parse(
        f"{side}x{side}x{i_c},{k}x{k}x{k_c},p{k // 2}"
    )
    for side, k, i_c, k_c in (
        (56, 3, 64, 64),
        (28, 3, 128, 128),
        (14, 3, 256, 256),
        (7, 3, 512, 512),
        (56, 1, 64, 64),
        (56, 1, 64, 256),
        (56, 1, 256, 64),
        (28, 1, 512, 128),
        (28, 1, 128, 512),
        (14, 1, 256, 1024),
        (14, 1, 1024, 256),
        (7, 1, 2048, 512),
        (7, 1, 512, 2048),
    )
}


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return the benchmark's record with three more entries.

    "workspace": a GEMM's time under each limit on its workspace, and the memory that the first
    calls of cuBLAS ("steps", "steps_without" workspace) and of cuDNN take. "mec": MEC's parts.
    "half": float16 on `HALF_LAYERS`.
    """
    problems = conv.layers(EVERY_LAYER)
    record = conv.measure_gpu(Options(progress=progress))
    return record | {
        "workspace": {
            "limits": limits({name: problems[name] for name in LAYERS}),
            "steps": cublas_steps(),
            "steps_without": cublas_steps(":0:0"),
            "cudnn": cudnn_steps(),
        },
        "mec": mec_parts(problems),
        "half": half_runs(progress=progress),
    }


def half_runs(
    batches: Sequence[int] = BATCHES, rounds: int = ROUNDS, progress: Progress = report_progress
) -> list[dict]:
    """Return a record's "half": the float16 kernel and cuDNN on `HALF_LAYERS`."""
    compare = partial(compare_on_gpu, rounds=rounds, peers=half_peers)
    return as_record(
        {
            batch: over_layers(
                {name: problem.with_batch(batch) for name, problem in HALF_LAYERS.items()},
                [get_method(HALF)],
                compare,
                lambda what, batch=batch: progress(f"float16, batch {batch}, {what}"),
            )
            for batch in batches
        }
    )["runs"]


def lines(record: Mapping) -> Iterator[str]:
    """Yield the means of each batch."""
    return conv.gpu_lines(record)
