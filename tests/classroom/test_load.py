"""Learners played at a real hub, and what is said of a rehearsal."""

import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from convladder.journal import course_root
from convladder.classroom.load import needs

if needs():
    pytest.skip("the extra classroom is not installed", allow_module_level=True)

from convladder.classroom.load import Diary, Plan, as_record, kernel, lines, missed, rehearse
from convladder.classroom.load.audience import Audience, told_events
from convladder.classroom.load.rehearse import Rehearsal
from convladder.classroom.load.watch import Memory
from convladder.classroom.refusals import proxy
from convladder.classroom.settings import HubError


def perfect(users: int = 2) -> Rehearsal:
    """A rehearsal in which nothing falls short."""
    diaries = [
        Diary(f"learner-{n}", 20.0, 1.0, 60, [0.1, 0.2], {"e": 1.0}, True, [], {200: 40})
        for n in range(users)
    ]
    memory = Memory(
        1 << 30,
        100 << 20,
        {each.user: 250 << 20 for each in diaries},
        {each.user: 150 << 20 for each in diaries},
    )
    return Rehearsal(
        Plan(),
        diaries,
        60.0,
        memory,
        1 << 30,
        0.01,
        0,
        [30 << 20] * users,
        {"a": "checked", "b": "opened"},
        ["a", "b"],
        [0.5] * users,
    )


def test_a_rehearsal_that_keeps_what_was_promised():
    record = as_record(perfect())
    assert missed(record) == []
    assert json.loads(json.dumps(record)) == record
    assert any(line.startswith("memory      peak 1.00 GiB") for line in lines(record))


def spoiled(what: str) -> Rehearsal:
    found = perfect()
    first = found.diaries[0]
    if what == "error":
        first.errors.append("'check': ZeroDivisionError: x")
    elif what == "away":
        first.came_back = False
    elif what in ("429", "502"):
        first.answers = {200: 3, int(what): 1}
    elif what == "spawn":
        first.spawned = 181.0
    elif what == "peak":
        found.peak = 11 << 30
    elif what == "learner":
        found.memory.learners[first.user] = 301 << 20
    elif what == "compiled":
        found.compiled = 1
    elif what == "lost":
        found.kept.remove("b")
    elif what == "doubled":
        found.kept.append("b")
    elif what == "silent":
        found.told, found.kept = {}, []
    elif what == "late":
        found.delays[:] = [2.5] * 2
    elif what == "busy":
        found.idle = 0.2
    return found


@pytest.mark.parametrize(
    "what, sentence",
    {
        "error": "1 of 2 learners finished",
        "away": "1 of 2 came back",
        "429": "refused with 429",
        "502": "errors of a server",
        "spawn": "after 181 s",
        "peak": "11.00 GiB",
        "learner": "up to 301 MiB",
        "compiled": "1 kernels were compiled",
        "lost": "1 of 2 events",
        "doubled": "1 doubled",
        "silent": "0 of 0 events",
        "late": "2.5 s behind",
        "busy": "20.0%",
    }.items(),
)
def test_what_falls_short_is_said(what, sentence):
    (found,) = missed(as_record(spoiled(what)))
    assert sentence in found


def test_the_boards_delay_counts_each_learner_and_what_was_never_shown():
    page = Audience.__new__(Audience)
    page.key, page.seen = "01", {}
    page._note({"exercises": [{"name": "e", "who": {"done": ["A"]}}]})
    page._note({"exercises": [{"name": "e", "who": {"done": ["A"]}}]})
    (shown,) = page.seen["e"]
    assert page.delays([{"e": shown - 1.5}, {"e": shown - 0.5}]) == [
        pytest.approx(1.5),
        float("inf"),
    ]


def test_events_of_several_learners():
    opened, checked = {"uid": "1", "kind": "opened"}, {"uid": "2", "kind": "checked"}
    assert told_events({"ana": [opened, checked], "bo": [{"uid": "3", "kind": "checked"}]}) == {
        "1": "opened",
        "2": "checked",
        "3": "checked",
    }


class Silence:
    """A websocket of a kernel that says `messages` and then nothing more but the server's pings."""

    def __init__(self, *messages):
        self.messages, self.limits = list(messages), []

    def settimeout(self, seconds):
        self.limits.append(seconds)

    def recv(self):
        if self.messages:
            return json.dumps(self.messages.pop(0))
        if self.limits[-1] >= 10.5:  # a ping came before: this waits for ever
            raise AssertionError("nobody would have noticed")
        time.sleep(min(self.limits[-1], 0.05))
        raise kernel.websocket.WebSocketTimeoutException


def opened(*messages):
    found = kernel.LiveKernel.__new__(kernel.LiveKernel)
    found.browser, found._socket = SimpleNamespace(user="ana"), Silence(*messages)
    return found


def test_a_kernel_that_is_silent_or_dies_is_noticed():
    with pytest.raises(kernel.LoadError, match="no answer from the kernel within 0.1 s"):
        opened().result("1", patience=0.1)
    for state in ("restarting", "dead"):
        said = {"msg_type": "status", "content": {"execution_state": state}, "parent_header": {}}
        with pytest.raises(kernel.LoadError, match=f"the kernel died .{state}"):
            opened(said).result("1")


@pytest.mark.weekly  # a minute; the workflow's job `room` runs it at each push
def test_three_learners(tmp_path_factory):
    try:
        proxy(Path(sys.prefix) / "proxy")
    except HubError as error:
        pytest.skip(str(error))
    said = []
    record = as_record(
        rehearse(
            3,
            Plan(quick=True, answers=40),
            course_root(),
            port=8290,
            together=True,
            say=said.append,
        )
    )
    told = "\n".join([*said, *record["errors"]])
    assert [each for each in missed(record) if "processor" not in each] == [], told
    assert record["events"]["told"] > 3 * 40
    assert not list(Path("/tmp").glob("convladder-load-*"))
