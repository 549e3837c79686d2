"""Lab 13, exercise 1: what no output needs."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import graph
from .graphs import AUXILIARY, CHAIN, DEAD_CHAIN, JOINED, NAMES_IN_NAMES, SKIP, TWO_CHAINS
from .graphs import TWO_READERS, readers


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
    name="remove_dead",
    lab=13,
    reference=remove_dead,
    task="Dead code: keep only the nodes that some output depends on.",
    cases=lambda rng: [
        (CHAIN, ("z",)),
        (AUXILIARY, ("p",)),
        (SKIP, ("f", "g")),
        (TWO_READERS, ("t", "y")),
        (graph(rng), ("n7",)),
        (CHAIN, ("p",)),
        (JOINED, ("t",)),
        (DEAD_CHAIN, ("z",)),
        (NAMES_IN_NAMES, ("aux",)),
        (TWO_CHAINS, ("q",)),
    ],
    misconceptions=[
        Misconception(
            "one sweep",
            _one_sweep,
            symptom="You leave out what nobody reads, and keep what only such a node read.",
            concept="When a node goes, its readings go too, and the nodes that made them may now "
            "be read by nobody. One look at the readers is not enough.",
            line="Go through the nodes backwards with a set of needed names, `set(outputs)` at "
            "first; a node that is kept adds what it reads. Or sweep until nothing changes.",
        ),
        Misconception(
            "outputs thrown away",
            _outputs_unread,
            symptom="Nodes that make an output, and that nobody reads, are missing.",
            concept="The caller reads an output, even if no node does. So what makes one stays.",
            line="Keep a node if its name is in `needed`, which begins as `set(outputs)`.",
        ),
        Misconception(
            "the outputs and hardly more",
            _forwards,
            choices={"turned": (True,)},
            symptom="Of what an output depends on, almost nothing is kept.",
            concept="A node is needed if a later one that is needed reads it. So the search goes "
            "back from the outputs, and each node that stays makes what it reads needed.",
            line="`for node in reversed(nodes):`, and in it `needed.update(node[2])` for each "
            "node that you keep. What is collected so is turned round once, at the end.",
        ),
        Misconception(
            "one step back",
            _one_step,
            symptom="You keep the outputs and what they read, but not what those read in turn.",
            concept="Being needed is passed on: from the outputs through every node to the inputs.",
            line="One walk from the end, `for node in reversed(nodes):`, in which each node that "
            "you keep adds what it reads.",
        ),
        Misconception(
            "a few steps back",
            _steps_back,
            choices={"sweeps": (3, 4, 5)},
            symptom="You keep what is a few steps before an output, and lose what is further back.",
            concept="Each round of such a search gets one reading further back. How many rounds it "
            "takes, nobody knows beforehand.",
            line="One walk from the end, `for node in reversed(nodes):`; or rounds until nothing "
            "is new.",
        ),
        Misconception(
            "back to front",
            lambda nodes, outputs: remove_dead(nodes, outputs)[::-1],
            symptom="The right nodes, in the wrong order: the last comes first.",
            concept="The search runs backwards. A program does not: each node must stand after "
            "those that it reads.",
            line="What is collected from the end has to be turned round, once, before you return "
            "it; what is picked from `nodes` in their order does not.",
        ),
        Misconception(
            "one output only",
            lambda nodes, outputs, which=0: remove_dead(nodes, outputs[which:][:1]),
            choices={"which": (-1,)},
            symptom="With one output all is right; of two, you keep what one needs, and lose what "
            "only the other does.",
            concept="A graph may have several results, and each is wanted.",
            line="The search begins with *all* names in `outputs`.",
        ),
        Misconception(
            "first operand only",
            _first_operand,
            symptom="Where a node reads two results, you keep only what its first operand needs.",
            concept="An `Add` needs both of its operands, and whatever these need in turn.",
            line="`needed.update(node[2])`: all names that it reads.",
        ),
        Misconception(
            "two operands only",
            lambda nodes, outputs: tuple(
                node
                for node in nodes
                if node[0]
                in {
                    kept[0]
                    for kept in remove_dead(
                        [(makes, op, reads[:2]) for makes, op, reads in nodes], outputs
                    )
                }
            ),
            symptom="Right where nodes read two names at most; what a third operand needs is gone.",
            concept="How many names a node reads depends on its operator: a `Sum` may have any "
            "number, and a convolution has its bias.",
            line="`needed.update(node[2])`, the whole tuple.",
        ),
        Misconception(
            "all up to the last output",
            _up_to_the_outputs,
            symptom="You cut off what comes after the outputs, and keep everything before.",
            concept="A branch that nobody uses may stand before an output as well as behind it.",
            line="Go back from the outputs, `for node in reversed(nodes):`. A node stays if it "
            "makes an output, or what a node that stays reads.",
        ),
        Misconception(
            "dead ones returned",
            lambda nodes, outputs: tuple(
                node for node in nodes if node not in remove_dead(nodes, outputs)
            ),
            symptom="You return the nodes that should go.",
            concept="What is asked for is what stays.",
            line="Return the nodes whose names are in `needed`.",
        ),
        Misconception(
            "names, not nodes",
            lambda nodes, outputs: tuple(node[0] for node in remove_dead(nodes, outputs)),
            symptom="The right nodes, but their names only.",
            concept="The next pass needs operators and operands as well.",
            line="Collect whole nodes, `node`, where you ask by their names, `node[0]`.",
        ),
        Misconception(
            "last operand only",
            _last_operand,
            symptom="You keep what a node's last operand needs; of a convolution that is the "
            "weights.",
            concept="A node needs everything that it reads, maps and weights alike.",
            line="`needed.update(node[2])`, from the first name to the last.",
        ),
        Misconception(
            "a fixed number of sweeps",
            _swept,
            symptom="Of a chain of nodes that nobody needs, you leave out the last ones only.",
            concept="Once its last node is gone, nobody reads the one before: each sweep takes one "
            "node off the chain. How many sweeps it takes, nobody knows beforehand.",
            line="One walk from the end, with a set of needed names; or sweep until nothing "
            "changes.",
            choices={"sweeps": (3, 4, 5)},
        ),
        Misconception(
            "one chain only",
            _names_replaced,
            symptom="You keep one chain back from the last output in the list, and lose what else "
            "is needed.",
            concept="Names stay needed until the node that makes them is found.",
            line="`needed.update(node[2])`: names are added, and none is taken out that is still "
            "to be found.",
        ),
        Misconception(
            "the last node kept",
            lambda nodes, outputs: remove_dead(nodes, (*outputs, nodes[-1][0])),
            symptom="You keep the last node, and what it needs, even if nobody needs it.",
            concept="A graph's outputs are those of `outputs`, wherever they stand.",
            line="`needed = set(outputs)`, and nothing more.",
        ),
        Misconception(
            "a name within a name",
            _in_a_text,
            choices={"between": ("",)},
            symptom="You keep a node that nobody needs, whose name is a part of a needed one.",
            concept="Two names are the same if they are equal. Of a string, `in` and `startswith` "
            "ask for a part: `a` stands in `aux`. Of a set, `in` asks for an equal item.",
            line="Collect the names in a set, `needed = set(outputs)`, and ask it: "
            "`node[0] in needed`.",
        ),
    ],
)
