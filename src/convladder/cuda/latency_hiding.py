"""Latency hiding on paper: warps that share a scheduler, slices that pass through stages."""

from __future__ import annotations

from dataclasses import dataclass

LOAD, ARITHMETIC, WAITS, READY = "load", "arithmetic", "waits", "ready"


def issue_slots(warps: int, wait: int, arithmetic: int, cycles: int) -> list[list[str]]:
    """Return the state of each of `warps` in each of `cycles`: one issues, the others wait or stand
    ready.

    Each repeats: a load, `wait` cycles until its value is there, `arithmetic` instructions on it.
    A cycle issues one instruction: of the warp of the cycle before, as long as it is ready, else of
    the ready warp that issued longest ago (greedy, then oldest: a rule of the literature, for
    NVIDIA does not publish its own). Raises ValueError for less than one warp, instruction or
    cycle.
    """
    if min(warps, arithmetic, cycles) < 1 or wait < 0:
        raise ValueError(
            f"warps={warps}, wait={wait}, arithmetic={arithmetic}, cycles={cycles}: "
            "there is at least one warp, instruction and cycle"
        )
    left = [0] * warps  # arithmetic instructions before the next load
    ready = [0] * warps  # from which cycle on
    last = [warp - warps - 1 for warp in range(warps)]
    told: list[list[str]] = [[] for _ in range(warps)]
    for cycle in range(cycles):
        able = [warp for warp in range(warps) if ready[warp] <= cycle]
        chosen = min(able, key=lambda warp: (last[warp] != cycle - 1, last[warp]), default=None)
        for warp in range(warps):
            told[warp].append(READY if warp in able else WAITS)
        if chosen is None:
            continue
        last[chosen] = cycle
        told[chosen][cycle] = ARITHMETIC if left[chosen] else LOAD
        ready[chosen] = cycle + 1 + (0 if left[chosen] else wait)
        left[chosen] = left[chosen] - 1 if left[chosen] else arithmetic
    return told


def issue_share(warps: int, wait: int, arithmetic: int) -> float:
    """Return the share of the cycles in which some warp issues, in the long run."""
    round_ = 1 + wait + arithmetic  # of one warp alone
    return min(1.0, warps * (1 + arithmetic) / round_)


@dataclass(frozen=True)
class Slice:
    """One slice's times: its copy is asked for, its values are there, it is computed with."""

    issued: int
    there: int
    begins: int
    ends: int


def staged(stages: int, copy: int, compute: int, slices: int = 8) -> list[Slice]:
    """Return when each slice is copied and computed with, with `stages` of them in shared memory.

    copy: time from a copy's issue to its end, however many are under way; compute: of a slice. As
    in `staged.cu`: with one stage a copy waits for the slice before, with more it is asked for when
    the slice `stages - 1` before it begins. Raises ValueError for less than one of anything.
    """
    if min(stages, copy, compute, slices) < 1:
        raise ValueError(
            f"stages={stages}, copy={copy}, compute={compute}, slices={slices}: each is at least 1"
        )
    done: list[Slice] = []
    for number in range(slices):
        before = done[-1].ends if done else 0
        if stages == 1:
            issued = before
        else:
            issued = done[number - stages + 1].begins if number >= stages - 1 else 0
        begins = max(issued + copy, before)
        done.append(Slice(issued, issued + copy, begins, begins + compute))
    return done
