"""Lab 15, exercise 3: the fusion pass."""

from .. import draws
from ..exercise import Exercise, Misconception, edit
from . import graphs


def fuse_relu(nodes, outputs):
    made = {node[0]: node for node in nodes}
    fused = {}
    for name, operator, reads in nodes:
        before = made.get(reads[0])
        if operator == "Relu" and before and before[1] in ("Conv", "Gemm"):
            readers = [node for node in nodes if before[0] in node[2]]
            if len(readers) == 1 and before[0] not in outputs:
                fused[name] = before
    gone = {before[0] for before in fused.values()}
    result = []
    for node in nodes:
        if node[0] in fused:
            _, operator, reads = fused[node[0]]
            result.append((node[0], f"{operator}+Relu", reads))
        elif node[0] not in gone:
            result.append(node)
    return tuple(result)


EXERCISE = Exercise(
    name="fuse_relu",
    lab=15,
    task="Fusion: a Relu joins the Conv or Gemm before it if nothing else reads its map.",
    solution=fuse_relu,
    cases=lambda rng: [
        (graphs.CHAIN, ("p",)),
        (graphs.TWO_READERS, ("t", "p")),
        (list(draws.graph(rng, 12)), ("n11",)),
        (graphs.PARALLEL, ("t",)),
        (graphs.CHAIN, ("p", "y")),
        (graphs.BRANCHES, ("f",)),
        (graphs.OF_AN_INPUT, ("z",)),
        (graphs.READ_SECOND, ("s",)),
        (graphs.READ_BEFORE, ("t",)),
        (graphs.CHAIN, ("y", "p")),
        (graphs.TWO_READERS, ("t", "y")),
        (graphs.JOINED, ("t",)),
        (graphs.TWO_RELUS, ("s",)),
        (graphs.TWO_IN_TURN, ("t",)),
    ],
    inputs=graphs.as_tuples,
    valid=graphs.makes_sense,
    mend='Fuse a `Relu` if the node that makes `reads[0]` is a "Conv" or "Gemm", exactly one node '
    "reads that map, and it is not in `outputs`; then leave out the old node, and put `(relu's "
    'name, operator + "+Relu", what the old node reads)` in the place of the Relu',
    misconceptions=[
        Misconception(
            "a second reader",
            edit("len(readers) == 1 and ", ""),
            "You fuse a Relu into a convolution whose map another node reads too.",
            "The other node needs the map *before* the Relu. Once the two are fused, nothing makes "
            "that map.",
        ),
        Misconception(
            "an output of the graph",
            edit(" and before[0] not in outputs", ""),
            "You fuse away a map that is an output of the graph.",
            "The caller reads the outputs, even if no node but the Relu does.",
        ),
        Misconception(
            "the convolution kept",
            edit("elif node[0] not in gone:", "else:"),
            "The old convolutions are still there beside the fused ones.",
            "A fused node does the work of both, so the old node has to go.",
        ),
        Misconception(
            "the name of the convolution",
            edit("append((node[0], f", "append((fused[node[0]][0], f"),
            "Your fused nodes have the names of the convolutions.",
            "Later nodes read the Relu's map, under the name of the Relu.",
        ),
        Misconception(
            "the operands of the Relu",
            edit("reads = fused[node[0]]", "reads = *fused[node[0]][:2], node[2]"),
            "Your fused nodes read the map that nothing makes any more.",
            "A fused node reads the operands of the convolution: its input and its weights.",
        ),
        Misconception(
            "neighbours only",
            edit(
                "and before[0] not in outputs",
                "and before[0] not in outputs and before == nodes[nodes.index(made[name]) - 1]",
            ),
            "You leave Relus alone whose convolution is not the node just before.",
            "A list has an order, but the edges of the graph are in `reads`. Other nodes may stand "
            "between.",
        ),
    ],
)
