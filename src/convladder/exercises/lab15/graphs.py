"""Small graphs: nodes `(makes, operator, reads)`, each behind those it reads."""


def graph(text):
    """Return the nodes of lines such as `z = Relu y`, with `;` between them."""
    nodes = []
    for line in text.split(";"):
        makes, _, operator, *reads = line.split()
        nodes.append((makes, operator, tuple(reads)))
    return nodes


def as_tuples(fill, nodes, outputs):
    """Return the arguments of a pass. In a case the nodes are a list, which can be shortened."""
    return tuple(nodes), tuple(outputs)


def makes_sense(nodes, outputs):
    """Return whether names differ, nodes follow what they read, and the outputs are made."""
    names = [node[0] for node in nodes]
    ordered = all(name not in names[at:] for at, node in enumerate(nodes) for name in node[2])
    return (
        ordered
        and len(set(names)) == len(names) > 0 < len(outputs) == len(set(outputs))
        and set(outputs) <= set(names)
        and all(node[0] and all(node[2]) and node[2] for node in nodes)
    )


CHAIN = graph("y = Conv x w; z = Relu y; p = MaxPool z")
AUXILIARY = graph(
    "y = Conv x w; z = Relu y; flat = Flatten z; aux = Gemm flat v; p = MaxPool z; "
    "twice = Add aux aux"
)
SKIP = graph(
    "a = Conv x w1; b = Relu a; c = Conv b w2; s = Add c b; d = Relu s; e = Gemm d w3; "
    "f = Relu e; g = MaxPool b"
)
TWO_READERS = graph("y = Conv x w; z = Relu y; p = MaxPool y; s = Gemm z v; t = Relu s")
PARALLEL = graph("a = Conv x w; b = MaxPool x; c = Relu a; s = Add c b; t = Relu s")
BRANCHES = graph(  # of three nodes that can be fused, the second stands behind the first
    "a = Conv x w; b = Conv x v; c = Relu a; d = Relu b; s = Add c d; e = Conv s u; f = Relu e"
)
JOINED = graph(  # only the last operand of a sum needs some nodes
    "a = Conv x w; b = Relu a; c = Conv x v; d = MaxPool c; s = Sum b x d; t = Relu s"
)
DEAD_CHAIN = graph(
    "y = Conv x w; a = MaxPool y; b = Gemm a v; z = Relu y; c = Relu b; d = Flatten c"
)
READ_SECOND = graph("a = Conv x w; b = Relu a; c = Conv b v; d = Relu c; s = Add d a")
READ_BEFORE = graph("a = Conv x w; p = MaxPool x; s = Add a p; b = Relu a; t = Add s b")
TWO_CHAINS = [  # a, c, e, … and b, d, f, …: nine nodes each
    (makes, "Relu", (reads,))
    for reads, makes in zip("xxabcdefghijklmnop", "abcdefghijklmnopqr", strict=True)
]
NAMES_IN_NAMES = graph("a = Conv x w; aux = Relu x")
READ_TWICE = graph("a = Conv x w; b = Add a a; c = Add b a; d = Gemm c v")
TWO_RELUS = graph("a = Conv x w; b = Relu a; c = Relu a; s = Add b c")
TWO_IN_TURN = graph("y = Conv x w; z = Relu y; t = Relu z")
OF_AN_INPUT = graph("a = Relu x; y = Conv a w; z = Relu y")
UNREAD = graph("a = Conv x w; d = Gemm a v; b = Relu a; c = MaxPool b")
