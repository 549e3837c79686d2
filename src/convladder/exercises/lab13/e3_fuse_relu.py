"""Lab 13, exercise 3: the fusion pass."""

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


APPEND = 'result.append((node[0], f"{operator}+Relu", reads))'

EXERCISE = Exercise(
    name="fuse_relu",
    lab=13,
    task="Fusion: a Relu joins the Conv or Gemm before it if nothing else reads its map.",
    solution=fuse_relu,
    cases=lambda rng: [
        *[(graphs.CHAIN, ("p",)), (graphs.TWO_READERS, ("t", "p"))],
        (list(draws.graph(rng, 12)), ("n11",)),
        *[(graphs.PARALLEL, ("t",)), (graphs.CHAIN, ("p", "y")), (graphs.BRANCHES, ("f",))],
        *[(graphs.OF_AN_INPUT, ("z",)), (graphs.READ_SECOND, ("s",))],
        *[(graphs.READ_BEFORE, ("t",)), (graphs.CHAIN, ("y", "p"))],
        *[(graphs.TWO_READERS, ("t", "y")), (graphs.JOINED, ("t",))],
        *[(graphs.TWO_RELUS, ("s",)), (graphs.TWO_IN_TURN, ("t",))],
    ],
    inputs=graphs.as_tuples,
    valid=graphs.makes_sense,
    mend='Fuse a `Relu` if the node that makes `reads[0]` is a "Conv" or "Gemm", exactly one node '
    "reads that map, and it is not in `outputs`; then leave out the old node, and put `(relu's "
    'name, operator + "+Relu", what the old node reads)` in the place of the Relu',
    misconceptions=[
        Misconception(
            "a second reader",
            [
                edit("len(readers) == 1 and ", ""),
                edit("len(readers) == 1 and ", "readers[0][0] == name and "),
                edit("len(readers) == 1 and ", "readers[-1][0] == name and "),
            ],
            "You fuse a Relu into a convolution whose map another node reads too.",
            "The other node needs the map *before* the Relu. Once the two are fused, nothing makes "
            "that map.",
        ),
        Misconception(
            "an output of the graph",
            [
                edit(" and before[0] not in outputs", ""),
                edit("before[0] not in outputs", "before[0] != outputs[0]"),
                edit("before[0] not in outputs", "before[0] != outputs[-1]"),
            ],
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
            "Later nodes read the map behind the Relu, under the name of the Relu.",
        ),
        Misconception(
            "the operands of the Relu",
            edit(
                "_, operator, reads = fused[node[0]]",
                "_, operator, reads = node",
                APPEND,
                'result.append((node[0], f"{fused[node[0]][1]}+Relu", reads))',
            ),
            "Your fused nodes read the map that nothing makes any more.",
            "A fused node reads the operands of the convolution: its input and its weights.",
        ),
        Misconception(
            "neighbours only",
            edit(
                'if operator == "Relu" and before and',
                'if operator == "Relu" and before and (nodes.index(before) + 1 == '
                "nodes.index(made[name])) and",
            ),
            "You leave Relus alone whose convolution is not the node just before.",
            "A list has an order, but the edges of the graph are in `reads`. Other nodes may stand "
            "between.",
        ),
        Misconception(
            "convolutions only",
            edit('before[1] in ("Conv", "Gemm")', 'before[1] == "Conv"'),
            'You never fuse a Relu into a "Gemm".',
            "A matrix product has the same epilogue as a convolution.",
        ),
        Misconception(
            "any operator",
            edit(' and before[1] in ("Conv", "Gemm")', ""),
            'You fuse a Relu into operators other than "Conv" and "Gemm".',
            "The epilogue belongs to kernels that hold sums in registers. This pass has fused "
            "kernels for `Conv` and `Gemm` only.",
        ),
        Misconception(
            "an input without a node",
            edit("made.get(reads[0])", "made[reads[0]]"),
            "A Relu that reads an input of the graph raises a `KeyError`.",
            "No node makes an input, so a lookup by name may find nothing.",
        ),
    ],
)
