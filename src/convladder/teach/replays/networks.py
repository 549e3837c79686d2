"""Chapters 17 and 18: arrays that share a place, and workers that share a sum."""

from __future__ import annotations

from ...networks.memory import Plan, naive
from ...replay import Replay, Scene

WORKERS = 4
CELLS, WIDE = 100, 8  # of memory, at most, and in a row


def _places(plan: Plan, title: str, unit: int) -> Scene:
    """Write which places are in use at each step of a program; a cell is `unit` bytes."""
    count, used = -(-plan.bytes // unit), 0
    scene = Scene(f"{title}: {plan.bytes:,} bytes")
    rows = -(-count // WIDE)
    name = f"the step that wrote each {unit:,} bytes"
    memory = scene.array(name, rows, WIDE, values=[""] * rows * WIDE)

    def cells(block) -> range:
        start = plan.offsets[block.name]
        return range(start // unit, -(-(start + block.bytes) // unit))

    for step in range(max(block.last for block in plan.blocks) + 1):
        made = [block for block in plan.blocks if block.first == step]
        last = [block for block in plan.blocks if block.last == step and block not in made]
        alive = [block for block in plan.blocks if block.first <= step <= block.last]
        used = max([used, *(plan.offsets[block.name] + block.bytes for block in made)])
        writes = " and ".join(block.name for block in made) or "nothing"
        reads = " and ".join(f"{block.name} of step {block.first}" for block in last)
        scene.step(
            f"Step {step} writes {writes}"
            + f", and is the last to read {reads}" * bool(last)
            + ".",
            {"bytes alive": sum(block.bytes for block in alive), "bytes taken so far": used},
            write=[(memory, cells(block), None, [step] * len(cells(block))) for block in made],
            read=[(memory, cells(block)) for block in last],
            free=[(memory, cells(block)) for block in plan.blocks if block.last == step - 1],
        )
    return scene


def arena_replay(plan: Plan) -> Replay:
    """Play the arrays of a program in their arena, beside a place of its own for each."""
    apart = naive(plan.blocks)
    unit = 1 << (apart.bytes // CELLS).bit_length()
    shared = _places(plan, "space is reused", unit)
    own = _places(apart, "a place for each array", unit)
    return Replay(
        shared,
        own,
        alt=f"The arrays of a network, step by step. Planned in one arena they take "
        f"{plan.bytes:,} bytes, because space is reused. With a place for each array they "
        f"take {apart.bytes:,} bytes, most of which hold nothing that is needed.",
        opens_at=shared.turns * 2 // 3,
        pace=900,
    )


def _sums(title: str, rounds: list[list[tuple[int, int, int, bool]]]) -> Scene:
    """Write rounds of messages: (sender, receiver, piece, whether it is added)."""
    scene = Scene(title, rows=[f"to worker {worker}" for worker in range(WORKERS)])
    values = [worker + 1 for worker in range(WORKERS) for _ in range(WORKERS)]
    array = scene.array("gradients: a row per worker", WORKERS, WORKERS, values=[*values])
    sent = 0
    for messages in rounds:
        before, sent = [*values], sent + len(messages)
        read, write, bars = [], [], []
        for sender, receiver, piece, add in messages:
            source, target = sender * WORKERS + piece, receiver * WORKERS + piece
            values[target] = before[source] + (before[target] if add else 0)
            read.append((array, source))
            write.append((array, target, None, [values[target]]))
            bars.append((receiver, 1, "load" if add else "store", ""))
        verb = "add" if messages[0][3] else "copy"
        who = "Every worker sends" if len(messages) > 1 else "One worker sends, the others wait"
        scene.step(f"{who}: {verb} a piece.", {"pieces sent": sent}, read=read, write=write,
                   bars=bars)  # fmt: skip
    return scene


def all_reduce_replay() -> Replay:
    """Play the sum of four workers' gradients: around a ring, and by way of one worker."""
    n = WORKERS
    ring = [
        [(w, (w + 1) % n, (w - turn) % n, turn < n - 1) for w in range(n)]
        for turn in range(2 * n - 2)
    ]
    by_one = [[(w, 0, piece, True)] for w in range(1, n) for piece in range(n)]
    by_one += [[(0, w, piece, False)] for w in range(1, n) for piece in range(n)]
    fast = _sums("a ring: every link is busy in every turn", ring)
    slow = _sums("by way of worker 0: all pieces pass one link", by_one)
    return Replay(
        fast,
        slow,
        alt=f"{n} workers add up their gradients, {n} pieces each. Around a ring every worker "
        f"sends a piece in each turn, and all have the sum after {fast.turns} turns. By way of "
        f"worker 0 the same {2 * n * (n - 1)} pieces pass one after the other: {slow.turns} turns.",
        opens_at=fast.turns,
        pace=600,
    )
