"""Lab 15, exercise 4: the bytes that are alive."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit
from . import graphs


def most_alive(nodes, sizes, outputs):
    made, last = {}, {}
    for step, (name, _, reads) in enumerate(nodes):
        made[name] = last[name] = step
        for read in reads:
            if read in made:
                last[read] = step
    for name in outputs:
        last[name] = len(nodes) - 1
    return max(
        sum(sizes[name] for name in made if made[name] <= step <= last[name])
        for step in range(len(nodes))
    )


def with_sizes(nodes, sizes):
    """Return nodes `(makes, operator, reads, bytes)`: a smaller case drops a map with its size."""
    return [(*node, size) for node, size in zip(nodes, sizes, strict=True)]


def drawn(rng, nodes):
    return with_sizes(nodes, [64 * whole(rng, 1, 39) for _ in nodes])


def without_sizes(nodes):
    return tuple(node[:3] for node in nodes)


ALIVE = "made[name] <= step <= last[name]"

EXERCISE = Exercise(
    name="most_alive",
    lab=15,
    task="Liveness: the most bytes of maps that are alive at once.",
    solution=most_alive,
    cases=lambda rng: [
        (with_sizes(graphs.CHAIN, (400, 300, 100)), ("p",)),
        (with_sizes(graphs.UNREAD, (500, 950, 50, 200)), ("c",)),
        (drawn(rng, graphs.SKIP), ("f", "g")),
        (drawn(rng, graphs.TWO_READERS), ("t", "p")),
        (drawn(rng, graphs.PARALLEL), ("t",)),
        (drawn(rng, graphs.PARALLEL), ("t", "a")),
        (drawn(rng, graphs.SKIP), ("a", "f")),
        (with_sizes(graphs.CHAIN, (100, 300, 400)), ("p",)),
        (with_sizes(graphs.CHAIN, (400, 300, 100)), ("y",)),
        (with_sizes(graphs.READ_TWICE, (400, 300, 100, 500)), ("d",)),
        (with_sizes(graphs.JOINED, (50, 60, 900, 800, 10, 950)), ("t",)),
    ],
    inputs=lambda fill, nodes, outputs: (
        without_sizes(nodes),
        {node[0]: node[3] for node in nodes},
        outputs,
    ),
    valid=lambda nodes, outputs: (
        graphs.makes_sense(without_sizes(nodes), outputs) and all(node[3] > 0 for node in nodes)
    ),
    mend="The largest sum over all steps of the maps with `made <= step <= last`; `last` is the "
    "last step that reads the map, its own step if none does, or the last step of all for outputs",
    misconceptions=[
        Misconception(
            "all maps at once",
            edit(f" if {ALIVE}", ""),
            "You add up all maps, as a program needs that never frees memory.",
            "A map is alive from the step that makes it to the last step that reads it. Then "
            "another map can have its bytes.",
        ),
        Misconception(
            "outputs freed",
            edit("last[name] = len(nodes) - 1", "pass"),
            "Your peak is too small if an output is made early.",
            "The caller reads every output after the last step, so none of them is freed before.",
        ),
        Misconception(
            "inputs freed before the result is made",
            edit("step <= last[name]", "(step < last[name] or step == made[name])"),
            "Your peak is too small, because a step's operands don't count beside its result.",
            "A node reads its operands while it writes its result, so all of them are alive.",
        ),
        Misconception(
            "the first reader instead of the last",
            edit("if read in made:", "if read in made and last[read] == made[read]:"),
            "Maps with several readers are freed too early.",
            "The *last* reader decides how long a map must stay.",
        ),
        Misconception(
            "unread maps kept",
            edit("made[name] = last[name] = step", "made[name], last[name] = step, len(nodes) - 1"),
            "A map that no node reads is never freed in your count.",
            "Such a map is alive in its own step only, unless it is an output.",
        ),
        Misconception(
            "waiting maps left out",
            edit(
                ALIVE,
                "(name == nodes[step][0] or name in nodes[step][2] or "
                "name in outputs and made[name] <= step)",
            ),
            "You count the maps that a step reads or makes, but not those that a later step reads.",
            "A map that is made early and read late is alive all the time in between.",
        ),
    ],
)
