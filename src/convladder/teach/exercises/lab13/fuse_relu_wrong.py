"""Fusion passes, right and as learners make them: lab 13, exercise 3."""

from __future__ import annotations

from ...grading.exercise import Misconception
from .graphs import readers


def fused(
    ops=("Conv", "Gemm"),
    alone=True,
    kept=True,
    keep_conv=False,
    name_of=1,
    at_conv=False,
    near=False,
    count=readers,
    careful=True,
    either=False,
):
    """Make the pass, and the ways in which it goes wrong."""

    def run(nodes, outputs):
        made = {node[0]: node for node in nodes}
        result = list(nodes)
        for relu in nodes:
            before = made.get(relu[2][0])
            if relu[1] != "Relu" or before is None or before[1] not in ops:
                continue
            wanted = (alone and len(count(nodes, before[0])) > 1, kept and before[0] in outputs)
            if all(wanted) if either else any(wanted):
                continue
            if near and nodes.index(relu) != nodes.index(before) + 1:
                continue
            one = ((before, relu)[name_of][0], f"{before[1]}+Relu", before[2])
            place = before if at_conv else relu
            result[result.index(place)] = one
            other = before if place is relu else relu
            if not keep_conv and (other in result or not careful):
                result.remove(other)  # an error where a second ReLU reads it, if not asked before
        return tuple(result)

    return run


def readers_behind(nodes, outputs):
    """Fuse unless somebody reads the convolution's result behind the ReLU."""
    result, made = list(nodes), {node[0]: node for node in nodes}
    for at, relu in enumerate(nodes):
        before = made.get(relu[2][0])
        if (
            relu[1] == "Relu"
            and before
            and before[1] in ("Conv", "Gemm")
            and before[0] not in outputs
            and not readers(nodes[at + 1 :], before[0])
        ):
            result[result.index(relu)] = (relu[0], f"{before[1]}+Relu", before[2])
            result.remove(before)
    return tuple(result)


def while_it_changes(nodes, outputs):
    result = list(nodes)
    for relu in result:  # from which nodes are removed: the next one is passed over
        before = {node[0]: node for node in result}.get(relu[2][0])
        if (
            relu[1] == "Relu"
            and before
            and before[1] in ("Conv", "Gemm")
            and before[0] not in outputs
            and len(readers(result, before[0])) == 1
        ):
            result[result.index(relu)] = (relu[0], f"{before[1]}+Relu", before[2])
            result.remove(before)
    return tuple(result)


def looked_up(nodes, outputs):
    made = {node[0]: node for node in nodes}
    for relu in nodes:
        if relu[1] == "Relu":
            made[relu[2][0]]
    return fused()(nodes, outputs)


def reads_the_convolution(nodes, outputs):
    made = {node[0]: node[2][0] for node in nodes if node[1] == "Relu"}
    return tuple(
        (node[0], node[1], (made[node[0]],)) if node[1].endswith("+Relu") else node
        for node in fused()(nodes, outputs)
    )


def first_only(nodes, outputs):
    first = next((node for node in fused()(nodes, outputs) if node[1].endswith("+Relu")), None)
    if first is None:
        return nodes
    before = next(node for node in nodes if node[0] == first[0])[2][0]
    return tuple(first if node[0] == first[0] else node for node in nodes if node[0] != before)


def by_their_first_letters(nodes, outputs):
    return tuple(
        (node[0], "ConvRelu" if node[1] == "Conv+Relu" else "GemmRelu", node[2])
        if node[1].endswith("+Relu")
        else node
        for node in fused()(nodes, outputs)
    )


def renamed(nodes, outputs, at_conv=True, wary=True):
    """Fuse under the convolution's name; wary: not where the ReLU's is an output."""
    result = list(nodes)
    for relu in nodes:
        before = {node[0]: node for node in result}.get(relu[2][0])
        if (
            relu[1] != "Relu"
            or before is None
            or before[1] not in ("Conv", "Gemm")
            or before[0] in outputs
            or len(readers(result, before[0])) > 1
            or wary
            and relu[0] in outputs
        ):
            continue
        here = next(node for node in result if node[0] == relu[0])
        place, other = (before, here) if at_conv else (here, before)
        result[result.index(place)] = (before[0], f"{before[1]}+Relu", before[2])
        result.remove(other)
        result = [
            (makes, op, tuple(before[0] if name == relu[0] else name for name in reads))
            for makes, op, reads in result
        ]
    return tuple(result)


def the_relu_asked(nodes, outputs, only=True):
    made = {node[0]: node[2][0] for node in nodes if node[1] == "Relu"}
    return fused()(nodes, [*(() if only else outputs), *(made.get(name, "") for name in outputs)])


def reads_both(nodes, outputs):
    made = {node[0]: node[2] for node in nodes if node[1] == "Relu"}
    return tuple(
        (node[0], node[1], (*node[2], *made[node[0]])) if node[1].endswith("+Relu") else node
        for node in fused()(nodes, outputs)
    )


def stands_before(nodes, outputs):
    """Fuse with the node before in the list, whatever the ReLU reads."""
    result = []
    for node in nodes:
        before = result[-1] if result else ("", "", ())
        if (
            node[1] == "Relu"
            and before[1] in ("Conv", "Gemm")
            and before[0] not in outputs
            and len(readers(nodes, before[0])) == 1
        ):
            node = (node[0], f"{before[1]}+Relu", result.pop()[2])
        result.append(node)
    return tuple(result)


def for_each_relu(nodes, outputs):
    """Make the convolution anew in every ReLU that reads it, if nobody else does."""
    made, result = {node[0]: node for node in nodes}, list(nodes)
    for relu in nodes:
        before = made.get(relu[2][0])
        if (
            relu[1] == "Relu"
            and before
            and before[1] in ("Conv", "Gemm")
            and before[0] not in outputs
            and all(node[1] == "Relu" for node in readers(nodes, before[0]))
        ):
            result[result.index(relu)] = (relu[0], f"{before[1]}+Relu", before[2])
            if before in result:
                result.remove(before)
    return tuple(result)


def at_the_end(nodes, outputs):
    found = fused()(nodes, outputs)
    return tuple(sorted(found, key=lambda node: node[1].endswith("+Relu")))


def relu_dropped(nodes, outputs):
    """Leave the ReLU out, and nothing in its place."""
    gone = {node[0] for node in fused()(nodes, outputs) if node[1].endswith("+Relu")}
    return tuple(node for node in nodes if node[0] not in gone)


def changed(change):
    """Change each fused node."""
    return lambda nodes, outputs: tuple(
        change(node) if node[1].endswith("+Relu") else node for node in fused()(nodes, outputs)
    )


MORE = (
    Misconception(
        "one convolution in two ReLUs",
        for_each_relu,
        symptom="Where two ReLUs read one convolution's result, you fuse it into both.",
        concept="Then it is computed twice. And it is said: only if the ReLU is the *only* reader.",
        line="Count all readers, ReLUs too: exactly one.",
    ),
    Misconception(
        "one output asked",
        lambda nodes, outputs, which=0: fused()(nodes, outputs[which:][:1]),
        choices={"which": (-1,)},
        symptom="Of several outputs you look at one: a convolution whose result is another of "
        "them is fused away.",
        concept="A graph may have several results, and the caller wants each.",
        line="`before[0] in outputs`, all of them.",
    ),
    Misconception(
        "a Gemm becomes a Conv",
        changed(lambda node: (node[0], "Conv+Relu", node[2])),
        symptom="A fused Gemm has the name of a fused Conv.",
        concept="The node still does what it did: whoever runs it goes by the name.",
        line='`before[1] + "+Relu"`, of the operator that was there.',
    ),
    Misconception(
        "weights left out",
        changed(lambda node: (node[0], node[1], node[2][:1])),
        symptom="Your fused node reads the map, and no weights.",
        concept="It does the convolution itself, and needs all that the convolution read.",
        line="`before[2]`, the whole tuple.",
    ),
    Misconception(
        "fused nodes at the end",
        at_the_end,
        symptom="The right nodes, but the fused ones stand behind all others.",
        concept="Whoever reads a fused node's result must come after it.",
        line="Put it where the ReLU was: `result[result.index(relu)] = ...`.",
    ),
    Misconception(
        "the ReLU left out",
        relu_dropped,
        symptom="The ReLUs that could be fused are gone, and the convolutions are as they were.",
        concept="Nobody makes the ReLU's result any more: that is the name that others read.",
        line='`(relu[0], before[1] + "+Relu", before[2])` in the ReLU\'s place, and the '
        "convolution out.",
    ),
)
