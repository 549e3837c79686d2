"""Lab 17, exercise 1: the first and the last step that need each array."""

from ..draws import graph
from ..exercise import Exercise, Misconception, edit

TOY = [("a", ["x"]), ("b", ["a"]), ("c", ["b"])]
EARLY = [("a", ["x"]), ("score", ["a"]), ("b", ["a"]), ("c", ["b", "score"]), ("d", ["c", "x"])]
UNREAD = [("a", ["x", "z"]), ("debug", ["a"]), ("b", ["a", "z"]), ("c", ["b", "a"])]
LAST = [("a", ["x"]), ("b", ["a"]), ("c", [])]  # a constant


def array_lives(steps, kept):
    lives = {}
    for at, (made, read) in enumerate(steps):
        lives[made] = (at, at)
        for name in read:
            if name in lives:
                lives[name] = (lives[name][0], at)
    for name in kept:
        lives[name] = (lives[name][0], len(steps) - 1)
    return lives


def makes_sense(steps, kept):
    """Whether each result is made, and nothing twice."""
    made = [name for name, _ in steps]
    return len(steps) > 0 and len(set(made)) == len(made) and set(kept) <= set(made)


EXERCISE = Exercise(
    name="array_lives",
    lab=17,
    task="Find the first and the last step that need each array.",
    solution=array_lives,
    cases=lambda rng: [
        (TOY, ["c"]),
        ([(made, list(read)) for made, _, read in graph(rng, 8)], ["n7"]),
        (EARLY, ["score", "d"]),
        (EARLY, ["d", "score"]),
        (UNREAD, ["c"]),
        (LAST, ["b", "c"]),
    ],
    inputs=lambda fill, steps, kept: ([(made, tuple(read)) for made, read in steps], list(kept)),
    valid=makes_sense,
    mend="`lives[made] = (at, at)`; a reader moves the last step to its own index `at`; each name "
    "in `kept` ends at `len(steps) - 1`",
    misconceptions=[
        Misconception(
            "lives a step too short",
            edit("(lives[name][0], at)", "(lives[name][0], max(lives[name][0], at - 1))"),
            "Arrays that are read end one step before their last reader.",
            "A reader needs the array in its own step.",
        ),
        Misconception(
            "lives a step too long",
            [
                edit("(lives[name][0], at)", "(lives[name][0], at + 1)"),
                edit(
                    "    return lives", "    return {k: (a, b + 1) for k, (a, b) in lives.items()}"
                ),
            ],
            "Your lives end a step too late.",
            "The last step is included: it's the index of the last reader.",
        ),
        Misconception(
            "only the first reader",
            edit("if name in lives:", "if name in lives and lives[name][0] == lives[name][1]:"),
            "An array with two readers ends at the first of them.",
            "Later readers need it too: let each of them move the last step.",
        ),
        Misconception(
            "results freed early",
            edit("    for name in kept:", "    for name in []:"),
            "A result that is made early ends with its last reader.",
            "A result is what the caller wants, so it lives to the last step.",
        ),
        Misconception(
            "inputs among the arrays",
            edit(
                "            if name in lives:\n    ",
                "",
                "(lives[name][0], at)",
                "(lives.get(name, (at,))[0], at)",
            ),
            "You give a life to an array that no step makes.",
            "The network's inputs belong to the caller. Skip names that no step has made.",
            mend="`if name in lives:` before a reader moves the last step",
        ),
        Misconception(
            "unread arrays left out",
            edit(
                "    return lives",
                "    read = {n for _, names in steps for n in names} | "
                "{*kept}\n    return {k: v for k, v in lives.items() if k in read}",
            ),
            "An array that nobody reads is missing.",
            "The step that makes it needs room for it, if only for that step.",
        ),
    ],
)
