"""What a GPU method holds in device memory, in segments: predicted, and as a record measured it."""

from __future__ import annotations

from collections.abc import Mapping

from ...problem import ConvProblem
from ...registry import Method


def predicted_memory(method: Method, problem: ConvProblem) -> dict[str, int]:
    """Return segment -> bytes of `plots.memory`: arrays by their shapes, and `workspace_bytes`."""
    from ...gpu.mec import solution

    p, extra = problem, method.workspace_bytes(problem)
    segments = _arrays(p)
    if "mec" in method.name and solution(p) == "A":
        segments["result to reorder"] = segments["output"]
        extra -= segments["output"]
    if extra:
        lowers = "mec" in method.name or "im2col" in method.name
        segments["lowered matrix" if lowers else "workspace"] = extra
    return segments


def measured_memory(layer: Mapping, name: str, library: int = 0) -> dict[str, int]:
    """Return the same of a record's `layer` and its entry `name`: what the allocators counted.

    Image and weights are there before the call. Of what the call allocated at its peak the output
    is told apart by its shape. "pool growth" is by how much more free memory fell (negative: 0,
    for the pool had it already). `library` bytes go once, when a process first uses the library.
    """
    problem, entry = ConvProblem.parse(layer["problem"]), layer["entries"][name]
    segments = _arrays(problem)
    rest = entry["peak"] - segments["output"]
    if "mec" in name or "im2col" in name:
        from ...gpu.mec import solution

        if "mec" in name and solution(problem) == "A":
            segments["result to reorder"] = segments["output"]
            rest -= segments["output"]
        segments["lowered matrix"] = rest
    else:
        segments["workspace"] = rest
    segments["pool growth"] = max(0, entry["growth"] - entry["peak"])
    return segments | ({"library, once": library} if library else {})


def _arrays(problem: ConvProblem) -> dict[str, int]:
    p = problem
    return {
        "input": 4 * p.i_n * p.i_h * p.i_w * p.i_c,
        "weights": 4 * p.params,
        "output": 4 * p.pixels * p.k_c,
    }
