"""A worker of lab 18 that convolves the rows it is given, and notes how many they were."""

from __future__ import annotations

import numpy as np

from ...core.problem import ConvProblem
from ...core.reference import conv2d_float64


class Worker:
    """Convolves the rows that it is given, with padding at the sides only.

    most: as many rows at once as a check accepts. bands: and as many calls, of an image each.
    """

    def __init__(self, problem: ConvProblem, most: int, bands: int) -> None:
        self.problem, self.most, self.bands = problem, most, bands
        self.heights: list[int] = []  # of what it was given
        self.made = 0  # output rows

    def __call__(self, rows: np.ndarray, w: np.ndarray) -> np.ndarray:
        p = self.problem
        self.heights.append(rows.shape[1])
        if rows.shape[1] < p.k_h:
            raise ValueError(f"{rows.shape[1]} rows are fewer than a window has: {p.k_h}")
        alone = type(p)(*rows.shape, p.k_h, p.k_w, p.k_c, p.stride, (0, p.p_w))
        self.made += alone.o_h
        return conv2d_float64(rows, w, alone).astype(np.float32)

    def objection(self) -> str | None:
        """Return the check's objection to an answer that doesn't share the rows."""
        if not self.heights:
            return "never called `worker`."
        if max(self.heights) > self.most:
            return (
                f"gave `worker` {max(self.heights)} rows at once; no band needs more than "
                f"{self.most}, zeros included."
            )
        if len(self.heights) > self.bands * self.problem.i_n:
            return f"called `worker` {len(self.heights)} times, where there are {self.bands} bands."
        return None

    def __deepcopy__(self, memo: dict) -> Worker:
        return Worker(self.problem, self.most, self.bands)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Worker) and other.problem == self.problem

    def __repr__(self) -> str:
        return "a worker"
