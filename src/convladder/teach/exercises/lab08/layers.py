"""The layers that lab 08's exercises are tried on, and what they may call."""

from __future__ import annotations

from ....problem import PAPER, REPORT, ConvProblem

SHAPES = (
    "convladder.problem.shapes",
    *(f"convladder.problem.conv.ConvProblem.{name}" for name in ("window", "pixels", "params")),
)
LIBRARY = ("convladder.teach.mocks.cublas", *SHAPES)

TOY = ConvProblem(1, 4, 3, 1, 2, 2, 1)
STRIDED = ConvProblem(2, 9, 10, 3, 3, 2, 4, stride=(2, 3))
PADDED = ConvProblem(3, 6, 5, 2, 3, 4, 2, stride=(1, 2), padding=(2, 1))
REST = ConvProblem(2, 10, 9, 3, 3, 3, 4, stride=(2, 2))  # rows are left over below
THIN = PAPER["cv12"].with_batch(32)

__all__ = ["LIBRARY", "PADDED", "REPORT", "REST", "SHAPES", "STRIDED", "THIN", "TOY"]
