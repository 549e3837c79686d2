"""Chapters 04, 08, 12 and 13: workers that wait for each other, and how they stop waiting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...core.text import count_text
from ...cuda.latency_hiding import staged
from ...measure.cuda.profile import Activity
from ...replay import Replay, Scene

LINE, CHUNK = 8, 4  # values of a cache line or a stage, and of a chunk of images
HANDED_OVER = 6  # turns until a core has a line that another core wrote


def _counters(title: str, apart: int, rounds: int) -> Scene:
    """Write two cores that count in cells `apart` of each other."""
    scene = Scene(title, rows=["core 0", "core 1"])
    memory = scene.array("memory, in cache lines", 2, LINE, values=[0] * 2 * LINE, group=LINE)
    additions = waited = 0

    def tally() -> dict[str, int]:
        return {"additions": additions, "turns spent waiting": waited}

    def add(cores: list[int], value: int) -> None:
        scene.step(
            "both cores add one" if len(cores) > 1 else f"core {cores[0]} adds one",
            tally(),
            write=[(memory, core * apart, None, [value]) for core in cores],
            bars=[(core, 1, "compute", "") for core in cores],
        )  # fmt: skip

    def wait(cores: list[int], say: str) -> None:
        lines = sorted({core * apart // LINE for core in cores})
        scene.step(
            say, tally(), turns=HANDED_OVER,
            fetch=[(memory, range(line * LINE, line * LINE + LINE)) for line in lines],
            bars=[(core, HANDED_OVER, "wait", "waits") for core in cores],
        )  # fmt: skip

    if apart >= LINE:
        waited += 2 * HANDED_OVER
        wait([0, 1], "each core fetches its own line, once")
    for n in range(1, rounds + 1):
        for cores in [[0, 1]] if apart >= LINE else [[0], [1]]:
            if apart < LINE:
                waited += HANDED_OVER
                wait(cores, f"core {cores[0]} waits: the other core has the line")
            additions += len(cores)
            add(cores, n)
    return scene


def false_sharing_replay(rounds: int = 8) -> Replay:
    """Play two cores that count side by side: in a line each, and in one line."""
    own = _counters("each counter in a line of its own", LINE, rounds)
    one = _counters("both counters in one line", 1, rounds)
    return Replay(
        own,
        one,
        alt="Two cores count, each in a cell of its own. With a cache line each, both add one in "
        "every turn. If both cells lie in one line, the line goes back and forth, and one core "
        "always waits.",
        opens_at=own.turns,
        pace=200,
    )


def _reversal(title: str, barrier: bool) -> Scene:
    """Write two warps that reverse 64 numbers by way of a tile, with a barrier or without one."""
    scene = Scene(title, rows=["warp 0", "warp 1"])
    tile = scene.array("tile, in shared memory; ? is an old value", 4, 16, values=["?"] * 64)
    y = scene.array("y: the tile backwards", 4, 16, values=[""] * 64)
    halves, count = (range(32), range(32, 64)), {"right values": 0, "wrong values": 0}

    def stores(warp: int, say: str, *bars: tuple) -> None:
        write, bar = [(tile, halves[warp], None, [*halves[warp]])], (warp, 1, "store", "stores")
        say = f"Warp {warp} stores its half of the tile{say}"
        scene.step(say, count, write=write, bars=[bar, *bars])

    def reads(warp: int, values: list, say: str = ".", **more: Any) -> None:
        count["wrong values" if "?" in values else "right values"] += len(values)
        touched = {"read": [(tile, halves[1 - warp])], "write": [(y, halves[warp], None, values)]}
        say = f"Warp {warp} reads the other half{say}"
        scene.step(say, count, bars=[(warp, 1, "load", "reads")], **touched, **more)

    if barrier:
        stores(0, ".")
        stores(1, "; warp 0 waits.", (0, 1, "wait", "waits"))
        both = [(warp, 1, "barrier", "") for warp in range(2)]
        scene.step("Both have come to the barrier.", event="barrier", bars=both)
        reads(0, [*range(63, 31, -1)])
        reads(1, [*range(31, -1, -1)])
        scene.step("Right: y counts from 63 down to 0.")
    else:
        stores(0, ", and goes on.")
        marks = [(tile, halves[1], "read by warp 0, before warp 1 stores it")]
        early = ", which warp 1 has not stored yet!"
        reads(0, ["?"] * 32, early, event="fault", marks=marks)
        stores(1, ": too late for warp 0.")
        reads(1, [*range(31, -1, -1)])
        wrong = {"event": "fault", "marks": [(y, halves[0], "")], "turns": 2}
        scene.step("Wrong: half of y is what lay in the tile before.", **wrong)
    return scene


def race_replay() -> Replay:
    """Play two warps that exchange halves of a tile: with a barrier, and without one."""
    return Replay(
        _reversal("with a barrier between storing and reading", barrier=True),
        _reversal("without a barrier: a race", barrier=False),
        alt="Two warps store half of a tile each, and read the other half. With a barrier both "
        "wait until all of the tile is there. Without one, warp 0 reads what warp 1 has not stored "
        "yet, and half of the result is wrong.",
        pace=1500,
    )


class _Event(NamedTuple):
    begin: int
    end: int
    row: int
    label: str
    kind: str
    touches: list[tuple[str, int, range]]  # a touch, its array, and the cells, one after the other
    say: str


def _timeline(scene: Scene, events: Sequence[_Event], tally: Callable[[int], dict]) -> None:
    """Write a step for each turn, with what happens in it. tally: of a turn."""
    for turn in range(max(event.end for event in events)):
        now = [event for event in events if event.begin <= turn < event.end]
        touched: dict[str, list] = {}
        for event in now:
            for touch, array, cells in event.touches:
                first, last = (
                    len(cells) * (turn + more - event.begin) // (event.end - event.begin)
                    for more in (0, 1)
                )
                touched.setdefault(touch, []).append((array, cells[first : max(last, first + 1)]))
        bars = [
            (event.row, event.end - event.begin, event.kind, event.label)
            for event in now
            if event.begin == turn
        ]
        say = ", ".join(event.say for event in now).capitalize()
        scene.step(say, tally(turn), bars=bars, **touched)


def _stages(stages: int, copy: int, compute: int, slices: int) -> Scene:
    """Write slices on their way through `stages` places in shared memory."""
    names = [f"stage {stage}" for stage in range(stages)]
    told = (
        "the next slices are on their way" if stages > 1 else "the arithmetic waits for each copy"
    )
    scene = Scene(f"{count_text(stages, 'stage')}: {told}", rows=[*names, "arithmetic"])
    place = scene.array("shared memory, a row per stage", stages, LINE)
    events, done = [], staged(stages, copy, compute, slices)
    for number, each in enumerate(done):
        stage, label = number % stages, f"{number}"
        cells = range(stage * LINE, (stage + 1) * LINE)
        events += [
            _Event(each.issued, each.there, stage, label, "load", [("write", place, cells)],
                   f"slice {number} is on its way"),
            _Event(each.begins, each.ends, stages, label, "compute", [("read", place, cells)],
                   f"slice {number} is multiplied"),
        ]  # fmt: skip
    busy = {turn for each in done for turn in range(each.begins, each.ends)}
    _timeline(
        scene,
        events,
        lambda turn: {
            "slices multiplied": sum(each.ends <= turn + 1 for each in done),
            "turns without arithmetic": turn + 1 - sum(at <= turn for at in busy),
        },
    )
    return scene


def stages_replay(
    few: int = 1, many: int = 4, copy: int = 6, compute: int = 2, slices: int = 8
) -> Replay:
    """Play slices that are copied to shared memory and multiplied, in `many` stages and in `few`.

    copy and compute: turns that a slice's copy takes, and the arithmetic on it.
    """
    better, worse = (_stages(stages, copy, compute, slices) for stages in (many, few))
    return Replay(
        better,
        worse,
        alt=f"{slices} slices are copied to shared memory and multiplied. A copy takes {copy} "
        f"turns, the arithmetic {compute}. With {many} stages all is done after {better.turns} "
        f"turns, with {few} after {worse.turns}: the arithmetic waits for each copy.",
        opens_at=better.turns,
        pace=250,
    )


def _engines(events: Sequence[Activity], title: str, turn_ns: float) -> Scene:
    """Write a GPU's copies and kernels: an engine each, and the chunks that pass through."""
    kinds = {"upload": "load", "kernel": "compute", "download": "store"}
    steps = [event for event in events if event.kind in kinds]
    chunks = list(dict.fromkeys(event.name for event in steps))
    scene = Scene(title, rows=[*kinds])
    wide = len(chunks) * CHUNK
    host, device, labels = (
        scene.array(name, 1, wide, group=CHUNK, under=under)
        for name, under in (("images, on the host", False), ("images, on the GPU", True),
                            ("labels, back on the host", True))
    )  # fmt: skip
    moved = {
        "upload": [("read", host), ("write", device)],
        "kernel": [("read", device)],
        "download": [("write", labels)],
    }
    begun, made = min(event.start for event in steps), []
    for event in steps:
        number = chunks.index(event.name)
        cells = range(number * CHUNK, (number + 1) * CHUNK)
        begin = round((event.start - begun) / turn_ns)
        end = max(begin + 1, round((event.end - begun) / turn_ns))
        touches = [(touch, array, cells) for touch, array in moved[event.kind]]
        row = [*kinds].index(event.kind)
        say = f"{event.kind} of chunk {number}"
        made.append(_Event(begin, end, row, f"{number}", kinds[event.kind], touches, say))
    busy = {turn for event in made if event.row == 1 for turn in range(event.begin, event.end)}
    _timeline(
        scene,
        made,
        lambda turn: {"turns without a kernel": turn + 1 - sum(at <= turn for at in busy)},
    )
    return scene


def engines_replay(timelines: Mapping[str, Sequence[Activity]], turns: int = 90) -> Replay:
    """Play two timelines of copies and kernels by title; the longer one takes `turns`."""
    spans = [max(e.end for e in events) - min(e.start for e in events)
             for events in timelines.values()]  # fmt: skip
    scenes = [_engines(events, title, max(spans) / turns) for title, events in timelines.items()]
    return Replay(
        *scenes,
        alt="Chunks of images are uploaded, computed and downloaded, by an engine each. "
        + " ".join(f"With {scene.title} it takes {scene.turns} turns." for scene in scenes),
        opens_at=min(scene.turns for scene in scenes),
        pace=120,
    )
