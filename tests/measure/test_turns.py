"""In a room: first come, first served; the dead wait for nobody; alone nothing is taken."""

import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from types import SimpleNamespace

import pytest

from convladder.classroom.turn import prepare
from convladder.measure import available_cores, compare, tickets, timed, turns
from convladder.measure.received import Received
from convladder.measure.tickets import Ticket
from convladder.measure.turns import PROCESSOR, turn_at

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="turns are taken on Linux")

LEARNER = """
import sys, time
sys.path[:0] = {path!r}
from convladder.measure.turns import turn_at
print("ready", flush=True)
for line in sys.stdin:
    with turn_at("processor", {seconds}) as mine:
        print(time.monotonic(), flush=True)
        time.sleep({seconds})
        print(time.monotonic(), mine.late, flush=True)
"""


@pytest.fixture
def room(tmp_path, monkeypatch):
    for name, value in prepare(tmp_path / "room").items():
        monkeypatch.setenv(name, value)
    return tmp_path / "room"


@pytest.fixture
def learner(room):
    """Start a process that takes a turn of so many seconds for each line that it is told."""
    begun = []

    def start(seconds):
        begun.append(
            subprocess.Popen(
                [sys.executable, "-S", "-c", LEARNER.format(path=sys.path, seconds=seconds)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                bufsize=1,
            )
        )
        return begun[-1]

    yield start
    for process in begun:
        process.kill()
        process.communicate()


def tell(process):
    print(file=process.stdin, flush=True)


def until_waiting(room, number):
    """Wait until so many have drawn a ticket."""
    while len(queue(room)) < number:
        time.sleep(0.001)


def queue(room):
    watcher = Ticket(room / PROCESSOR, 0.0)
    try:
        return watcher.ahead()
    finally:
        watcher.give_back()


def test_processes_are_served_as_they_came_and_never_two_at_once(room, learner):
    """And one that is killed in its turn, or in the queue, holds nobody up."""
    killed, quitter, *rest = [learner(seconds) for seconds in (30.0, 30.0, 0.05, 0.05, 0.05)]
    for process in (killed, quitter, *rest):
        assert process.stdout.readline() == "ready\n"
    for number, process in enumerate((killed, quitter, *rest), start=1):
        tell(process)
        until_waiting(room, number)
    assert killed.stdout.readline()  # it is at work, all others wait
    assert [round(each, 3) for each in sorted(queue(room))] == [0.05] * 3 + [0.5] * 2
    quitter.kill()
    killed.kill()
    spans = []
    for process in rest:
        begin, (end, late) = process.stdout.readline(), process.stdout.readline().split()
        spans.append((float(begin), float(end)))
        assert late == "False"
    assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(spans)), spans


def test_alone_nothing_is_opened(monkeypatch):
    monkeypatch.setattr(turns, "Ticket", pytest.fail)
    with turn_at(PROCESSOR, 1.0) as mine:
        mine.go_on()
        assert not mine.late
    timed(lambda: None, budget=1e-4)


@pytest.mark.parametrize("slept", [False, True], ids=["computes", "waits for others"])
def test_one_thread_takes_a_turn_only_for_work_that_waits(room, monkeypatch, slept):
    """Whether it waits is told here, not measured: beside other programs a section of microseconds
    may come out either way."""
    received, taken = Received(1e-3, 1e-3, 1.0, slept), []

    class Told(Ticket):
        def __init__(self, *arguments):
            taken.append(arguments)
            super().__init__(*arguments)

    monkeypatch.setattr(
        "convladder.measure.timer.Section", lambda threads: SimpleNamespace(end=lambda: received)
    )
    monkeypatch.setattr(turns, "Ticket", Told)
    timing = timed(lambda: sum(range(1000)), budget=1e-3, threads=1)
    assert bool(taken) == slept
    assert (timing.clock == "thread") == ("by the thread's own clock" in str(timing)) == (not slept)


@pytest.mark.skipif(available_cores() < 2, reason="needs two cores")
def test_measurements_on_several_threads_do_not_overlap(room, monkeypatch):
    monkeypatch.setattr("convladder.measure.timer.LONGEST_REST", 0.0)
    at_work, seen = threading.Lock(), []

    def work():
        seen.append(at_work.acquire(blocking=False))
        time.sleep(0.01)
        at_work.release()

    def learner():
        compare({"a": work, "b": work}, budget=0.02, threads=2, warm=False)

    together = [threading.Thread(target=learner) for _ in range(3)]
    for each in together:
        each.start()
    for each in together:
        each.join()
    assert len(seen) >= 3 * 2 * 3 and all(seen)


def test_others_come_in_between_and_none_is_passed_over(room, monkeypatch):
    monkeypatch.setattr(turns, "LONGEST_TURN", 0.0)
    order, waiting = [], None

    def other():
        with turn_at(PROCESSOR, 0.1):
            order.append("other")

    with turn_at(PROCESSOR, 1.0) as mine:
        waiting = threading.Thread(target=other)
        waiting.start()
        until_waiting(room, 2)
        order.append("first part")
        mine.go_on()
        order.append("second part")
    waiting.join()
    assert order == ["first part", "other", "second part"]


def test_after_long_it_is_taken_anyway_and_called_disturbed(room, monkeypatch):
    monkeypatch.setattr(turns, "LONGEST_WAIT", 0.02)
    ahead = Ticket(room / PROCESSOR, 0.1)
    with turn_at(PROCESSOR, 1.0) as mine:
        assert mine.late
    if available_cores() > 1:
        timing = timed(lambda: time.sleep(1e-3), budget=3e-3, threads=2)
        assert timing.disturbed
        assert "ms (disturbed)" in str(timing)
    ahead.give_back()
    assert queue(room) == []


def test_what_the_queue_says(room, monkeypatch):
    said = []
    monkeypatch.setattr(turns, "_tell", said.append)
    monkeypatch.setattr(turns, "TELL_AFTER", 0.0)
    ahead = [Ticket(room / PROCESSOR, seconds) for seconds in (0.5, 0.25)]

    def leave():
        while not said:
            time.sleep(0.001)
        for each in ahead:
            each.give_back()

    leaving = threading.Thread(target=leave)
    leaving.start()
    with turn_at(PROCESSOR, 8.0):  # sixteen turns of half a second, each behind 0.75 s
        pass
    leaving.join()
    assert said[0] == "3rd in the queue for the processor, about 12 s" and said[-1] == ""


def test_an_interrupt_frees_the_place(room, monkeypatch):
    for error in (KeyboardInterrupt, ValueError):
        with pytest.raises(error), turn_at(PROCESSOR, 1.0):
            raise error
        assert queue(room) == []

    def interrupted(seconds):
        raise KeyboardInterrupt

    ahead = Ticket(room / PROCESSOR, 0.1)
    monkeypatch.setattr(turns, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt), turn_at(PROCESSOR, 1.0):
        pass
    assert queue(room) == [0.1]
    ahead.give_back()


def test_a_forked_child_does_not_keep_the_turn(room):
    with turn_at(PROCESSOR, 1.0):
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
    try:
        until = time.monotonic() + 5  # the child has to run for a moment to close its copy
        while queue(room) and time.monotonic() < until:
            time.sleep(0.001)
        assert queue(room) == []
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_turn_within_a_turn_waits_for_nobody(room):
    with turn_at(PROCESSOR, 1.0), turn_at(PROCESSOR, 1.0) as inner:
        assert len(queue(room)) == 1 and not inner.late


def test_files_are_only_read_and_a_second_call_leaves_them(room):
    held = Ticket(room / PROCESSOR, 0.1)
    prepare(room, ["00000000:C1:00.0"])
    assert queue(room) == [0.1]
    held.give_back()
    modes = {path.name: path.stat().st_mode & 0o777 for path in room.iterdir()}
    assert modes == dict.fromkeys(("processor", "gpu", "gpu-0000:c1:00.0"), 0o444)
    assert room.stat().st_mode & 0o777 == 0o755


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, who made the files")
def test_learners_without_any_right_to_write_take_turns():
    with tempfile.TemporaryDirectory() as folder:  # pytest's own is closed to others
        os.chmod(folder, 0o755)
        path = prepare(f"{folder}/room")[turns.VARIABLE] + f"/{PROCESSOR}"
        first = Ticket(path, 0.25)
        child = os.fork()
        if child == 0:
            try:
                os.setuid(61000)
                may_write = os.access(path, os.W_OK) or os.access(os.path.dirname(path), os.W_OK)
                os._exit(int(may_write or Ticket(path, 0.1).ahead() != [0.25]))
            finally:
                os._exit(2)
        assert os.waitpid(child, 0) == (child, 0)
        first.give_back()


def test_a_room_without_files_is_said_once(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(turns.VARIABLE, str(tmp_path / "nowhere"))
    for _ in range(2):
        with turn_at(PROCESSOR, 1.0) as mine:
            assert not mine.late
    said = capsys.readouterr().err
    assert said.count("no turns at 'processor'") == 1 and "prepare(folder)" in said


def test_one_who_holds_up_the_drawing_stops_nobody(room, monkeypatch, capsys):
    monkeypatch.setattr(tickets, "MOMENT", 0.01)
    fcntl = pytest.importorskip("fcntl")
    with open(room / PROCESSOR) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with turn_at(PROCESSOR, 1.0):
            pass
    assert "no turns" in capsys.readouterr().err
