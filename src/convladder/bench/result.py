"""The result of one method on one problem, which every convolution benchmark returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ..core.problem import ConvProblem
from ..core.progress import Progress, report_progress
from ..core.registry import Method
from ..core.text import mark_disturbed, seconds_text
from ..measure.limits import share_of
from ..measure.memory import mib
from ..measure.timing import Timing

Results = TypeVar("Results")


@dataclass(frozen=True)
class Result:
    """A method, or a library's way, on a processor or a GPU; it was right before it was timed.

    `timing` and `rounds`: seconds of a call, on a GPU of one in the replay of a graph, without the
    launch; `plain` are then those of calls one after the other from Python. `limit`, in FLOP/s:
    what the roofline (`climb`), or the multiply-add peak in the same rounds, allows as many
    threads. `library`: whose it is, None for a method of ours. `error`: the largest relative to
    what was added up, as `reference.Agreement` has it. `prepare_seconds`: of weights prepared
    once, left out of `timing`. `beyond`: what lets its share of the limit pass 1,
    such as fewer multiplications; without that, such a share was disturbed, and says so.

    Bytes: `workspace` is measured, `predicted_workspace` what the method says. On a GPU `peak` is
    allocated by one call, its result included, and `growth` is by how much `cudaMemGetInfo` fell
    in the first call: pools, libraries' own memory and code. None is what was not measured.
    """

    name: str
    problem: ConvProblem
    timing: Timing
    rounds: tuple[float, ...] = ()
    limit: float | None = None
    library: str | None = None
    error: float | None = None
    prepare_seconds: float | None = None
    workspace: int | None = None
    predicted_workspace: int | None = None
    plain: tuple[float, ...] = ()
    peak: int | None = None
    growth: int | None = None
    beyond: str = ""

    @property
    def threads(self) -> int:
        """Return how many threads it was held to."""
        return self.timing.threads

    @property
    def flops_per_s(self) -> float:
        """Return the problem's FLOP over the median time."""
        return self.problem.flops / self.timing.median

    @property
    def share(self) -> float:
        """Return the share of the limit."""
        return self.flops_per_s / self.limit

    @property
    def disturbed(self) -> bool:
        """Return whether its time was disturbed, or its share is too high to be true."""
        too_high = self.limit is not None and not self.beyond
        return self.timing.disturbed or (
            too_high and share_of(self.flops_per_s, self.limit).disturbed
        )

    @property
    def share_text(self) -> str:
        """Return the share in words, with what lets it pass 100 %."""
        number = "under 0.1 %" if self.share < 0.001 else f"{self.share:.1%}"
        return number + (f" ({self.beyond})" if self.beyond and self.share > 1 else "")

    def as_dict(self) -> dict[str, object]:
        """Return all but the problem and the threads, ready for JSON; times in seconds."""
        return {
            "method": self.name,
            "seconds": self.timing.median,
            "seconds_low": self.timing.low,
            "seconds_high": self.timing.high,
            "runs": self.timing.runs,
            "flops_per_s": self.flops_per_s,
            "share": self.share,
            "workspace": self.workspace,
            "predicted_workspace": self.predicted_workspace,
            "error": self.error,
            "prepare_seconds": self.prepare_seconds,
        }

    def __str__(self) -> str:
        packing = self.prepare_seconds
        prepared = (
            "" if packing is None else f", weights prepared in {seconds_text(packing)} before"
        )
        return mark_disturbed(
            f"{self.name}: {replace(self.timing, disturbed=False)}, "
            f"{self.flops_per_s / 1e9:.3g} GFLOP/s ({self.share_text} of the limit), "
            f"{mib(self.workspace)}, error {self.error:.1e}{prepared}",
            self.disturbed,
        )


def timings_as_dict(timings: Mapping[str, Timing]) -> dict[str, dict[str, float]]:
    """Return timings by name, ready for JSON; in seconds."""
    return {
        name: {"seconds": t.median, "low": t.low, "high": t.high, "runs": t.runs}
        for name, t in timings.items()
    }


def over_layers(
    problems: Mapping[str, ConvProblem],
    methods: Sequence[Method],
    compare: Callable[..., Results],
    progress: Progress = report_progress,
) -> dict[str, Results]:
    """Run `compare(problem, methods, progress=)` on each layer with the methods that take it.

    Raises `ValueError` where no method takes a layer.
    """
    results = {}
    for name, problem in problems.items():
        takers = [method for method in methods if method.unsupported(problem) is None]
        if not takers:
            raise ValueError(
                f"no method takes {name}: "
                + "; ".join(f"{method.name} ({method.unsupported(problem)})" for method in methods)
            )
        results[name] = compare(
            problem, takers, progress=lambda what, name=name: progress(f"{name}: {what}")
        )
    return results
