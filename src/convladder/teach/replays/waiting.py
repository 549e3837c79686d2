"""Chapters 04 and 08: two workers that wait for each other, and how they stop."""

from __future__ import annotations

from ...replay import Replay, Scene

LINE = 8  # values of a cache line, and of a buffer
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


def _buffers(title: str, count: int, tiles: int) -> Scene:
    """Write copies into `count` buffers and the arithmetic on them, two values a turn each."""
    scene = Scene(title, rows=["copies", "arithmetic"])
    place = scene.array("shared memory: " + ("one buffer" if count == 1 else f"{count} buffers"),
                        count, LINE)  # fmt: skip
    turns, idle = LINE // 2, 0
    for stage in range(tiles + 1 if count > 1 else 2 * tiles):
        copied = stage if count > 1 else stage // 2 if stage % 2 == 0 else None
        used = stage - 1 if count > 1 else stage // 2 if stage % 2 else None
        copied = None if copied == tiles else copied
        used = None if used == -1 else used
        idle += turns * (used is None)
        words = [f"tile {copied} is copied"] * (copied is not None)
        words += [f"tile {used} is used"] * (used is not None)
        for turn in range(turns):
            touched, bars = {}, []
            for row, (tile, kind, bar) in enumerate(
                ((copied, "write", "load"), (used, "read", "compute"))
            ):
                if tile is not None:
                    first = tile % count * LINE + 2 * turn
                    touched[kind] = [(place, [first, first + 1])]
                    bars.append((row, 1, bar, ""))
            scene.step(", ".join(words), {"turns without arithmetic": idle}, bars=bars, **touched)
    return scene


def double_buffer_replay(tiles: int = 6) -> Replay:
    """Play tiles that are copied and used: in one buffer, and in two."""
    one, two = (_buffers(t, n, tiles) for t, n in (("one buffer", 1), ("two buffers", 2)))
    return Replay(
        two,
        one,
        alt=f"{tiles} tiles are copied and used. With one buffer, arithmetic waits for each copy. "
        "With two, the next tile is copied while this one is used.",
        opens_at=two.turns,
        pace=250,
    )
