"""Where arrays lie: lifetimes, and plans that put them all into one arena."""

from .lifetimes import Block, lifetimes, live_bytes, lower_bound
from .planners import PLANNERS, Plan, best, best_fit, in_place, naive, two_ends

__all__ = [
    "PLANNERS",
    "Block",
    "Plan",
    "best",
    "best_fit",
    "in_place",
    "lifetimes",
    "live_bytes",
    "lower_bound",
    "naive",
    "two_ends",
]
