"""The board's store: one SQLite file that only its owner can read."""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from .event import BoardEvent

DAYS = 14  # after which a learner's events are deleted
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another one on a wall
TABLES = f"""
CREATE TABLE IF NOT EXISTS key (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS learner (
    id INTEGER PRIMARY KEY, digest TEXT UNIQUE, name TEXT, seen REAL, cleared REAL);
CREATE TABLE IF NOT EXISTS event (
    learner INTEGER, {", ".join(f'"{name}"' for name in BoardEvent._fields)},
    UNIQUE (learner, uid));
"""


class Store:
    """One connection, used by the server's loop alone."""

    def __init__(self, folder: Path, room_key: str = "") -> None:
        """Open or make it. room_key: the key that lets notebooks join, else one is drawn once.

        Raises OSError or sqlite3.Error where the folder cannot be used.
        """
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / "board.sqlite"
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        self._database = sqlite3.connect(path, isolation_level=None, timeout=2)
        # Nothing that was said to be kept is lost; what is deleted is overwritten.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
            self._database.execute(f"PRAGMA {pragma}")
        self._database.executescript(TABLES)
        room = room_key or "".join(secrets.choice(LETTERS) for _ in range(8))
        self.room_key = self._key("room", room, bool(room_key))
        self.instructor_key = self._key("instructor", secrets.token_urlsafe(16))
        self.cookie_key = self._key("cookie", secrets.token_hex(32))

    def _key(self, name: str, new: str, replace: bool = False) -> str:
        how = "REPLACE" if replace else "IGNORE"
        self._database.execute(f"INSERT OR {how} INTO key VALUES (?, ?)", (name, new))
        return self._database.execute("SELECT value FROM key WHERE name = ?", (name,)).fetchone()[0]

    def join(self, name: str, now: float) -> tuple[int, str]:
        """Add a learner; return their number and their token, of which a digest is kept."""
        token = secrets.token_urlsafe(24)
        row = (_digest(token), name, now)
        sql = "INSERT INTO learner (digest, name, seen, cleared) VALUES (?, ?, ?, 0)"
        return self._database.execute(sql, row).lastrowid, token

    def whose(self, token: str) -> int | None:
        """Return the learner who has a token, or None."""
        sql = "SELECT id FROM learner WHERE digest = ?"
        row = self._database.execute(sql, (_digest(token),)).fetchone()
        return row and row[0]

    def learners(self) -> dict[int, tuple[str, float]]:
        """Return number -> (name, seconds since 1970 of the latest sign) of all learners."""
        rows = self._database.execute("SELECT id, name, seen FROM learner")
        return {number: (name, seen) for number, name, seen in rows}

    def add(self, learner: int, events: Iterable[BoardEvent], now: float) -> list[BoardEvent]:
        """Keep events; return those that are new. All of them are kept, or none."""
        new, marks = [], ", ".join("?" * (1 + len(BoardEvent._fields)))
        with self._database:
            self._database.execute("BEGIN IMMEDIATE")
            sql = "UPDATE learner SET seen = ? WHERE id = ? RETURNING cleared"
            cleared = self._database.execute(sql, (now, learner)).fetchall()
            for event in events:
                if cleared and event.at <= cleared[0][0]:
                    continue  # deleted by the learner: it does not come back
                row = (learner, *event)
                sql = f"INSERT OR IGNORE INTO event VALUES ({marks})"
                if self._database.execute(sql, row).rowcount:
                    new.append(event)
        return new

    def events(self, learner: int | None = None) -> list[tuple[int, BoardEvent]]:
        """Return pairs (learner, event), in order of arrival."""
        sql = "SELECT * FROM event WHERE ? IS NULL OR learner = ? ORDER BY rowid"
        rows = self._database.execute(sql, (learner, learner))
        return [(row[0], BoardEvent(*row[1:])) for row in rows]

    def clear(self, learner: int, now: float) -> int:
        """Delete the events of a learner, who stays; return how many there were."""
        with self._database:
            self._database.execute("UPDATE learner SET cleared = ? WHERE id = ?", (now, learner))
            sql = "DELETE FROM event WHERE learner = ?"
            gone = self._database.execute(sql, (learner,)).rowcount
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return gone

    def remove(self, learners: Iterable[int]) -> None:
        """Delete learners with all that they sent; their tokens end."""
        rows = [(each,) for each in learners]
        with self._database:
            self._database.executemany("DELETE FROM event WHERE learner = ?", rows)
            self._database.executemany("DELETE FROM learner WHERE id = ?", rows)
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def expire(self, now: float) -> list[int]:
        """Delete who was not seen for 14 days; return their numbers."""
        old = [n for n, (_, seen) in self.learners().items() if seen < now - DAYS * 86400]
        if old:
            self.remove(old)
        return old

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
