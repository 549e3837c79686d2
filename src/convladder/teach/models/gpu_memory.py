"""What a GPU method holds in device memory, in segments: predicted, and as a record measured it."""

from __future__ import annotations

from collections.abc import Mapping

from ...problem import ConvProblem
from ...registry import Method


def predicted_memory(method: Method, problem: ConvProblem) -> dict[str, int]:
    """Segment -> bytes of `plots.memory`: arrays by their shapes, and `workspace_bytes`."""
    from ...gpu.mec import solution

    p, extra = problem, method.workspace_bytes(problem)
    found = _arrays(p)
    if "mec" in method.name and solution(p) == "A":
        found["result to reorder"] = found["output"]
        extra -= found["output"]
    if extra:
        lowers = "mec" in method.name or "im2col" in method.name
        found["lowered matrix" if lowers else "workspace"] = extra
    return found


def measured_memory(layer: Mapping, name: str, library: int = 0) -> dict[str, int]:
    """The same of a record's `layer` and its entry `name`: what the allocators counted.

    Image and weights are there before the call. Of what the call allocated at its peak the output
    is told apart by its shape. "pool growth" is by how much more free memory fell (negative: 0,
    for the pool had it already). `library` bytes go once, when a process first uses the library.
    """
    problem, entry = ConvProblem.parse(layer["problem"]), layer["entries"][name]
    found = _arrays(problem)
    rest = entry["peak"] - found["output"]
    if "mec" in name or "im2col" in name:
        from ...gpu.mec import solution

        if "mec" in name and solution(problem) == "A":
            found["result to reorder"] = found["output"]
            rest -= found["output"]
        found["lowered matrix"] = rest
    else:
        found["workspace"] = rest
    found["pool growth"] = max(0, entry["growth"] - entry["peak"])
    return found | ({"library, once": library} if library else {})


def _arrays(problem: ConvProblem) -> dict[str, int]:
    p = problem
    return {"input": 4 * p.i_n * p.i_h * p.i_w * p.i_c, "weights": 4 * p.params,
            "output": 4 * p.pixels * p.k_c}
