"""Every way to compute a convolution, in the order of the ladder.

A method is one decorated function in a file of its own under `cpu/` or `gpu/`. The tests, tables,
plots and the command line all walk `methods()`: a new file is picked up with no further edit.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, wraps
from typing import Literal

import numpy as np

from .dilation_groups import is_dense, parts, parts_bytes, prepare_parts, run_parts
from .problem import ConvProblem
from .reference import POINTWISE, ErrorModel

_PACKAGES = ("cpu", "gpu")
_FOUND: dict[str, Method] = {}


@dataclass(frozen=True)
class Method:
    """One rung: how it is called, and what it needs.

    On device "cpu" it takes and returns NumPy arrays; on "gpu" those of `convladder.cuda`, which
    are on a GPU or in the emulator's care.
    """

    name: str
    device: str
    chapter: int
    rung: int
    run: Callable[[np.ndarray, np.ndarray, ConvProblem], np.ndarray]
    workspace_bytes: Callable[[ConvProblem], int]
    unsupported: Callable[[ConvProblem], str | None]
    prepare: Callable[[np.ndarray, ConvProblem], object] | None
    error_model: Callable[[ConvProblem], ErrorModel] = lambda problem: POINTWISE
    skips_padding: bool = False
    cost: Callable[[ConvProblem], float] | None = None
    home: str = ""

    def __call__(self, x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
        """`y[i_n,o_h,o_w,k_c]`, with the weights prepared first where the method wants that."""
        return self.run(x, self.prepare(w, problem) if self.prepare else w, problem)

    def __reduce__(self) -> tuple:
        return get_method, (self.name,)  # so that it can be sent to another process


def method(
    *,
    name: str,
    chapter: int,
    rung: int,
    workspace_bytes: Callable[[ConvProblem], int],
    device: str = "cpu",
    unsupported: Callable[[ConvProblem], str | None] = lambda problem: None,
    prepare: Callable[[np.ndarray, ConvProblem], object] | None = None,
    error_model: Callable[[ConvProblem], ErrorModel] | None = None,
    skips_padding: bool = False,
    cost: Callable[[ConvProblem], float] | None = None,
    dilation_and_groups: Literal["refused", "in parts", "itself"] | None = None,
) -> Callable:
    """Enter `run(x, w, problem) -> y` in the ladder.

    `rung` orders the methods of one chapter. `workspace_bytes` is what `run` allocates besides
    its result, at its peak. `unsupported` gives the reason why a problem is refused, or None.
    With `prepare(w, problem)`, `run` receives what that returns in place of `w`: a library would
    do it once, so timings leave it out and say so. `error_model` says how far rounding may take
    a right result from the oracle's (see `reference.compare`).

    What NaN and infinity do follows from it. From `x` they reach every output whose window holds
    them; tile-wise, others of the same tile too. From `w` they reach all outputs of their filter,
    except that a method which `skips_padding` never multiplies the zeros of padding, and so leaves
    numbers where the weight would meet nothing else.

    `cost` is the time that a model expects, on as many threads as now, in a unit that all methods
    of a device share; `choose` takes the one with the least, and none that has no model.

    None of these need know of dilation or groups: such a problem is computed "in parts", plain
    problems each (`core.dilation_groups`; they store the zeros of padding), or "refused", which is
    the default on a GPU and where errors are of tiles. What takes them "itself" says in
    `unsupported` which.
    """
    way = dilation_and_groups or (
        "in parts" if device == "cpu" and error_model is None else "refused"
    )

    def enter(run: Callable) -> Callable:
        if name in _FOUND and _FOUND[name].home != run.__module__:
            raise ValueError(f"two methods are named {name!r}; rename the one in {run.__module__}")
        plain = Method(
            name=name,
            device=device,
            chapter=chapter,
            rung=rung,
            run=run,
            workspace_bytes=workspace_bytes,
            unsupported=unsupported,
            prepare=prepare,
            error_model=error_model or (lambda problem: POINTWISE),
            skips_padding=skips_padding,
            cost=cost,
            home=run.__module__,
        )
        widened = {"refused": _refusing, "in parts": _in_parts, "itself": lambda method: method}
        _FOUND[name] = widened[way](plain)
        return run

    return enter


def _refusing(plain: Method) -> Method:
    """Return the method with a reason why it takes no dilation and no groups."""

    def unsupported(problem: ConvProblem) -> str | None:
        if is_dense(problem):
            return plain.unsupported(problem)
        has = [f"dilation={problem.dilation}"] * (problem.dilation != (1, 1))
        has += [f"groups={problem.groups}"] * (problem.groups > 1)
        instead = "gpu_depthwise" if problem.depthwise and plain.device == "gpu" else "microkernel"
        return (
            f"it has {' and '.join(has)}, and this method takes windows without gaps, over all "
            f"channels; use {instead}"
        )

    return replace(plain, unsupported=unsupported)


def _in_parts(plain: Method) -> Method:
    """Return the method so that it computes dilation and groups in parts."""

    @wraps(plain.run)  # `show` finds its source
    def run(x: np.ndarray, w: object, problem: ConvProblem) -> np.ndarray:
        return run_parts(plain.run, x, w, problem, plain.prepare is not None)

    def prepare(w: np.ndarray, problem: ConvProblem) -> object:
        return prepare_parts(plain.prepare, w, problem)

    def workspace_bytes(problem: ConvProblem) -> int:
        return parts_bytes(plain.workspace_bytes, problem, plain.prepare is not None)

    def cost(problem: ConvProblem) -> float:
        return sum(plain.cost(part.problem) for part in parts(problem))

    return replace(
        plain,
        run=run,
        workspace_bytes=workspace_bytes,
        prepare=plain.prepare and prepare,
        cost=plain.cost and cost,
    )


@cache
def _discover() -> None:
    for package in _PACKAGES:
        home = importlib.import_module(f"convladder.{package}")
        for module in pkgutil.iter_modules(home.__path__, f"{home.__name__}."):
            importlib.import_module(module.name)


def methods(device: str | None = None) -> list[Method]:
    """Return all methods in ladder order, or those of one device ("cpu" or "gpu").

    Raises `ValueError` for a device that no method runs on.
    """
    _discover()
    found = sorted(_FOUND.values(), key=lambda m: (m.chapter, m.rung))
    devices = sorted({m.device for m in found})
    if device is not None and device not in devices:
        raise ValueError(f"no method runs on device {device!r}; there is {', '.join(devices)}")
    return [m for m in found if device in (None, m.device)]


def get_method(name: str) -> Method:
    """Return the method of that name. Raises `ValueError` that lists the names for another one."""
    _discover()
    if name not in _FOUND:
        raise ValueError(
            f"there is no method {name!r}; there are {', '.join(m.name for m in methods())}"
        )
    return _FOUND[name]


def predicted_costs(
    problem: ConvProblem, device: str = "cpu", workspace_limit: int | None = None
) -> dict[str, float]:
    """Return the modelled cost of each method that may be chosen, the fastest first.

    Names and costs, in a unit of the device's; at most `workspace_limit` bytes of workspace.
    """
    costs = {
        m.name: m.cost(problem)
        for m in methods(device)
        if m.cost is not None
        and m.unsupported(problem) is None
        and (workspace_limit is None or m.workspace_bytes(problem) <= workspace_limit)
    }
    return dict(sorted(costs.items(), key=lambda item: item[1]))


def choose(problem: ConvProblem, device: str = "cpu", workspace_limit: int | None = None) -> Method:
    """Return the method that should be fastest: what `conv2d(..., method="auto")` runs.

    It goes by the methods' models and measures nothing. Raises `ValueError` if none fits into
    `workspace_limit` bytes.
    """
    costs = predicted_costs(problem, device, workspace_limit)
    if not costs:
        raise ValueError(
            f"no method of device {device!r} that has a model takes {problem} within "
            f"workspace_limit={workspace_limit} bytes; name a method, or allow more"
        )
    return get_method(next(iter(costs)))


class Ladder:
    """An ordered list of methods for one problem.

    `rungs` are those that run on `device` and take the problem, in ladder order, or in the order
    of `names`; `skipped` maps the name of each other one to its reason. An unknown name raises
    `ValueError`.
    """

    def __init__(
        self, problem: ConvProblem, names: Sequence[str] | None = None, device: str = "cpu"
    ):
        chosen = methods(device) if names is None else [get_method(name) for name in names]
        self.problem = problem
        reasons = {m.name: self._reason(m, device) for m in chosen}
        self.rungs = [m for m in chosen if reasons[m.name] is None]
        self.skipped = {name: reason for name, reason in reasons.items() if reason is not None}

    def _reason(self, chosen: Method, device: str) -> str | None:
        if chosen.device != device:
            return f"it runs on device {chosen.device!r}, and this ladder is of {device!r}"
        return chosen.unsupported(self.problem)
