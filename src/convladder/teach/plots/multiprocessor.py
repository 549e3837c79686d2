"""Pictures of chapter 06: the chip, a scheduler's issue slots, and a warp whose lanes part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from ...cuda import CHIPS
from ..models.schedules import ARITHMETIC, LOAD, READY, WAITS, issue_share, issue_slots
from .ink import ink
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure

CLOCKS = 64  # drawn
LANES = 32
L2_MB, MEMORY_GB = 50, 141  # of an H200


def chip_picture(arch: str = "sm_90") -> Picture:
    """Draw a GPU: its multiprocessors, caches and memory, and what is in one multiprocessor."""
    chip = CHIPS[arch]
    fig, (whole, one) = figure(9.4, 4.5, ncols=2, width_ratios=(1.0, 1.25))
    columns = 12
    for number in range(chip.sms):
        row, column = divmod(number, columns)
        whole.add_patch(
            Rectangle(
                (column + 0.08, row + 0.08), 0.84, 0.84, facecolor=BLUE if number == 0 else SKY
            )
        )
    rows = -(-chip.sms // columns)
    _box(whole, (0.08, rows + 0.3, columns - 0.16, 1.2), GREEN, f"L2 cache, {L2_MB} MB, for all")
    _box(
        whole,
        (0.08, rows + 1.8, columns - 0.16, 1.2),
        ORANGE,
        f"global memory, {MEMORY_GB} GB, beside the chip",
    )
    whole.set(xlim=(0, columns), ylim=(rows + 3.2, -0.1), aspect="equal")
    whole.set_title(f"NVIDIA H200: {chip.sms} multiprocessors (SMs)")
    for part in range(chip.partitions):
        x = 0.1 + 3.0 * part
        one.add_patch(Rectangle((x, 0.1), 2.8, 6.6, facecolor=PALE, edgecolor=BLUE, linewidth=1.2))
        _box(one, (x + 0.15, 0.3, 2.5, 1.2), BLUE, "scheduler:\n1 instruction\na clock")
        one.text(
            x + 1.4,
            2.2,
            f"{chip.warps_per_sm // chip.partitions} warps at most",
            ha="center",
            va="center",
            fontsize=8,
        )
        _box(
            one,
            (x + 0.15, 2.8, 2.5, 1.5),
            GREY,
            f"{chip.registers_per_sm // chip.partitions:,}\nregisters",
        )
        for lane in range(LANES):
            one.add_patch(
                Rectangle(
                    (x + 0.2 + 0.3 * (lane % 8), 4.6 + 0.4 * (lane // 8)), 0.24, 0.3, facecolor=SKY
                )
            )
        one.text(x + 1.4, 6.42, f"{LANES} lanes", ha="center", va="center", fontsize=8)
    _box(
        one,
        (0.1, 7.0, 11.8, 1.1),
        GREEN,
        f"shared memory and L1 cache, 256 KB, {chip.shared_per_sm // 1024} of them to share",
    )
    one.set(xlim=(0, 12), ylim=(8.3, 0))
    one.set_title("One of them: four parts, and memory for all four")
    for ax in (whole, one):
        ax.set_axis_off()
    return Picture(
        fig,
        f"A chip of {chip.sms} multiprocessors with an L2 cache and global memory; "
        f"one multiprocessor has {chip.partitions} parts, each with a scheduler, "
        f"{chip.registers_per_sm // chip.partitions:,} registers and {LANES} "
        "lanes, and shared memory for all.",
    )


def issue_picture(warps: int = 1, wait: int = 16, arithmetic: int = 3) -> Picture:
    """Draw what each of `warps` does in each clock, and which issue slots of their scheduler are
    used.
    """
    told = issue_slots(warps, wait, arithmetic, CLOCKS)
    colours = {WAITS: PALE, READY: "#F3D9A4", LOAD: ORANGE, ARITHMETIC: BLUE}
    kinds = list(colours)
    fig, (ax, slots) = figure(
        9.0,
        1.7 + 0.22 * warps,
        nrows=2,
        sharex=True,
        gridspec_kw={"height_ratios": (warps + 0.5, 1.4)},
    )
    _cells(ax, [[kinds.index(state) for state in row] for row in told], list(colours.values()))
    ax.set_yticks(
        [warp + 0.5 for warp in range(warps)],
        [f"warp {n}" for n in range(warps)],
        fontsize=8,
        color="black",
    )
    used = [any(row[clock] in (LOAD, ARITHMETIC) for row in told) for clock in range(CLOCKS)]
    _cells(slots, [[int(each) for each in used]], [PALE, GREEN])
    slots.set_yticks([0.5], ["issue slot"], fontsize=8, color="black")
    slots.set_xlabel(
        "clock; orange: a load, blue: arithmetic, pale: waits for its load, "
        "yellow: ready, another warp has the slot",
        fontsize=8.5,
    )
    slots.set_xticks(range(0, CLOCKS + 1, 8))
    share = issue_share(warps, wait, arithmetic)
    ax.set_title(
        f"{warps} warp{'s' * (warps > 1)}, a load that takes {wait} clocks more, "
        f"{arithmetic} of arithmetic: {share:.0%} of the slots used in the long run"
    )
    return Picture(
        fig,
        f"{warps} warp{'s' * (warps > 1)} of one scheduler over {CLOCKS} clocks: "
        f"{sum(used)} issue slots are used, {share:.0%} in the long run.",
    )


def divergence_picture(trips: Sequence[int]) -> Picture:
    """Draw the rounds of a loop in two warps: lane l runs `trips[l]` of them, and waits else."""
    trips = np.asarray(trips)
    warps = trips[: 2 * LANES].reshape(2, LANES)
    fig, axes = figure(9.0, 2.9, ncols=2, sharey=True)
    used = 0
    for warp, (ax, mine) in enumerate(zip(axes, warps)):
        rounds = int(mine.max())
        _cells(ax, [[int(k < trip) for trip in mine] for k in range(rounds)], [PALE, BLUE])
        used += rounds
        ax.set_title(
            f"warp {warp}: {rounds} round{'s' * (rounds > 1)}, "
            f"{mine.sum() / (LANES * rounds):.0%} of the lanes work"
        )
        ax.set_xlabel("lane; blue: works, pale: waits for the others", fontsize=8.5)
        ax.set_xticks([lane + 0.5 for lane in (0, 8, 16, 24, 31)], (0, 8, 16, 24, 31))
    most = int(warps.max())
    axes[0].set(ylim=(most, 0), ylabel="round of the loop")
    axes[0].set_yticks([0.5, most - 0.5], [1, most])
    return Picture(
        fig,
        f"Two warps that loop: together {used} rounds, of which the lanes work in "
        f"{warps.sum() / (LANES * used):.0%}.",
    )


def _cells(ax: Axes, states: list[list[int]], colours: list[str]) -> None:
    """Draw a square for each entry, in its colour."""
    ax.pcolormesh(
        states,
        cmap=ListedColormap(colours),
        vmin=-0.5,
        vmax=len(colours) - 0.5,
        edgecolors="white",
        linewidth=0.4,
    )
    ax.set(xlim=(0, len(states[0])), ylim=(len(states), 0))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _box(ax: Axes, place: tuple[float, float, float, float], colour: str, text: str) -> None:
    x, y, width, height = place
    ax.add_patch(Rectangle((x, y), width, height, facecolor=colour))
    ax.text(
        x + width / 2, y + height / 2, text, ha="center", va="center", color=ink(colour), fontsize=8
    )
