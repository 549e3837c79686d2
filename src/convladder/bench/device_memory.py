"""Device memory of a convolution in named segments, in bytes: as predicted, and as recorded."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.problem import ConvProblem
from ..core.registry import Method
from ..gpu.mec import solution


def predicted_memory(method: Method, problem: ConvProblem) -> dict[str, int]:
    """Return segment -> bytes: arrays by their shapes, and the method's `workspace_bytes`."""
    return _segments(problem, method.name, method.workspace_bytes(problem))


def measured_memory(layer: Mapping, name: str, library: int = 0) -> dict[str, int]:
    """Return the same of a record's `layer` and its entry `name`: what the allocators counted.

    Image and weights are there before the call. Of what the call allocated at its peak the output
    is told apart by its shape. "pool growth" is by how much more free memory fell (negative: 0,
    for the pool had it already). `library` bytes go once, when a process first uses the library.
    """
    problem, entry = ConvProblem.parse(layer["problem"]), layer["entries"][name]
    segments = _segments(problem, name, entry["peak"] - 4 * problem.pixels * problem.k_c)
    segments["pool growth"] = max(0, entry["growth"] - entry["peak"])
    return segments | ({"library, once": library} if library else {})


def _segments(problem: ConvProblem, name: str, workspace: int) -> dict[str, int]:
    """Return the arrays, and the parts of what a method takes beside them."""
    p, output = problem, 4 * problem.pixels * problem.k_c
    segments = {
        "input": 4 * p.i_n * p.i_h * p.i_w * p.i_c,
        "weights": 4 * p.params,
        "output": output,
    }
    if "mec" in name and solution(p) == "A":
        segments["result to reorder"] = output
        workspace -= output
    if workspace:
        lowers = "mec" in name or "im2col" in name
        segments["lowered matrix" if lowers else "workspace"] = workspace
    return segments
