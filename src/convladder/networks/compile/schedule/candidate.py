"""A schedule as a program: Python loops that Numba compiles, around one tile if sums are kept."""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int64, c_void_p

import numpy as np

from ....core.problem import ConvProblem
from ....cpu.microkernel import pack
from ....cpu.simd.blocking import Tile
from ....cpu.workers import workers
from .space import KEPT, Schedule, check


class Candidate:
    """Call it with `x[1,i_h,i_w,i_c]`, prepared weights and `y[1,o_h,o_w,k_c]`, all float32.

    `source` is what was compiled, some tenths of a second for each. Raises `ValueError` for a
    problem or a tile that these loops do not know.
    """

    def __init__(self, problem: ConvProblem, schedule: Schedule):
        check(problem)
        even = problem.o_w % schedule.pixels == 0 == problem.k_c % schedule.channels
        if not even or schedule.channels % schedule.lanes and schedule.order in KEPT:
            raise ValueError(
                f"{schedule} does not cut {problem} evenly; take one of space(problem)"
            )
        self.problem, self.schedule = problem, schedule
        self.source = written(problem, schedule)
        self._code = _compiled(self.source)
        # Called through ctypes, which lets go of the interpreter's lock.
        self._run = CFUNCTYPE(None, c_int64, c_int64, *[c_void_p] * 3)(self._code.address)

    def prepare(self, w: np.ndarray) -> np.ndarray:
        """Put weights `[k_h,k_w,i_c,k_c]` in order of use: tile by tile where sums are kept."""
        s = self.schedule
        if s.order not in KEPT:
            return np.ascontiguousarray(w)
        return pack(w, self.problem, Tile(s.pixels, s.vectors, s.lanes))

    def __call__(self, x: np.ndarray, prepared: np.ndarray, y: np.ndarray) -> None:
        places = x.ctypes.data, prepared.ctypes.data, y.ctypes.data
        rows, threads = self.problem.o_h, self.schedule.threads
        if threads == 1:
            self._run(0, rows, *places)
            return

        def share(thread: int) -> None:
            self._run(rows * thread // threads, rows * (thread + 1) // threads, *places)

        workers(threads).together(share)


def written(problem: ConvProblem, schedule: Schedule) -> str:
    """Write the source of `run(begin, end, x, w, y)`, which does output rows `begin` to `end`."""
    return (_kept if schedule.order in KEPT else _in_memory)(problem, schedule)


def _kept(p: ConvProblem, s: Schedule) -> str:
    loops = {
        "h": "for h in range(begin, end):",
        "v": f"for v in range(0, {p.o_w}, {s.pixels}):",
        "k": f"for k in range(0, {p.k_c}, {s.channels}):",
    }
    lines = ["def run(begin, end, x, w, y):"]
    lines += [f"{'    ' * depth}{loops[name]}" for depth, name in enumerate(s.order[:3], 1)]
    row, steps = p.i_w * p.i_c, p.window
    lines += [
        " " * 16 + line
        for line in (
            f"# {s.pixels} pixels by {s.channels} channels: sums over a, b and c, in registers",
            f"tile({s.pixels}, {s.vectors}, {s.lanes}, (x, w, y),",
            f"     (h * {p.s_h * row} + v * {p.s_w * p.i_c}, k * {steps}, "
            f"(h * {p.o_w} + v) * {p.k_c} + k),",
            f"     ({p.k_h}, 1, {p.k_w * p.i_c}, {row}, 0, {p.k_w * p.i_c}, {p.o_h}, {p.o_w}, "
            "h, v, 1,",
            f"      {p.s_w * p.i_c}, {p.s_h * row}, 0, {p.k_c}, {p.o_w * p.k_c}, 0, 1, {steps}, "
            f"{s.lanes}))",
        )
    ]
    return "\n".join([*lines, ""])


def _in_memory(p: ConvProblem, s: Schedule) -> str:
    loops = {
        "h": "for h in range(begin, end):",
        "v": f"for v in range({p.o_w}):",
        "a": f"for a in range({p.k_h}):",
        "b": f"for b in range({p.k_w}):",
        "c": f"for c in range({p.i_c}):",
        "k": f"for k in range({p.k_c}):",
    }
    by_pixel = s.order.startswith("hv")  # then its sums begin when it does
    lines = [
        "def run(begin, end, x, w, y):",
        f"    X = carray(x, ({p.i_h}, {p.i_w}, {p.i_c}))",
        f"    W = carray(w, ({p.k_h}, {p.k_w}, {p.i_c}, {p.k_c}))",
        f"    Y = carray(y, ({p.o_h}, {p.o_w}, {p.k_c}))",
        *([] if by_pixel else ["    Y[begin:end] = 0"]),
    ]
    for depth, name in enumerate(s.order, 1):
        indent = "    " * depth
        if name == "k":
            row, column = (
                f"{step} * {place}" if step > 1 else place
                for step, place in ((p.s_h, "h"), (p.s_w, "v"))
            )
            lines.append(f"{indent}value = X[{row} + a, {column} + b, c]")
        lines.append(indent + loops[name])
        if by_pixel and name == "v":
            lines.append(f"{indent}    Y[h, v] = 0")
    lines.append("    " * 7 + "Y[h, v, k] += value * W[a, b, c, k]")
    return "\n".join([*lines, ""])


def _compiled(source: str):
    """A C function `(begin, end, x, w, y)`."""
    from numba import types

    from ....core.jit import numba  # half a second: only for those who run this
    from .tile import tile

    names = {"carray": numba.carray, "tile": tile}
    exec(compile(source, "<schedule>", "exec"), names)
    floats = types.CPointer(types.float32)
    signature = types.void(types.int64, types.int64, floats, floats, floats)
    return numba.cfunc(signature, fastmath={"contract"})(names["run"])
