"""Lab 11, exercise 5: which mistake a measurement made."""

from __future__ import annotations

from statistics import mean, median

from ...grading.exercise import Exercise, Misconception
from . import mistake_wrong as wrong


def mistake(read, device, copied, copy_seconds, wire):
    return wrong.asked(read, device, copied, copy_seconds, wire)


MEGA = 1e6
FLOATS = 31.36 * MEGA
USUAL = [
    # seconds that the host read, run by run; of the device; bytes copied, seconds of it; bytes/s
    ([1.30e-3, 1.27e-3, 1.26e-3, 1.28e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([0.051e-3, 0.049e-3, 0.050e-3, 0.052e-3], 0.43e-3, FLOATS, 0.58e-3, 54e9),
    ([0.412, 1.31e-3, 1.27e-3, 1.30e-3, 1.28e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([2.83e-3, 2.80e-3, 2.81e-3, 2.80e-3], 2.6e-3, FLOATS, 2.0e-3, 54e9),
    # the first call compiled, and still nobody waited
    ([0.350, 0.051e-3, 0.050e-3, 0.050e-3], 0.43e-3, FLOATS, 0.58e-3, 54e9),
    # one run in the middle was disturbed
    ([1.29e-3, 1.27e-3, 9.80e-3, 1.28e-3, 1.27e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    # the first reading alone is below the device's time
    ([0.05e-3, 1.31e-3, 1.29e-3, 1.30e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    # many runs that took longer than they should, since one copy is most of them
    ([0.620e-3, 0.611e-3, 0.612e-3], 0.60e-3, FLOATS, 0.57e-3, 54e9),
    ([3.1e-3, 1.40e-3, 1.41e-3], 1.2e-3, 7.84 * MEGA, 0.60e-3, 54e9),
    ([2.5e-3, 2.4e-3, 2.4e-3], 2.3e-3, 7.84 * MEGA, 0.40e-3, 54e9),
    ([0.90, 0.0004, 0.0004, 0.0090], 0.0005, FLOATS, 0.58e-3, 54e9),
    ([2.8e-3, 0.9e-3, 0.9e-3], 0.8e-3, FLOATS, 0.58e-3, 54e9),
    # more than twice the device's time, not twice the usual one; a copy somewhat slow
    ([2.7e-3, 1.40e-3, 1.39e-3, 1.41e-3], 1.05e-3, FLOATS, 0.80e-3, 54e9),
    # nobody waited but once; the readings are longer than the copy, and shorter than all the work
    ([1.50e-3, 0.70e-3, 0.70e-3, 0.71e-3, 0.9e-3], 0.80e-3, FLOATS, 0.58e-3, 54e9),
    # one run was quicker than the one that the device's clock saw
    ([1.5e-3, 1.4e-3, 1.3e-3, 1.4e-3], 1.35e-3, FLOATS, 0.58e-3, 54e9),
    # in the middle of the list stands neither the shortest run nor the usual one
    ([1.32e-3, 1.00e-3, 1.29e-3, 1.30e-3, 1.02e-3, 1.31e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([1.4e-3, 1.30e-3, 2.9e-3, 0.9e-3, 1.31e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    ([2.8e-3, 1.29e-3, 1.28e-3, 1.60e-3, 1.31e-3, 1.27e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
    # a copy at a third of the wire's rate
    ([3.1e-3, 3.0e-3, 3.0e-3], 2.9e-3, FLOATS, 1.74e-3, 54e9),
    # a copy at a twentieth of the wire's rate
    ([13.1e-3, 13.0e-3, 13.0e-3], 12.9e-3, FLOATS, 11.6e-3, 54e9),
    # with the first run among them the median is larger
    ([2.9e-3, 1.46e-3, 1.30e-3], 1.05e-3, FLOATS, 0.58e-3, 54e9),
]


def _cases(rng):
    """Return the usual ones on a machine that is the seed's, and in an order of its own."""
    def near(value):
        return value * float(rng.uniform(0.999, 1.001))

    cases, faster = [], float(rng.uniform(0.5, 2))
    for read, device, copied, seconds, wire in USUAL:
        cases.append(([near(each / faster) for each in read], near(device / faster), copied,
                      near(seconds / faster), near(wire * faster)))
    return [cases[at] for at in (0, *(1 + rng.permutation(len(cases) - 1)))]


EXERCISE = Exercise(
    name="mistake", lab=11, reference=mistake,
    task="Say which of three usual mistakes a measurement made, or that it made none.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "the first call asked about first", wrong.asked_with(order=(1, 0, 2)),
            symptom="Where the first call compiles *and* nobody waits, you name the lesser evil.",
            concept="Without the first run the rest is still no measurement: it is shorter than "
                    "the device's own work.",
            line="Ask in the order given: `no wait` first."),
        Misconception(
            "the mean", wrong.asked_with(typical=mean),
            symptom="A single disturbed run changes your verdict.",
            concept="The mean of four short readings and a long one looks like a run in which "
                    "somebody waited.",
            line="`statistics.median`."),
        Misconception(
            "the first run among the rest", wrong.asked_with(typical=mean, rest=0),
            symptom="You hardly ever find a first call: your usual time is a mean that has the "
                    "first run in it.",
            concept="With the first run in it, the usual time is as long as you are looking for.",
            line="The median of `read[1:]`."),
        Misconception(
            "the median of all", wrong.asked_with(rest=0),
            symptom="Your usual run has the first one in it.",
            concept="With few readings one more moves their middle.",
            line="Leave it out: `median(read[1:])`."),
        Misconception(
            "left out by size", wrong.asked_with(typical=wrong.without_the_smallest, rest=0),
            symptom="You leave a reading out by its size, the smallest or the largest, and not the "
                    "first one.",
            concept="The first run is the odd one by its place in time. Once the readings are "
                    "sorted, nobody knows which it was.",
            line="`read[1:]` first, the median of it then.",
            choices={"typical": (lambda read: median(sorted(read)[:-1]),)}),
        Misconception(
            "the shortest", wrong.asked_with(typical=min),
            symptom="One run that was quicker than usual changes your verdict.",
            concept="The quickest of many is a lucky one. What is usual stands in the middle.",
            line="`median(...)` in place of `min(...)`."),
        Misconception(
            "over twice the device's time", wrong.first_against_twice_the_device,
            symptom="You call it a first call where the first reading is more than twice the "
                    "*device's* time.",
            concept="A usual run takes longer than the GPU's part of it. That is no first call.",
            line="Compare `read[0]` with twice the median of the others."),
        Misconception(
            "any rate below the wire's", wrong.any_slower_copy,
            symptom="You convict a copy that is only somewhat slower than the wire.",
            concept="Page-locked copies vary too. A copy made twice loses more than half.",
            line="`copied / copy_seconds < wire / 2`."),
        Misconception(
            "the last that is true", wrong.asked_with(order=(2, 1, 0)),
            symptom="Where two are true you name the later one.",
            concept="The first mistake makes the other questions void.",
            line="`return` at once, in the order given."),
        Misconception(
            "any slow run is a first call", wrong.asked_with(slow=max),
            symptom="You call a disturbance in the middle a first call.",
            concept="Costs of a first call come once, at the start. Something slow later is "
                    "somebody else's.",
            line="Compare `read[0]`, not the largest."),
        Misconception(
            "a long copy is a pageable one", wrong.by_the_copys_time,
            symptom="You judge a copy by how long it takes, not by its rate.",
            concept="A copy may be most of a run and still go as fast as the wire. And a slow one "
                    "may be little of it.",
            line="Compare rates: `copied / copy_seconds` with `wire / 2`."),
        Misconception(
            "no question about the copy", wrong.asked_with(order=(0, 1)),
            symptom="You never say \"pageable copy\".",
            concept="Such a run is waited for and warm, and yet its copies crawl: their bytes a "
                    "second say so.",
            line="A third question: `copied / copy_seconds < wire / 2`."),
        Misconception(
            "no question about the wait", wrong.asked_with(order=(1, 2)),
            symptom='You never say "no wait".',
            concept="No run can be shorter than what the device does in it.",
            line="A first question: is the usual reading below `device`?"),
        Misconception(
            "sorted first", wrong.sorted_first,
            symptom="A first call that took long you do not find: no verdict of yours names one.",
            concept="Readings come in the order of time. Once they are sorted, the first is the "
                    "smallest, and never more than twice the median.",
            line="`read[0]` and `read[1:]` of the list as it comes; `median` sorts for itself.",
            choices={"in_place": (True,)}),
        Misconception(
            "no question about the first call", wrong.asked_with(order=(0, 2)),
            symptom='You never say "first call".',
            concept="A first run that compiles stands out beside the runs after it.",
            line="A question between the two others: `read[0] > 2 * median(read[1:])`?"),
        Misconception(
            "wait and device exchanged", wrong.wait_exchanged,
            symptom="You take every honest reading for one in which nobody waited.",
            concept="A host that waits sees *more* than the device's own time, since it issues "
                    "and waits besides.",
            line="`usual < device`, not `device < usual`."),
        Misconception(
            "every copy a pageable one", wrong.seconds_over_bytes,
            symptom="You call every copy pageable, also one at the wire's rate.",
            concept="A rate is bytes over seconds. And less than half of the wire's rate is more "
                    "than *twice* the time that the wire would take.",
            line="`copied / copy_seconds < wire / 2`; in times, "
                 "`copy_seconds > 2 * copied / wire`."),
        Misconception(
            "twice what the first took", wrong.asked_with(slow=lambda read: read[0] / 4),
            symptom="You hardly ever find a first call.",
            concept="More than twice the usual reading is enough.",
            line="`read[0] > 2 * usual`"),
        Misconception(
            "any first call that is longer", wrong.asked_with(slow=lambda read: 2 * read[0]),
            symptom="You name a first call where the first reading is only a little longer.",
            concept="Readings vary. Twice the usual one is beyond that.",
            line="`read[0] > 2 * usual`, with the 2."),
        Misconception(
            "the longest of the rest", wrong.asked_with(typical=max),
            symptom="You take the slowest run for the usual one.",
            concept="One disturbed run says nothing of the others.",
            line="`median(read[1:])`, not `max(read[1:])`."),
        Misconception(
            "true or false", lambda *given: mistake(*given) != "none",
            symptom="You say whether there was a mistake, not which.",
            concept="Whoever reads your verdict wants to know what to do.",
            line="Return one of the four words."),
        Misconception(
            "nothing where nothing is wrong",
            lambda *given: None if mistake(*given) == "none" else mistake(*given),
            symptom="Where nothing is wrong you return nothing.",
            concept="The fourth word is a word as well.",
            line='`return "none"`, in quotes.'),
        Misconception(
            "copies judged the wrong way round", wrong.asked_with(fast=True),
            symptom="You call a copy pageable where it is fast, and find nothing where it is slow.",
            concept="Pageable memory is the slow one: its copies reach less than half of the wire.",
            line="A copy is slow where `copied / copy_seconds < wire / 2`."),
        Misconception(
            "the first reading against the device", wrong.first_against_the_device,
            symptom="You ask of the first reading whether anybody waited.",
            concept="The first run is the odd one: it may compile, or begin before the clock. What "
                    "the others say counts, by their median.",
            line="`if usual < device`, with `usual = median(read[1:])`."),
        Misconception(
            "the middle of the list", wrong.asked_with(typical=wrong.middle),
            symptom="You take one reading for the usual one by its place in the list: in the "
                    "middle, or at an end.",
            concept="The median is the middle one *by size*. Runs come in the order of time.",
            line="`median(read[1:])`, or sort before you take the middle.",
            choices={"typical": (lambda read: read[(len(read) - 1) // 2], lambda read: read[-1],
                                 lambda read: read[0])}),
        Misconception(
            "a slower limit", lambda read, device, copied, copy_seconds, wire, over=2: wrong.asked(
                read, device, copied, copy_seconds, wire / over),
            symptom="You let copies pass that reach less than half of the wire's rate; only much "
                    "slower ones you find.",
            concept="Half of the wire's rate is the limit, in bytes a second on both sides.",
            line="`copied / copy_seconds < wire / 2`, with no other factor.",
            choices={"over": (4, 5, 8)}),
        Misconception(
            "a single reading", wrong.one_below,
            symptom="One reading below the device's time, the first one too, is enough for you to"
                    " say \"no wait\".",
            concept="A reading may be short by chance, or for another reason. The usual one "
                    "tells: the median of all but the first.",
            line="The median of `read[1:]` is what `device` is compared with."),
        Misconception(
            "every reading", wrong.every_one_below,
            symptom="You say \"no wait\" only where every reading after the first is below the "
                    "device's time.",
            concept="A disturbed run may be long, and still nobody waited. The usual one tells.",
            line="`median(read[1:]) < device`."),
        Misconception(
            "twice the device's time for a wait", lambda read, device, *rest: (
                "no wait" if median(read[1:]) < 2 * device else mistake(read, device, *rest)),
            symptom="You say \"no wait\" of runs that took longer than the device's own work.",
            concept="A run that was waited for is at least as long as the device's part. How much"
                    " longer depends on the host.",
            line="`usual < device`, with no factor."),
        Misconception(
            "other words", lambda *given: mistake(*given).replace(" ", "_"),
            symptom="Your verdicts are right, in other words.",
            concept="A caller compares with the words of the task.",
            line='`"no wait"`, `"first call"`, `"pageable copy"` or `"none"`.'),
    ],
)
