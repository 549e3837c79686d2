"""`convladder board` as a process that is killed, and its notebooks' senders: nothing is lost."""

import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from convladder.journal import sharing
from convladder.journal.event import Event
from convladder.journal.log import append
from convladder.journal.post import request
from convladder.journal.send import Sender

pytestmark = pytest.mark.weekly
LEARNERS, ROUNDS = 5, 20


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

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stored(self):
        with closing(sqlite3.connect(self.folder / "board.sqlite")) as database:
            return [uid for (uid,) in database.execute("SELECT uid FROM event")]


@pytest.fixture
def board(tmp_path):
    from tornado.testing import bind_unused_port

    socket, port = bind_unused_port()
    socket.close()
    process = Process(tmp_path / "board", port)
    yield process
    process.kill()


def test_a_board_that_is_killed_has_every_event_once(board, tmp_path):
    journals = [tmp_path / str(number) / "progress.jsonl" for number in range(LEARNERS)]
    for number, journal in enumerate(journals):
        key = {"key": board.room, "name": f"Learner {number}"}
        token = request(board.address, "/api/join", data=key)["token"]
        sharing.write(journal, sharing.Sharing(board.address, "2026", token))
    senders, told = [Sender(journal) for journal in journals], []
    for round_ in range(ROUNDS):
        for journal, sender in zip(journals, senders, strict=True):
            event = Event("checked", "labs/03_mec", exercise="mec_lower", stage="wrong values")
            append(journal, event)
            told.append(event.uid)
            sender.wake()
        if round_ == ROUNDS // 2:
            board.kill()
            board.start()
    until = time.monotonic() + 60
    while time.monotonic() < until and len(board.stored()) < len(told):
        time.sleep(0.05)
    assert sorted(board.stored()) == sorted(told), "none is lost, none is doubled"
