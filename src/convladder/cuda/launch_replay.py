"""A launch to be watched: from the requests of some warps to the steps of a replay.

A turn is what the best request of its kind takes: four sectors of 32 bytes of global memory, or a
pass through the 32 banks of shared memory. What needs more takes more turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..replay import Replay, Scene
from ..replay.trace import MOST_STEPS
from .errors import LaunchError
from .faults import Fault
from .launch_checks import Shape, Watch, whole
from .memory_model import BANKS, SECTOR, WORD, sectors
from .report import Report, Request

LINE = 128  # bytes
MOST_LINES = 33  # of an array that are shown
MOST_SOURCE = 40  # lines
PACE = 250  # milliseconds of a turn
ENDS = ("barrier", "warp", "trap")  # kinds of faults at which a block ends


def watch_of(launch: Shape, block: int, warps: Iterable[int], steps: int) -> Watch:
    """Return the watch. Raises `LaunchError` for a block or warp that the launch doesn't have."""
    if isinstance(warps, str) or not isinstance(warps, Iterable):
        raise LaunchError(f"warps={warps!r} is no list of warps; for one, write warps=(0,)")
    warps = tuple(whole(warp, "warp") for warp in warps)
    block, steps = whole(block, "of_block"), whole(steps, "steps")
    blocks, threads = int(np.prod(launch.grid)), int(np.prod(launch.block))
    if not 0 <= block < blocks:
        raise LaunchError(f"there is no block {block}: the grid has blocks 0 to {blocks - 1}")
    there = (threads + 31) // 32
    for warp in warps:
        if warp not in range(there):
            raise LaunchError(
                f"there is no warp {warp}: a block of {threads} threads has warps 0 to {there - 1}"
            )
    if not warps:
        raise LaunchError("warps is empty: name one warp at least")
    if not 1 <= steps <= MOST_STEPS:
        raise LaunchError(f"steps={steps:,} cannot be shown; 1 to {MOST_STEPS:,} can")
    return Watch(block, tuple(dict.fromkeys(warps)), whole=True)


def watch_fault(fault: Fault, launch: Shape) -> Watch:
    """Return the watch that shows a fault: its block, and the warps of its thread or threads."""
    x, y, _ = launch.block
    threads = [fault.thread]
    if fault.other_thread and fault.other_block == fault.block:
        threads.append(fault.other_thread)
    warps = sorted({(t[0] + x * (t[1] + y * t[2])) // 32 for t in threads})
    return Watch(_block(fault.block, launch), tuple(warps), whole=True)


def launch_replay(
    report: Report,
    parameters: Sequence[Any],
    arguments: Sequence[Any],
    source: str,
    watch: Watch,
    steps: int,
    title: str = "",
) -> Replay:
    """Return the replay of a launch that was watched so. Raises `LaunchError` if it did nothing."""
    requests = list(_in_turn(report.requests))
    if not any(request.array for request in requests):
        raise LaunchError(
            f"warps {', '.join(map(str, watch.warps))} of block {watch.block} touch no array: "
            "there is nothing to watch"
        )
    fault = next((f for f in report.faults if _block(f.block, report.shape) == watch.block), None)
    film = _LaunchFilm(report, parameters, arguments, source, watch, fault, requests[:steps], title)
    film.scene.skipped += max(0, len(requests) - steps) + report.unwatched
    film.end()
    return Replay(film.scene, alt=film.story(), opens_at=film.opens_at, pace=PACE)


def _block(at: tuple[int, int, int], shape: Shape) -> int:
    return at[0] + shape.grid[0] * (at[1] + shape.grid[1] * at[2])


def _in_turn(requests: Sequence[Request]) -> Iterator[Request]:
    """Yield them as a scheduler would: between two barriers a request of each warp in turn."""
    between: dict[int, list[Request]] = {}
    barrier = Request(0, "barriers", "", 0, ())
    for request in [*requests, barrier]:
        if request.kind == "barriers":
            queues = [list(_without_steps(queue)) for queue in between.values()]
            for turn in range(max(map(len, queues), default=0)):
                yield from (queue[turn] for queue in queues if turn < len(queue))
            if request is not barrier:
                yield request
            between = {}
        else:
            between.setdefault(request.warp, []).append(request)


def _without_steps(requests: Sequence[Request]) -> Iterator[Request]:
    """Yield them without the steps of whole warps, and those that a request says as well."""
    most = max((len(_lanes(each)) for each in requests), default=0)
    for n, request in enumerate(requests):
        if request.kind == "steps":
            beside = [*requests[max(0, n - 1) : n], *requests[n + 1 : n + 2]]
            lanes = _lanes(request)
            if (
                not request.line
                or len(lanes) == most
                or any(each.line == request.line and _lanes(each) == lanes for each in beside)
            ):
                continue
        yield request


def _lanes(request: Request) -> list[int]:
    return [lane for lane, offset in enumerate(request.offsets) if offset is not None]


class _Grid:
    """How an array is drawn: lines of 128 bytes, of the touched ones the first few."""

    def __init__(self, name: str, size: int, touched: set[int], shared: bool) -> None:
        self.name, self.shared, self.size = name, shared, size
        lines = sorted({offset // LINE for offset in touched})
        whole = range(max(lines) + 1)
        shown = list(whole) if len(whole) <= MOST_LINES else lines[:MOST_LINES]
        self.row = {line: n for n, line in enumerate(shown)}

    def cell(self, offset: int) -> int | None:
        """Return the cell of a place in bytes, None where it is not drawn."""
        row = self.row.get(offset // LINE)
        return None if row is None else (row * LINE + offset % LINE) // self.size

    def title(self) -> str:
        """Return the array's name, and how much of it is seen."""
        where = ", shared memory" if self.shared else ", global memory in sectors of 32 bytes"
        last = max(self.row)
        rows = len(self.row)
        part = f": {rows} of the first {last + 1} lines" if last >= rows else ""
        return self.name + where + part


class _LaunchFilm:
    """Writes the scene of a launch."""

    def __init__(
        self,
        report: Report,
        parameters: Sequence[Any],
        arguments: Sequence[Any],
        source: str,
        watch: Watch,
        fault: Fault | None,
        requests: Sequence[Request],
        title: str,
    ) -> None:
        self.report, self.watch, self.fault = report, watch, fault
        lines = source.rstrip().split("\n")
        used = [r.line for r in requests if r.line] or [1]
        used += [fault.line] if fault and fault.line else []
        self.first = 1 if len(lines) <= MOST_SOURCE else _begin(lines, min(used) - 3)
        self.scene = Scene(
            title or f"{report.kernel}, warp {', '.join(map(str, watch.warps))}",
            source=lines[self.first - 1 : min(self.first - 1 + MOST_SOURCE, max(used) + 2)],
            lanes=32,
            rows=[f"warp {warp}" for warp in watch.warps] if len(watch.warps) > 1 else (),
        )
        self.grids: dict[str, _Grid] = {}
        self.number: dict[str, int] = {}
        sizes = {
            p.name: value.dtype.itemsize
            for p, value in zip(parameters, arguments, strict=True)
            if p.pointer and value is not None
        }
        self._make_grids(requests, sizes)
        self.tally: Counter[str] = Counter()
        self.turns = self.opens_at = longest = 0
        self.ended = False  # with the fault as its last step
        self.seen: dict[str, str] = {}  # of a fault's two accesses, who did which
        self.fetched: list[tuple[int, list[int]]] = []
        for request in requests:
            before, faults = self.turns, len(self.seen)
            if not self._show(request):
                self.scene.skipped += len(requests) - requests.index(request) - 1
                break
            taken = self.turns - before
            if len(self.seen) > faults and self._complete():
                self.opens_at, longest = before, 1 << 30
            elif taken > longest and request.array:
                self.opens_at, longest = before + taken // 2, taken

    def _make_grids(self, requests: Sequence[Request], sizes: dict[str, int]) -> None:
        touched: dict[str, set[int]] = {}
        shared = {r.array for r in requests if r.kind.startswith("shared")}
        for r in requests:
            if r.array:
                reached = {o for o in r.offsets if o is not None and o >= 0}
                touched.setdefault(r.array, set()).update(reached)
        for name in sorted(touched, key=lambda name: (name in shared, [*touched].index(name))):
            if not touched[name]:
                continue
            size = WORD if name in shared else max(WORD, sizes.get(name, WORD))
            grid = self.grids[name] = _Grid(name, size, touched[name], name in shared)
            look = {"banks": True} if grid.shared else {"group": SECTOR // size}
            rows = len(grid.row)
            self.number[name] = self.scene.array(grid.title(), rows, LINE // size, **look)

    def story(self) -> str:
        """Return the story of the launch in words."""
        told = ", ".join(f"{count:,} {name}" for name, count in self.tally.items())
        who = f"Warp {', '.join(map(str, self.watch.warps))} of block {self.watch.block}"
        fault = f" {self.fault.message}" if self.fault and self._complete() else ""
        return f"{who} of {self.report.kernel}: {told} in {self.turns:,} turns.{fault}"

    def end(self) -> None:
        """Tell a fault at which its block ends, where no request shows it: as the last step."""
        f, before = self.fault, self.turns
        if f and f.kind in ENDS and not self._complete():
            line = self._line(f.line or 0)
            if self._step(f.message, line=line, event="fault"):
                self.opens_at, self.ended = before, True

    def _complete(self) -> bool:
        return self.ended or len(self.seen) == (2 if self.fault and self.fault.other_thread else 1)

    def _line(self, number: int) -> int | None:
        """Return a line of the kernel as one of the excerpt, None where it isn't in it."""
        line = number - self.first + 1
        return line if 1 <= line <= len(self.scene.source) else None

    def _show(self, r: Request) -> bool:
        """Add a request's steps; False where there is no room."""
        row = self.watch.warps.index(r.warp) if r.kind != "barriers" else 0
        more: dict[str, Any] = {"line": self._line(r.line), "active": _lanes(r)}
        who = f"warp {r.warp}: " if len(self.watch.warps) > 1 else ""
        if r.kind == "barriers":
            bars = [(n, 1, "barrier", "") for n in range(len(self.scene.rows))]
            return self._step("All warps have come to the barrier.", event="barrier", bars=bars)
        kind = "read" if r.kind.endswith("loads") else "write"
        if r.kind == "steps":
            bars = [(row, 1, "compute", "")] * bool(self.scene.rows)
            count = len(more["active"])
            return self._step(f"{who}{count} of 32 lanes run this line.", bars=bars, **more)
        grid = self.grids.get(r.array)
        passes = _passes(r) if grid and grid.shared else _sectors(r)
        if grid and grid.shared:
            self.tally["passes through shared memory"] += len(passes)
        else:
            self.tally.update({"sectors": len(sectors(r)), "values used": len(_lanes(r))})
        fault = self._fault_marks(r)
        bar = {"read": "load", "write": "store"}[kind]
        name = "atomic operation" if r.kind.endswith("atomics") else bar
        for n, served in enumerate(passes):
            waiting = [lane for later in passes[n + 1 :] for lane in later]
            if len(passes) > 1:
                what = "pass" if grid and grid.shared else "turn"
                say = f"{who}{what} {n + 1} of {len(passes)} for this {name} on {r.array}"
            else:
                say = f"{who}one turn for this {name} on {r.array}"
            touched = self._touched(r, served, kind) | {"wait": self._cells(r, waiting)}
            bars = [(row, 1, bar, "")] * bool(self.scene.rows)
            if not self._step(**{"say": say, "bars": bars, **more, **touched, **fault}):
                return False
            self.fetched = touched.get("fetch", [])
        return True

    def _step(self, say: str, **more: Any) -> bool:
        kept = self.scene.step(say, self.tally, **more)
        self.turns += kept
        return kept

    def _cells(self, r: Request, lanes: Sequence[int]) -> list:
        grid = self.grids.get(r.array)
        pairs = [
            (cell, lane)
            for lane in (lanes if grid else ())
            for at in range(0, max(r.size, grid.size), grid.size)
            for cell in [grid.cell(r.offsets[lane] + at)]
            if cell is not None
        ]
        if not pairs:
            return []
        return [(self.number[r.array], *map(list, zip(*pairs)))]

    def _touched(self, r: Request, lanes: Sequence[int], kind: str) -> dict:
        """Return the effect of a turn: cells that are served, sectors that come and go."""
        grid, found = self.grids.get(r.array), {kind: self._cells(r, lanes)}
        if grid is None or grid.shared:
            return found
        cells = [
            cell
            for sector in sorted({r.offsets[lane] // SECTOR for lane in lanes})
            for at in range(0, SECTOR, grid.size)
            for cell in [grid.cell(sector * SECTOR + at)]
            if cell is not None
        ]
        found["drop"] = self.fetched
        found["fetch"] = [(self.number[r.array], cells)] if cells else []
        return found

    def _fault_marks(self, r: Request) -> dict:
        """Return marks of the fault, if this request makes it: the cell, and who touches it."""
        f = self.fault
        if f is None or not f.index or r.array != f.array or self._complete():
            return {}
        grid, shape = self.grids.get(r.array), f.shape or ()
        flat = len(f.index) == len(shape) and len(shape) > 1
        at = int(np.ravel_multi_index(f.index, shape, mode="clip")) if flat else f.index[0]
        verb = "reads" if r.kind.endswith("loads") else "writes"
        for role, thread, line in (
            ("first", f.thread, f.line),
            ("other", f.other_thread, f.other_line),
        ):
            if thread is None or role in self.seen or r.line != line:
                continue
            x, y, _ = self.report.shape.block
            warp, lane = divmod(thread[0] + x * (thread[1] + y * thread[2]), 32)
            offset = r.offsets[lane] if warp == r.warp else None
            if offset is None or grid is None:
                continue
            if offset // r.size != at * (r.size if grid.shared else grid.size) // r.size:
                continue
            self.seen[role] = f"thread {', '.join(map(str, thread))} {verb}".replace(", 0, 0", "")
            cell = grid.cell(offset)
            label = ", ".join(self.seen.values())
            marks = [] if cell is None else [(self.number[r.array], cell, label)]
            if not self._complete():
                return {"marks": marks}
            return {"marks": marks, "event": "fault", "say": f.message}
        return {}


def _sectors(r: Request) -> list[list[int]]:
    """Return the lanes of each turn of a request to global memory: four sectors per turn."""
    lanes = _lanes(r)
    turn = {sector: n // 4 for n, sector in enumerate(sectors(r))}
    if r.kind == "atomics":  # lanes on one place take turns
        served: dict[int, int] = {}
        turn_of = {}
        for lane in lanes:
            turn_of[lane] = served.get(r.offsets[lane], 0)
            served[r.offsets[lane]] = turn_of[lane] + 1
    else:
        turn_of = {lane: turn[r.offsets[lane] // SECTOR] for lane in lanes}
    return _by_turn(turn_of)


def _begin(lines: Sequence[str], number: int) -> int:
    """Return the line, from 1, at which the statement of line `number` begins."""
    while number > 1:
        before = lines[number - 2].split("//")[0].rstrip()
        if not before or before.endswith((";", "{", "}", ":", "*/")) or before.startswith("#"):
            break
        number -= 1
    return max(1, number)


def _by_turn(turn_of: dict[int, int]) -> list[list[int]]:
    turns: list[list[int]] = [[] for _ in range(max(turn_of.values(), default=-1) + 1)]
    for lane, turn in turn_of.items():
        turns[turn].append(lane)
    return turns


def _passes(r: Request) -> list[list[int]]:
    """Return the lanes of each pass through shared memory: a bank gives a word a pass to all.

    Lanes that want 8 bytes go in halves, 16 in quarters; twice as many at a time where neighbours
    ask for the same, as in `emulator/runtime/warps.cpp`.
    """
    lanes, together = _lanes(r), {8: 16, 16: 8}.get(r.size, 32)
    at = {lane: r.offsets[lane] for lane in lanes}
    if together < 32 and any(all(at[n] == at.get(n ^ bit, at[n]) for n in lanes) for bit in (1, 2)):
        together *= 2
    turn_of, begun = {}, 0
    for first in range(0, 32, together):
        queues: dict[int, list] = {}
        for lane in (n for n in lanes if first <= n < first + together):
            alone = lane if r.kind == "shared_atomics" else 0  # each is done on its own
            turn_of[lane] = begun
            for word in range(at[lane] // WORD, (at[lane] + r.size - 1) // WORD + 1):
                queue = queues.setdefault(word % BANKS, [])
                if (word, alone) not in queue:
                    queue.append((word, alone))
                turn_of[lane] = max(turn_of[lane], begun + queue.index((word, alone)))
        begun += max(map(len, queues.values()), default=0)
    return _by_turn(turn_of)
