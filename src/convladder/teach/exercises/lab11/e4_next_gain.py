"""Lab 11, exercise 4: a rung's gain, predicted from the profile of the rung before."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception


def next_gain(wall, copies, kernels, times, beside):
    left = wall - sum(copies.values()) - sum(kernels.values())
    return wall / (left + _after(copies, kernels, times, beside, max))


def _after(copies, kernels, times, beside, together):
    moved, computed = (sum(seconds / times.get(name, 1) for name, seconds in rows.items())
                       for rows in (copies, kernels))
    return together(moved, computed) if beside else moved + computed


def _device_only(wall, copies, kernels, times, beside):
    return (sum(copies.values()) + sum(kernels.values())) / _after(
        copies, kernels, times, beside, max)


def _shares(wall, copies, kernels, times, beside):
    """Return the gains of the rows, weighed by their shares."""
    rows = copies | kernels
    return sum(seconds / wall * times.get(name, 1) for name, seconds in rows.items()) + (
        wall - sum(rows.values())) / wall


def _all_of_it(wall, copies, kernels, times, beside):
    """Make every row as many times as fast as the best of them."""
    gain = max(times.values(), default=1)
    return next_gain(wall, copies, kernels, dict.fromkeys(copies | kernels, gain), beside)


def _rest_shrinks(wall, copies, kernels, times, beside):
    return wall / ((wall - sum(copies.values()) - sum(kernels.values()))
                   / max(times.values(), default=1)
                   + _after(copies, kernels, times, beside, max))


def _hidden_before(wall, copies, kernels, times, beside):
    """Take off what the old rows could hide."""
    if not beside:
        return next_gain(wall, copies, kernels, times, beside)
    hidden = min(sum(copies.values()), sum(kernels.values()))
    return wall / (wall / next_gain(wall, copies, kernels, times, False) - hidden)


def _slower(wall, copies, kernels, times, beside):
    return next_gain(wall, copies, kernels, {name: 1 / n for name, n in times.items()}, beside)


def _rest_of_the_new(wall, copies, kernels, times, beside):
    moved, computed = (sum(seconds / times.get(name, 1) for name, seconds in rows.items())
                       for rows in (copies, kernels))
    return wall / (wall - min(moved, computed) * beside)


def _rest_beside(wall, copies, kernels, times, beside):
    """Hide what is left too."""
    left = wall - sum(copies.values()) - sum(kernels.values())
    if not beside:
        return next_gain(wall, copies, kernels, times, beside)
    return wall / max(left, _after(copies, kernels, times, beside, max))


def _kernels_only_quicker(wall, copies, kernels, times, beside):
    """Divide the kernels by their factors, and leave the copies as they are."""
    named = {name: factor for name, factor in times.items() if name in kernels}
    return next_gain(wall, copies, kernels, named, beside)


def _copies_only_quicker(wall, copies, kernels, times, beside):
    named = {name: factor for name, factor in times.items() if name in copies}
    return next_gain(wall, copies, kernels, named, beside)


def _longest_row(wall, copies, kernels, times, beside):
    """Side by side, take the longest row in place of the longer sum."""
    left = wall - sum(copies.values()) - sum(kernels.values())
    rows = [seconds / times.get(name, 1) for name, seconds in (copies | kernels).items()]
    return wall / (left + (max(rows) if beside else sum(rows)))


def _whole_wall_again(wall, copies, kernels, times, beside):
    """Add the new rows to the whole of the old time."""
    return wall / (wall + _after(copies, kernels, times, beside, max))


def _first_row_only(wall, copies, kernels, times, beside):
    return next_gain(wall, copies, kernels, dict(list(times.items())[:1]), beside)


def _copies_gone(wall, copies, kernels, times, beside):
    """Hide all copies, however long they take."""
    if not beside:
        return next_gain(wall, copies, kernels, times, beside)
    left = wall - sum(copies.values()) - sum(kernels.values())
    return wall / (left + _after({}, kernels, times, False, max))


def _in_percent(wall, copies, kernels, times, beside):
    return 100 * (next_gain(wall, copies, kernels, times, beside) - 1)


def _named_rows_only(wall, copies, kernels, times, beside):
    """Leave out what `times` does not name."""
    left = wall - sum(copies.values()) - sum(kernels.values())
    moved, computed = (sum(seconds / times[name] for name, seconds in rows.items()
                           if name in times) for rows in (copies, kernels))
    new = left + (max(moved, computed) if beside else moved + computed)
    return wall / new if new else float("inf")


# Programs on an RTX 2060, in ms: fc_tuned and fc_coalesced, rows below 0.1 ms left out.
FC_TUNED = (27.1, {"HtoD": 9.38}, {"Conv2": 8.46, "Linear1": 3.89, "Conv1": 1.74, "MaxPool": 1.13,
                                   "Linear2": 0.84})
FC_COALESCED = (18.8, {"HtoD": 4.87}, {"Conv2": 8.25, "Conv1": 1.98, "Linear1": 1.56,
                                       "Linear2": 0.80, "MaxPool": 0.93})

EXERCISE = Exercise(
    name="next_gain", lab=11, reference=next_gain,
    task="How many times as fast is the next program, if some rows of this profile shrink?",
    cases=lambda rng: [
        (10.0, {"there": 2.0}, {"a": 4.0, "b": 3.0}, {"a": 2.0}, False),
        (10.0, {"there": 2.0}, {"a": 4.0, "b": 3.0}, {}, True),
        (10.0, {"there": 6.0}, {"a": 2.0, "b": 1.0}, {"there": 1.5}, True),
        (12.0, {"there": 4.0}, {"a": 3.0, "b": 3.0}, {"a": 3.0, "b": 3.0}, True),
        (*FC_TUNED, {"HtoD": 1.9}, False), (*FC_COALESCED, {"Linear1": 2.0, "Linear2": 1.5}, False),
        (*FC_COALESCED, {}, True), (12.0, {"up": 1.0, "down": 0.5}, {"k": 0.5}, {"k": 4.0}, False)],
    misconceptions=[
        Misconception(
            "the wall clock forgotten", _device_only,
            symptom="Your gains are too high: part of the wall clock is in no row.",
            concept="What the profile's rows do not explain (calls, waits, the host's own work) "
                    "does not shrink with them.",
            line="`left = wall - (all rows)` stays as it is, and is added to the new rows."),
        Misconception(
            "the rest forgotten in the new time", lambda wall, copies, kernels, times, beside: (
                wall / _after(copies, kernels, times, beside, max)),
            symptom="Even if nothing gets quicker you find a gain: your new time lacks what is in "
                    "no row.",
            concept="The old time is the wall clock, so the new one must be a wall clock too: the "
                    "new rows, and what was beside all rows.",
            line="Add `left = wall - (all rows)` to the new time."),
        Misconception(
            "shares times gains", _shares,
            symptom="You weigh the gains by their shares; a row that vanished would gain without "
                    "end.",
            concept="Times add up, speeds do not. (Amdahl's law, chapter 04.)",
            line="Divide each row's *seconds* by its factor, and add them up."),
        Misconception(
            "everything quicker", _all_of_it,
            symptom="You make every row quicker, where only some are.",
            concept="A row that `times` does not name stays as it is.",
            line="`seconds / times.get(name, 1)`."),
        Misconception(
            "upside down", lambda *a: 1 / next_gain(*a),
            symptom="A program that gets quicker has a gain below 1 with you.",
            concept="A gain is old over new.",
            line="`wall / new`, not `new / wall`."),
        Misconception(
            "the time itself", lambda wall, *rest: wall / next_gain(wall, *rest),
            symptom="You return the new time.",
            concept="The gain says how many times as fast: old time over new time.",
            line="`wall / new`."),
        Misconception(
            "copies hidden for nothing", lambda wall, copies, kernels, times, beside: wall / (
                wall - sum(copies.values()) - sum(kernels.values())
                + _after(copies, kernels, times, beside, min)),
            symptom="Side by side, you count the shorter of the two.",
            concept="Of two things that run at the same time the longer one says when both are "
                    "done.",
            line="`max(copies, kernels)`."),
        Misconception(
            "never beside", lambda wall, copies, kernels, times, beside: next_gain(
                wall, copies, kernels, times, False),
            symptom="You add copies and kernels, also where they run at the same time.",
            concept="With `beside`, copies run while kernels do.",
            line="`max(copies, kernels)` where `beside` is true, else their sum."),
        Misconception(
            "always beside", lambda wall, copies, kernels, times, beside: next_gain(
                wall, copies, kernels, times, True),
            symptom="You let copies run beside kernels, also where they do not.",
            concept="In one stream a kernel waits for the copy before it.",
            line="`max(copies, kernels)` only where `beside` is true, else their sum."),
        Misconception(
            "the rest shrinks too", _rest_shrinks,
            symptom="You make what is in no row quicker as well.",
            concept="A quicker kernel does not make the host's calls quicker.",
            line="`left` is not divided by anything."),
        Misconception(
            "the rest of the new rows", _rest_of_the_new,
            symptom="Where nothing runs side by side, nothing gains with you.",
            concept="What is in no row is the old wall clock without the *old* rows.",
            line="Take `left` from the rows as they were given."),
        Misconception(
            "times in place of over", _slower,
            symptom="You make rows longer that should get shorter.",
            concept="Twice as fast is half the time.",
            line="Divide by the factor."),
        Misconception(
            "hidden by the old rows", _hidden_before,
            symptom="You hide as much as the old copies or kernels would have.",
            concept="Rows that got quicker hide less, and less of them can be hidden.",
            line="`max` of the *new* sums."),
        Misconception(
            "the rest hidden too", _rest_beside,
            symptom="Side by side, you hide also what is in no row.",
            concept="Only copies run beside kernels here; what the host does before and after is "
                    "not hidden.",
            line="`left + max(copies, kernels)`."),
        Misconception(
            "factors for kernels only", _kernels_only_quicker,
            symptom="Right where only kernels get quicker; a copy that does stays as long as it "
                    "was.",
            concept="`times` names rows, and a row may be a copy: pinned memory makes those "
                    "quicker.",
            line="`seconds / times.get(name, 1)` for the copies as well."),
        Misconception(
            "factors for copies only", _copies_only_quicker,
            symptom="Right where only copies get quicker; a kernel that does stays as long as "
                    "it was.",
            concept="`times` names rows of either kind.",
            line="`seconds / times.get(name, 1)` for the kernels as well."),
        Misconception(
            "the longest row", _longest_row,
            symptom="Side by side, you count the longest row alone.",
            concept="Kernels run one after the other, and so do copies. It is the two *sums* "
                    "that run side by side.",
            line="`max(sum of the copies, sum of the kernels)`"),
        Misconception(
            "the old time on top", _whole_wall_again,
            symptom="With you every program gets slower: the old rows are still in your new "
                    "time.",
            concept="The wall clock holds the rows already. Only what is beside them stays.",
            line="`left = wall - (all rows)`, then add the new rows."),
        Misconception(
            "one of the factors", _first_row_only,
            symptom="Right where one row gets quicker; of several you use the first.",
            concept="All rows that `times` names change.",
            line="No `break` and no `next(iter(...))`: look each row up in `times`."),
        Misconception(
            "all copies hidden", _copies_gone,
            symptom="Right where copies are shorter than kernels; else you hide more than there "
                    "is to hide behind.",
            concept="Copies that take longer than the kernels are seen for the rest.",
            line="`max(moved, computed)`, not `computed` alone."),
        Misconception(
            "in percent", _in_percent,
            symptom="You return by how many percent it gets quicker.",
            concept="A gain of 1.25 is asked for, not one of 25 %.",
            line="`wall / new` as it is."),
        Misconception(
            "unnamed rows left out", _named_rows_only,
            symptom="Rows that nobody makes quicker are gone from your new time.",
            concept="They take what they took.",
            line="`times.get(name, 1)`: a factor of 1 where there is none."),
    ],
)
