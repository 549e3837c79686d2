"""Lab 15, exercise 1: nodes that no output needs."""

from .. import draws
from ..exercise import Exercise, Misconception, edit
from . import graphs


def remove_dead(nodes, outputs):
    needed, kept = set(outputs), []
    for node in reversed(nodes):
        if node[0] in needed:
            kept.append(node)
            needed.update(node[2])
    return tuple(reversed(kept))


def one_sweep(nodes, outputs):
    read = {name for node in nodes for name in node[2]}
    return tuple(node for node in nodes if node[0] in read.union(outputs))


def two_sweeps(nodes, outputs):
    return one_sweep(one_sweep(nodes, outputs), outputs)


EXERCISE = Exercise(
    name="remove_dead",
    lab=15,
    task="Dead code: keep only the nodes that some output depends on.",
    solution=remove_dead,
    cases=lambda rng: [
        (graphs.CHAIN, ("z",)),
        (graphs.AUXILIARY, ("p",)),
        (list(draws.graph(rng, 12)), ("n9",)),
        (graphs.SKIP, ("f", "g")),
        (graphs.SKIP, ("g",)),
        (graphs.TWO_READERS, ("t",)),
        (graphs.JOINED, ("t",)),
        (graphs.DEAD_CHAIN, ("z",)),
        (graphs.TWO_CHAINS, ("q",)),
        (graphs.NAMES_IN_NAMES, ("aux",)),
        (graphs.CHAIN, ("p", "y")),
    ],
    inputs=graphs.as_tuples,
    valid=graphs.makes_sense,
    mend="`for node in reversed(nodes): if node[0] in needed: kept.append(node); "
    "needed.update(node[2])`, with `needed = set(outputs)`; `kept` is reversed at the end",
    misconceptions=[
        Misconception(
            "too few sweeps",
            [one_sweep, two_sweeps],
            "Some dead nodes are still there, because other dead nodes read them.",
            "Without its readers a node may be dead too. Nobody knows beforehand how many sweeps "
            "that takes, so go backwards from the outputs once.",
        ),
        Misconception(
            "outputs thrown away",
            edit(
                "return tuple(reversed(kept))",
                "read = {name for node in kept for name in node[2]}\n"
                "    return tuple(node for node in reversed(kept) if node[0] in read)",
            ),
            "Outputs that no node reads are missing.",
            "The caller reads the outputs, so they are needed from the start.",
        ),
        Misconception(
            "a pass from front to back",
            edit("in reversed(nodes)", "in nodes", "reversed(kept)", "kept"),
            "Most of the needed nodes are missing.",
            "A node is needed if a *later* node reads it. So a backward pass knows all its "
            "readers, and a forward pass doesn't.",
        ),
        Misconception(
            "a reversed result",
            edit("tuple(reversed(kept))", "tuple(kept)"),
            "You keep the right nodes, in reverse order.",
            "A graph is run from front to back, so a node comes after the nodes that it reads.",
        ),
        Misconception(
            "one operand only",
            [
                edit("node[2])", "node[2][:1])"),
                edit("node[2])", "node[2][-1:])"),
            ],
            "Nodes that only one operand of another node needs are missing.",
            "A node needs all its operands: a sum may have three of them.",
        ),
    ],
)
