"""`convladder board` as a process, and thirty notebooks' senders: nothing is lost. Weekly."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from convladder.journal import sharing
from convladder.journal.event import Event
from convladder.journal.log import append
from convladder.journal.post import BoardError, request
from convladder.journal.send import Sender, payload

pytestmark = pytest.mark.weekly
LEARNERS, ROUNDS = 30, 40


class Process:
    """`convladder board` on a port of its own."""

    def __init__(self, folder, port):
        self.folder, self.port = folder, port
        self.start()

    def start(self):
        code = "import sys; from convladder.cli import main; sys.exit(main())"
        words = f"board --address 127.0.0.1 --port {self.port} --folder".split()
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *words, str(self.folder)],
            stdout=subprocess.PIPE,
            text=True,
        )
        said = "".join(self.process.stdout.readline() for _ in range(3))
        self.address, self.room = re.search(r'join\("(\S+)#(\S+)"\)', said).groups()
        self.instructor = re.search(r"key=(\S+)", said)[1]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    @property
    def mib(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024

    def stored(self):
        with closing(sqlite3.connect(self.folder / "board.sqlite")) as database:
            sql = "SELECT name, uid FROM event JOIN learner ON learner.id = event.learner"
            return [uid for name, uid in database.execute(sql) if name.startswith("Learner")]


@pytest.fixture
def board(tmp_path):
    from tornado.testing import bind_unused_port

    socket, port = bind_unused_port()
    socket.close()
    process = Process(tmp_path / "board", port)
    yield process
    process.kill()


def joined(board, name):
    return request(board.address, "/api/join", data={"key": board.room, "name": name})["token"]


def test_thirty_play_beside_a_flood_and_rubbish_and_a_restart(board, tmp_path, capsys):
    """15 s."""
    journals = [tmp_path / str(number) / "progress.jsonl" for number in range(LEARNERS)]
    for number, journal in enumerate(journals):
        token = joined(board, f"Learner {number}")
        sharing.write(journal, sharing.Sharing(board.address, "2026", token))
    senders = [Sender(journal) for journal in journals]
    flood, rubbish, told, waits = joined(board, "flood"), joined(board, "rubbish"), [], []

    def one(journal):
        event = Event("checked", "labs/03_mec", exercise="mec_lower", stage="wrong values")
        append(journal, event)
        told.append(event.uid)
        return vars(event)

    for round_ in range(ROUNDS):
        for journal, sender in zip(journals, senders, strict=True):
            one(journal)
            sender.wake()
        if round_ == ROUNDS // 2:
            board.kill()
            board.start()
        for token, events in (
            (flood, [payload(Event("checked", exercise="mec_lower", stage="passed"))] * 200),
            (rubbish, [os.urandom(20).hex(), {"uid": 3}, [[]] * 900]),
        ):
            try:
                begun = time.monotonic()
                request(board.address, "/api/events", token, data={"events": events})
                waits.append(time.monotonic() - begun)
            except BoardError as error:
                assert error.status in (0, 429)
    until = time.monotonic() + 60
    while time.monotonic() < until and len(board.stored()) < len(told):
        time.sleep(0.05)
    found = board.stored()
    assert sorted(found) == sorted(told), "none is lost, none is doubled"
    begun = time.monotonic()
    one(journals[0])
    senders[0].wake()
    while len(board.stored()) < len(told):
        time.sleep(0.005)
    with capsys.disabled():
        print(
            f"\n{len(told)} events of {LEARNERS}, none lost; the board has {board.mib:.0f} MiB; "
            f"a request takes {1000 * max(waits):.0f} ms at most; a check is there after "
            f"{1000 * (time.monotonic() - begun):.0f} ms"
        )
