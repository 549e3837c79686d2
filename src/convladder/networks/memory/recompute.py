"""Arrays made twice instead of kept: lists of steps in which a name may be made again.

A step is `(made, read)`, as in `lifetimes`. Between its last reader and the next time it is made,
an array need not exist. Source of the plan for chains: Chen, Xu, Zhang & Guestrin, "Training Deep
Nets with Sublinear Memory Cost" (arXiv:1604.06174, 2016).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from .lifetimes import Block, lifetimes

Steps = Sequence[tuple[str, tuple[str, ...]]]


def instances(steps: Steps) -> list[tuple[str, tuple[str, ...]]]:
    """Return the steps with a name of its own for each making: the second `x3` is `x3'2`, as is
    what is read from then on."""
    made: dict[str, int] = {}

    def now(name: str) -> str:
        return f"{name}'{made[name]}" if made.get(name, 1) > 1 else name

    found = []
    for name, read in steps:
        reads = tuple(map(now, read))
        made[name] = made.get(name, 0) + 1
        found.append((now(name), reads))
    return found


def blocks_of(steps: Steps, bytes_of: dict[str, int], kept: Iterable[str] = ()) -> list[Block]:
    """Return `lifetimes` of steps that may make a name again; each making is its own block."""
    named = instances(steps)
    sizes = {name: bytes_of[name.split("'")[0]] for name, _ in named}
    last = {name.split("'")[0]: name for name, _ in named}
    return lifetimes(named, sizes, [last[name] for name in kept])


def execute(
    steps: Steps,
    compute: Callable[[str, list[np.ndarray]], np.ndarray],
    given: dict[str, np.ndarray],
    kept: Iterable[str],
) -> dict[str, np.ndarray]:
    """Run the steps: `compute(made, arrays read)` gives each array, which is freed after its last
    reader. Returns those in `kept`. What it holds at most is `lower_bound(blocks_of(...))`."""
    last: dict[tuple[str, int], int] = {}
    number: dict[str, int] = {}
    for at, (name, read) in enumerate(steps):
        last |= {(each, number[each]): at for each in read if each in number}
        number[name] = number.get(name, 0) + 1
        last[name, number[name]] = at
    last |= {(name, number[name]): len(steps) for name in kept}
    held, number = {}, {}
    for at, (name, read) in enumerate(steps):
        made = compute(name, [held[each] if each in held else given[each] for each in read])
        number[name] = number.get(name, 0) + 1
        held[name] = made
        del made
        for each in [each for each in held if last[each, number[each]] <= at]:
            del held[each]
    return {name: held[name] for name in kept}


def training_steps(layers: int, every: int | None = None) -> list[tuple[str, tuple[str, ...]]]:
    """Write a chain forward, then backward: maps `x1 .. xn`, then their gradients `gn .. g0`.

    The step that makes `g` of a map reads the next map's gradient, the layer's result (where was
    it cut off at zero?) and its input (what were the weights multiplied by?). `every`: only maps
    `every`, `2·every`, ... are kept by the forward pass; each segment of others is made again when
    the backward pass comes to it. None keeps all.
    """
    if layers < 1 or every is not None and every < 1:
        raise ValueError(f"layers={layers}, every={every}; both are 1 or more")
    forward = [(f"x{at}", (f"x{at - 1}",)) for at in range(1, layers + 1)]
    steps: list[tuple[str, tuple[str, ...]]] = [*forward, (f"g{layers}", (f"x{layers}",))]
    size = every or layers
    for begin in reversed(range(0, layers, size)):
        end = min(begin + size, layers)
        if end < layers:
            steps += forward[begin : end - 1]
        steps += [
            (f"g{at - 1}", (f"x{at - 1}", f"x{at}", f"g{at}")) for at in range(end, begin, -1)
        ]
    return steps


def extra_layers(layers: int, every: int) -> int:
    """Return how many times a layer is computed again by `training_steps(layers, every)`."""
    forward = [name for name, _ in training_steps(layers, every) if name.startswith("x")]
    return len(forward) - layers
