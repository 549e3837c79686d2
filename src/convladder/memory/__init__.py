"""Where arrays lie: lifetimes, and plans that put them all into one arena.

`tiles` runs a stack of layers piece by piece, `recompute` makes arrays twice in place of keeping
them (`training` shows where that pays), `early_exit` skips layers for images that are easy.
"""

from .lifetimes import Block, lifetimes, live_bytes, lower_bound
from .planners import (
    PLANNERS,
    Plan,
    best,
    best_fit,
    first_fit,
    in_order,
    in_place,
    naive,
    overlaps,
    two_ends,
)

__all__ = [
    "PLANNERS",
    "Block",
    "Plan",
    "best",
    "best_fit",
    "first_fit",
    "in_order",
    "in_place",
    "lifetimes",
    "live_bytes",
    "lower_bound",
    "naive",
    "overlaps",
    "two_ends",
]
