"""Chapter 08's blur along rows, whose rows are copied while others are averaged."""

from __future__ import annotations

from .launch import Launch

TILE = 64  # columns of a block, as `#define`d in the source
STAGES = (1, 2, 3, 4)


def blur_launch(i_h: int, i_w: int, stages: int) -> Launch:
    """Return the launch with `stages` rows in shared memory; 1: each row is waited for.

    Takes `x[i_h, i_w]` and `y[i_h, i_w]`. Raises ValueError for other stages.
    """
    if stages not in STAGES:
        raise ValueError(f"{stages} stages: the kernel is made for {', '.join(map(str, STAGES))}")
    kernel = f"blur_staged<{stages}>" if stages > 1 else "blur_waiting"
    return Launch("staged.cu", kernel, (-(-i_w // TILE),), (TILE,), 0, (i_h, i_w))
