"""Executors, right and as learners write them: lab 13, exercise 6."""

from __future__ import annotations

import numpy as np


def executor(free=max, in_place=False, relu=True, whole=True, careful=True):
    """Run nodes, free a map after the reader that `free` picks, and go wrong in some ways."""

    def run(nodes, constants, x):
        values = {**constants, "x": x}
        last = {}
        for name in (node[0] for node in nodes):
            reads = [at for at, node in enumerate(nodes) if name in node[2]]
            last[name] = free(reads) if reads and free else len(nodes)
        for at, (makes, op, reads) in enumerate(nodes):
            a, *others = (values[name] for name in reads)
            mine = in_place and (not careful or last.get(reads[0]) == at)
            if op == "matmul":
                values[makes] = a @ others[0]
            elif op == "relu":
                values[makes] = np.maximum(a, 0 if relu else -np.inf, out=a if mine else None)
            else:
                values[makes] = np.add(a, others[0], out=a if mine else None)
            for name in set(reads):
                if last.get(name) == at:
                    del values[name]
            del a, others
        return values[nodes[-1][0]]

    return run


def exchanged(nodes, constants, x):
    """Multiply the wrong way round."""
    values = {**constants, "x": x}
    for makes, op, reads in nodes:
        a, b = values[reads[0]], values[reads[-1]]
        values[makes] = b @ a if op == "matmul" else np.maximum(a, 0) if op == "relu" else a + b
    return values[makes]


def turned(nodes, constants, x):
    """Multiply by the transposed constants."""
    return executor()(nodes, {name: held.T for name, held in constants.items()}, x)


def relu_of_the_size(nodes, constants, x):
    values = {**constants, "x": x}
    for makes, op, reads in nodes:
        a, b = values[reads[0]], values[reads[-1]]
        values[makes] = a @ b if op == "matmul" else np.abs(a) if op == "relu" else a + b
    return values[makes]


def in_blocks(stop):
    """Run some pixels at a time, up to `stop(pixels, block)`."""

    def run(nodes, constants, x):
        return np.concatenate(
            [executor()(nodes, constants, x[at : at + 64]) for at in range(0, stop(len(x), 64), 64)]
        )

    return run


def over_the_input(nodes, constants, x):
    np.maximum(x, 0, out=x)
    return executor()(nodes, constants, x)


def first_block_again(nodes, constants, x):
    y = executor()(nodes, constants, x)
    for at in range(64, len(x), 64):
        y[at : at + 64] = y[: len(y[at : at + 64])]
    return y


def relu_in_place(nodes, constants, x, sums=True, copied=False):
    """Write every ReLU, and `sums` too, over what it reads first."""
    values = {**constants, "x": x.copy() if copied else x}
    for makes, op, reads in nodes:
        a, b = values[reads[0]], values[reads[-1]]
        if copied == "where it is read" and reads[0] == "x":
            a = a.copy()
        out = a if op == "relu" or sums else None
        values[makes] = (
            a @ b
            if op == "matmul"
            else np.maximum(a, 0, out=out)
            if op == "relu"
            else np.add(a, b, out=out)
        )
    return values[makes]


def popped(nodes, constants, x, popping=False):
    """Free a map, or with `popping` the input too, at its first reader."""
    if not popping:
        return executor(free=min)(nodes, constants, x)
    values = {"x": x}
    for makes, op, reads in nodes:
        a, *others = [constants[name] if name in constants else values.pop(name) for name in reads]
        values[makes] = (
            a @ others[0] if op == "matmul" else np.maximum(a, 0) if op == "relu" else a + others[0]
        )
    return values[makes]


def sum_in_place(nodes, constants, x):
    values = {**constants, "x": x}
    for makes, op, reads in nodes:
        a, b = values[reads[0]], values[reads[-1]]
        if op == "add":
            a += b
        values[makes] = a @ b if op == "matmul" else np.maximum(a, 0) if op == "relu" else a
    return values[makes]


def with_other(relu=lambda a: np.maximum(a, 0), total=np.add):
    """Run nodes with another ReLU, or another sum."""

    def run(nodes, constants, x):
        values = {**constants, "x": x}
        for makes, op, reads in nodes:
            a, b = values[reads[0]], values[reads[-1]]
            values[makes] = a @ b if op == "matmul" else relu(a) if op == "relu" else total(a, b)
        return values[makes]

    return run


def taken_at_each_reading(nodes, constants, x):
    """Count the nodes that read a map, and take one off each time it is read."""
    left = {}
    for _, _, reads in nodes:
        for name in set(reads) - constants.keys():
            left[name] = left.get(name, 0) + 1
    values = {"x": x}

    def take(name):
        if name in constants:
            return constants[name]
        left[name] -= 1
        return values[name] if left[name] else values.pop(name)

    for makes, op, reads in nodes:
        a, *others = map(take, reads)
        values[makes] = (
            a @ others[0] if op == "matmul" else np.maximum(a, 0) if op == "relu" else a + others[0]
        )
    return values[makes]
