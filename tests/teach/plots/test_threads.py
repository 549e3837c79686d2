"""The pictures of chapter 04: the model keeps its own books, every control changes something."""

import itertools

import pytest

from convladder.measure import compare
from convladder.teach import explore
from convladder.teach.plots import threads
from convladder.teach.plots.threads import ROWS, schedule, schedule_picture

from ..artists import drawn

CONTROLS = {
    "threads": [4, 8, 2, 1],
    "chunk": [6, 3, 2, 1],
    "dealt": ["beforehand", "on demand"],
    "serial": (0, 12, 2),
}


def end(*args):
    return max(span.stop for span in schedule(*args))


@pytest.mark.parametrize(
    "count, chunk, dealt, serial",
    list(itertools.product([1, 2, 3, 8], [1, 5, 6], ["beforehand", "on demand"], [0, 4])),
)
def test_every_row_is_done_once_and_nobody_does_two_things_at_a_time(count, chunk, dealt, serial):
    spans = schedule(count, chunk, dealt, serial)
    assert sorted(row for span in spans for row in span.rows or ()) == list(range(ROWS))
    assert all(span.start >= serial for span in spans if span.rows)
    for thread in range(count):
        own = sorted((span.start, span.stop) for span in spans if span.thread == thread)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(own))
    assert end(count, chunk, dealt, serial) >= serial + ROWS / count


def test_the_model_tells_what_the_chapter_says_of_it():
    assert end(4, 6, "on demand", 0) > end(4, 6, "beforehand", 0) == 12
    assert end(4, 2, "on demand", 0) < end(4, 6, "on demand", 0)
    ends = {chunk: end(2, chunk, "on demand", 0) for chunk in CONTROLS["chunk"]}
    assert min(ends, key=ends.get) == 2
    assert end(1, 6, "beforehand", 0) == ROWS


def test_every_value_of_every_control_gives_a_picture_of_its_own():
    explorer = explore(schedule_picture, **CONTROLS)
    assert explorer.first.alt.startswith("A model of 24 rows in chunks of 6 on 4 threads, dealt")
    for name, control in explorer.controls.items():
        first, seen = control.value, set()
        values = CONTROLS[name] if isinstance(CONTROLS[name], list) else range(0, 13, 2)
        for value in values:
            control.value = value
            assert explorer.note.value == ""
            seen.add(drawn(explorer.picture))
        assert len(seen) == len(values), name
        control.value = first


@pytest.mark.parametrize("counts", [[1], [1, 2], [1, 2, 4, 32, 64]])
def test_scaling_takes_any_number_of_cores(counts):
    curves = {"one": {n: n**0.5 for n in counts}, "two": dict.fromkeys(counts, 1.0)}
    picture = threads.scaling_picture(curves, 0.2)
    assert picture.alt == "Speed-up over the number of threads for one, two, with Amdahl's law."
    assert threads.scaling_picture(curves, what="times").alt.startswith("Times over")


@pytest.mark.parametrize("cores", [1, 2, 64])
def test_gains_say_what_they_compare(cores):
    gains = [("a product", 1e-5, 0.9), ("another", 1e-2, cores)]
    picture = threads.thread_gain_picture(gains, cores)
    assert picture.alt.endswith("on one: a product; another.")


def test_duels_say_what_they_compare():
    race = compare({"a": lambda: sum(range(20_000)), "b": lambda: sum(range(50_000))}, budget=0.01)
    alt = threads.duel_picture({"cv1": race, "cv2": race}, ("a", "b"), against="a").alt
    assert alt == "Bars for a, b on cv1, cv2: how many times as fast as a."


def test_what_follows_a_call_is_drawn_by_what_it_was():
    quick, slow = [(0.0, 1e-3), (1e-3, 1e-3)], [(0.0, 8e-3)]
    picture = threads.calls_after_picture({"a rest": quick, "a product": slow})
    assert picture.alt == (
        "How long calls of one function took, over the time since something "
        "else had returned: a rest, a product."
    )
    both = threads.calls_after_picture({"a rest": quick, "a product": quick})
    assert drawn(both) != drawn(picture)
    with pytest.raises(ValueError, match="series has no calls"):
        threads.calls_after_picture({"a rest": []})
