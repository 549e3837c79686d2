"""Lab 13, exercise 3: the fusion pass."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import graph
from . import fuse_relu_wrong as wrong
from . import graphs
from .fuse_relu_wrong import fused
from .graphs import BRANCHES, CHAIN, PARALLEL, TWO_READERS


def fuse_relu(nodes, outputs):
    return fused()(nodes, outputs)


EXERCISE = Exercise(
    name="fuse_relu",
    lab=13,
    reference=fuse_relu,
    task="Fusion: a Relu goes into the Conv or Gemm that alone it follows.",
    cases=lambda rng: [
        (CHAIN, ("p",)),
        (TWO_READERS, ("t", "p")),
        (graph(rng, 12), ("n11",)),
        (PARALLEL, ("t",)),
        (CHAIN, ("p", "y")),
        (BRANCHES, ("f",)),
        (graphs.OF_AN_INPUT, ("z",)),
        (graphs.READ_SECOND, ("s",)),
        (graphs.READ_BEFORE, ("t",)),
        (CHAIN, ("y", "p")),
        (TWO_READERS, ("t", "y")),
        (graphs.JOINED, ("t",)),
        (graphs.TWO_RELUS, ("s",)),
        (graphs.TWO_IN_TURN, ("t",)),
    ],
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "second reader",
            lambda nodes, outputs, careful=True: fused(alone=False, careful=careful)(
                nodes, outputs
            ),
            choices={"careful": (False,)},
            symptom="You fuse a ReLU into a convolution whose map somebody else reads too.",
            concept="The other reader wants the map *before* the ReLU. Once they are fused, nobody "
            "makes that map.",
            line="Count the nodes that read the convolution's result. Fuse only where it is one.",
        ),
        Misconception(
            "output of the graph",
            fused(kept=False),
            symptom="You fuse away a map that is a result of the graph.",
            concept="No node but the ReLU reads it, but the caller does.",
            line="Leave it alone if the convolution's name is in `outputs`.",
        ),
        Misconception(
            "whoever else wants the map",
            lambda nodes, outputs, careful=True: fused(alone=False, kept=False, careful=careful)(
                nodes, outputs
            ),
            choices={"careful": (False,)},
            symptom="You fuse a ReLU into the convolution before it, though somebody else wants "
            "the map between them.",
            concept="Somebody may: another node that reads it, or the caller, if it is an output. "
            "Then it must be made, and stays.",
            line="Two conditions: exactly one reader, and a name that is not in `outputs`.",
        ),
        Misconception(
            "one of the two conditions",
            lambda nodes, outputs, careful=True: fused(either=True, careful=careful)(
                nodes, outputs
            ),
            choices={"careful": (False,)},
            symptom="You keep a map only if another node reads it *and* it is an output.",
            concept="One of the two is enough: then somebody wants the map, and it has to be made.",
            line="Fuse if both hold: exactly one reader, `and` not in `outputs`. Where you ask "
            "whether to pass over, it is `or`: another reader, `or` in `outputs`.",
        ),
        Misconception(
            "any operator",
            lambda nodes, outputs, ops=("Add", "MaxPool"): fused(ops=("Conv", "Gemm", *ops))(
                nodes, outputs
            ),
            choices={"ops": (("Add",), ("MaxPool",))},
            symptom="You fuse a ReLU into a node that is neither Conv nor Gemm.",
            concept="Fused kernels exist for Conv and Gemm. A ReLU after anything else, such as a "
            "sum, stays a node.",
            line='`if before[1] in ("Conv", "Gemm")`',
        ),
        Misconception(
            "the next one passed over",
            wrong.while_it_changes,
            symptom="Of two ReLUs in a row you fuse the first only.",
            concept="That is what comes of a loop over a list that it changes: when a node leaves "
            "it, all behind move up by one, and the loop passes over the next.",
            line="Walk through `nodes`, which stays as it is, and change a copy.",
        ),
        Misconception(
            "neighbours only",
            fused(near=True),
            symptom="You fuse a ReLU that stands right behind its convolution, and no other.",
            concept="Nodes are in an order in which they can run; whose result a node reads is "
            "said by its names.",
            line="Look the node up that makes `relu[2][0]`: `{node[0]: node for node in nodes}`.",
        ),
        Misconception(
            "the node before in the list",
            wrong.stands_before,
            symptom="You go by the node that stands before a ReLU in the list: right where that "
            "is the one that it reads.",
            concept="Between a convolution and its ReLU other nodes may stand, even another "
            "convolution. Whose result a ReLU takes is said by what it reads.",
            line="`before = made.get(relu[2][0])`, with `made = {node[0]: node for node in "
            "nodes}`.",
        ),
        Misconception(
            "convolutions only",
            fused(ops=("Conv",)),
            symptom="The ReLU after a Gemm is still there.",
            concept="A product ends with its sums in registers, as a convolution does.",
            line='`before[1] in ("Conv", "Gemm")`: one of two operators.',
        ),
        Misconception(
            "named after the convolution",
            fused(name_of=0),
            symptom="The fused node makes the convolution's tensor. Whoever asks for the "
            "ReLU's finds nothing.",
            concept="The fused node replaces both. What others still ask for is the last name of "
            "the two.",
            line='`(relu[0], before[1] + "+Relu", before[2])`',
        ),
        Misconception(
            "convolution left behind",
            fused(keep_conv=True),
            symptom="The fused node is there, and the convolution by itself as well: it is "
            "computed twice.",
            concept="Nobody reads the lone convolution any more. It has to go.",
            line="Leave the convolution out when you put the fused node in the ReLU's place.",
        ),
        Misconception(
            "in the convolution's place",
            fused(at_conv=True),
            symptom="The right nodes. But the fused one stands where the convolution stood, not "
            "where the ReLU did.",
            concept="For a ReLU both would run. With a sum they would not: what is added may be "
            "made between the two, and the fused node has to wait for it. So passes put it "
            "at the later place.",
            line="Put it where the ReLU was, and take the convolution out.",
        ),
        Misconception(
            "a ReLU of an input",
            wrong.looked_up,
            symptom="You look up a name that no node makes.",
            concept="A ReLU may read an input of the graph. Then there is nothing to fuse it into.",
            line="`made.get(name)` gives None where nobody makes it: test for that.",
        ),
        Misconception(
            "reads what it replaces",
            wrong.reads_the_convolution,
            symptom="Your fused node reads the convolution's result, which nobody makes any more.",
            concept="The fused node does the convolution itself. It reads what that read: the "
            "map and the weights.",
            line="`before[2]`: the whole tuple of what the convolution read.",
        ),
        Misconception(
            "another name for the operator",
            wrong.by_their_first_letters,
            symptom="The right nodes, with operators of another name.",
            concept="Who runs the graph looks it up by its name.",
            line='`before[1] + "+Relu"`',
        ),
        Misconception(
            "only the first one",
            wrong.first_only,
            symptom="The first ReLU is fused, the others are as they were.",
            concept="A pass goes through the whole graph.",
            line="After the first one, go on: no `return`, no `break` and no `next` that ends it.",
        ),
        Misconception(
            "nothing fused",
            lambda nodes, outputs: nodes,
            symptom="You return the graph as it came.",
            concept="Either a condition is never true, or the loop ends too early, or what you "
            "change is not what you return. The result is a new tuple: one that you "
            "change in a list, or collect as you go.",
            line="`result = list(nodes)` before the loop, `return tuple(result)` behind it.",
        ),
        Misconception(
            "a second operand overlooked",
            fused(count=lambda nodes, name: [node for node in nodes if node[2][0] == name]),
            symptom="You fuse away a map that a sum reads as its *second* operand.",
            concept="Whoever has a name anywhere in what it reads is a reader.",
            line="`before[0] in node[2]`, whichever operand it is.",
        ),
        Misconception(
            "only ReLUs among the readers",
            fused(
                count=lambda nodes, name: [
                    node for node in nodes if node[1] == "Relu" and name in node[2]
                ]
            ),
            symptom="You fuse where another node than a ReLU reads the map as well: that node then "
            "reads what nobody makes.",
            concept="A map may go only if the ReLU alone reads it, of all nodes.",
            line="`sum(before[0] in node[2] for node in nodes) == 1`, whatever these nodes do.",
        ),
        Misconception(
            "a reader before the ReLU",
            wrong.readers_behind,
            symptom="You fuse where another node reads the convolution's result before the ReLU "
            "does.",
            concept="Once they are fused, nobody makes that map: no reader finds it, be it before "
            "the ReLU or behind it.",
            line="Count the readers among all of `nodes`. A dict with one reader for each name, or "
            "a look from the ReLU on, does not see them all.",
        ),
        Misconception(
            "readers renamed",
            wrong.renamed,
            symptom="Your fused node keeps the convolution's name, and you rename those who read "
            "the ReLU's.",
            concept="It would run. But the caller asks for names, too: the fused node makes what "
            "the ReLU made, so that nobody else has to change.",
            line='`(relu[0], before[1] + "+Relu", before[2])` in the ReLU\'s place, be that name '
            "an output or not. All other nodes stay as they are.",
            choices={"at_conv": (False,), "wary": (False,)},
        ),
        Misconception(
            "the ReLU's own name among the outputs",
            wrong.the_relu_asked,
            choices={"only": (False,)},
            symptom="You ask whether the *ReLU's* result is an output.",
            concept="What the ReLU makes is there after fusion as before. Gone is what the "
            "convolution made, and that nobody else may want.",
            line="`if before[0] in outputs: continue`, not `relu[0]`.",
        ),
        Misconception(
            "reads both",
            wrong.reads_both,
            symptom="Your fused node reads what the convolution read, and the convolution's result "
            "besides.",
            concept="Nobody makes that map any more: between the two it stays in registers.",
            line="`before[2]` alone.",
        ),
        Misconception(
            "operator as it was",
            lambda nodes, outputs: tuple(
                (makes, op.removesuffix("+Relu"), reads)
                for makes, op, reads in fuse_relu(nodes, outputs)
            ),
            symptom="The right nodes, but no operator says that it has a ReLU in it.",
            concept="Whoever runs the graph sees a convolution, and cuts nothing off.",
            line='`before[1] + "+Relu"` for the operator.',
        ),
    ],
)
