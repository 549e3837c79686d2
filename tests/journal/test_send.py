"""Sending to a class's board: only by consent, never code, each event once, whatever goes wrong."""

import json
import re
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from convladder import journal as public
from convladder.grading import check
from convladder.journal import CHECKED, OPENED, PREDICTED, forget, send, sharing, tell
from convladder.journal.event import Event
from convladder.journal.log import append
from convladder.journal.post import BoardError, request


class FakeBoard(ThreadingHTTPServer):
    """Keeps what arrives; answers `status` while that is not 200."""

    daemon_threads = True

    def __init__(self, port=0):
        self.got, self.asked, self.status, self.location = [], [], 200, ""
        super().__init__(("127.0.0.1", port), _Answers)
        self.address = f"http://127.0.0.1:{self.server_port}/services/board/"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def wait(self, count):
        until = time.monotonic() + 20
        while len(self.got) < count and time.monotonic() < until:
            time.sleep(0.005)
        return self.got


class _Answers(BaseHTTPRequestHandler):
    def do_POST(self):
        board = self.server
        data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        board.asked.append((self.path, self.headers.get("Authorization"), data))
        status, answer = board.status, {"kept": 1, "token": "t" * 8, "shown": "Ada"}
        if status == 400 and [each["exercise"] for each in data["events"]] in (["a"], ["c"], ["d"]):
            status = 200
        if status == 200:
            board.got += data.get("events", [])
        body = json.dumps(answer).encode()
        self.send_response(status)
        if board.location:
            self.send_header("Location", board.location)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def board():
    server = FakeBoard()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def learner(journal, monkeypatch):
    """A journal of their own, quick threads, and no hub."""
    monkeypatch.setattr(send, "_senders", {})
    monkeypatch.setattr(send, "GATHER", 0.01)
    monkeypatch.setattr(send, "LONGEST", 0.05)
    monkeypatch.delenv(sharing.VARIABLE, raising=False)
    yield journal
    sharing.file_of(journal).unlink(missing_ok=True)  # or its thread would try for ever


@pytest.fixture
def hub(learner, board):
    """A board that the learner has joined."""
    public.join(f"{board.address}#word", "Ada", agree=True)
    board.asked.clear()
    return board


def test_nothing_is_sent_where_there_is_no_hub_and_nobody_joined(learner, board, capsys):
    tell(CHECKED, exercise="dot")
    assert not send._senders and capsys.readouterr().out == ""
    assert not sharing.file_of(learner).exists()


def test_a_board_that_a_hub_names_is_told_of_once_and_gets_nothing(
    learner, board, capsys, monkeypatch
):
    monkeypatch.setenv(sharing.VARIABLE, f"{board.address}#word")
    monkeypatch.setenv("JUPYTERHUB_API_TOKEN", "hub-token")
    for name in "abc":
        tell(CHECKED, exercise=name)
    assert capsys.readouterr().out.count("Nothing is sent unless you join") == 1
    assert not send._senders and not board.asked
    assert "You have joined" in public.join(name="Ada", agree=True)
    tell(CHECKED, exercise="d")
    assert [each["exercise"] for each in board.wait(1)] == ["d"]
    assert "hub-token" not in str(board.asked)


def test_joining_says_what_is_sent_and_asks(learner, board, capsys, monkeypatch):
    answers = ["n", "y", "Ada"]
    monkeypatch.setattr("builtins.input", lambda asked: answers.pop(0))
    assert public.join(f"{board.address}#word") == "You have not joined, and nothing is sent."
    assert "never gets your code" in capsys.readouterr().out and not board.asked
    assert "'Ada'" in public.join(f"{board.address}#word") and not answers
    assert board.asked[0][2] == {"key": "word", "name": "Ada"}


def test_where_nobody_can_be_asked_nobody_has_joined(learner, board, monkeypatch):
    def refuse(asked):
        raise EOFError

    monkeypatch.setattr("builtins.input", refuse)
    assert "agree=True" in public.join(f"{board.address}#word") and not board.asked


def test_verdicts_are_sent_from_now_on_and_never_code(learner, board):
    append(learner, Event(CHECKED, exercise="of_last_week", time="2026-01-01T00:00:00+00:00"))
    public.join(f"{board.address}#word", "Ada", agree=True)
    check("lowered_bytes", lambda problem: 7)
    tell(PREDICTED, what="gain", prediction=3, measured=9.5, unit="×")
    found = board.wait(2)
    assert [each["kind"] for each in found] == ["checked", "predicted"]
    assert found[0]["exercise"] == "lowered_bytes" and found[0]["stage"] == "wrong values"
    assert all(set(each) <= set(send.SENT) for each in found)
    assert "lambda" not in str(board.asked) and "of_last_week" not in str(board.asked)
    path, token, _ = board.asked[1]
    assert (path, token) == ("/services/board/api/events", "token tttttttt")
    assert sharing.file_of(learner).stat().st_mode & 0o077 == 0


def test_a_notebook_with_a_name_of_its_own_is_not_named(hub, learner):
    assert send.payload(Event(OPENED, "labs/03_mec"))["notebook"] == "labs/03_mec"
    for name in ("labs/my thoughts", "diary/03_mec", "labs/03_mec\nx"):
        assert "notebook" not in send.payload(Event(OPENED, name))


def test_a_board_that_is_down_gets_all_of_it_later_each_event_once(learner, monkeypatch):
    first = FakeBoard()
    public.join(f"{first.address}#word", "Ada", agree=True)
    tell(CHECKED, exercise="a")
    first.wait(1)
    first.shutdown()
    first.server_close()
    told = [tell(CHECKED, exercise=f"e{n}").uid for n in range(250)]
    time.sleep(0.1)
    again = FakeBoard(first.server_port)
    try:
        assert [each["uid"] for each in again.wait(250)] == told
        assert max(len(data["events"]) for *_, data in again.asked) <= send.BATCH
        tell(CHECKED, exercise="last")
        assert len(again.wait(251)) == 251
    finally:
        again.shutdown()
        again.server_close()


@pytest.mark.parametrize("status", [401, 503])
def test_a_board_that_refuses_for_now_is_asked_again(hub, learner, status, capsys):
    hub.status = status
    told = tell(CHECKED, exercise="a")
    while not hub.asked:
        time.sleep(0.005)
    hub.status = 200
    assert hub.wait(1)[0]["uid"] == told.uid
    if status == 401:
        tell(CHECKED, exercise="b")
        assert "takes nothing from you now" in capsys.readouterr().out


def test_one_event_that_the_board_refuses_for_good_keeps_no_other_back(hub, learner):
    hub.status = 400
    for name in ("a", "bad", "c", "d"):
        tell(CHECKED, exercise=name)
    assert [each["exercise"] for each in hub.wait(3)] == ["a", "c", "d"]


def test_a_token_does_not_follow_a_redirect(hub, learner):
    other = FakeBoard()
    hub.status, hub.location = 302, other.address
    with pytest.raises(BoardError, match="302"):
        request(hub.address, "/api/events", "secret", data={})
    assert not other.asked
    other.shutdown()
    other.server_close()


SENDER = """
import sys, time
from convladder.journal import tell, send, sharing, journal_path
send.GATHER = 0.01
for n in range(150): tell("checked", exercise=f"{sys.argv[1]}{n}")
kept = journal_path()
while sharing.begin(kept, sharing.read(kept)) < kept.stat().st_size: time.sleep(0.02)
"""


@pytest.mark.weekly
def test_two_notebooks_at_once_send_each_event_once(hub, learner):
    tell(OPENED)
    hub.wait(1)
    both = [subprocess.Popen([sys.executable, "-c", SENDER, name]) for name in "ab"]
    try:
        assert [each.wait(60) for each in both] == [0, 0]
    finally:  # one that is left would keep the output open on which others wait
        for each in both:
            each.kill()
    uids = [each["uid"] for each in hub.wait(301)]
    assert len(uids) == len(set(uids)) == 301


def test_who_leaves_sends_nothing_and_may_come_back(hub, learner):
    tell(CHECKED, exercise="a")
    hub.wait(1)
    assert "You share nothing from now on" in public.leave()
    tell(CHECKED, exercise="b")
    send._senders.clear()
    tell(CHECKED, exercise="c")
    time.sleep(0.1)
    assert len(hub.got) == 1 and public.board_of(learner) == ""
    assert "You have joined" in public.join(f"{hub.address}#word", "Ada", agree=True)
    tell(CHECKED, exercise="d")
    assert [each["exercise"] for each in hub.wait(2)] == ["a", "d"]


def test_a_journal_begun_anew_or_broken_is_sent_from_its_start(hub, learner):
    for name in "ab":
        tell(CHECKED, exercise=name)
    hub.wait(2)
    forget()
    tell(CHECKED, exercise="c" * 2000)
    assert len(hub.wait(3)) == 3
    with learner.open("ab") as file:
        file.write(b"\n" + Event(CHECKED, exercise="torn").line().encode()[:40])
    tell(CHECKED, exercise="d")
    assert hub.wait(4)[-1]["exercise"] == "d"


def test_a_line_that_is_still_being_written_waits(learner):
    learner.parent.mkdir()
    whole = Event(CHECKED, exercise="a")
    learner.write_bytes(b"\n" + whole.line().encode() + b"\n" + whole.line().encode()[:30])
    found, end, _ = send.gained(learner, 0)
    assert found == [whole] and end == len(whole.line()) + 2
    learner.write_bytes(b"\n" + b"x" * (send.PIECE + 5) + b"\n" + whole.line().encode())
    _, end, _ = send.gained(learner, 0)
    _, end, _ = send.gained(learner, end)
    assert send.gained(learner, end)[0] == [whole] or end > send.PIECE


def test_progress_does_not_say_that_nothing_is_sent_where_it_is(hub, learner, capsys):
    from convladder.cli import main

    tell(OPENED)
    assert main(["progress"]) == 0 and hub.address in capsys.readouterr().out


def test_no_hub_s_token_is_read_anywhere():
    root = Path(__file__).parents[2]
    files = [*root.glob("src/**/*.py"), *root.glob("classroom/**/*.*")]
    assert len(files) > 100
    text = {path: path.read_text(encoding="utf-8", errors="replace") for path in files}
    assert [p for p, words in text.items() if re.search("API_TOKEN|hub_auth|HubOAuth", words)] == []
