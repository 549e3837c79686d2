"""Usual mistakes about the questions and the verdicts, with their hints: lab 11, exercise 5."""

from __future__ import annotations

from ...grading.exercise import Misconception
from . import mistake_wrong as wrong

QUESTIONS = [
    Misconception(
        "the first call asked about first",
        wrong.asked_with(order=(1, 0, 2)),
        symptom="Where the first call compiles *and* nobody waits, you name the lesser evil.",
        concept="Without the first run the rest is still no measurement: it is shorter than "
        "the device's own work.",
        line="Ask first for `no wait`: is the usual reading below `device`, without the first?",
    ),
    Misconception(
        "any rate below the wire's",
        wrong.any_slower_copy,
        symptom="You convict copies that reach half of the wire's rate, or more.",
        concept="Page-locked copies vary too. A copy made twice loses more than half.",
        line="`copied / copy_seconds < wire / 2`.",
        choices={"limit": (0.75, 0.8, 0.9)},
    ),
    Misconception(
        "on the limit too",
        wrong.asked_with(on=(1e-12, 1e-12, 0)),
        choices={"on": ((1e-12, 0, 0), (0, 1e-12, 0), (0, 0, 1e-12), (1e-12, 1e-12, 1e-12))},
        symptom="Right but where a number lies exactly on its limit: there you find a mistake.",
        concept="A limit is beyond which it begins: *more* than twice, *less* than half.",
        line="`>` and `<`, not `>=` and `<=`.",
    ),
    Misconception(
        "the last that is true",
        wrong.asked_with(order=(2, 1, 0)),
        symptom="Where two are true you name the later one.",
        concept="The first mistake makes the other questions void.",
        line="`return` at once, in the order given.",
    ),
    Misconception(
        "the copy before the others",
        wrong.asked_with(order=(0, 2, 1)),
        symptom="You name a pageable copy where an earlier one of the four words is true as well.",
        concept="A first call that compiles, or a run that nobody waited for, comes first: what "
        "else is true of it does not count.",
        line="`if copied / copy_seconds < wire / 2` is the third question.",
        choices={"order": ((2, 0, 1),)},
    ),
    Misconception(
        "bytes over the device's time",
        wrong.bytes_over_the_device,
        symptom="You find copies pageable whose own rate is near the wire's.",
        concept="The GPU is at work for longer than a copy takes. A copy's rate is its bytes over "
        "its own seconds.",
        line="`copied / copy_seconds`, compared with `wire / 2`.",
    ),
    Misconception(
        "a long copy is a pageable one",
        wrong.by_the_copys_time,
        symptom="You judge a copy by how long it takes, not by its rate.",
        concept="A copy may be most of a run and still go as fast as the wire. And a slow one "
        "may be little of it.",
        line="Compare rates: `copied / copy_seconds` with `wire / 2`.",
    ),
    Misconception(
        "no question about the copy",
        wrong.asked_with(order=(0, 1)),
        symptom='You never say "pageable copy".',
        concept="Such a run is waited for and warm, and yet its copies crawl: their bytes a "
        "second say so.",
        line="A third question: `copied / copy_seconds < wire / 2`.",
    ),
    Misconception(
        "no question about the wait",
        wrong.asked_with(order=(1, 2)),
        symptom='You never say "no wait".',
        concept="No run can be shorter than what the device does in it.",
        line="A first question: is the usual reading below `device`?",
    ),
    Misconception(
        "no question about the first call",
        wrong.asked_with(order=(0, 2)),
        symptom='You never say "first call".',
        concept="A first run that compiles stands out beside the runs after it.",
        line="A question between the two others: `read[0] > 2 * median(read[1:])`?",
    ),
    Misconception(
        "wait and device exchanged",
        wrong.wait_exchanged,
        symptom="You take every honest reading for one in which nobody waited.",
        concept="A host that waits sees *more* than the device's own time, since it issues "
        "and waits besides.",
        line="`usual < device`, not `device < usual`.",
    ),
    Misconception(
        "every copy a pageable one",
        wrong.seconds_over_bytes,
        symptom="You call every copy pageable, also one at the wire's rate.",
        concept="A rate is bytes over seconds. And less than half of the wire's rate is more "
        "than *twice* the time that the wire would take.",
        line="`copied / copy_seconds < wire / 2`; in times, `copy_seconds > 2 * copied / wire`.",
    ),
    Misconception(
        "true or false",
        lambda *given: wrong.asked(*given) != "none",
        symptom="You say whether there was a mistake, not which.",
        concept="Whoever reads your verdict wants to know what to do.",
        line="Return one of the four words.",
    ),
    Misconception(
        "nothing where nothing is wrong",
        lambda *given: None if wrong.asked(*given) == "none" else wrong.asked(*given),
        symptom="Where nothing is wrong you return nothing.",
        concept="The fourth word is a word as well.",
        line='`return "none"`, in quotes.',
    ),
    Misconception(
        "copies judged the wrong way round",
        wrong.asked_with(fast=True),
        symptom="You call a copy pageable where it is fast, and find nothing where it is slow.",
        concept="Pageable memory is the slow one: its copies reach less than half of the wire.",
        line="A copy is slow where `copied / copy_seconds < wire / 2`.",
    ),
    Misconception(
        "a slower limit",
        lambda read, device, copied, copy_seconds, wire, over=2: wrong.asked(
            read, device, copied, copy_seconds, wire / over
        ),
        symptom="You let copies pass that reach less than half of the wire's rate; only much "
        "slower ones you find.",
        concept="Half of the wire's rate is the limit, in bytes a second on both sides.",
        line="`copied / copy_seconds < wire / 2`, with no other factor.",
        choices={"over": (4, 5, 8)},
    ),
    Misconception(
        "other words",
        lambda *given, spelt=lambda word: word.replace(" ", "_"): spelt(wrong.asked(*given)),
        choices={
            "spelt": (
                lambda word: word.replace(" ", "-"),
                str.capitalize,
                str.upper,
                str.title,
                lambda word: word.replace(" ", ""),
            )
        },
        symptom="Your verdicts are right, in other words.",
        concept="A caller compares with the words of the task.",
        line='`"no wait"`, `"first call"`, `"pageable copy"` or `"none"`.',
    ),
    Misconception(
        "all that are true",
        lambda read, device, copied, seconds, wire, between=", ": (
            between.join(
                word
                for word in ("no wait", "first call", "pageable copy")
                if wrong.names(word, read, device, copied, seconds, wire)
            )
            or "none"
        ),
        symptom="Where more than one is true you name them all.",
        concept="A run that nobody waited for says nothing of its copies: after the first that is "
        "true there is nothing more to ask.",
        line="`return` the first that is true.",
        choices={"between": (" and ", "; ", " ", ",", " + ", "/")},
    ),
]
