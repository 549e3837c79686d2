"""Schedules: one convolution, many loops that compute it, and a search for the quickest.

What is computed and how are two things (Halide: Ragan-Kelley et al., PLDI 2013; TVM: Chen et al.,
OSDI 2018). `space` lists the ways, `Candidate` compiles one, `tune` judges and times them all.
"""

from .candidate import Candidate
from .space import ORDERS, Schedule, predicted_cycles, space
from .tune import Trial, tune

__all__ = ["ORDERS", "Candidate", "Schedule", "Trial", "predicted_cycles", "space", "tune"]
