"""What is stored: each event once for its learner, by nobody else to be read, for 14 days."""

import os
import time

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `classroom` is not installed")

from convladder.classroom.board.database import DAYS, Database, Person, StoreError
from convladder.classroom.board.view import Showing
from convladder.classroom.board.wire import Told

NOW = time.time()


@pytest.fixture
def database(tmp_path):
    made = Database(tmp_path / "deep" / "board.sqlite")
    yield made
    made.close()


@pytest.fixture
def lesson(database):
    session = database.begin(named=False)
    for who in ("ada", "bob"):
        database.enter(session.id, Person(who, who.title(), "2026-11-22", 0.0))
    return session.id


def told(uid, **said):
    return Told(uid, "checked", NOW, **said)


def test_an_event_is_kept_once_for_each_learner(database, lesson):
    assert database.add(lesson, "ada", [told("u1"), told("u2"), told("u1")]) == {"u1", "u2"}
    assert database.add(lesson, "ada", [told("u2"), told("u3")]) == {"u3"}
    assert database.add(lesson, "bob", [told("u1")]) == {"u1"}, "another's uid takes nothing away"
    assert [(who, each.uid) for who, each in database.events(lesson)] == [
        ("ada", "u1"),
        ("ada", "u2"),
        ("ada", "u3"),
        ("bob", "u1"),
    ]
    whole = Told("u9", "predicted", NOW, "course/01_x", question="q", prediction=1.5, measured=2.0)
    database.add(lesson, "bob", [whole])
    assert database.events(lesson, "bob")[-1] == ("bob", whole)


def test_what_was_stored_is_there_when_it_is_opened_again(tmp_path, database, lesson):
    database.add(lesson, "ada", [told("u1")])
    database.show(lesson, "q", Showing(True, 1.0, None))
    database.show(lesson, "q", Showing(True, 1.0, 2.0))
    database.start(lesson, 5.0)
    again = Database(tmp_path / "deep" / "board.sqlite")
    assert again.current().id == lesson and again.current().started == 5.0
    assert again.events(lesson) == [("ada", told("u1"))]
    assert again.showings(lesson) == {"q": Showing(True, 1.0, 2.0)}
    assert [each.shown for each in again.people(lesson)] == ["Ada", "Bob"]
    again.close()


def everything(tmp_path) -> bytes:
    return b"".join(path.read_bytes() for path in (tmp_path / "deep").iterdir())


def test_nobody_else_can_read_it(tmp_path, database, lesson):
    database.add(lesson, "ada", [told("u1")])
    files = list((tmp_path / "deep").iterdir())
    assert len(files) >= 2 and all(path.stat().st_mode & 0o077 == 0 for path in files)


def test_what_a_learner_deletes_is_gone_from_the_disk_and_others_stay(tmp_path, database, lesson):
    database.add(lesson, "ada", [told("u1", exercise="a_secret_exercise")] * 1)
    database.add(lesson, "bob", [told("u1")])
    assert b"a_secret_exercise" in everything(tmp_path)
    assert database.clear(lesson, "ada", NOW) == 1
    assert b"a_secret_exercise" not in everything(tmp_path)
    assert [who for who, _ in database.events(lesson)] == ["bob"]
    assert {each.who: each.cleared for each in database.people(lesson)} == {"ada": NOW, "bob": 0.0}


def test_a_lesson_is_deleted_after_14_days_with_its_key(tmp_path, database, lesson):
    key = database.current().key
    database.add(lesson, "ada", [told("u1")])
    database.show(lesson, "q", Showing(True))
    assert not database.expire(NOW + (DAYS - 1) * 86400)
    assert database.expire(NOW + (DAYS + 1) * 86400)
    assert database.current() is None and database.people(lesson) == database.events(lesson) == []
    assert key.encode() not in everything(tmp_path) and b"Ada" not in everything(tmp_path)


def test_the_next_lesson_has_another_key_and_nothing_of_this_one(tmp_path, database, lesson):
    key = database.current().key
    database.add(lesson, "ada", [told("u1")])
    session = database.begin(named=True)
    assert session.named and session.key != key and database.current() == session
    assert database.events(session.id) == database.people(session.id) == []
    assert key.encode() not in everything(tmp_path)


def test_a_full_disk_is_a_sentence_and_the_board_goes_on_when_there_is_room(database, lesson):
    def pragma(text):
        with database._engine.begin() as connection:
            connection.exec_driver_sql(text)

    pragma("PRAGMA max_page_count = 14")
    with pytest.raises(StoreError, match="full"):
        database.add(lesson, "ada", [told(f"{n:04}", exercise="x" * 80) for n in range(2000)])
    assert database.events(lesson) == [], "all or nothing"
    pragma("PRAGMA max_page_count = 100000")
    assert len(database.add(lesson, "ada", [told(f"{n:04}") for n in range(200)])) == 200


@pytest.mark.parametrize(
    "address", ["nonsense", "nosuchdatabase://x", "postgresql+nodriver://u:secret@x/y"]
)
def test_an_address_that_is_none_is_a_sentence_without_its_password(address):
    with pytest.raises(StoreError, match="cannot be opened") as error:
        Database(address)
    assert "secret" not in str(error.value)


def test_a_file_that_is_no_database_and_a_folder_that_is_none(tmp_path):
    (tmp_path / "file").write_text("x" * 5000)
    with pytest.raises(StoreError, match="not a database"):
        Database(tmp_path / "file")
    with pytest.raises(StoreError, match="cannot be made"):
        Database(tmp_path / "file" / "board.sqlite")


@pytest.mark.weekly
def test_postgres_by_its_address():
    """Where CONVLADDER_POSTGRES names a database to play in, and its driver is there."""
    address = os.environ.get("CONVLADDER_POSTGRES")
    if not address:
        pytest.skip("CONVLADDER_POSTGRES names no database")
    database = Database(address)
    session = database.begin(named=False).id
    database.enter(session, Person("ada", "Ada", "now", 0.0))
    assert database.add(session, "ada", [told("u1"), told("u2"), told("u1")]) == {"u1", "u2"}
    assert database.add(session, "ada", [told("u2")]) == set()
    database.show(session, "q", Showing(True))
    database.start(session, 3.0)
    assert database.clear(session, "ada", NOW) == 2 and database.current().started == 3.0
    assert database.expire(NOW + 15 * 86400) and database.current() is None
    database.close()
