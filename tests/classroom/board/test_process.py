"""`convladder board` as a process that is killed: it keeps every event that it has taken."""

import re
import subprocess
import sys
from contextlib import contextmanager

import pytest
from tornado.testing import bind_unused_port

from convladder.journal.post import request

from .conftest import event


@contextmanager
def started(folder, port):
    """Give a board's address and its room's key; at the end it is killed."""
    code = "import sys; from convladder.cli import main; sys.exit(main())"
    words = ["board", "--address", "127.0.0.1", "--port", str(port), "--folder", str(folder)]
    command = [sys.executable, "-c", code, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            said = "".join(process.stdout.readline() for _ in range(3))
            yield re.search(r'join\("(\S+)#(\S+)"\)', said).groups()
        finally:
            process.kill()


@pytest.mark.weekly
def test_a_board_that_is_killed_has_every_event_once(tmp_path):
    socket, port = bind_unused_port()
    socket.close()
    sent = [event() for _ in range(20)]
    with started(tmp_path / "board", port) as (address, room):
        token = request(address, "/api/join", data={"key": room, "name": "Ada"})["token"]
        for each in sent:
            request(address, "/api/events", token, data={"events": [each]})
    with started(tmp_path / "board", port) as again:
        assert again == (address, room)
        request(address, "/api/events", token, data={"events": sent})  # a sender that heard nothing
        kept = request(address, "/api/events", token, "GET")["events"]
    assert len(kept) == len(sent), "none is lost, none is doubled"
