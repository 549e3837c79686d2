"""A board without a hub, over HTTP: what it is for, and what must not be possible."""

import http.client
import json
import re
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest

from convladder.classroom import board as package
from convladder.classroom.board.wire import LARGEST_BODY, MOST_EVENTS
from convladder.journal.post import BoardError, request

from .conftest import checked, told

STATIC = Path(package.__file__).parent / "static"


class Browser:
    """A browser's cookies, and no more."""

    def __init__(self, board):
        self.board, self.cookies = board, {}

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.board.port, timeout=10)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request(method, "/" + path, body, {"Cookie": cookie, **headers})
        answer = connection.getresponse()
        text = answer.read().decode()
        for each in answer.headers.get_all("Set-Cookie") or []:
            name, _, rest = each.partition("=")
            self.cookies[name] = rest.partition(";")[0]
            assert "HttpOnly" in each
        connection.close()
        self.headers = answer.headers
        return answer.status, text

    def open(self, path):
        status, text = self.ask(path)
        return self.ask(self.headers["Location"].lstrip("/")) if status == 302 else (status, text)

    def xsrf(self, page):
        return re.search(r'(?:content|value)="([^"]+)"', page[page.index("xsrf") :])[1]

    def act(self, what, token):
        return self.ask("act", "POST", json.dumps(what), **{"X-XSRFToken": token})


@pytest.fixture
def teacher(board):
    browser = Browser(board)
    status, browser.page = browser.open(f"?key={board.keys.teach}")
    assert status == 200
    return browser


def test_what_a_notebook_sends_is_on_the_board_and_on_no_other_learners_page(board, teacher):
    ada, bob = board.join(), board.join()
    assert board.send(ada, checked("gemm_size"), checked("nonsense")) == {"kept": 1, "refused": 1}
    state = json.loads(teacher.ask("state")[1])
    assert state["learners"] == 2 and len(state["exercises"][0]["who"]["done"]) == 1
    held = request(board.address, "/api/mine", ada, "GET")
    assert [each["exercise"] for each in held["events"]] == ["gemm_size"]
    assert request(board.address, "/api/mine", bob, "GET")["events"] == []
    assert request(board.address, "/api/mine", bob, "DELETE") == {"deleted": 0}
    assert len(request(board.address, "/api/mine", ada, "GET")["events"]) == 1
    assert request(board.address, "/api/mine", ada, "DELETE") == {"deleted": 1}
    state = json.loads(teacher.ask("state")[1])
    assert state["exercises"][0]["who"]["done"] == []


def test_what_was_deleted_is_not_taken_again(board):
    ada, event = board.join(), checked("gemm_size")
    board.send(ada, event)
    request(board.address, "/api/mine", ada, "DELETE")
    board.send(ada, event)
    assert request(board.address, "/api/mine", ada, "GET")["events"] == []
    board.send(ada, checked("gemm_size"))
    assert len(request(board.address, "/api/mine", ada, "GET")["events"]) == 1


def test_two_learners_with_one_uid_both_count(board):
    event = checked("gemm_size")
    for token in (board.join(), board.join()):
        board.send(token, event)
        board.send(token, event, event)
    attempts = [each.attempts for each in board.board.room.learners.values()]
    assert [each["gemm_size"].tries for each in attempts] == [1, 1]


def test_nobody_sends_for_another(board):
    ada = board.join()
    learner, _, mark = ada.partition(".")
    other = board.join().partition(".")
    for token in (
        "",
        "x" * 40,
        f"{learner}.{other[2]}",
        f"{other[0]}.{mark}",
        learner,
        f"{learner}.",
        board.keys.room,
        board.keys.teach,
        f"{learner}.{'0' * 64}",
    ):
        with pytest.raises(BoardError) as error:
            board.send(token, checked("gemm_size"))
        assert error.value.status == 401
    for key in ("", "x", board.keys.teach, None, 3, "\ud800"):
        with pytest.raises(BoardError, match="not the room's key"):
            request(board.address, "/api/join", data={"key": key})


def test_the_board_is_the_instructors_alone(board, teacher):
    ada = board.join()
    stranger, learner = Browser(board), Browser(board)
    page = request(board.address, "/api/mine", ada, "GET")["page"]
    assert learner.open(page)[0] == 200
    for browser in (stranger, learner):
        for path in ("state", "stream", f"state?key={board.keys.room}", "?key=wrong"):
            status, text = browser.ask(path)
            assert status in (302, 403) and "exercises" not in text
    assert stranger.ask("mine")[0] == 403 and stranger.ask("mine?ticket=a.9.b")[0] == 403
    forged = Browser(board)
    forged.cookies = {"convladder-board": "teach"}
    assert forged.ask("state")[0] == 403
    assert Browser(board).ask("state", Authorization=f"token {ada}")[0] == 403


def test_a_page_of_elsewhere_changes_nothing(board, teacher):
    token = teacher.xsrf(teacher.page)
    assert teacher.act({"do": "show", "question": "gemm-1"}, token)[0] == 200
    other = Browser(board)
    page = other.open(f"?key={board.keys.teach}")[1]
    for wrong in ("", "x", other.xsrf(page)):
        assert teacher.act({"do": "lesson"}, wrong)[0] == 403
    ada = board.join()
    board.send(ada, checked("gemm_size"))
    learner = Browser(board)
    page = learner.open(request(board.address, "/api/mine", ada, "GET")["page"])[1]
    assert learner.ask("mine/delete", "POST", "x=1")[0] == 403
    assert len(request(board.address, "/api/mine", ada, "GET")["events"]) == 1
    body = urlencode({"_xsrf": learner.xsrf(page)})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert learner.ask("mine/delete", "POST", body, **kind)[0] == 302
    assert request(board.address, "/api/mine", ada, "GET")["events"] == []


def test_a_name_is_shown_and_never_run(serve):
    board = serve(named=True)
    name = "<script>alert(1)</script>"
    ada = board.join(name)
    browser = Browser(board)
    page = browser.open(request(board.address, "/api/mine", ada, "GET")["page"])[1]
    assert name not in page and "&lt;script&gt;" in page
    teacher = Browser(board)
    assert "script>alert" not in teacher.open(f"?key={board.keys.teach}")[1]
    policy = teacher.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy and "unsafe" not in policy and "http" not in policy
    assert json.loads(teacher.ask("state")[1])["exercises"][0]["who"]["not yet"] == [name]


def test_a_key_does_not_stay_in_the_address(board):
    browser = Browser(board)
    assert browser.ask(f"?key={board.keys.teach}")[0] == 302
    assert browser.headers["Location"] == "/"
    assert browser.headers["Referrer-Policy"] == "no-referrer"


def test_a_flood_of_one_keeps_no_other_waiting(board):
    flood, ada = board.join(), board.join()
    batch = [checked("gemm_size") for _ in range(MOST_EVENTS)]
    with pytest.raises(BoardError) as error:
        for _ in range(8):
            board.send(flood, *batch)
    assert error.value.status == 429 and error.value.wait >= 1
    assert board.send(ada, checked("gemm_size"))["kept"] == 1


def test_a_room_and_a_learners_events_have_an_end(board, monkeypatch):
    monkeypatch.setattr("convladder.classroom.board.board.MOST_LEARNERS", 2)
    monkeypatch.setattr("convladder.classroom.board.board.MOST_EVENTS", 3)
    ada, bob = board.join(), board.join()
    with pytest.raises(BoardError, match="2 learners already"):
        board.join()
    assert board.send(ada, *(checked("gemm_size") for _ in range(5))) == {"kept": 3, "refused": 2}
    assert board.send(ada, checked("gemm_size")) == {"kept": 0, "refused": 1}
    assert board.send(bob, checked("gemm_size"))["kept"] == 1


@pytest.mark.parametrize(
    "body, status",
    [
        (b"", 400),
        (b"nonsense", 400),
        (b"[]", 400),
        (b'{"events": 3, "told": "x"}', 400),
        (b'{"events": []}', 400),
        (b"[" * 50_000, 400),
        (b"\xff\xfe", 400),
        (json.dumps({"told": "x", "events": [1] * (MOST_EVENTS + 1)}).encode(), 413),
        (b"x" * (LARGEST_BODY + 1), 413),
    ],
)
def test_what_no_notebook_sends_is_refused_with_a_sentence(board, body, status):
    ada = board.join()
    answer = Browser(board).ask("api/events", "POST", body, Authorization=f"token {ada}")
    assert answer[0] == status and "Traceback" not in answer[1] and json.loads(answer[1])["message"]


def test_a_page_of_elsewhere_that_calls_this_machine_by_its_own_name_is_refused(board):
    browser = Browser(board)
    assert browser.ask("", Host=f"evil.example:{board.port}")[0] == 403
    assert "not called evil.example" in browser.ask("", Host="evil.example")[1]


def test_files_are_those_of_the_page_alone(board):
    browser = Browser(board)
    for name in ("board.js", "board.css", "element.js", "histogram.js", "icon.svg"):
        assert browser.ask(f"static/{name}")[0] == 200
    for name in ("../alone.py", "%2e%2e/alone.py", "..%2falone.py", "/etc/passwd", "%00"):
        assert browser.ask(f"static/{name}")[0] in (400, 403, 404)
    assert browser.ask("static/board.html")[0] == 404
    for path in STATIC.iterdir():
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text and "https:" not in text, "nothing comes from afar"


def test_pages_hear_of_it_at_once(board, teacher):
    ada, heard = board.join(), []

    def listen():
        connection = http.client.HTTPConnection("127.0.0.1", board.port, timeout=10)
        connection.request(
            "GET",
            "/stream",
            headers={
                "Cookie": "; ".join(f"{name}={value}" for name, value in teacher.cookies.items())
            },
        )
        answer = connection.getresponse()
        while len(heard) < 2:
            line = answer.readline()
            if line.startswith(b"data: "):
                heard.append((time.monotonic(), json.loads(line[6:])))
        connection.close()

    thread = threading.Thread(target=listen)
    thread.start()
    while not heard:
        time.sleep(0.01)
    sent = time.monotonic()
    board.send(ada, checked("gemm_size"))
    thread.join(10)
    assert len(heard[1][1]["exercises"][0]["who"]["done"]) == 1
    assert heard[1][0] - sent < 5, "it does not wait for the next pulse"


def test_a_board_started_again_knows_its_room(serve):
    board = serve()
    ada = board.join()
    board.send(ada, told("guessed", notebook="course/01_gemm", what="times faster", prediction=3))
    browser = Browser(board)
    token = browser.xsrf(browser.open(f"?key={board.keys.teach}")[1])
    browser.act({"do": "reveal", "question": "gemm-1"}, token)
    before = board.view("gemm")["questions"]
    board.stop()
    board.start(board.port)
    assert board.view("gemm")["questions"] == before and before[0]["revealed"]
    assert board.send(ada, checked("gemm_size"))["kept"] == 1
    assert browser.ask("state")[0] == 200


def test_a_new_lesson_knows_nobody(board, teacher):
    ada = board.join()
    page = request(board.address, "/api/mine", ada, "GET")["page"]
    board.send(ada, checked("gemm_size"))
    assert teacher.act({"do": "lesson"}, teacher.xsrf(teacher.page))[0] == 200
    assert board.view()["learners"] == 0
    with pytest.raises(BoardError, match="does not know this notebook"):
        board.send(ada, checked("gemm_size"))
    assert Browser(board).ask(page)[0] == 403


def test_a_full_disk_is_told_to_the_instructor_and_notebooks_try_again(board, teacher):
    ada = board.join()
    database = board.board._database
    with database._engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    events = [checked("gemm_size", "wrong values", "one too few") for _ in range(150)]
    with pytest.raises(BoardError) as error:
        for _ in range(20):
            board.send(ada, *events)
            events = [{**each, "uid": each["uid"][::-1]} for each in events]
    assert error.value.status == 503 and error.value.wait == 5
    assert "Notebooks keep what they have" in json.loads(teacher.ask("state")[1])["trouble"]
    with database._engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 100000")
    board.send(ada, checked("gemm_size"))
    assert json.loads(teacher.ask("state")[1])["trouble"] == ""


@pytest.mark.parametrize(
    "what",
    [
        None,
        3,
        {},
        {"do": "fly"},
        {"do": "show"},
        {"do": "show", "question": "x"},
        {"do": "show", "question": ["gemm-1"]},
        {"do": "shift", "minutes": 5},
        {"do": "start", "minutes": "x"},
        {"do": "start", "minutes": 1e9},
    ],
)
def test_an_act_that_there_is_not_is_refused(board, teacher, what):
    status, text = teacher.act(what, teacher.xsrf(teacher.page))
    assert status == 400 and json.loads(text)["message"]
