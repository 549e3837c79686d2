"""Lab 13, exercise 1: what no output needs."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ..draws import graph
from .graphs import AUXILIARY, CHAIN, DEAD_CHAIN, JOINED, NAMES_IN_NAMES, SKIP, TWO_READERS
from .graphs import readers


def remove_dead(nodes, outputs):
    needed, kept = set(outputs), []
    for node in reversed(nodes):
        if node[0] in needed:
            kept.append(node)
            needed.update(node[2])
    return tuple(reversed(kept))


def _one_sweep(nodes, outputs):
    return tuple(node for node in nodes if node[0] in outputs or readers(nodes, node[0]))


def _outputs_unread(nodes, outputs):
    kept = remove_dead(nodes, outputs)
    return tuple(node for node in kept if readers(kept, node[0]))


def _forwards(nodes, outputs, turned=False):
    needed, kept = set(outputs), []
    for node in nodes:
        if node[0] in needed:
            kept.append(node)
            needed.update(node[2])
    return tuple(reversed(kept) if turned else kept)


def _one_step(nodes, outputs):
    needed = {name for node in nodes if node[0] in outputs for name in node[2]} | set(outputs)
    return tuple(node for node in nodes if node[0] in needed)


def _steps_back(nodes, outputs, sweeps=2):
    """Go through the nodes forwards so many times."""
    needed = set(outputs)
    for _ in range(sweeps):
        for node in nodes:
            if node[0] in needed:
                needed.update(node[2])
    return tuple(node for node in nodes if node[0] in needed)


def _first_operand(nodes, outputs):
    """Follow only what a node reads first."""
    needed, kept = set(outputs), []
    for node in reversed(nodes):
        if node[0] in needed:
            kept.append(node)
            needed.update(node[2][:1])
    return tuple(reversed(kept))


def _up_to_the_outputs(nodes, outputs):
    last = max(at for at, node in enumerate(nodes) if node[0] in outputs)
    return nodes[: last + 1]


def _last_operand(nodes, outputs):
    """Follow only what a node reads last."""
    needed, kept = set(outputs), []
    for node in reversed(nodes):
        if node[0] in needed:
            kept.append(node)
            needed.add(node[2][-1])
    return tuple(reversed(kept))


def _swept(nodes, outputs, sweeps=2):
    for _ in range(sweeps):
        nodes = _one_sweep(nodes, outputs)
    return nodes


def _in_a_text(nodes, outputs, between=" "):
    """Keep the needed names in one string."""
    needed, kept = between.join(outputs), []
    for node in reversed(nodes):
        if node[0] in needed:
            kept.append(node)
            needed += between + between.join(node[2])
    return tuple(reversed(kept))


def _names_replaced(nodes, outputs):
    needed, kept = set(outputs), []
    for node in reversed(nodes):
        if node[0] in needed:
            kept.append(node)
            needed = set(node[2])
    return tuple(reversed(kept))


EXERCISE = Exercise(
    name="remove_dead", lab=13, reference=remove_dead,
    task="Dead code: keep only the nodes that some output depends on.",
    cases=lambda rng: [(CHAIN, ("z",)), (AUXILIARY, ("p",)), (SKIP, ("f", "g")),
                       (TWO_READERS, ("t", "y")), (graph(rng), ("n7",)), (CHAIN, ("p",)),
                       (JOINED, ("t",)), (DEAD_CHAIN, ("z",)), (NAMES_IN_NAMES, ("aux",))],
    misconceptions=[
        Misconception(
            "one sweep", _one_sweep,
            symptom="You leave out what nobody reads, and keep what only such a node read.",
            concept="When a node goes, its readings go too, and the nodes that made them may now "
                    "be read by nobody. One look at the readers is not enough.",
            line="Go through the nodes backwards with a set of needed names, `set(outputs)` at "
                 "first; a node that is kept adds what it reads."),
        Misconception(
            "outputs thrown away", _outputs_unread,
            symptom="Nodes that make an output, and that nobody reads, are missing.",
            concept="No node reads an output, but the caller does. Outputs are where the search "
                    "begins.",
            line="Start with `needed = set(outputs)`."),
        Misconception(
            "forwards", _forwards, choices={"turned": (True,)},
            symptom="Of what an output depends on, almost nothing is kept.",
            concept="A node is needed if a later one that is needed reads it. So the search goes "
                    "back from the outputs, and each node that stays makes what it reads needed.",
            line="`for node in reversed(nodes):`, and in it `needed.update(node[2])` for each "
                 "node that you keep."),
        Misconception(
            "one step back", _one_step,
            symptom="You keep the outputs and what they read, but not what those read in turn.",
            concept="Being needed is passed on: from the outputs through every node to the inputs.",
            line="Add a kept node's inputs to the needed names as you go, not once at the start."),
        Misconception(
            "a few steps back", _steps_back, choices={"sweeps": (3, 4)},
            symptom="You keep what is a few steps before an output, and lose what is further back.",
            concept="A walk from the front finds at each round only what the nodes that it knows "
                    "read. How many rounds it takes, nobody knows beforehand.",
            line="One walk from the end, `for node in reversed(nodes):`; or rounds until nothing "
                 "is new."),
        Misconception(
            "back to front", lambda nodes, outputs: remove_dead(nodes, outputs)[::-1],
            symptom="The right nodes, in the wrong order: the last comes first.",
            concept="The search runs backwards. A program does not: each node must stand after "
                    "those that it reads.",
            line="Turn the list round before you return it."),
        Misconception(
            "first output only", lambda nodes, outputs, which=0: remove_dead(
                nodes, outputs[which:][:1]), choices={"which": (-1,)},
            symptom="With one output all is right; with two, what only one of them needs is gone.",
            concept="A graph may have several results, and each is wanted.",
            line="`needed` begins with *all* names in `outputs`."),
        Misconception(
            "first operand only", _first_operand,
            symptom="Where a node reads two results, you keep only what its first operand "
                    "needs.",
            concept="An `Add` needs both of its operands, and whatever these need in turn.",
            line="`needed.update(node[2])`, all names that it reads, not "
                    "`needed.add(node[2][0])`."),
        Misconception(
            "all up to the last output", _up_to_the_outputs,
            symptom="You cut off what comes after the outputs, and keep everything before.",
            concept="A branch that nobody uses may stand before an output as well as behind it.",
            line="Ask of each node whether somebody needs it."),
        Misconception(
            "dead ones returned",
            lambda nodes, outputs: tuple(
                node for node in nodes if node not in remove_dead(nodes, outputs)),
            symptom="You return the nodes that should go.",
            concept="What is asked for is what stays.",
            line="`if node[0] in needed`, not `not in`."),
        Misconception(
            "names, not nodes",
            lambda nodes, outputs: tuple(node[0] for node in remove_dead(nodes, outputs)),
            symptom="The right nodes, but their names only.",
            concept="The next pass needs operators and operands as well.",
            line="`kept.append(node)`, the whole tuple."),
        Misconception(
            "last operand only", _last_operand,
            symptom="You keep what a node's last operand needs; of a convolution that is the "
                    "weights.",
            concept="A node needs everything that it reads, maps and weights alike.",
            line="`needed.update(node[2])`, not `needed.add(node[2][-1])`."),
        Misconception(
            "a fixed number of sweeps", _swept,
            symptom="Of a chain of nodes that nobody needs, you leave out the last ones only.",
            concept="With each sweep the chain loses its last node. How many sweeps it takes, "
                    "nobody knows beforehand.",
            line="One walk from the end, with a set of needed names; or sweep until nothing "
                 "changes.",
            choices={"sweeps": (3,)}),
        Misconception(
            "needed names replaced", _names_replaced,
            symptom="You keep a chain back from an output, and lose what other nodes of it need.",
            concept="Names stay needed until the node that makes them is found.",
            line="`needed.update(node[2])`, not `needed = set(node[2])`."),
        Misconception(
            "the last node kept", lambda nodes, outputs: remove_dead(
                nodes, (*outputs, nodes[-1][0])),
            symptom="You keep the last node, and what it needs, even if nobody needs it.",
            concept="A graph's outputs are those of `outputs`, wherever they stand.",
            line="`needed = set(outputs)`, and nothing more."),
        Misconception(
            "a name within a name", _in_a_text, choices={"between": ("",)},
            symptom="You keep a node that nobody needs, whose name is a part of a needed one.",
            concept="`in` asks of a set or a tuple whether one of its items is equal. Of a string "
                    "it asks whether the letters stand in it somewhere: `a` stands in `aux`.",
            line="Collect the names in a set: `needed = set(outputs)`."),
    ],
)
