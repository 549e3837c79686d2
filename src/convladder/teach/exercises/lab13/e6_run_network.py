"""Lab 13, exercise 6: an executor of one's own, in the bytes that are alive."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from ....problem import RESIDUAL_BLOCKS
from . import run_network_wrong as wrong

TOY = (("a", "matmul", ("x", "w")), ("b", "relu", ("a",)))
TWICE = (("a", "matmul", ("x", "w")), ("b", "relu", ("a",)), ("c", "add", ("b", "a")))
ONCE = (("b", "relu", ("x",)), ("a", "matmul", ("b", "w")))
OF_THE_INPUT = (("b", "relu", ("x",)), ("a", "matmul", ("b", "w")), ("c", "add", ("a", "x")))
DOUBLED = (("b", "relu", ("x",)), ("c", "add", ("b", "b")))
ADDED_TWICE = (("a", "matmul", ("x", "w")), ("c", "add", ("a", "x")), ("d", "add", ("c", "a")))
MAPS = 3  # alive at once in RESIDUAL_BLOCKS: what the skip connection keeps, an input, a result


def run_network(nodes, constants, x):
    return wrong.executor()(nodes, constants, x)


def _cases(rng):
    def case(nodes, pixels, channels, classes=3):
        w = rng.standard_normal((channels, channels), np.float32) / np.float32(channels**0.5)
        v = rng.standard_normal((channels, classes), np.float32)
        return nodes, {"w": w, "v": v}, rng.standard_normal((pixels, channels), np.float32)

    return [
        case(TOY, 4, 3),
        case(TWICE, 3, 2),
        case(OF_THE_INPUT, 4, 3),
        case(ONCE, 2, 3),
        case(ADDED_TWICE, 3, 3),
        case(DOUBLED, 2, 2),
        case(RESIDUAL_BLOCKS, 203, 4),
        case(RESIDUAL_BLOCKS, 1024, 64),
    ]


EXERCISE = Exercise(
    name="run_network",
    lab=13,
    reference=run_network,
    cases=_cases,
    task="An executor of your own, in the bytes of three maps.",
    workspace=lambda nodes, constants, x: MAPS * x.nbytes + x.nbytes // 8,
    misconceptions=[
        Misconception(
            "nothing is freed",
            wrong.executor(free=None),
            symptom="The values are right. Every map that was made is still there at the end.",
            concept="What a dictionary or a list holds stays alive. After its last reader a map "
            "has to leave them all.",
            line="After step `at`: `for name in set(reads):`, and `del values[name]` if `at` is "
            "the last step that reads it.",
        ),
        Misconception(
            "in place under a second reader",
            wrong.relu_in_place,
            symptom="Where a map has two readers, the second finds values that the first has "
            "changed.",
            concept="A ReLU or a sum may write over what it reads, if nobody reads that later, and "
            "it is not the caller's input.",
            line="Write into what you read, by `out=` or `a[...] = 0`, only where this step is the "
            "last reader, and never into `x`.",
            choices={"sums": (True, False), "copied": (True, False, "where it is read")},
        ),
        Misconception(
            "freed after the first reader",
            wrong.popped,
            symptom="A chain runs. With a skip connection, a map is gone when it is needed again.",
            concept="If its first reader frees it, or if you keep the last result alone, a map is"
            " not there for the second reader, which the skip connection is.",
            line="Find for each name the *largest* number of a step that reads it.",
            choices={"popping": (True,)},
        ),
        Misconception(
            "two readings by one node",
            wrong.taken_at_each_reading,
            symptom="Where a node reads one map twice, the map is gone at the second reading.",
            concept="The sum of a map and itself is one reader, and names the map twice. Whoever "
            "counts must count one or two, everywhere alike; and it is freed once.",
            line="Take all that a node reads first, and free afterwards: `for name in set(reads)`.",
        ),
        Misconception(
            "ReLU left out",
            lambda nodes, constants, x, slope=1.0: wrong.with_other(
                relu=lambda a: np.maximum(a, np.float32(slope) * a)
            )(nodes, constants, x),
            choices={"slope": (0.01, 0.1)},
            symptom="Negative values come through.",
            concept="Fusing or reusing memory changes no value: a ReLU is still `max(value, 0)`.",
            line="`np.maximum(a, 0)`",
        ),
        Misconception(
            "a sum of one",
            lambda nodes, constants, x, total=lambda a, b: a + a: wrong.with_other(total=total)(
                nodes, constants, x
            ),
            choices={"total": (lambda a, b: b + b, lambda a, b: a.copy(), lambda a, b: b.copy())},
            symptom="Graphs without `add` are right; in others one operand of a sum does not "
            "count.",
            concept="`add` reads two maps.",
            line="`values[reads[0]] + values[reads[1]]`",
        ),
        Misconception(
            "the map before the last",
            lambda nodes, constants, x: wrong.executor()(nodes[:-1], constants, x),
            symptom="You return the map before the last.",
            concept="The result is what the last node makes.",
            line="`return values[nodes[-1][0]]`, after the loop.",
        ),
        Misconception(
            "operands exchanged",
            wrong.exchanged,
            symptom="You multiply the constant by the map, or the shapes do not fit at all.",
            concept="A map is `[pixels, channels]`: each pixel is a row, and rows stand on the "
            "left.",
            line="`values[reads[0]] @ values[reads[1]]`, in this order.",
        ),
        Misconception(
            "a constant turned round",
            wrong.turned,
            symptom="Your products are those of the constants with rows and columns exchanged.",
            concept="A constant has a row for each channel of the map, a column for each channel "
            "that it makes. Where it is square, both fit.",
            line="The map `@` the constant, as it is.",
        ),
        Misconception(
            "a ReLU behind the sum",
            wrong.with_other(total=lambda a, b: np.maximum(a + b, 0)),
            symptom="Right but where a sum is negative: there you have 0.",
            concept="A node does what its operator says: a ReLU behind a sum would be a node of "
            "its own.",
            line="`add` is `a + b`, whatever its sign.",
        ),
        Misconception(
            "size in place of ReLU",
            wrong.relu_of_the_size,
            symptom="Negative values come out positive.",
            concept="A ReLU cuts off at 0. It turns no sign round, as `np.abs` does.",
            line="`np.maximum(a, 0)`: what is below 0 becomes 0.",
        ),
        Misconception(
            "written over the input",
            wrong.over_the_input,
            symptom="You changed `x` itself.",
            concept="The caller still needs its input, and the first node's result is yours, "
            "not `x`.",
            line="No `out=`, no `+=` and no `a[...] =` where the name is `x`.",
        ),
        Misconception(
            "last pixels missing",
            wrong.in_blocks(lambda pixels, block: max(block, pixels // block * block)),
            symptom="Where your block does not divide the pixels, last ones can be missing.",
            concept="The last block is shorter than the others, but it is there.",
            line="`range(0, len(x), block)`, and slices that end where `x` does.",
        ),
        Misconception(
            "the first block again and again",
            wrong.first_block_again,
            symptom="The first block of pixels is right, and the others repeat it.",
            concept="Each block goes through the network by itself.",
            line="Begin each round with `x[begin : begin + block]`.",
        ),
        Misconception(
            "a tuple of all maps",
            lambda nodes, constants, x: (run_network(nodes, constants, x),),
            symptom="You return a tuple.",
            concept="The result is one map, the last node's.",
            line="`return values[nodes[-1][0]]`",
        ),
        Misconception(
            "float64",
            lambda nodes, constants, x: run_network(nodes, constants, x).astype(np.float64),
            symptom="Your result is float64.",
            concept="All maps and constants are float32: something made float64 of one of them.",
            line="Look for what makes it: `np.zeros` or `np.array` without a dtype, or a cast.",
        ),
        Misconception(
            "a sum into its first operand",
            wrong.sum_in_place,
            symptom="A sum is written over the map that it reads first, and a later reader finds "
            "the sum there.",
            concept="`+=` and `out=` change the array itself. That may be done only where nobody "
            "reads it later, and never to `x`.",
            line="`a + b` makes an array of its own; `a += b` only where this step is the last "
            "reader of `a`.",
        ),
        Misconception(
            "the smaller of value and 0",
            wrong.with_other(relu=lambda a: np.minimum(a, 0)),
            symptom="Negative values stay, and positive ones become 0.",
            concept="A ReLU keeps what is above 0.",
            line="`np.maximum(a, 0)`, the larger of the two.",
        ),
        Misconception(
            "a product for a sum",
            lambda nodes, constants, x, total=np.multiply: wrong.with_other(total=total)(
                nodes, constants, x
            ),
            choices={
                "total": (np.subtract, lambda a, b: b - a, np.maximum, lambda a, b: (a + b) / 2)
            },
            symptom="Graphs without `add` are right; in others two maps are put together "
            "otherwise than by adding.",
            concept="A skip connection *adds* what it has kept.",
            line="`values[reads[0]] + values[reads[1]]`: a plus.",
        ),
    ],
)
