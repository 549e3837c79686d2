"""Random numbers for cases, by a seed. No stored answer is right for another seed.

`check` takes one seed for everybody; a grader has one that nobody knows.
"""

from __future__ import annotations

import numpy as np

from ..core.problem import ConvProblem


def whole(rng: np.random.Generator, least: int, most: int) -> int:
    """Return a whole number, `most` included."""
    return int(rng.integers(least, most + 1))


def wholes(rng: np.random.Generator, least: int, most: int, count: int = 2) -> tuple[int, ...]:
    """Return whole numbers that all differ, `most` included."""
    return tuple((least + rng.permutation(most + 1 - least)[:count]).tolist())


def real(rng: np.random.Generator, least: float, most: float) -> float:
    """Return a number with three decimals."""
    return round(float(rng.uniform(least, most)), 3)


def layer(
    rng: np.random.Generator, most: int = 40, i_n: int | None = None, padded: bool = True
) -> ConvProblem:
    """Return a layer with sides of up to `most`, whose heights and widths all differ."""
    return ConvProblem(
        whole(rng, 2, 4) if i_n is None else i_n,
        *wholes(rng, 9, most),
        whole(rng, 2, 7),
        *wholes(rng, 3, 6),
        whole(rng, 2, 9),
        stride=wholes(rng, 1, 3),
        padding=wholes(rng, 1, 2) if padded else 0,
    )


def as_pairs(p: ConvProblem) -> tuple[tuple[int, ...], ...]:
    """Return a layer of one image as (image, kernel, stride, padding)."""
    return (p.i_h, p.i_w, p.i_c), (p.k_h, p.k_w, p.k_c), p.stride, p.padding


def graph(rng: np.random.Generator, count: int = 9) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return nodes `(makes, operator, reads)` in order, each of which reads one or two before it.

    Half of the nodes after a Conv or Gemm are a Relu of it.
    """
    nodes: list[tuple] = []
    for at in range(count):
        made = [node[0] for node in nodes] or ["x"]
        near = made[max(0, len(made) - 4) :]
        read = str(near[whole(rng, 0, len(near) - 1)])
        if nodes and nodes[-1][1] in ("Conv", "Gemm") and rng.random() < 0.5:
            nodes.append((f"n{at}", "Relu", (nodes[-1][0],)))
            continue
        operator = str(rng.choice(["Conv", "Gemm", "Relu", "MaxPool", "Add"]))
        other = (
            (f"w{at}",)
            if operator in ("Conv", "Gemm")
            else (str(rng.choice(made)),)
            if operator == "Add"
            else ()
        )
        nodes.append((f"n{at}", operator, (read, *other)))
    return tuple(nodes)
