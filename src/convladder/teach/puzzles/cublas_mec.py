"""Chapter 09: MEC's partitions as a batch of matrices."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "partition_stride": Puzzle(
        lambda s_h, k_w, i_c: s_h * k_w * i_c,
        [(1, 7, 3), (2, 3, 64), (4, 11, 3)],
        "A row of a strip holds `k_w` pixels of `i_c` values, and a partition moves `s_h` rows.",
    ),
}
