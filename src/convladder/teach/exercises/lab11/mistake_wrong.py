"""Verdicts on a measurement, right and as learners give them: lab 11, exercise 5."""

from __future__ import annotations

from statistics import median


def asked(
    read,
    device,
    copied,
    copy_seconds,
    wire,
    order=(0, 1, 2),
    typical=median,
    rest=1,
    slow=None,
    fast=False,
    on=(0, 0, 0),
):
    """Give a verdict. `on`: by what shares the limits are moved, to be within; the first is last."""
    usual = typical(read[rest:])
    slow = read[0] if slow is None else slow(read)
    questions = [
        ("no wait", usual < device * (1 + on[2])),
        ("first call", slow > 2 * usual * (1 - on[0])),
        ("pageable copy", (copied / copy_seconds < wire / 2 * (1 + on[1])) != fast),
    ]
    return next((questions[n][0] for n in order if questions[n][1]), "none")


def names(word, read, device, copied, copy_seconds, wire):
    """Say whether a verdict would be true, whatever the others are."""
    number = ["no wait", "first call", "pageable copy"].index(word)
    return asked(read, device, copied, copy_seconds, wire, order=(number,)) == word


def asked_with(**changed):
    return lambda read, device, copied, copy_seconds, wire, **more: asked(
        read, device, copied, copy_seconds, wire, **changed | more
    )


def first_against_the_device(read, device, copied, copy_seconds, wire):
    if read[0] < device:
        return "no wait"
    return asked(read, device, copied, copy_seconds, wire, order=(1, 2))


def first_against_twice_the_device(read, device, *rest):
    return asked(read, device, *rest, slow=lambda read: read[0] * median(read[1:]) / device)


def any_slower_copy(read, device, copied, copy_seconds, wire, limit=1):
    return asked(read, device, copied, copy_seconds, 2 * limit * wire)


def wait_by(read, device, *rest, reading=lambda read: read[-1]):
    """Ask about the wait by another reading than the usual one."""
    return "no wait" if reading(read) < device else asked(read, device, *rest, order=(1, 2))


def first_against(read, *rest, other=lambda read: read[1]):
    return asked(read, *rest, slow=lambda read: read[0] * median(read[1:]) / other(read))


def bytes_over_the_device(read, device, copied, copy_seconds, wire):
    return asked(read, device, copied, device, wire)


def by_the_copys_time(read, device, copied, copy_seconds, wire):
    found = asked(read, device, copied, copy_seconds, wire, order=(0, 1))
    return "pageable copy" if found == "none" and copy_seconds > device / 2 else found


def seconds_over_bytes(read, device, copied, copy_seconds, wire):
    return asked(read, device, copy_seconds, copied, wire)


def wait_exchanged(read, device, *rest):
    return asked([device] * len(read), median(read[1:]), *rest)


def sorted_first(read, *rest, in_place=False):
    if in_place:
        read.sort()
    return asked(sorted(read), *rest)


def middle(read):
    return read[len(read) // 2]


def without_the_smallest(read):
    return median(sorted(read)[1:])


def every_one_below(read, device, *rest):
    if max(read[1:]) < device or median(read[1:]) >= device:
        return asked(read, device, *rest)
    return asked(read, device, *rest, order=(1, 2))


def one_below(read, device, *rest):
    if min(read) < device:
        return "no wait"
    return asked(read, device, *rest, order=(1, 2))
