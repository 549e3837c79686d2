"""A GPU's results on every layer, kept with all that is needed to judge them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from ..measure.cuda.machine import card, versions
from ..problem import ConvProblem
from ..registry import methods
from .compare import geometric_mean
from .compare_gpu import ROUNDS, Entry, contest
from .gpu_workspace import LAYERS, limits
from .mec_gpu import apart
from .opening import cublas_steps, cudnn_steps

RECORDS = Path(__file__).parents[1] / "records" / "gpu"
BATCHES = (1, 32)
SLOW = 7  # methods of chapters up to this one are left out of large batches


def record(
    problems: Mapping[str, ConvProblem],
    batches: Sequence[int] = BATCHES,
    rounds: int = ROUNDS,
    progress: Callable[[str], object] = lambda what: None,
) -> dict[str, object]:
    """All methods and cuDNN on `problems`, with each number of images; needs a GPU and PyTorch.

    Under "workspace": `workspace.limits` of the layers it speaks of, and what `opening` says of
    cuBLAS ("steps", and "steps_without" workspace) and cuDNN. Under "mec": `apart.apart`.
    """
    runs = {}
    for batch in batches:
        takers = [m for m in methods("gpu") if batch == 1 or m.chapter > SLOW]
        runs[batch] = {}
        for name, problem in problems.items():
            layer = problem.with_batch(batch)
            entries = contest(
                layer, takers, rounds=rounds,
                progress=lambda what, name=name: progress(f"{name}, batch {batch}: {what}"),
            )  # fmt: skip
            runs[batch][name] = layer, entries
    subjects = {name: problems[name] for name in LAYERS if name in problems}
    return as_record(runs) | {
        "workspace": {
            "limits": limits(subjects), "steps": cublas_steps(),
            "steps_without": cublas_steps(":0:0"), "cudnn": cudnn_steps(),
        },
        "mec": apart(problems),
    }  # fmt: skip


def as_record(runs: Mapping[int, Mapping[str, tuple[ConvProblem, Mapping[str, Entry]]]]) -> dict:
    """`{batch: {layer: (problem, entries)}}` with day, card and versions, ready for JSON."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "card": card(),
        "versions": versions(),
        "runs": [
            {
                "batch": batch,
                "layers": {
                    name: {
                        "problem": str(problem),
                        "flops": problem.flops,
                        "entries": {who: _rounded(entry) for who, entry in entries.items()},
                    }
                    for name, (problem, entries) in layers.items()
                },
            }
            for batch, layers in runs.items()
        ],
    }


def _rounded(entry: Entry) -> dict[str, object]:
    """With four digits of each time, which is finer than the times spread."""
    data = asdict(entry)
    for how in ("graph", "plain"):
        data[how] = [float(f"{time:.4g}") for time in data[how]]
    return data | {"error": float(f"{entry.error:.3g}")}


def file_name(record: Mapping) -> str:
    """Of a record, after its GPU: `nvidia-h200.json`."""
    return re.sub(r"[^a-z0-9]+", "-", record["card"]["gpu"].lower()).strip("-") + ".json"


def records(folder: Path = RECORDS) -> list[dict]:
    """All GPU records of a folder, those of the course by default, the newest first."""
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda record: record["date"], reverse=True)


def seconds(layer: Mapping, name: str, how: str = "graph") -> float | None:
    """The median of a layer's entry; None if it was not there."""
    entry = layer["entries"].get(name)
    return median(entry[how]) if entry else None


def rival(layer: Mapping, precision: str = "float32", how: str = "graph") -> str:
    """Which of cuDNN's layouts is the faster one."""
    names = [name for name in layer["entries"] if name.startswith(f"cudnn {precision}")]
    return min(names, key=lambda name: seconds(layer, name, how))


def rival_seconds(layer: Mapping, precision: str = "float32", how: str = "graph") -> float:
    """cuDNN's, in the faster of its layouts."""
    return seconds(layer, rival(layer, precision, how), how)


def ratios(run: Mapping, name: str, precision: str = "float32", how: str = "graph"
           ) -> dict[str, float]:
    """How many times longer cuDNN takes than `name`, by layer, where `name` took part."""
    return {
        layer: rival_seconds(data, precision, how) / own
        for layer, data in run["layers"].items()
        if (own := seconds(data, name, how)) is not None
    }


def mean_ratio(run: Mapping, name: str, precision: str = "float32", how: str = "graph") -> float:
    """The geometric mean of `ratios`."""
    return geometric_mean(list(ratios(run, name, precision, how).values()))


def entry_of(layer: Mapping, name: str) -> Entry:
    """One entry as it was."""
    return Entry(**layer["entries"][name])
