"""The ways to run a convolution's six loops that this small search knows, and a guess of each."""

from __future__ import annotations

from dataclasses import dataclass

from ....core.problem import ConvProblem
from ....cpu.isa import Isa, host_isa

# Loops from the outermost in: h and v over output rows and columns, k over output channels, a and b
# over the window's rows and columns, c over input channels.
ORDERS = {
    "abchvk": "the window outermost: each of its steps passes over the whole result",
    "hvabck": "channels innermost: each step passes over a pixel's sums",
    "hvkabc": "the window innermost: a tile of sums stays in registers until it is done",
    "khvabc": "the same, but all pixels for one block of channels first: few weights at a time",
}
KEPT = ("hvkabc", "khvabc")  # orders in which sums stay in registers
PIXELS, VECTORS = (1, 2, 4, 8), (1, 2, 4)  # of a tile
LATENCY = 4  # cycles from one multiply-add to the next that needs its sum
FIRST_CACHE = 2**15  # bytes
PER_CYCLE = 2  # loads, and multiply-adds, that a core starts in a cycle


@dataclass(frozen=True)
class Schedule:
    """One way: `order` of loops, `pixels` by `channels` of a tile of sums, `lanes` of a vector
    (1: none is used), `threads` among which the rows are shared."""

    order: str
    pixels: int
    channels: int
    lanes: int
    threads: int = 1

    @property
    def vectors(self) -> int:
        """Return the vectors of channels in a tile."""
        return self.channels // self.lanes

    def __str__(self) -> str:
        tile = f" tile {self.pixels}×{self.channels}" if self.order in KEPT else ""
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        return f"{self.order}{tile} by {self.lanes}{threads}"


def check(problem: ConvProblem) -> None:
    """Raise `ValueError` for a convolution that these loops do not know."""
    if problem.i_n != 1 or problem.padding != (0, 0):
        raise ValueError(
            f"{problem} has i_n={problem.i_n} and padding {problem.padding}; these "
            "loops are for one image without padding: pad it before, and go image by "
            "image"
        )


def space(
    problem: ConvProblem, *, isa: Isa | None = None, threads: tuple[int, ...] = (1,)
) -> list[Schedule]:
    """Return every schedule for `problem`: tiles that cut it evenly, in one order of listing.

    Raises `ValueError` for padding and for more than one image.
    """
    check(problem)
    lanes = (isa or host_isa()).lanes
    found = [Schedule(order, 1, problem.k_c, lanes) for order in ORDERS if order not in KEPT]
    for order in KEPT:
        tiles = [(1, 1, 1), (4, 4, 1)]  # pixels, channels, lanes: without vectors
        tiles += [(p, v * lanes, lanes) for p in PIXELS for v in VECTORS]
        found += [
            Schedule(order, *tile)
            for tile in tiles
            if problem.o_w % tile[0] == 0 and problem.k_c % tile[1] == 0
        ]
    return [
        Schedule(s.order, s.pixels, s.channels, s.lanes, number)
        for number in threads
        for s in found
    ]


def predicted_cycles(problem: ConvProblem, schedule: Schedule, isa: Isa | None = None) -> float:
    """Guess the cycles of one core from the loads, stores, multiply-adds of the innermost loop.

    Whatever is slowest sets the pace: two loads or two multiply-adds start in a cycle, one store,
    and a sum waits `LATENCY` cycles for itself. Sums that find no register are loaded and stored.
    Threads share evenly. Caches are left out, but for a result that is gone through again and again
    and does not stay in the first.
    """
    isa, p = isa or host_isa(), problem
    vectors = -(-schedule.channels // schedule.lanes)
    if schedule.order not in KEPT:
        each = 1.0  # a weight and a sum loaded, one multiply-add, the sum stored
        large = 4 * p.o_h * p.o_w * p.k_c > FIRST_CACHE
        slower = 4 if schedule.order == "abchvk" and large else 1  # the second cache gives 16 B
        steps = p.o_h * p.o_w * p.window
        return steps * vectors * each * slower / schedule.threads
    sums = schedule.pixels * vectors
    spilled = max(0, sums + vectors + 1 - isa.registers)
    loads = schedule.pixels + vectors + spilled
    step = max(loads / PER_CYCLE, sums / PER_CYCLE, spilled, LATENCY)
    tiles = p.o_h * (p.o_w // schedule.pixels) * (p.k_c // schedule.channels)
    return tiles * p.window * step / schedule.threads
