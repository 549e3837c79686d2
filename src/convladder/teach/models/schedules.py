"""Who works when: a scheduler's issue slots among warps, and slices that are copied in stages."""

from __future__ import annotations

from dataclasses import dataclass

LOAD, ARITHMETIC, WAITS, READY = "load", "arithmetic", "waits", "ready"


def issue_slots(warps: int, wait: int, arithmetic: int, clocks: int) -> list[list[str]]:
    """Return what each of `warps` does in each of `clocks`: one issues, the others wait or stand
    ready.

    Each repeats: a load, `wait` clocks until its value is there, `arithmetic` instructions on it.
    A clock issues one instruction: of the warp of the clock before, as long as it is ready, else of
    the ready warp that issued longest ago (greedy, then oldest: a rule of the literature, for
    NVIDIA does not publish its own). Raises ValueError for less than one warp, instruction or
    clock.
    """
    if min(warps, arithmetic, clocks) < 1 or wait < 0:
        raise ValueError(
            f"warps={warps}, wait={wait}, arithmetic={arithmetic}, clocks={clocks}: "
            "there is at least one warp, instruction and clock"
        )
    left = [0] * warps  # arithmetic instructions before the next load
    ready = [0] * warps  # from which clock on
    last = [warp - warps - 1 for warp in range(warps)]
    told: list[list[str]] = [[] for _ in range(warps)]
    for clock in range(clocks):
        able = [warp for warp in range(warps) if ready[warp] <= clock]
        chosen = min(able, key=lambda warp: (last[warp] != clock - 1, last[warp]), default=None)
        for warp in range(warps):
            told[warp].append(READY if warp in able else WAITS)
        if chosen is None:
            continue
        last[chosen] = clock
        told[chosen][clock] = ARITHMETIC if left[chosen] else LOAD
        ready[chosen] = clock + 1 + (0 if left[chosen] else wait)
        left[chosen] = left[chosen] - 1 if left[chosen] else arithmetic
    return told


def issue_share(warps: int, wait: int, arithmetic: int) -> float:
    """Return the share of the clocks in which some warp issues, in the long run."""
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
