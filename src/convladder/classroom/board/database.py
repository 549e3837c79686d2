"""What the board keeps, in SQLite or in a database that SQLAlchemy reaches by an address."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from .names import new_key
from .tables import EVENT, LEARNER, META, SESSION, SHOWING
from .view import Showing
from .wire import Told

DAYS = 14  # after which a lesson is deleted with all that belongs to it

_FIELDS = tuple(Told.__dataclass_fields__)


class StoreError(Exception):
    """The database did not take or give something; the text says why, in a sentence."""


@dataclass(frozen=True)
class Session:
    """A lesson. started: when its plan was, seconds since 1970; None before."""

    id: int
    begun: float
    key: str
    named: bool
    started: float | None


@dataclass(frozen=True)
class Person:
    """A learner of a lesson. cleared: when they last deleted what was held of them."""

    who: str
    shown: str
    told: str
    cleared: float


class Database:
    """One connection, for one thread at a time."""

    def __init__(self, address: str | Path):
        """Open or make it: the path of an SQLite file, which only its owner may read, or an
        address of SQLAlchemy. Raises StoreError."""
        if isinstance(address, Path):
            _private(address)
        try:
            url = sql.make_url(f"sqlite:///{address}" if isinstance(address, Path) else address)
            self._sqlite = url.get_backend_name() == "sqlite"
            more = (
                {"poolclass": sql.StaticPool, "connect_args": {"check_same_thread": False}}
                if self._sqlite
                else {"pool_pre_ping": True}
            )
            self._engine = sql.create_engine(url, **more)
            if self._sqlite:
                sql.event.listen(self._engine, "connect", _careful)
            META.create_all(self._engine)
        except (SQLAlchemyError, ImportError, OSError) as error:
            raise StoreError(
                f"the database {_bare(address)} cannot be opened: {_why(error)}"
            ) from error

    def close(self) -> None:
        """Close it."""
        self._engine.dispose()

    def current(self) -> Session | None:
        """Return the newest lesson, None before the first."""
        with self._doing() as connection:
            row = connection.execute(
                sql.select(SESSION).order_by(SESSION.c.id.desc()).limit(1)
            ).first()
        return Session(*row) if row else None

    def begin(self, named: bool) -> Session:
        """Begin a lesson with a key of its own. Keys of those before are deleted with all else of
        them."""
        with self._doing() as connection:
            for table in (EVENT, LEARNER, SHOWING, SESSION):
                connection.execute(table.delete())
            values = {"begun": time.time(), "key": new_key(), "named": named}
            number = connection.execute(SESSION.insert().values(values)).inserted_primary_key[0]
        self._forgotten()
        return Session(number, values["begun"], values["key"], named, None)

    def start(self, session: int, at: float | None) -> None:
        """Note when the plan began."""
        with self._doing() as connection:
            connection.execute(SESSION.update().where(SESSION.c.id == session).values(started=at))

    def expire(self, now: float) -> bool:
        """Delete the lessons that began `DAYS` ago; return whether there were any."""
        old = sql.select(SESSION.c.id).where(SESSION.c.begun < now - DAYS * 86400)
        with self._doing() as connection:
            gone = list(connection.execute(old).scalars())
            for table in (EVENT, LEARNER, SHOWING):
                connection.execute(table.delete().where(table.c.session.in_(gone)))
            connection.execute(SESSION.delete().where(SESSION.c.id.in_(gone)))
        if gone:
            self._forgotten()
        return bool(gone)

    def people(self, session: int) -> list[Person]:
        """Return the learners of a lesson."""
        with self._doing() as connection:
            rows = connection.execute(
                sql.select(LEARNER.c.who, LEARNER.c.shown, LEARNER.c.told, LEARNER.c.cleared).where(
                    LEARNER.c.session == session
                )
            )
            return [Person(*row) for row in rows]

    def enter(self, session: int, person: Person) -> None:
        """Add a learner."""
        with self._doing() as connection:
            connection.execute(LEARNER.insert().values(session=session, **asdict(person)))

    def add(self, session: int, who: str, told: Iterable[Told]) -> set[str]:
        """Keep events; return the uids of those that were not there yet. All or none is kept."""
        insert = (sqlite if self._sqlite else postgresql).insert(EVENT)
        rows = [{"session": session, "who": who, **asdict(each)} for each in told]
        if not rows:
            return set()
        with self._doing() as connection:
            added = connection.execute(
                insert.on_conflict_do_nothing(index_elements=["session", "who", "uid"]).returning(
                    EVENT.c.uid
                ),
                rows,
            )
            return set(added.scalars())

    def events(self, session: int, who: str | None = None) -> list[tuple[str, Told]]:
        """Return who did what, in the order in which it came; of one learner if `who` is given."""
        asked = (
            sql.select(EVENT.c.who, *(EVENT.c[name] for name in _FIELDS))
            .where(EVENT.c.session == session)
            .order_by(EVENT.c.id)
        )
        if who is not None:
            asked = asked.where(EVENT.c.who == who)
        with self._doing() as connection:
            return [(row[0], Told(*row[1:])) for row in connection.execute(asked)]

    def clear(self, session: int, who: str, now: float) -> int:
        """Delete all events of a learner; return how many there were."""
        with self._doing() as connection:
            gone = connection.execute(
                EVENT.delete().where(EVENT.c.session == session, EVENT.c.who == who)
            ).rowcount
            connection.execute(
                LEARNER.update()
                .where(LEARNER.c.session == session, LEARNER.c.who == who)
                .values(cleared=now)
            )
        self._forgotten()
        return gone

    def show(self, session: int, question: str, showing: Showing) -> None:
        """Keep what was opened of a question."""
        with self._doing() as connection:
            connection.execute(
                SHOWING.delete().where(SHOWING.c.session == session, SHOWING.c.question == question)
            )
            connection.execute(
                SHOWING.insert().values(session=session, question=question, **asdict(showing))
            )

    def showings(self, session: int) -> dict[str, Showing]:
        """Return what was opened, by question."""
        with self._doing() as connection:
            rows = connection.execute(
                sql.select(
                    SHOWING.c.question, SHOWING.c.shown, SHOWING.c.revote, SHOWING.c.reveal
                ).where(SHOWING.c.session == session)
            )
            return {row[0]: Showing(*row[1:]) for row in rows}

    def _forgotten(self) -> None:
        """Leave nothing of what was deleted in SQLite's log."""
        if self._sqlite:
            with self._doing() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def _doing(self) -> _Doing:
        return _Doing(self._engine)


class _Doing:
    """A transaction whose errors are StoreErrors."""

    def __init__(self, engine: sql.Engine):
        self._begun = engine.begin()

    def __enter__(self) -> sql.Connection:
        try:
            return self._begun.__enter__()
        except SQLAlchemyError as error:
            raise StoreError(_why(error)) from error

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> None:
        try:
            self._begun.__exit__(kind, error, trace)
        except SQLAlchemyError as failed:
            raise StoreError(_why(failed)) from failed
        if isinstance(error, SQLAlchemyError):
            raise StoreError(_why(error)) from error


def _private(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"the database {path} cannot be made: {error.strerror}") from error


def _careful(connection, record) -> None:
    """Nothing that was said to be kept is lost, not even by a loss of power; what is deleted is
    overwritten."""
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "secure_delete=ON",
        "foreign_keys=ON",
        "busy_timeout=2000",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _why(error: Exception) -> str:
    text = str(getattr(error, "orig", None) or error).splitlines()
    return text[0] if text else type(error).__name__


def _bare(address: str | Path) -> str:
    """Return an address without its password."""
    try:
        return (
            str(address)
            if isinstance(address, Path)
            else sql.make_url(address).render_as_string(hide_password=True)
        )
    except SQLAlchemyError:
        return "of that address"
