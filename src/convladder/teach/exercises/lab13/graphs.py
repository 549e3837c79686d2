"""Small graphs, as lab 13 writes them: a tuple of nodes `(makes, operator, reads)`, in order."""

from __future__ import annotations

CHAIN = (("y", "Conv", ("x", "w")), ("z", "Relu", ("y",)), ("p", "MaxPool", ("z",)))
AUXILIARY = (
    ("y", "Conv", ("x", "w")), ("z", "Relu", ("y",)), ("flat", "Flatten", ("z",)),
    ("aux", "Gemm", ("flat", "v")), ("p", "MaxPool", ("z",)), ("twice", "Add", ("aux", "aux")),
)  # fmt: skip
SKIP = (
    ("a", "Conv", ("x", "w1")), ("b", "Relu", ("a",)), ("c", "Conv", ("b", "w2")),
    ("s", "Add", ("c", "b")), ("d", "Relu", ("s",)), ("e", "Gemm", ("d", "w3")),
    ("f", "Relu", ("e",)), ("g", "MaxPool", ("b",)),
)  # fmt: skip
TWO_READERS = (
    ("y", "Conv", ("x", "w")), ("z", "Relu", ("y",)), ("p", "MaxPool", ("y",)),
    ("s", "Gemm", ("z", "v")), ("t", "Relu", ("s",)),
)  # fmt: skip
PARALLEL = (
    ("a", "Conv", ("x", "w")), ("b", "MaxPool", ("x",)), ("c", "Relu", ("a",)),
    ("s", "Add", ("c", "b")), ("t", "Relu", ("s",)),
)  # fmt: skip
BRANCHES = (  # of three that can be fused, the second stands behind the first
    ("a", "Conv", ("x", "w")), ("b", "Conv", ("x", "v")), ("c", "Relu", ("a",)),
    ("d", "Relu", ("b",)), ("s", "Add", ("c", "d")), ("e", "Conv", ("s", "u")),
    ("f", "Relu", ("e",)),
)  # fmt: skip
JOINED = (  # what the last operand of a sum needs, nothing else does
    ("a", "Conv", ("x", "w")), ("b", "Relu", ("a",)), ("c", "Conv", ("x", "v")),
    ("d", "MaxPool", ("c",)), ("s", "Sum", ("b", "x", "d")), ("t", "Relu", ("s",)),
)  # fmt: skip
DEAD_CHAIN = (
    ("y", "Conv", ("x", "w")), ("a", "MaxPool", ("y",)), ("b", "Gemm", ("a", "v")),
    ("z", "Relu", ("y",)), ("c", "Relu", ("b",)), ("d", "Flatten", ("c",)),
)  # fmt: skip
READ_SECOND = (  # what the Relu reads, a sum reads as its second operand
    ("a", "Conv", ("x", "w")), ("b", "Relu", ("a",)), ("c", "Conv", ("b", "v")),
    ("d", "Relu", ("c",)), ("s", "Add", ("d", "a")),
)  # fmt: skip
READ_BEFORE = (  # somebody reads the Relu's map before the Relu does, as its first operand
    ("a", "Conv", ("x", "w")), ("p", "MaxPool", ("x",)), ("s", "Add", ("a", "p")),
    ("b", "Relu", ("a",)), ("t", "Add", ("s", "b")),
)  # fmt: skip
TWO_CHAINS = tuple(  # a, c, e ... and b, d, f ...: nine nodes each, the second to be removed
    (makes, "Relu", (reads,))
    for reads, makes in zip("xxabcdefghijklmnop", "abcdefghijklmnopqr", strict=True)
)
NAMES_IN_NAMES = (("a", "Conv", ("x", "w")), ("aux", "Relu", ("x",)))
READ_TWICE = (  # a node that names a map twice is one reader
    ("a", "Conv", ("x", "w")), ("b", "Add", ("a", "a")), ("c", "Add", ("b", "a")),
    ("d", "Gemm", ("c", "v")),
)  # fmt: skip
TWO_RELUS = (("a", "Conv", ("x", "w")), ("b", "Relu", ("a",)), ("c", "Relu", ("a",)),
             ("s", "Add", ("b", "c")))  # fmt: skip
TWO_IN_TURN = (("y", "Conv", ("x", "w")), ("z", "Relu", ("y",)), ("t", "Relu", ("z",)))
OF_AN_INPUT = (("a", "Relu", ("x",)), ("y", "Conv", ("a", "w")), ("z", "Relu", ("y",)))
UNREAD = (("a", "Conv", ("x", "w")), ("d", "Gemm", ("a", "v")), ("b", "Relu", ("a",)),
          ("c", "MaxPool", ("b",)))  # fmt: skip


def readers(nodes, name):
    """Return the nodes that read `name`."""
    return [node for node in nodes if name in node[2]]
