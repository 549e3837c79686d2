"""The most bytes alive, as learners count them: lab 13, exercise 4."""

from __future__ import annotations

from ...grading.exercise import Misconception


def most(nodes, sizes, outputs, read=lambda names: names, in_place=False, again=False):
    """Return the peak; `read` picks those of what a node reads that count as read.

    again: a map counts as often as the node names it.
    """
    made, last = {}, {}
    for step, (name, _, reads) in enumerate(nodes):
        made[name] = last[name] = step
        last |= {each: step for each in read(reads) if each in made}
    last |= {name: len(nodes) - 1 for name in outputs}
    sums = []
    for step, (_, operator, reads) in enumerate(nodes):
        sums.append(sum(sizes[name] for name in made if made[name] <= step <= last[name]))
        if in_place and operator == "Relu" and last.get(reads[0]) == step:
            sums[-1] -= sizes[reads[0]]
        if again:
            sums[-1] += sum(sizes[name] * (reads.count(name) - 1) for name in made if name in reads)
    return max(sums)


def nobody_waits(nodes, sizes, outputs):
    """Count what a step reads, makes, and the outputs made before it."""
    made = [name for name, *_ in nodes]
    return max(
        sum(
            sizes[name]
            for name in {made[step], *reads, *(set(outputs) & set(made[:step]))}
            if name in sizes
        )
        for step, (_, _, reads) in enumerate(nodes)
    )


MORE = (
    Misconception(
        "one output kept",
        lambda nodes, sizes, outputs, which=0: most(nodes, sizes, outputs[which:][:1]),
        choices={"which": (-1,)},
        symptom="Of several outputs you keep one to the end.",
        concept="Each name in `outputs` is a result, which the caller reads when all is done.",
        line="`for name in outputs: last[name] = len(nodes) - 1`.",
    ),
    Misconception(
        "one operand counts as read",
        lambda nodes, sizes, outputs, which=0: most(
            nodes, sizes, outputs, lambda names: names[which:][:1]
        ),
        choices={"which": (-1,)},
        symptom="A map is gone too early where a node reads it as one of two operands: of each "
        "node you see one alone.",
        concept="A sum reads two maps, and both must be there.",
        line="`for name in node[2]`, all that it reads.",
    ),
    Misconception(
        "ReLUs in place",
        lambda *given: most(*given, in_place=True),
        symptom="You count a ReLU's map and its result once, where nobody reads the map later.",
        concept="A compiler may do that, and it saves bytes. Here a map is alive to the step that "
        "reads it *last*, that included, whatever the operator is.",
        line="`made <= step <= last` for every map alike.",
    ),
    Misconception(
        "a map named twice",
        lambda *given: most(*given, again=True),
        symptom="Where a node reads one map twice, its bytes count twice.",
        concept="It is one map, in one place, however many times the node names it.",
        line="Sum over *maps*, each once: `set(node[2])` holds a name once.",
    ),
    Misconception(
        "nobody waits",
        nobody_waits,
        symptom="You count what a node reads and makes, and the outputs; no map that waits for a "
        "later reader.",
        concept="What is made early and read late is there all the time in between.",
        line="At each step, all maps with `made <= step <= last`, whoever reads them then.",
    ),
)
