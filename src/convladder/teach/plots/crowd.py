"""More threads than cores: who has a core, and who waits."""

from __future__ import annotations

from matplotlib.patches import Rectangle

from .style import BLUE, ORANGE, PALE, Picture, figure

CORES = 8  # of the machine in the drawing


def crowd_picture(workers: int, blas_threads: int) -> Picture:
    """Draw `workers`, each in a BLAS with `blas_threads`, on eight cores.

    On the left a square for each thread that wants to run, a row for each worker. On the right
    what the cores do if the system gives every thread a slice of time in turn: a worker's product
    is done when the last of its threads has had its own.
    """
    wanted = workers * blas_threads
    fig, (crowd, time) = figure(8.6, 3.2, ncols=2, width_ratios=(1, 1.35))
    for number in range(wanted):
        worker, thread = divmod(number, blas_threads)
        colour = BLUE if thread * workers + worker < CORES else PALE
        crowd.add_patch(Rectangle((thread, worker), 0.86, 0.86, facecolor=colour))
    waiting = max(0, wanted - CORES)
    crowd.set_title(
        f"{workers} workers × {blas_threads} threads = {wanted} want to run",
        loc="left",
        fontsize=10,
    )
    crowd.text(0, 8.5, f"{min(wanted, CORES)} have a core, {waiting} wait", va="center", fontsize=9)
    crowd.set(xlim=(0, 8.2), ylim=(9, -0.1))
    turns = -(-wanted // CORES)
    for number in range(wanted):
        turn, core = divmod(number, CORES)
        first = number % workers == 0  # the threads take turns, whosever they are
        time.add_patch(Rectangle((turn, core), 0.94, 0.86, facecolor=ORANGE if first else PALE))
    done = 1 + (blas_threads - 1) * workers // CORES
    idle = CORES * turns - wanted
    time.set_title("eight cores, slice after slice", loc="left", fontsize=10)
    note = (
        f"{idle} cores idle"
        if wanted < CORES
        else f"orange: the first worker's; the last of them runs in slice {done} of {turns}"
    )
    time.text(0, 8.5, note, va="center", fontsize=9)
    time.set(xlim=(0, max(8.2, turns)), ylim=(9, -0.1))
    for ax in (crowd, time):
        ax.set_axis_off()
    return Picture(
        fig,
        f"{workers} workers with {blas_threads} BLAS threads each on "
        f"{CORES} cores: "
        f"{wanted} threads want to run, {waiting} wait, and all have had a core "
        f"after {turns} slices of time.",
        colours=128,
    )
