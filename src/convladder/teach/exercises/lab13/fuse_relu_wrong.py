"""Fusion passes, right and as learners make them: lab 13, exercise 3."""

from __future__ import annotations

from .graphs import readers


def fused(ops=("Conv", "Gemm"), alone=True, kept=True, keep_conv=False, name_of=1, at_conv=False,
          near=False, count=readers, careful=True, either=False):
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
        if (relu[1] == "Relu" and before and before[1] in ("Conv", "Gemm")
                and before[0] not in outputs and not readers(nodes[at + 1:], before[0])):
            result[result.index(relu)] = (relu[0], f"{before[1]}+Relu", before[2])
            result.remove(before)
    return tuple(result)


def while_it_changes(nodes, outputs):
    result = list(nodes)
    for relu in result:  # from which nodes are removed: the next one is passed over
        before = {node[0]: node for node in result}.get(relu[2][0])
        if (relu[1] == "Relu" and before and before[1] in ("Conv", "Gemm")
                and before[0] not in outputs and len(readers(result, before[0])) == 1):
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
    return tuple((node[0], node[1], (made[node[0]],)) if node[1].endswith("+Relu") else node
                 for node in fused()(nodes, outputs))


def first_only(nodes, outputs):
    first = next((node for node in fused()(nodes, outputs) if node[1].endswith("+Relu")), None)
    if first is None:
        return nodes
    before = next(node for node in nodes if node[0] == first[0])[2][0]
    return tuple(first if node[0] == first[0] else node for node in nodes if node[0] != before)


def by_their_first_letters(nodes, outputs):
    return tuple((node[0], "ConvRelu" if node[1] == "Conv+Relu" else "GemmRelu", node[2])
                 if node[1].endswith("+Relu") else node for node in fused()(nodes, outputs))


def renamed(nodes, outputs, at_conv=True, wary=True):
    """Fuse under the convolution's name; wary: not where the ReLU's is an output."""
    result = list(nodes)
    for relu in nodes:
        before = {node[0]: node for node in result}.get(relu[2][0])
        if (relu[1] != "Relu" or before is None or before[1] not in ("Conv", "Gemm")
                or before[0] in outputs or len(readers(result, before[0])) > 1
                or wary and relu[0] in outputs):
            continue
        here = next(node for node in result if node[0] == relu[0])
        place, other = (before, here) if at_conv else (here, before)
        result[result.index(place)] = (before[0], f"{before[1]}+Relu", before[2])
        result.remove(other)
        result = [(makes, op, tuple(before[0] if name == relu[0] else name for name in reads))
                  for makes, op, reads in result]
    return tuple(result)


def the_relu_asked(nodes, outputs):
    made = {node[0]: node[2][0] for node in nodes if node[1] == "Relu"}
    return fused()(nodes, [made.get(name, "") for name in outputs])


def reads_both(nodes, outputs):
    made = {node[0]: node[2] for node in nodes if node[1] == "Relu"}
    return tuple((node[0], node[1], (*node[2], *made[node[0]])) if node[1].endswith("+Relu")
                 else node for node in fused()(nodes, outputs))


def stands_before(nodes, outputs):
    """Fuse with the node before in the list, whatever the ReLU reads."""
    result = []
    for node in nodes:
        before = result[-1] if result else ("", "", ())
        if (node[1] == "Relu" and before[1] in ("Conv", "Gemm") and before[0] not in outputs
                and len(readers(nodes, before[0])) == 1):
            node = (node[0], f"{before[1]}+Relu", result.pop()[2])
        result.append(node)
    return tuple(result)
