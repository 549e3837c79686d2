"""Lab 15, exercise 1: from when to when each array must exist."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import graph


def array_lives(steps, kept):
    lives = {made: (at, at) for at, (made, _) in enumerate(steps)}
    for at, (_, read) in enumerate(steps):
        for name in read:
            if name in lives:
                lives[name] = (lives[name][0], at)
    return lives | {name: (lives[name][0], len(steps) - 1) for name in kept}


def _with(change):
    """Make `change(first, last, number of steps)` of every array's right lifetime."""

    def wrong(steps, kept):
        return {
            name: change(first, last, len(steps))
            for name, (first, last) in array_lives(steps, kept).items()
        }

    return wrong


def _first_reader(steps, kept):
    return array_lives(steps, kept) | {
        made: (at, next((later for later, (_, read) in enumerate(steps) if made in read), at))
        for at, (made, _) in enumerate(steps)
        if made not in kept
    }


def _inputs_too(steps, kept):
    lives = array_lives(steps, kept)
    for at, (_, read) in enumerate(steps):
        for name in read:
            if name not in {made for made, _ in steps}:
                lives[name] = (0, at)
    return lives


def _inputs_looked_up(steps, kept):
    lives = {}
    for at, (made, read) in enumerate(steps):
        lives[made] = (at, at)
        for name in read:
            lives[name] = (lives[name][0], at)
    return lives


def _one_step_each(steps, kept):
    return {made: (at, min(at + 1, len(steps) - 1)) for at, (made, _) in enumerate(steps)}


TOY = [("a", ("x",)), ("b", ("a",)), ("c", ("b",))]
EARLY = [("a", ("x",)), ("score", ("a",)), ("b", ("a",)), ("c", ("b", "score")), ("d", ("c", "x"))]
UNREAD = [("a", ("x", "z")), ("debug", ("a",)), ("b", ("a", "z")), ("c", ("b", "a"))]


def _drawn(rng):
    return [(made, read) for made, _, read in graph(rng, 8)]


EXERCISE = Exercise(
    name="array_lives",
    lab=15,
    reference=array_lives,
    task="Find the first and the last step that need each array.",
    cases=lambda rng: [
        (TOY, ["c"]),
        (_drawn(rng), ["n7"]),
        (EARLY, ["score", "d"]),
        (EARLY, ["d", "score"]),
        (UNREAD, ["c"]),
    ],
    misconceptions=[
        Misconception(
            "one result kept",
            lambda steps, kept, which=0: array_lives(steps, kept[which:][:1]),
            choices={"which": (-1,)},
            symptom="Of several results you keep one to the end.",
            concept="Each name in `kept` is wanted when all steps are done.",
            line="`for name in kept:`, all of them.",
        ),
        Misconception(
            "one of what a step reads",
            lambda steps, kept, which=0: array_lives(
                [(made, read[which:][:1]) for made, read in steps], kept
            ),
            choices={"which": (-1,)},
            symptom="Of what a step reads you look at one array.",
            concept="A sum reads two, and needs both.",
            line="`for name in read:`, all of them.",
        ),
        Misconception(
            "unread arrays to the end",
            lambda steps, kept: array_lives(
                steps,
                [*kept, *(made for made, _ in steps if not any(made in read for _, read in steps))],
            ),
            symptom="An array that nobody reads lives to the end with you.",
            concept="Nobody waits for it: it is needed in its own step only, unless it is in "
            "`kept`.",
            line="`lives[made] = (at, at)`, which readers and `kept` change.",
        ),
        Misconception(
            "ends a step too early",
            lambda steps, kept, results=True: (
                array_lives(steps, kept)
                | {
                    name: (first, max(first, last - 1))
                    for name, (first, last) in array_lives(steps, kept).items()
                    if results or name not in kept
                }
            ),
            choices={"results": (False,)},
            symptom="Arrays that are read later end one step before their last reader.",
            concept="While a step runs, all that it reads must still be there: an array dies "
            "*after* its last reader. Otherwise a planner writes the result over its own "
            "input.",
            line="The last step is the reader's own index, not the one before.",
        ),
        Misconception(
            "half-open lives",
            _with(lambda first, last, steps: (first, last + 1)),
            symptom="Your lives end with the first step that no longer needs the array.",
            concept="So ends a `range`. Here the second number is the last step that needs it.",
            line="Take one off the end of each.",
        ),
        Misconception(
            "ends a step too late",
            lambda steps, kept: {
                name: (first, last + (first < last and name not in kept))
                for name, (first, last) in array_lives(steps, kept).items()
            },
            symptom="Arrays that are read later, and are no results, live one step longer than "
            "they need to.",
            concept="Both ends are included here: `(2, 3)` is needed in steps 2 and 3. When step 4 "
            "begins, its place is free.",
            line="The last step is the index of the last reader, with nothing added.",
        ),
        Misconception(
            "to the end",
            _with(lambda first, last, steps: (first, steps - 1)),
            symptom="You keep every array to the end.",
            concept="Then nothing can ever use a place again: that is the naive plan.",
            line="The index of the last step whose `read` names it; its own if none does.",
        ),
        Misconception(
            "the first reader",
            _first_reader,
            symptom="Chains are right; an array with two readers ends at the first of them.",
            concept="A skip connection reads an array a second time, some steps later. It must "
            "wait for that.",
            line="Go through *all* steps and let a later reader replace an earlier one.",
        ),
        Misconception(
            "results end with a reader",
            lambda steps, kept: array_lives(steps, []),
            symptom="A result that is made early ends with its last reader.",
            concept="Whoever called the network reads its results when all steps are done.",
            line="For each name in `kept` the last step is `len(steps) - 1`. Set it behind the "
            "loop over readers, so that none of them changes it.",
        ),
        Misconception(
            "results past the end",
            lambda steps, kept: (
                array_lives(steps, [])
                | {name: (array_lives(steps, [])[name][0], len(steps)) for name in kept}
            ),
            symptom="Your results live to a step that does not exist.",
            concept="Steps count from 0, so the last of n is n - 1.",
            line="`len(steps) - 1` for each name in `kept`.",
        ),
        Misconception(
            "inputs looked up",
            _inputs_looked_up,
            symptom="You look up an array that no step has made.",
            concept="Steps read inputs as well, which come from outside and have no place in the "
            "arena.",
            line="`if name in lives:` before you change its last step.",
        ),
        Misconception(
            "inputs counted",
            _inputs_too,
            symptom="Your dictionary names arrays that no step makes.",
            concept="The network's inputs come from outside and lie there; the arena holds what "
            "the steps make.",
            line="Skip a name that is not yet in your dictionary.",
        ),
        Misconception(
            "until the next step",
            _one_step_each,
            symptom="Your arrays live to the step after their own, whoever reads them.",
            concept="That is right on a chain only, where the next step is the only reader.",
            line="Look for the array's name in the `read` of later steps.",
        ),
        Misconception(
            "only while it is read",
            lambda steps, kept: {
                made: (
                    next((later for later, (_, read) in enumerate(steps) if made in read), at),
                    array_lives(steps, kept)[made][1],
                )
                for at, (made, _) in enumerate(steps)
            },
            symptom="Your arrays begin with their first reader.",
            concept="An array is there from the step that writes it.",
            line="The first step is the index at which it is `made`.",
        ),
        Misconception(
            "steps counted from 1",
            _with(lambda first, last, steps: (first + 1, last + 1)),
            symptom="All your steps are one too large.",
            concept="Steps are counted as a list is, from 0.",
            line="`enumerate(steps)`, with nothing added.",
        ),
        Misconception(
            "first step and length",
            _with(lambda first, last, steps: (first, last - first + 1)),
            symptom="Your second number is how long an array lives.",
            concept="Two arrays meet if their steps do; for that both ends are needed.",
            line="`(first, last)`",
        ),
        Misconception(
            "everything from the start",
            _with(lambda first, last, steps: (0, last)),
            symptom="You let each array live from the first step on.",
            concept="Before the step that makes it, an array holds nothing: its place can be "
            "another's.",
            line="The first number is the index of the step that makes the array.",
        ),
        Misconception(
            "unread arrays forgotten",
            lambda steps, kept: {
                name: life
                for name, life in array_lives(steps, kept).items()
                if name in kept or any(name in read for _, read in steps)
            },
            symptom="Your dictionary lacks an array that nobody reads.",
            concept="It is written all the same, and needs a place while its step runs.",
            line="`lives[made] = (at, at)` for every step, before you look at readers.",
        ),
        Misconception(
            "results born at the end",
            lambda steps, kept: (
                array_lives(steps, kept) | {name: (len(steps) - 1, len(steps) - 1) for name in kept}
            ),
            symptom="A result that is made early begins at the last step with you.",
            concept="It is there from the step that writes it, and stays to the end.",
            line="Change the second number only: `(lives[name][0], len(steps) - 1)`.",
        ),
        Misconception(
            "lists of names",
            lambda steps, kept: [
                {
                    name
                    for name, (first, last) in array_lives(steps, kept).items()
                    if first <= at <= last
                }
                for at in range(len(steps))
            ],
            symptom="You return which arrays live at each step.",
            concept="That is the same knowledge the other way round; asked for is a life for "
            "each array.",
            line="A dictionary from names to pairs.",
        ),
        Misconception(
            "results with no last reader",
            lambda steps, kept: (
                array_lives(steps, kept)
                | {name: (array_lives(steps, kept)[name][0],) * 2 for name in kept}
            ),
            symptom="Your results live for the step that makes them, and no longer.",
            concept="A result may be read by later steps, and whoever called wants it when all "
            "are done.",
            line="`(lives[name][0], len(steps) - 1)` for each name in `kept`.",
        ),
    ],
)
