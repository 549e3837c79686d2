"""Usual mistakes about the readings, with their hints: lab 11, exercise 5."""

from __future__ import annotations

from statistics import mean, median, median_high, median_low

from ...grading.exercise import Misconception
from . import mistake_wrong as wrong

READINGS = [
    Misconception(
        "the mean",
        wrong.asked_with(typical=mean),
        symptom="Slow runs among those after the first change your verdict.",
        concept="A mean is drawn along by each run that took long. What is usual stands in the "
        "middle.",
        line="Compare `median(read[1:])`: a few long readings hardly move it.",
    ),
    Misconception(
        "the first run among the rest",
        wrong.asked_with(typical=mean, rest=0),
        symptom="You judge as if a mean with the first run in it were your usual time.",
        concept="A first run that is odd draws the usual time along, if it is among the rest.",
        line="`usual = median(read[1:])`.",
    ),
    Misconception(
        "the median of all",
        wrong.asked_with(rest=0),
        symptom="You judge as if the first run were among the usual ones.",
        concept="With few readings one more moves their middle.",
        line="Leave it out: `median(read[1:])`.",
    ),
    Misconception(
        "left out by size",
        wrong.asked_with(typical=wrong.without_the_smallest, rest=0),
        symptom="You judge as if a reading were left out by its size, the smallest or the "
        "largest, and not the first one.",
        concept="The first run is the odd one by its place in time. Once the readings are "
        "sorted, nobody knows which it was.",
        line="`read[1:]` first, the median of it then.",
        choices={"typical": (lambda read: median(sorted(read)[:-1]),)},
    ),
    Misconception(
        "the shortest",
        wrong.asked_with(typical=min),
        symptom="One run that was quicker than usual changes your verdict.",
        concept="The quickest of many is a lucky one. What is usual stands in the middle.",
        line="Compare `median(read[1:])`, not the smallest of them.",
    ),
    Misconception(
        "over twice the device's time",
        wrong.first_against_twice_the_device,
        symptom="You call it a first call where the first reading is more than twice the "
        "*device's* time.",
        concept="A usual run takes longer than the GPU's part of it. That is no first call.",
        line="Compare `read[0]` with twice the median of the others.",
    ),
    Misconception(
        "any slow run is a first call",
        wrong.asked_with(slow=max),
        symptom="You call a disturbance in the middle a first call.",
        concept="Costs of a first call come once, at the start. Something slow later is "
        "somebody else's.",
        line="Compare `read[0]`, not the largest.",
    ),
    Misconception(
        "sorted first",
        wrong.sorted_first,
        symptom="A first call that took long you do not find: no verdict of yours names one.",
        concept="Readings come in the order of time. Once they are sorted, the first is the "
        "smallest, and never more than twice the median.",
        line="`read[0]` and `read[1:]` of the list as it comes; `median` sorts for itself.",
        choices={"in_place": (True,)},
    ),
    Misconception(
        "twice what the first took",
        lambda *given, times=8: wrong.asked(*given, slow=lambda read: 2 * read[0] / times),
        symptom="Of first calls that took more than twice the usual reading you find only the "
        "longer ones.",
        concept="More than twice the usual reading is enough.",
        line="`read[0] > 2 * usual`, and `usual` is the median of `read[1:]`.",
        choices={"times": (3, 4, 5, 10)},
    ),
    Misconception(
        "any first call that is longer",
        wrong.asked_with(slow=lambda read: 2 * read[0]),
        choices={
            "slow": (
                lambda read: read[0] * 2 / 1.5,
                lambda read: read[0] * 2 / 1.2,
                lambda read: read[0] * 2 / 1.1,
            )
        },
        symptom="You name a first call where the first reading is no more than twice the usual "
        "one.",
        concept="Readings vary. Twice the usual one is beyond that.",
        line="`read[0] > 2 * usual`, with the 2.",
    ),
    Misconception(
        "the first against another reading",
        wrong.first_against,
        symptom="Whether there was a first call, you judge by another reading than the usual one.",
        concept="What stands beside the first reading is the usual one. A single run may be "
        "quicker or slower than that, and a mean is drawn along.",
        line="`read[0] > 2 * usual`, with `usual = median(read[1:])`.",
        choices={
            "other": (
                lambda read: min(read[1:]),
                lambda read: max(read[1:]),
                lambda read: mean(read[1:]),
            )
        },
    ),
    Misconception(
        "another reading against the device",
        wrong.wait_by,
        symptom="Whether anybody waited, you judge by another reading than the usual one.",
        concept="One run may be disturbed, or short by chance, and a mean is drawn along.",
        line="`usual < device`, with `usual = median(read[1:])`.",
        choices={"reading": (lambda read: mean(read[1:]),)},
    ),
    Misconception(
        "the longest of the rest",
        wrong.asked_with(typical=max),
        symptom="You judge as if the slowest run were the usual one.",
        concept="One disturbed run says nothing of the others.",
        line="Compare `median(read[1:])`, not the largest of them.",
    ),
    Misconception(
        "the first reading against the device",
        wrong.first_against_the_device,
        symptom="You judge by the first reading whether anybody waited.",
        concept="The first run is the odd one: it may compile, or begin before the clock. What "
        "the others say counts, by their median.",
        line="`if usual < device`, with `usual = median(read[1:])`.",
    ),
    Misconception(
        "the middle of the list",
        wrong.asked_with(typical=wrong.middle),
        symptom="You judge as if one reading were the usual one by its place in the list: in "
        "the middle, or at an end.",
        concept="The median is the middle one *by size*. Runs come in the order of time.",
        line="`median(read[1:])`, which sorts for itself.",
        choices={
            "typical": (
                lambda read: read[(len(read) - 1) // 2],
                lambda read: read[-1],
                lambda read: read[0],
            )
        },
    ),
    Misconception(
        "a single reading",
        wrong.one_below,
        symptom="One reading below the device's time, the first one too, is enough for you to"
        ' say "no wait".',
        concept="A reading may be short by chance, or for another reason. The usual one "
        "tells: the median of all but the first.",
        line="The median of `read[1:]` is what `device` is compared with.",
    ),
    Misconception(
        "every reading",
        wrong.every_one_below,
        symptom='You say "no wait" only where every reading after the first is below the '
        "device's time.",
        concept="A disturbed run may be long, and still nobody waited. The usual one tells.",
        line="`median(read[1:]) < device`.",
    ),
    Misconception(
        "twice the device's time for a wait",
        lambda read, device, *rest: (
            "no wait" if median(read[1:]) < 2 * device else wrong.asked(read, device, *rest)
        ),
        symptom='You say "no wait" of runs that took as long as the device\'s own work, or longer.',
        concept="A run that was waited for is at least as long as the device's part. How much"
        " longer depends on the host.",
        line="`usual < device`, the device's time as it is.",
    ),
    Misconception(
        "one of the two in the middle",
        wrong.asked_with(typical=median_high),
        symptom="Right where an odd number of readings follows the first; of an even number you "
        "take one of the two in the middle.",
        concept="Of an even number the median is the mean of the two in the middle.",
        line="`median(read[1:])` of Python's `statistics`, which the lab has imported.",
        choices={"typical": (median_low,)},
    ),
]
