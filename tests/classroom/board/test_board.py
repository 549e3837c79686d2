"""A board over HTTP: what it shows, and what must not be possible."""

import json
import socket
import sqlite3
import time

import pytest

from convladder.classroom.board.event import cleaned
from convladder.classroom.board.room import bars
from convladder.classroom.board.server import BURST, LARGEST_BODY, STATIC, Buckets, RequestRefused
from convladder.classroom.board.store import DAYS, Store
from convladder.exercises import load_exercise
from convladder.journal.post import BoardError, request
from convladder.journal.send import BATCH, SENT

from .conftest import course, event

MISTAKE = load_exercise("mec_lower").misconceptions[0].name


def row(state, name="mec_lower"):
    return next(each for each in state["exercises"] if each["name"] == name)


def test_who_is_where_and_who_has_done_what(board):
    board.teach()
    ada, bob, _ = board.join("Ada"), board.join("Bob"), board.join("Eve")
    board.send(ada, event("opened", notebook="labs/03_mec"), event())
    board.send(bob, event(stage="wrong values"))
    state = board.state()
    who = row(state)["who"]
    assert (who["done"], who["tried"], who["not yet"]) == (["Ada"], ["Bob"], ["Eve"])
    assert next(each for each in state["parts"] if each["key"] == "mec")["here"] == 2
    people = {each["name"]: each for each in state["people"]}
    assert people["Ada"]["done"] == 1 and people["Ada"]["where"].startswith("03")
    assert not people["Eve"]["silent"]
    now = time.time() + 700
    assert all(each["silent"] for each in board.board.room.view("", now)["people"])


def test_the_common_mistake_is_named_and_a_case_only_if_two_have_it(board):
    board.teach()
    tokens = [board.join() for _ in range(3)]
    board.send(tokens[0], event(stage="wrong values", case="k_h = 1: expected 3, got 4"))
    assert row(board.state())["common"] == []
    board.send(tokens[1], event(stage="wrong values", case="k_h = 1: expected 3, got 4"))
    assert row(board.state())["common"][0]["text"] == "k_h = 1: expected 3, got 4"
    for token in tokens:
        board.send(token, event(stage="wrong values", misconception=MISTAKE, case="x"))
    common = row(board.state())["common"]
    assert common == [{"text": MISTAKE, "count": 3, "why": common[0]["why"]}] and common[0]["why"]
    board.send(tokens[0], event())
    assert row(board.state())["common"][0]["count"] == 2


def test_three_times_the_same_is_stuck_and_another_outcome_is_not(board):
    board.teach()
    ada = board.join()
    for _ in range(3):
        board.send(ada, event(stage="wrong values", misconception=MISTAKE))
    assert row(board.state())["who"]["stuck"] == ["Ada"]
    board.send(ada, event(stage="not attempted"))
    assert row(board.state())["who"]["stuck"] == ["Ada"]
    board.send(ada, event(stage="wrong values"))
    assert row(board.state())["who"]["tried"] == ["Ada"]


def test_answers_to_a_prediction_are_counted_and_the_measured_value_is_the_rooms(board):
    board.teach()
    part = course().by_key["mec"]
    cell, asked = next((c, ids) for c, ids in part.measured_in.items() if len(ids) == 1)
    text, name = part.questions[asked[0]], asked[0]
    assert course().question_of(part, text) == name
    for guess, measured in ((3, 9.0), (5, 11.0), (5, None)):
        token = board.join()
        said = {"notebook": "course/03_mec", "prediction": guess}
        board.send(token, event("guessed", what=text, **said))
        if measured:
            board.send(token, event("predicted", cell=cell, measured=measured, **said))
            board.send(token, event("guessed", what=text, **{**said, "prediction": measured}))
    shown = next(each for each in board.state()["questions"] if each["id"] == name)
    assert (shown["answered"], shown["measured"]) == (3, 10.0)
    assert shown["bars"] == [{"label": "3", "count": 1}, {"label": "5", "count": 2}]


def test_a_learner_sees_and_deletes_their_own_and_it_does_not_come_back(board):
    ada, bob, sent = board.join("Ada"), board.join("Bob"), event()
    board.send(ada, sent)
    assert [e["exercise"] for e in request(board.address, "/api/events", ada, "GET")["events"]]
    assert request(board.address, "/api/events", bob, "GET") == {"shown": "Bob", "events": []}
    assert request(board.address, "/api/events", bob, "DELETE") == {"deleted": 0}
    assert request(board.address, "/api/events", ada, "DELETE") == {"deleted": 1}
    board.send(ada, sent)
    assert request(board.address, "/api/events", ada, "GET")["events"] == []
    assert b"mec_lower" not in (board.folder / "board.sqlite").read_bytes()


def test_an_event_counts_once_and_a_board_started_anew_knows_all(board):
    ada, bob, sent = board.join("Ada"), board.join("Bob"), event(stage="wrong values")
    for token in (ada, bob):
        assert board.send(token, sent, sent) == {"kept": 2, "refused": 0}
    before = {n: each.attempts["mec_lower"].same for n, each in board.board.room.learners.items()}
    assert list(before.values()) == [1, 1]
    board.teach()
    board.stop()
    board.start()
    assert row(board.state())["who"]["tried"] == ["Ada", "Bob"]
    board.send(ada, sent)
    assert [e.attempts["mec_lower"].same for e in board.board.room.learners.values()] == [1, 1]
    assert (board.folder / "board.sqlite").stat().st_mode & 0o077 == 0


def test_nobody_sends_for_another(board):
    ada, store = board.join(), board.board.store
    for token in ("", "x", ada[:-1], f"{ada}x", store.room_key, store.instructor_key, "1"):
        with pytest.raises(BoardError) as error:
            board.send(token, event())
        assert error.value.status == 401
    for key in ("", "x", store.instructor_key, None, 3, ["k"]):
        with pytest.raises(BoardError, match="not the room's key"):
            request(board.address, "/api/join", data={"key": key})


def test_the_board_is_the_instructors_alone(board):
    ada = board.join()
    for cookies in ({}, {"convladder-board": board.board.store.instructor_key}):
        board.cookies = cookies
        for path in ("state", "?key=x", f"?key={board.board.store.room_key}"):
            status, text = board.ask(path, Authorization=f"token {ada}")
            assert "exercises" not in text and (status == 403 or "Join the board" in text)
        assert board.ask("remove", "POST", "{}", **{"X-Board": "1"})[0] == 403
    board.teach()
    assert "Views" in board.ask("")[1]
    body = json.dumps({"learner": 1})
    assert board.ask("remove", "POST", body)[0] == 403, "a page of elsewhere has no such header"
    assert board.ask("remove", "POST", body, **{"X-Board": "1"})[0] == 200
    with pytest.raises(BoardError) as error:
        board.send(ada, event())
    assert error.value.status == 401 and board.state()["people"] == []


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"[" * 50_000, b'{"events": 3}', b'{"events": [' + b"1," * 300]
)
def test_rubbish_is_refused_with_a_sentence(board, body):
    status, text = board.ask("api/events", "POST", body, Authorization=f"token {board.join()}")
    assert status == 400 and json.loads(text)["message"]


def test_a_body_of_more_than_64_kib_is_refused_before_it_is_read(board):
    ada = board.join()

    def first_line(headers, body=b""):
        with socket.create_connection(("127.0.0.1", board.port), 10) as browser:
            lines = ["POST /api/events HTTP/1.1", "Host: x", f"Authorization: token {ada}", headers]
            browser.sendall("\r\n".join([*lines, "", ""]).encode() + body)
            return browser.recv(100).split(b"\r\n")[0]

    fits = b'{"events": []}'.ljust(LARGEST_BODY)
    assert first_line(f"Content-Length: {len(fits)}", fits) == b"HTTP/1.1 200 OK"
    assert b" 400 " in first_line(f"Content-Length: {LARGEST_BODY + 1}")
    chunk = b"%x\r\n" % (LARGEST_BODY + 1)
    assert b" 400 " in first_line("Transfer-Encoding: chunked", chunk)


def test_the_longest_events_of_one_request_fit():
    longest = {name: "×" * 200 if name in ("case", "what") else "x" * 60 for name in SENT}
    text = json.dumps({"events": [longest] * BATCH}, ensure_ascii=False)
    assert len(text.encode()) < LARGEST_BODY


def test_of_rubbish_events_none_is_kept():
    now = time.time()
    for data in (
        *(None, 3, [], {}, {"uid": "x" * 9}),
        *(event(uid=3), event(exercise="../x"), event(stage="<b>"), event("watched")),
        event("predicted", notebook="labs/03_mec", prediction=1e300, measured=1),
        event("guessed", notebook="labs/03_mec", prediction=True, what="x"),
        event("opened", notebook="diary/../x"),
    ):
        assert cleaned(data, course(), now) is None
    kept = cleaned(event(misconception="my text", case="a\u202eb\x00\n c" * 99), course(), now)
    assert kept.mistake == "" and len(kept.case) <= 200 and "\u202e" not in kept.case
    assert cleaned(event(time="9999-01-01"), course(), now).at == now


def test_a_flood_waits_and_takes_nothing_from_others(board):
    flood, ada = board.join("flood"), board.join("Ada")
    with pytest.raises(BoardError) as error:
        for _ in range(BURST // 100 + 1):
            board.send(flood, *(event() for _ in range(100)))
    assert error.value.status == 429 and error.value.wait >= 1
    assert board.send(ada, event()) == {"kept": 1, "refused": 0}


def test_buckets_fill_again_and_forget_senders():
    buckets = Buckets(2, 1000.0)
    for sender in range(6_000):
        buckets.take(sender, 1)
    assert len(buckets.left) <= 5_001
    slow = Buckets(2, 0.001)
    slow.take("a", 2)
    with pytest.raises(RequestRefused):
        slow.take("a", 1)
    slow.take("b", 2)


def test_names_are_told_apart_and_are_never_html(board):
    board.teach()
    for name in ("Ada", "Ada", "", "<b>x</b>", "a\u202e\nb"):
        board.join(name)
    names = [each["name"] for each in board.state()["people"]]
    assert sorted(names) == sorted(["Ada", "Ada (2)", "guest", "<b>x</b>", "a b"])
    script = "".join(path.read_text() for path in STATIC.glob("*.js"))
    assert "innerHTML" not in script and "textContent" in script
    assert "Nobody checked them" in board.ask("")[1]


def test_who_was_not_seen_for_14_days_is_deleted(tmp_path):
    store = Store(tmp_path)
    old, _ = store.join("old", 0.0)
    new, token = store.join("new", now := DAYS * 86400 + 1)
    assert store.expire(now) == [old] and list(store.learners()) == [new]
    assert store.whose(token) == new
    store.close()
    for key in ("", "word"):
        again = Store(tmp_path, key)
        again.close()
        assert again.room_key == (key or store.room_key)


def test_a_full_disk_is_told_and_nothing_is_lost(board, monkeypatch):
    ada = board.join()

    def full(*given):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "add", full)
        with pytest.raises(BoardError, match="disk is full") as error:
            board.send(ada, event())
        assert error.value.status == 503 and error.value.wait
    assert board.send(ada, event())["kept"] == 1


def test_bars_are_few_and_hold_all():
    assert bars([]) == []
    found = bars([float(n) for n in range(100)])
    assert len(found) <= 8 and sum(each["count"] for each in found) == 100
