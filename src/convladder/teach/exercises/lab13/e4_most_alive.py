"""Lab 13, exercise 4: the bytes that are alive."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from . import most_alive_wrong as wrong
from .graphs import CHAIN, PARALLEL, READ_TWICE, SKIP, TWO_READERS, UNREAD


def most_alive(nodes, sizes, outputs):
    return max(_alive(nodes, sizes, outputs))


def _alive(nodes, sizes, outputs, last_read=max, kept=True, own=0, unread=0, read_too=True):
    """Return bytes alive at each step; own=1: what is read last is gone before the result.

    read_too: outputs that somebody reads are kept as well.
    """
    made = {node[0]: step for step, node in enumerate(nodes)}
    last = {}
    for name, step in made.items():
        reads = [at for at, node in enumerate(nodes) if name in node[2]]
        last[name] = last_read(reads) if reads else step + unread
        if kept and name in outputs and (read_too or not reads):
            last[name] = len(nodes) - 1
    return [
        sum(
            sizes[name]
            for name, step in made.items()
            if step <= at and (at <= last[name] - own or step == at)
        )
        for at in range(len(nodes))
    ]


def _sizes(nodes, rng):
    return {
        node[0]: int(size)
        for node, size in zip(nodes, 64 * rng.integers(1, 40, len(nodes)), strict=True)
    }


def _inputs_too(nodes, sizes, outputs):
    return most_alive(nodes, sizes, outputs) + sum(
        sizes[name] for node in nodes for name in node[2]
    )


def _gone_early(nodes, sizes, outputs, ends=None):
    """Free each map at its last reader; `ends`: steps more for what is unread, and for outputs."""
    if ends is None:
        return max(_alive(nodes, sizes, outputs, own=1))
    made = {node[0]: step for step, node in enumerate(nodes)}
    last = {
        name: max((at for at, node in enumerate(nodes) if name in node[2]), default=step + ends[0])
        for name, step in made.items()
    }
    last |= {name: len(nodes) - 1 + ends[1] for name in outputs}
    return max(
        sum(sizes[name] for name, step in made.items() if step <= at < last[name])
        for at in range(len(nodes))
    )


def _at_the_peak(nodes, sizes, outputs):
    sums = _alive(nodes, sizes, outputs)
    return sums.index(max(sums))


def _outputs_from_the_start(nodes, sizes, outputs):
    made = {node[0]: step for step, node in enumerate(nodes)}
    others = [
        sum(
            sizes[name]
            for name, step in made.items()
            if name not in outputs
            and step <= at <= max([step, *(n for n, node in enumerate(nodes) if name in node[2])])
        )
        for at in range(len(nodes))
    ]
    return max(others) + sum(sizes[name] for name in outputs)


def _unread_left_out(nodes, sizes, outputs):
    wanted = {name for node in nodes for name in node[2]} | set(outputs)
    return most_alive(
        nodes, {name: size * (name in wanted) for name, size in sizes.items()}, outputs
    )


EXERCISE = Exercise(
    name="most_alive",
    lab=13,
    reference=most_alive,
    task="Liveness: the most bytes of maps that are alive at once.",
    cases=lambda rng: [
        (CHAIN, {"y": 400, "z": 300, "p": 100}, ("p",)),
        (UNREAD, {"a": 500, "d": 950, "b": 50, "c": 200}, ("c",)),
        *(
            (nodes, _sizes(nodes, rng), outputs)
            for nodes, outputs in (
                (SKIP, ("f", "g")),
                (TWO_READERS, ("t", "p")),
                (PARALLEL, ("t",)),
                (PARALLEL, ("t", "a")),
                (SKIP, ("a", "f")),
            )
        ),
        (CHAIN, {"y": 100, "z": 300, "p": 400}, ("p",)),
        (CHAIN, {"y": 400, "z": 300, "p": 100}, ("y",)),
        (READ_TWICE, {"a": 400, "b": 300, "c": 100, "d": 500}, ("d",)),
    ],
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "all of them",
            lambda nodes, sizes, outputs: sum(sizes[node[0]] for node in nodes),
            symptom="You add up all maps. That is what a program needs that never frees.",
            concept="A map is alive from the step that makes it to the last step that reads it. "
            "After that its bytes can be another's.",
            line="For each step, sum the maps with `made <= step <= last`; then take the largest "
            "of these sums.",
        ),
        Misconception(
            "unread maps left out",
            _unread_left_out,
            symptom="A map that nobody reads, and that is no output, does not count in your peak.",
            concept="It is written all the same, and while its step runs its bytes are needed.",
            line="It lives for its own step, in which it counts: its `last` is the step that makes "
            "it.",
        ),
        Misconception(
            "the largest map",
            lambda nodes, sizes, outputs: max(sizes[node[0]] for node in nodes),
            symptom="You return the largest map.",
            concept="While a node runs, what it reads and what it makes are both there.",
            line="Sum over the maps that are alive at a step, then take the largest sum.",
        ),
        Misconception(
            "a node by itself",
            lambda nodes, sizes, outputs, names=set: max(
                sizes[node[0]] + sum(sizes.get(name, 0) for name in names(node[2]))
                for node in nodes
            ),
            choices={"names": (tuple,)},
            symptom="You count what a node reads and what it makes, and nothing else.",
            concept="Meanwhile other maps wait for a later reader, or are outputs. They take room "
            "as well.",
            line="At each step, sum over *all* maps with `made <= step <= last`.",
        ),
        Misconception(
            "unread to the end",
            lambda nodes, sizes, outputs, unread=99: max(
                _alive(nodes, sizes, outputs, unread=unread)
            ),
            choices={"unread": (1,)},
            symptom="A map that nobody reads, and that is no output, stays alive too long.",
            concept="Nobody waits for it: as soon as its own step is over, its bytes are free.",
            line="A map that nobody reads goes after its own step: for it, `last` is that step.",
        ),
        Misconception(
            "freed before it is read",
            _gone_early,
            symptom="Your peak is too small: at its last reader a map is gone already.",
            concept="The last reader still reads it while it writes its own result. So at that "
            "step both are alive.",
            line="Alive at `step` if `made <= step <= last`, where `last` is the last reader's "
            "step; without a reader its own, and the last of all for an output.",
            choices={"ends": ((0, 1), (1, 0), (1, 1))},
        ),
        Misconception(
            "freed after the first reader",
            lambda nodes, sizes, outputs, unread=0: max(
                _alive(nodes, sizes, outputs, last_read=min, unread=unread)
            ),
            choices={"unread": (9,)},
            symptom="On a chain all is right. Where a map has two readers, you free it after the "
            "first.",
            concept="A skip connection comes back to a map that was read long ago. Until its last "
            "reader it has to stay.",
            line="`last` is the largest number of a step that reads it.",
        ),
        Misconception(
            "freed a step late",
            lambda nodes, sizes, outputs, unread=0: max(
                _alive(nodes, sizes, outputs, own=-1, unread=unread)
            ),
            symptom="Your peak is too large: a map still counts one step after its last reader.",
            concept="When its last reader is done, nobody needs a map: the next step may have "
            "its bytes.",
            line="Alive at `step` if `made <= step <= last`, and not at the step behind `last`.",
            choices={"unread": (-1,)},
        ),
        Misconception(
            "outputs freed",
            lambda nodes, sizes, outputs: max(_alive(nodes, sizes, outputs, kept=False)),
            symptom="All is right where the output is made last; one that is made early you free.",
            concept="The caller reads the outputs when all is done. So they live to the end.",
            line="For a name in `outputs`, `last` is the last step, `len(nodes) - 1`.",
        ),
        Misconception(
            "outputs that are read freed",
            lambda nodes, sizes, outputs: max(_alive(nodes, sizes, outputs, read_too=False)),
            symptom="You keep an output to the end if nobody reads it. One that a node reads is "
            "gone after its last reader.",
            concept="A node that reads an output takes nothing from the caller, who reads it too, "
            "when all is done.",
            line="`last[name] = len(nodes) - 1` for each name in `outputs`, with readers or "
            "without.",
        ),
        Misconception(
            "at the end",
            lambda nodes, sizes, outputs: _alive(nodes, sizes, outputs)[-1],
            symptom="You return what is alive at the last step.",
            concept="The peak may be at any step; in most networks it is an early one.",
            line="Take `max` over all steps.",
        ),
        Misconception(
            "the sizes of inputs",
            _inputs_too,
            symptom="You look up a name that no node makes: an input's, or that of weights.",
            concept="Inputs and weights are not in `sizes`, and no step makes them: they lie "
            "where the caller has put them.",
            line="Go through the names that nodes *make*.",
        ),
        Misconception(
            "steps counted, not bytes",
            lambda nodes, sizes, outputs: max(_alive(nodes, dict.fromkeys(sizes, 1), outputs)),
            symptom="You return how many maps are alive, not their bytes.",
            concept="Four small maps may be less than one large one.",
            line="Sum `sizes[name]` over the maps that are alive.",
        ),
        Misconception(
            "the least of all steps",
            lambda nodes, sizes, outputs: min(_alive(nodes, sizes, outputs)),
            symptom="You return the bytes of the step that needs the least.",
            concept="The arena must hold the worst step.",
            line="`max` over the steps' sums.",
        ),
        Misconception(
            "the average step",
            lambda nodes, sizes, outputs: sum(_alive(nodes, sizes, outputs)) // len(nodes),
            symptom="You return the average over the steps.",
            concept="Memory that is enough on average is not enough.",
            line="`max` over the steps.",
        ),
        Misconception(
            "all outputs at the end",
            lambda nodes, sizes, outputs: max(
                *_alive(nodes, sizes, outputs),
                sum(sizes[node[0]] for node in nodes[-2:]) + sum(sizes[name] for name in outputs),
            ),
            symptom="Your peak is too large: at the end you count an output twice.",
            concept="An output that is made by one of the last steps is one map, whoever asks "
            "for it.",
            line="Sum over the set of names that are alive.",
        ),
        Misconception(
            "neighbours in the list",
            lambda nodes, sizes, outputs: max(
                a + b
                for a, b in zip(
                    [sizes[node[0]] for node in nodes], [*(sizes[node[0]] for node in nodes[1:]), 0]
                )
            ),
            symptom="You add a map and the next one in the list.",
            concept="In a chain with its end as the only output that is enough. Elsewhere a map "
            "waits for a later reader, or for the caller, while others are made.",
            line="For each step, all maps with `made[name] <= step <= last[name]`.",
        ),
        Misconception(
            "the step, not its bytes",
            _at_the_peak,
            symptom="You return the number of the step at which the most is alive.",
            concept="A step says where the peak is. Asked for is how much.",
            line="`max(sums)`, with a sum of bytes for each step.",
        ),
        Misconception(
            "outputs from the start",
            _outputs_from_the_start,
            symptom="You count the outputs at every step, also before they are made.",
            concept="An output lives from its own step to the end, like any other map that is "
            "read late.",
            line="For an output, `last = len(nodes) - 1`; `made` stays its own step.",
        ),
        Misconception(
            "a step of each life left out",
            lambda nodes, sizes, outputs: _gone_early(nodes, sizes, outputs, ends=(0, 0)),
            symptom="Your peak is too small: each map is missing for one step of its life, the "
            "first or the last.",
            concept="While a node runs, what it writes is there, and what it reads is there "
            "still. A map that nobody reads is there at its own step.",
            line="`made <= step <= last`: `<=` on both sides.",
        ),
    ],
)
