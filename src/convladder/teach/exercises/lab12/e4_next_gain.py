"""Lab 12, exercise 4: a rung's gain, predicted from the profile of the rung before."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import real
from . import gains
from .gains import next_gain


# Programs on an RTX 2060, in ms: fc_tuned and fc_coalesced, rows below 0.1 ms left out.
FC_TUNED = (
    27.1,
    {"HtoD": 9.38},
    {"Conv2": 8.46, "Linear1": 3.89, "Conv1": 1.74, "MaxPool": 1.13, "Linear2": 0.84},
)
FC_COALESCED = (
    18.8,
    {"HtoD": 4.87},
    {"Conv2": 8.25, "Conv1": 1.98, "Linear1": 1.56, "Linear2": 0.80, "MaxPool": 0.93},
)

EXERCISE = Exercise(
    name="next_gain",
    lab=12,
    reference=next_gain,
    task="How many times as fast is the next program, if some rows of this profile shrink?",
    cases=lambda rng: [
        (10.0, {"there": 2.0}, {"a": 4.0, "b": 3.0}, {"a": 2.0}, False),
        (10.0, {"there": 2.0}, {"a": 4.0, "b": 3.0}, {}, True),
        (10.0, {"there": 6.0}, {"a": 2.0, "b": 1.0}, {"there": 1.5}, True),
        (12.0, {"there": 4.0}, {"a": 3.0, "b": 3.0}, {"a": 3.0, "b": 3.0}, True),
        (9.0, {"there": 5.5}, {"a": 2.0, "b": 0.5}, {"a": 1.25}, True),
        (*FC_TUNED, {"HtoD": real(rng, 1.5, 4)}, False),
        (*FC_COALESCED, {"Linear1": 2.0, "Linear2": 1.5}, False),
        (*FC_COALESCED, {}, True),
        (12.0, {"up": 1.0, "down": 0.5}, {"k": 0.5}, {"k": 4.0}, False),
        (13.0, {"up": 1.0, "down": 3.0}, {"k": 4.0, "l": 0.5}, {"k": 2.0, "down": 1.5}, True),
        (10.0, {"up": 4.0}, {"k": 5.0}, {"up": 2.0}, True),
    ],
    misconceptions=[
        Misconception(
            "the wall clock forgotten",
            gains.device_only,
            symptom="Where rows shrink or overlap, your gains are too high: part of the wall clock "
            "is in no row.",
            concept="What the profile's rows do not explain (calls, waits, the host's own work) "
            "does not shrink with them.",
            line="`left = wall - (all rows)` is added to the new rows, and the gain is `wall` "
            "over that.",
        ),
        Misconception(
            "the rest forgotten in the new time",
            lambda wall, copies, kernels, times, beside: (
                wall / gains.after(copies, kernels, times, beside, max)
            ),
            symptom="Even if nothing gets quicker you find a gain: your new time lacks what is in "
            "no row.",
            concept="The old time is the wall clock, so the new one must be a wall clock too: the "
            "new rows, and what was beside all rows.",
            line="Add `left = wall - (all rows)` to the new time.",
        ),
        Misconception(
            "shares times gains",
            gains.shares,
            symptom="Your gain is a sum of the rows' gains, weighed by their shares; a row that "
            "vanished would gain without end.",
            concept="Times add up, speeds do not. (Amdahl's law, chapter 04.)",
            line="Divide each row's *seconds* by its factor and add up, the rest too; side by "
            "side the larger sum counts alone.",
        ),
        Misconception(
            "everything quicker",
            gains.all_of_it,
            symptom="You make every row quicker, where only some are.",
            concept="A row that `times` does not name stays as it is.",
            line="`seconds / times.get(name, 1)`.",
        ),
        Misconception(
            "upside down",
            lambda *a: 1 / next_gain(*a),
            symptom="A program that gets quicker has a gain below 1 with you.",
            concept="A gain is old over new.",
            line="`wall / new`, not `new / wall`.",
        ),
        Misconception(
            "the share that is saved",
            lambda wall, *rest, of_it=True: (
                (1 - 1 / next_gain(wall, *rest)) * (1 if of_it else wall)
            ),
            symptom="You return what is saved: 0 where nothing changes.",
            concept="How many times as fast is the old time over the new one: 1 where nothing "
            "changes. What is saved is their difference.",
            line="`wall / new`: a quotient, and no minus.",
            choices={"of_it": (False,)},
        ),
        Misconception(
            "copies not taken off",
            lambda wall, copies, kernels, times, beside, what=0: (
                wall
                / (
                    wall
                    - sum((kernels, copies)[what].values())
                    + gains.after(copies, kernels, times, beside, max)
                )
            ),
            symptom="Your new time has some rows twice: the old ones are still in the rest.",
            concept="The rest is what is in *no* row, neither of copies nor of kernels.",
            line="`left = wall - sum(copies.values()) - sum(kernels.values())`.",
            choices={"what": (1,)},
        ),
        Misconception(
            "what is saved for what is left",
            lambda wall, copies, kernels, times, beside: next_gain(
                wall,
                copies,
                kernels,
                {name: 1 / (1 - 1 / factor) for name, factor in times.items()},
                beside,
            ),
            symptom="Right for rows that get twice as fast; of others you keep the part that is "
            "saved.",
            concept="`1 - 1 / factor` of a row is saved, `1 / factor` of it is left.",
            line="`seconds / factor` is the row's new time.",
        ),
        Misconception(
            "all rows of a kind",
            gains.all_of_a_kind,
            symptom="Right where all rows of a kind get as much quicker, or none; else you give "
            "the others the factor too.",
            concept="`times` names single rows. The others stay as they are.",
            line="`seconds / times.get(name, 1)` for each row, then the sum.",
            choices={"of_copies": (True, False), "of_kernels": (True,)},
        ),
        Misconception(
            "row by row",
            gains.row_by_row,
            symptom="Without `beside` you are right; with it you pair one copy with one kernel.",
            concept="All copies together run beside all kernels together: a long copy goes on "
            "while several kernels run.",
            line="`max` of the two sums, once.",
        ),
        Misconception(
            "the time itself",
            lambda wall, *rest: wall / next_gain(wall, *rest),
            symptom="You return the new time.",
            concept="The gain says how many times as fast: old time over new time.",
            line="`wall / new`.",
        ),
        Misconception(
            "copies hidden for nothing",
            lambda wall, copies, kernels, times, beside: (
                wall
                / (
                    wall
                    - sum(copies.values())
                    - sum(kernels.values())
                    + gains.after(copies, kernels, times, beside, min)
                )
            ),
            symptom="Side by side, you count the shorter of the two.",
            concept="Of two things that run at the same time the longer one says when both are "
            "done.",
            line="`max` of the two sums, that of the copies and that of the kernels.",
        ),
        Misconception(
            "never beside",
            lambda wall, copies, kernels, times, beside: next_gain(
                wall, copies, kernels, times, False
            ),
            symptom="You add copies and kernels, also where they run at the same time.",
            concept="With `beside`, copies run while kernels do.",
            line="Where `beside` is true the larger of the two sums, `max`; else both together.",
        ),
        Misconception(
            "always beside",
            lambda wall, copies, kernels, times, beside: next_gain(
                wall, copies, kernels, times, True
            ),
            symptom="You let copies run beside kernels, also where they do not.",
            concept="In one stream a kernel waits for the copy before it.",
            line="`max` of the two sums only where `beside` is true; else both together.",
        ),
        Misconception(
            "the rest shrinks too",
            gains.rest_shrinks,
            symptom="You make what is in no row quicker as well.",
            concept="A quicker kernel does not make the host's calls quicker.",
            line="`left` is not divided by anything.",
        ),
        Misconception(
            "the rest of the new rows",
            gains.rest_of_the_new,
            symptom="Where nothing runs side by side, nothing gains with you.",
            concept="What is in no row is the old wall clock without the *old* rows.",
            line="Take `left` from the rows as they were given.",
        ),
        Misconception(
            "times in place of over",
            gains.slower,
            symptom="You make rows longer that should get shorter.",
            concept="Twice as fast is half the time.",
            line="Divide by the factor.",
        ),
        Misconception(
            "hidden by the old rows",
            gains.hidden_before,
            symptom="You hide as much as the old copies or kernels would have.",
            concept="Rows that got quicker hide less, and less of them can be hidden.",
            line="`max` of the *new* sums; what is saved by it is the `min` of the new ones.",
        ),
        Misconception(
            "the rest hidden too",
            gains.rest_beside,
            symptom="Side by side, you hide also what is in no row.",
            concept="Only copies run beside kernels here; what the host does before and after is "
            "not hidden.",
            line="`left + max(moved, computed)`, with the new sums of copies and of kernels.",
        ),
        Misconception(
            "factors for kernels only",
            gains.kernels_only_quicker,
            symptom="Right where only kernels get quicker; a copy that does stays as long as it "
            "was.",
            concept="`times` names rows, and a row may be a copy: pinned memory makes those "
            "quicker.",
            line="`seconds / times.get(name, 1)` for the copies as well.",
        ),
        Misconception(
            "factors for copies only",
            gains.copies_only_quicker,
            symptom="Right where only copies get quicker; a kernel that does stays as long as "
            "it was.",
            concept="`times` names rows of either kind.",
            line="`seconds / times.get(name, 1)` for the kernels as well.",
        ),
        Misconception(
            "the longest row",
            gains.longest_row,
            symptom="Side by side, you count the longest row alone.",
            concept="Kernels run one after the other, and so do copies. It is the two *sums* "
            "that run side by side.",
            line="`max(sum of the copies, sum of the kernels)`",
        ),
        Misconception(
            "the old time on top",
            gains.whole_wall_again,
            symptom="With you every program gets slower: the old rows are still in your new time.",
            concept="The wall clock holds the rows already. Only what is beside them stays.",
            line="`left = wall - (all rows)`, then add the new rows.",
        ),
        Misconception(
            "gains multiplied",
            gains.multiplied,
            symptom="Your gain is that of each row by itself, all of them multiplied.",
            concept="When one row has shrunk, the others are a larger part of what is left. Gains "
            "do not multiply; seconds add up.",
            line="First the new seconds of all rows, side by side those of the larger sum alone; "
            "then `wall / new` once.",
            choices={"hiding": (False,)},
        ),
        Misconception(
            "one of the factors",
            gains.first_row_only,
            symptom="Right where one row gets quicker; of several you use one.",
            concept="All rows that `times` names change.",
            line="Look every row up in `times`, not one of them.",
            choices={"which": (-1,)},
        ),
        Misconception(
            "all copies hidden",
            gains.copies_gone,
            symptom="Right where copies are shorter than kernels, or are not beside them; else "
            "you hide more than there is to hide behind.",
            concept="Copies that take longer than the kernels are seen for the rest.",
            line="`max` of the two new sums, not that of the kernels alone.",
        ),
        Misconception(
            "in percent",
            gains.in_percent,
            symptom="You return by how many percent it gets quicker.",
            concept="A gain of 1.25 is asked for, not one of 25 %.",
            line="`wall / new` as it is.",
        ),
        Misconception(
            "unnamed rows left out",
            gains.named_rows_only,
            symptom="Rows that nobody makes quicker are gone from your new time.",
            concept="They take what they took.",
            line="`times.get(name, 1)`: a factor of 1 where there is none.",
        ),
        Misconception(
            "side by side as they were",
            gains.old_beside,
            symptom="Without `beside` you are right; with it, no factor changes anything.",
            concept="Rows get quicker first, then the longer of the *new* sums counts.",
            line="`max` of the new sums, as you add them where `beside` is false.",
        ),
        Misconception(
            "the rest with the kernels",
            gains.rest_with_the_kernels,
            symptom="Side by side, you let copies run also beside what is in no row.",
            concept="Only copies and kernels run side by side here. What the host does before and "
            "after is not hidden, and nothing hides behind it.",
            line="`left` plus the larger of the two new sums: the rest stands outside of `max`.",
        ),
        Misconception(
            "saved: the factor less one",
            gains.saved_factor_less_one,
            symptom="You take off a row's time once for each `factor - 1`: twice as fast makes a "
            "row free.",
            concept="A row that gets twice as fast saves half of its time: `1 - 1 / factor` of it.",
            line="`seconds - seconds / factor` is what a row saves.",
        ),
        Misconception(
            "every row looked up",
            lambda wall, copies, kernels, times, beside: [
                times[name] for name in (*copies, *kernels)
            ],
            symptom="You look up a factor for a row that `times` does not name.",
            concept="Rows that it does not name stay as they are: their factor is 1.",
            line="`times.get(name, 1)`.",
        ),
        Misconception(
            "the old rows side by side already",
            gains.rest_beside_the_old,
            symptom="Without `beside` you are right; with it too low: what is in no row comes out"
            " too long.",
            concept="The rows of the profile were taken one after the other. Side by side they "
            "will run in the *next* program.",
            line="`left = wall - (all rows)`: the sum of copies and kernels, whatever `beside` "
            "says.",
        ),
    ],
)
