"""Lab 15, exercise 6: an executor of your own, in the bytes that are alive."""

import numpy as np

from ...core.network_layers import RESIDUAL_BLOCKS
from ..draws import whole
from ..exercise import Exercise, Misconception, edit
from .graphs import graph

TOY = graph("a = matmul x w; b = relu a")
TWICE = graph("a = matmul x w; b = relu a; c = add b a")
OF_THE_INPUT = graph("b = relu x; a = matmul b w; c = add a x")
ONCE = graph("b = relu x; a = matmul b w")
ADDED_TWICE = graph("a = matmul x w; c = add a x; d = add c a")
DOUBLED = graph("b = relu x; c = add b b")
OLDER_FIRST = graph("b = relu x; a = matmul b w; c = add b a")


def run_network(nodes, constants, x):
    values = {**constants, "x": x}
    last = {name: at for at, node in enumerate(nodes) for name in node[2]}
    for at, (makes, operator, reads) in enumerate(nodes):
        a, b = values[reads[0]], values[reads[-1]]
        if operator == "matmul":
            values[makes] = a @ b
        elif operator == "relu":
            values[makes] = np.maximum(a, 0)
        else:
            values[makes] = a + b
        for name in set(reads):
            if last[name] == at:
                del values[name]
    return values[nodes[-1][0]]


def network(fill, nodes, pixels, channels):
    w = fill(channels, channels) / np.float32(channels**0.5)
    return tuple(nodes), {"w": w, "v": fill(channels, 3)}, fill(pixels, channels)


def runnable(nodes, pixels, channels):
    operands = {"matmul": 2, "relu": 1, "add": 2}
    return min(pixels, channels) > 0 and all(
        len(reads) == operands[operator] and reads[0] not in ("w", "v")
        for _, operator, reads in nodes
    )


FREE = """
        for name in set(reads):
            if last[name] == at:
                del values[name]"""

EXERCISE = Exercise(
    name="run_network",
    lab=15,
    task="An executor of your own, in the bytes of three maps.",
    solution=run_network,
    cases=lambda rng: [
        (TOY, 4, 3),
        (TWICE, 3, 2),
        (OF_THE_INPUT, 4, 3),
        (ONCE, 2, 3),
        (ADDED_TWICE, 3, 3),
        (DOUBLED, 2, 2),
        (OLDER_FIRST, 2, 3),
        (list(RESIDUAL_BLOCKS), whole(rng, 150, 250), whole(rng, 3, 6)),
        (list(RESIDUAL_BLOCKS), 1024, 64),
    ],
    inputs=network,
    valid=runnable,
    # The skip connection keeps one map alive, beside an operand and a result.
    budget=lambda nodes, constants, x: {"workspace": 3 * x.nbytes + x.nbytes // 8},
    mend="After step `at`: `for name in set(reads): if last[name] == at: del values[name]`, with "
    "`last = {name: at for at, node in enumerate(nodes) for name in node[2]}`",
    misconceptions=[
        Misconception(
            "no map freed",
            edit(FREE, ""),
            "The values are right, but every map is still there at the end.",
            "An array in a dictionary or a list stays alive. Remove a map after its last reader.",
        ),
        Misconception(
            "maps freed after the first reader",
            edit("if last[name] == at", "if True"),
            "A chain runs. A map with a second reader is gone when it is needed again.",
            "A skip connection reads a map late. The *last* step that reads a map decides.",
        ),
        Misconception(
            "a map overwritten before its last reader",
            [
                edit("np.maximum(a, 0)", "np.maximum(a, 0, out=a if reads[0] != 'x' else None)"),
                edit("a + b", "np.add(a, b, out=a if reads[0] != 'x' else None)"),
            ],
            "A later reader of a map finds another step's result in it.",
            "`out=` and `+=` change the array itself. That is allowed only in a map that no later "
            "step reads.",
            mend="`values[makes] = np.maximum(a, 0)`, and `values[makes] = a + b`: each a new "
            "array",
        ),
        Misconception(
            "the input overwritten",
            edit("np.maximum(a, 0)", "np.maximum(a, 0, out=a)"),
            "You changed `x` itself.",
            "The input belongs to the caller. Results of your own steps belong to you.",
            mend="`values[makes] = np.maximum(a, 0)`, a new array",
        ),
    ],
)
