"""Lab 13, exercise 6: an executor of one's own, in the bytes that are alive."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from ...models.networks import RESIDUAL_BLOCKS

TOY = (("a", "matmul", ("x", "w")), ("b", "relu", ("a",)))
TWICE = (("a", "matmul", ("x", "w")), ("b", "relu", ("a",)), ("c", "add", ("b", "a")))
ONCE = (("b", "relu", ("x",)), ("a", "matmul", ("b", "w")))
OF_THE_INPUT = (("b", "relu", ("x",)), ("a", "matmul", ("b", "w")), ("c", "add", ("a", "x")))
ADDED_TWICE = (("a", "matmul", ("x", "w")), ("c", "add", ("a", "x")),
               ("d", "add", ("c", "a")))
MAPS = 3  # alive at once in RESIDUAL_BLOCKS: what the skip connection keeps, an input, a result


def run_network(nodes, constants, x):
    return _executor()(nodes, constants, x)


def _executor(free=max, in_place=False, relu=True, whole=True, careful=True):
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


def _exchanged(nodes, constants, x):
    """Multiply the wrong way round."""
    values = {**constants, "x": x}
    for makes, op, reads in nodes:
        a, b = values[reads[0]], values[reads[-1]]
        values[makes] = b @ a if op == "matmul" else np.maximum(a, 0) if op == "relu" else a + b
    return values[makes]


def _relu_of_the_size(nodes, constants, x):
    values = {**constants, "x": x}
    for makes, op, reads in nodes:
        a, b = values[reads[0]], values[reads[-1]]
        values[makes] = a @ b if op == "matmul" else np.abs(a) if op == "relu" else a + b
    return values[makes]


def _in_blocks(stop):
    """Run some pixels at a time, up to `stop(pixels, block)`."""
    def run(nodes, constants, x):
        return np.concatenate([run_network(nodes, constants, x[at : at + 64]) for at in
                               range(0, stop(len(x), 64), 64)])
    return run


def _over_the_input(nodes, constants, x):
    np.maximum(x, 0, out=x)
    return run_network(nodes, constants, x)


def _first_block_again(nodes, constants, x):
    y = run_network(nodes, constants, x)
    for at in range(64, len(x), 64):
        y[at : at + 64] = y[: len(y[at : at + 64])]
    return y


def _cases(rng):
    def case(nodes, pixels, channels, classes=3):
        w = rng.standard_normal((channels, channels), np.float32) / np.float32(channels**0.5)
        v = rng.standard_normal((channels, classes), np.float32)
        return nodes, {"w": w, "v": v}, rng.standard_normal((pixels, channels), np.float32)

    return [case(TOY, 4, 3), case(TWICE, 3, 2), case(OF_THE_INPUT, 4, 3), case(ONCE, 2, 3),
            case(ADDED_TWICE, 3, 3),
            case(RESIDUAL_BLOCKS, 203, 4), case(RESIDUAL_BLOCKS, 1024, 64)]


def _relu_in_place(nodes, constants, x, sums=True, copied=False):
    """Write every ReLU, and `sums` too, over what it reads first."""
    values = {**constants, "x": x.copy() if copied else x}
    for makes, op, reads in nodes:
        a, b = values[reads[0]], values[reads[-1]]
        out = a if op == "relu" or sums else None
        values[makes] = (a @ b if op == "matmul" else np.maximum(a, 0, out=out) if op == "relu"
                         else np.add(a, b, out=out))
    return values[makes]


def _popped(nodes, constants, x, popping=False):
    """Free a map, or with `popping` the input too, at its first reader."""
    if not popping:
        return _executor(free=min)(nodes, constants, x)
    values = {"x": x}
    for makes, op, reads in nodes:
        a, *others = [constants[name] if name in constants else values.pop(name)
                      for name in reads]
        values[makes] = (a @ others[0] if op == "matmul" else np.maximum(a, 0) if op == "relu"
                         else a + others[0])
    return values[makes]


def _sum_in_place(nodes, constants, x):
    values = {**constants, "x": x}
    for makes, op, reads in nodes:
        a, b = values[reads[0]], values[reads[-1]]
        if op == "add":
            a += b
        values[makes] = a @ b if op == "matmul" else np.maximum(a, 0) if op == "relu" else a
    return values[makes]


def _with_other(relu=lambda a: np.maximum(a, 0), total=np.add):
    """Run nodes with another ReLU, or another sum."""
    def run(nodes, constants, x):
        values = {**constants, "x": x}
        for makes, op, reads in nodes:
            a, b = values[reads[0]], values[reads[-1]]
            values[makes] = a @ b if op == "matmul" else relu(a) if op == "relu" else total(a, b)
        return values[makes]
    return run


EXERCISE = Exercise(
    name="run_network", lab=13, reference=run_network, cases=_cases,
    task="An executor of your own, in the bytes of three maps.",
    workspace=lambda nodes, constants, x: MAPS * x.nbytes + x.nbytes // 8,
    misconceptions=[
        Misconception(
            "nothing is freed", _executor(free=None),
            symptom="The values are right. Every map that was made is still there at the end.",
            concept="A dictionary keeps what it holds alive. After its last reader a map has to "
                    "leave it.",
            line="When step `at` is the last that reads `name`: `del values[name]`."),
        Misconception(
            "in place under a second reader", _relu_in_place,
            symptom="Where a map has two readers, the second finds values that the first has "
                    "changed.",
            concept="A ReLU or a sum may write over what it reads, if nobody reads that later, and "
                    "it is not the caller's input.",
            line="Write into what you read, by `out=` or `a[...] = 0`, only where this step is the "
                 "last reader, and never into `x`.",
            choices={"sums": (True, False), "copied": (True, False)}),
        Misconception(
            "freed after the first reader", _popped,
            symptom="A chain runs. With a skip connection, a map is gone when it is needed again.",
            concept="If its first reader frees it, or if you keep the last result alone, a map is"
                    " not there for the second reader, which the skip connection is.",
            line="Find for each name the *largest* number of a step that reads it.",
            choices={"popping": (True,)}),
        Misconception(
            "ReLU left out", _executor(relu=False),
            symptom="Negative values come through.",
            concept="Fusing or reusing memory changes no value: a ReLU is still `max(value, 0)`.",
            line="`np.maximum(a, 0)`"),
        Misconception(
            "a sum of one", lambda nodes, constants, x, total=lambda a, b: a + a: _with_other(
                total=total)(nodes, constants, x),
            choices={"total": (lambda a, b: b + b, lambda a, b: a.copy(), lambda a, b: b.copy())},
            symptom="Graphs without `add` are right; in others one operand of a sum does not "
                    "count.",
            concept="`add` reads two maps.",
            line="`values[reads[0]] + values[reads[1]]`"),
        Misconception(
            "last map by name", lambda nodes, constants, x: _executor()(nodes[:-1], constants, x),
            symptom="You return the map before the last.",
            concept="The result is what the last node makes.",
            line="`return values[nodes[-1][0]]`, after the loop."),
        Misconception(
            "operands exchanged", _exchanged,
            symptom="You multiply the constant by the map, or the shapes do not fit at all.",
            concept="A map is `[pixels, channels]`: each pixel is a row, and rows stand on the "
                    "left.",
            line="`values[reads[0]] @ values[reads[1]]`, in this order."),
        Misconception(
            "size in place of ReLU", _relu_of_the_size,
            symptom="Negative values come out positive.",
            concept="A ReLU cuts off at 0. `np.abs` turns round.",
            line="`np.maximum(a, 0)` in place of `np.abs(a)`."),
        Misconception(
            "written over the input", _over_the_input,
            symptom="You changed `x` itself.",
            concept="The caller still needs its input, and the first node's result is yours, "
                    "not `x`.",
            line="No `out=` where the name is `x`."),
        Misconception(
            "last pixels missing",
            _in_blocks(lambda pixels, block: max(block, pixels // block * block)),
            symptom="Where your block does not divide the pixels, the last ones are missing.",
            concept="The last block is shorter than the others, but it is there.",
            line="`range(0, len(x), block)`, and slices that end where `x` does."),
        Misconception(
            "the first block again and again", _first_block_again,
            symptom="The first block of pixels is right, and the others repeat it.",
            concept="Each block goes through the network by itself.",
            line="Begin each round with `x[begin : begin + block]`."),
        Misconception(
            "a tuple of all maps",
            lambda nodes, constants, x: (run_network(nodes, constants, x),),
            symptom="You return a tuple.",
            concept="The result is one map, the last node's.",
            line="`return values[nodes[-1][0]]`"),
        Misconception(
            "float64",
            lambda nodes, constants, x: run_network(nodes, constants, x).astype(np.float64),
            symptom="Your result is float64.",
            concept="All maps and constants are float32: something made float64 of one of them.",
            line="No `np.zeros` or `np.array` without a dtype on the way."),
        Misconception(
            "a sum into its first operand", _sum_in_place,
            symptom="A sum is written over the map that it reads first, and a later reader finds "
                    "the sum there.",
            concept="`+=` changes the array itself. That may be done only where nobody reads it "
                    "later, and never to `x`.",
            line="`a + b` makes an array of its own; `a += b` only where this step is the last "
                 "reader of `a`."),
        Misconception(
            "the smaller of value and 0", _with_other(relu=lambda a: np.minimum(a, 0)),
            symptom="Negative values stay, and positive ones become 0.",
            concept="A ReLU keeps what is above 0.",
            line="`np.maximum(a, 0)`, not `np.minimum`."),
        Misconception(
            "a product for a sum", lambda nodes, constants, x, total=np.multiply: _with_other(
                total=total)(nodes, constants, x),
            choices={"total": (np.subtract, lambda a, b: b - a, np.maximum)},
            symptom="Graphs without `add` are right; in others two maps are put together "
                    "otherwise than by adding.",
            concept="A skip connection *adds* what it has kept.",
            line="`values[reads[0]] + values[reads[1]]`: a plus."),
    ],
)
