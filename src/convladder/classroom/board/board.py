"""The board itself: what is stored, what is shown, and who waits for news of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from .catalogue import Catalogue
from .database import Database, Person, Session, StoreError
from .limits import Buckets
from .names import free, pseudonym, who_is
from .plan import Plan
from .room import Room
from .view import Lesson, Showing, opened, view
from .wire import Told, cleaned, lines

T = TypeVar("T")
MOST_LEARNERS = 500  # of a lesson
MOST_EVENTS = 5_000  # of a learner in a lesson; who has done more is a program
BURST, RATE = 1_000, 10.0  # events of a learner at once, and a second
TITLE = "ConvLadder"


class Refused(Exception):
    """A request that is not done: the status of HTTP, a sentence, and seconds to wait."""

    def __init__(self, status: int, text: str, wait: float = 0.0):
        super().__init__(text)
        self.status, self.wait = status, wait


class Board:
    """One lesson at a time. The database is used by one thread of its own, so that a slow disk
    keeps no page waiting; all else happens in the server's loop."""

    def __init__(
        self,
        database: Database,
        course: Catalogue,
        *,
        named: bool = False,
        plan: Plan | None = None,
        stuck: int = 3,
    ):
        """Open the lesson that is going on, or begin one. named: names in place of pseudonyms, in
        lessons that begin from now on. Raises StoreError."""
        self.course, self._database = course, database
        self._wishes = named, plan, stuck
        self._thread = ThreadPoolExecutor(1, "board-database")
        self._storing = asyncio.Lock()
        self._buckets = Buckets(BURST, RATE)
        self._changed = asyncio.Event()
        self._views: dict[tuple[int, str, int], dict[str, Any]] = {}
        self.version = 0
        database.expire(time.time())
        self._open(*self._kept())

    def _kept(self) -> tuple[Session, list[Person], dict[str, Showing], list[tuple[str, Told]]]:
        session = self._database.current() or self._database.begin(self._wishes[0])
        return (
            session,
            self._database.people(session.id),
            self._database.showings(session.id),
            self._database.events(session.id),
        )

    def _open(
        self,
        session: Session,
        people: list[Person],
        showing: dict[str, Showing],
        happened: list[tuple[str, Told]],
    ) -> None:
        plan = self._wishes[1]
        self.session, self.people = session, {each.who: each for each in people}
        self.lesson = Lesson(
            plan.title if plan else TITLE, session.named, plan, session.started, showing
        )
        self._fill(happened)

    def _fill(self, happened: list[tuple[str, Told]]) -> None:
        self.room = Room(self.course, self._wishes[2])
        self.room.revotes, self.room.revealed = opened(self.lesson.showing)
        self.counts = dict.fromkeys(self.people, 0)
        for who, person in self.people.items():
            self.room.enter(who, person.shown)
        for who, told in happened:
            if who in self.people and self._known(told):
                self.counts[who] += 1
                self.room.take(who, told)

    def _known(self, told: Told) -> bool:
        """Return whether the course still has what an event is about: it may be a newer one."""
        return (not told.exercise or told.exercise in self.course.tasks) and (
            not told.question or told.question in self.course.questions
        )

    async def _store(self, work: Callable[..., T], *given: Any) -> T:
        try:
            done = await asyncio.get_running_loop().run_in_executor(self._thread, work, *given)
        except StoreError as error:
            if not self.lesson.trouble:
                self.lesson.trouble = (
                    f"Nothing is stored: {error}. Notebooks keep what they have and send it later."
                )
                self.publish()
            raise Refused(503, f"the board cannot store this now: {error}", 5.0) from error
        if self.lesson.trouble:
            self.lesson.trouble = ""
            self.publish()
        return done

    def who(self, learner: str) -> str:
        """Return what stands for a learner in this lesson."""
        return who_is(self.session.key, learner)

    async def enter(self, learner: str, name: str, told: str) -> Person:
        """Return the learner of this lesson, who takes part from now on. name: what the board
        shows in a lesson with names. Raises Refused."""
        async with self._storing:
            return await self._enter(learner, name, told)

    async def _enter(self, learner: str, name: str, told: str) -> Person:
        who = self.who(learner)
        if who in self.people:
            return self.people[who]
        if len(self.people) >= MOST_LEARNERS:
            raise Refused(403, f"this lesson has {MOST_LEARNERS} learners already")
        taken = {each.shown for each in self.people.values()}
        person = Person(
            who, free(name if self.session.named else pseudonym(who), taken), told[:40], 0.0
        )
        await self._store(self._database.enter, self.session.id, person)
        self.people[who], self.counts[who] = person, 0
        self.room.enter(who, person.shown)
        self.publish()
        return person

    async def take(self, learner: str, name: str, data: Any) -> dict[str, int]:
        """Keep the events that a learner sent; return how many were new, and how many refused for
        good. Raises Refused."""
        found = data.get("events") if isinstance(data, dict) else None
        said = data.get("told") if isinstance(data, dict) else None
        if not isinstance(found, list) or not isinstance(said, str) or not said:
            raise Refused(400, "this is not what a notebook sends")
        wait = self._buckets.take(self.who(learner), len(found) or 1)
        if wait:
            raise Refused(429, "slower, please", wait)
        now = time.time()
        events = [told for each in found if (told := cleaned(each, self.course, now))]
        async with self._storing:
            person = await self._enter(learner, name, said)
            events = [told for told in events if told.at > person.cleared]
            events = events[: max(0, MOST_EVENTS - self.counts[person.who])]
            new = await self._store(self._database.add, self.session.id, person.who, events)
            for told in events:
                if told.uid in new:
                    new.discard(told.uid)  # the same may stand twice in one request
                    self.counts[person.who] += 1
                    self.room.take(person.who, told)
        if events:
            self.publish()
        return {"kept": len(events), "refused": len(found) - len(events)}

    async def mine(self, learner: str) -> dict[str, Any]:
        """Return what is held of a learner."""
        if (person := self.people.get(who := self.who(learner))) is None:
            return {"shown": "", "told": "", "events": []}
        happened = await self._store(self._database.events, self.session.id, who)
        return {
            "shown": person.shown,
            "told": person.told,
            "events": list(lines((told for _, told in happened), self.course)),
        }

    async def forget(self, learner: str) -> int:
        """Delete all events of a learner; return how many there were."""
        who = self.who(learner)
        if who not in self.people:
            return 0
        async with self._storing:
            now = time.time()
            gone = await self._store(self._database.clear, self.session.id, who, now)
            self.people[who] = replace(self.people[who], cleared=now)
            self.counts[who] = 0
            self.room.leave(who)
            self.room.enter(who, self.people[who].shown)
        self.publish()
        return gone

    async def act(self, data: Any) -> None:
        """Do what the instructor asks for: {"do": "start", "shift", "lesson"}, or for a question
        {"do": "show", "revote", "reveal", "again", "question": its id}. Raises Refused."""
        do = data.get("do") if isinstance(data, dict) else None
        if do == "lesson":
            await self.begin()
        elif do in ("start", "shift"):
            await self._start(do, data.get("minutes", 0))
        elif do in ("show", "revote", "reveal", "again"):
            await self._show(do, data.get("question"))
        else:
            raise Refused(400, f"there is no act {do!r}")
        self.publish()

    async def begin(self) -> None:
        """Begin a new lesson: all of the one before is deleted."""
        async with self._storing:
            await self._store(self._database.begin, self._wishes[0])
            self._open(*await self._store(self._kept))

    async def _start(self, do: str, minutes: Any) -> None:
        if (
            isinstance(minutes, bool)
            or not isinstance(minutes, int | float)
            or not abs(minutes) <= 600
        ):
            raise Refused(400, "minutes are a number, 600 at most")
        started = time.time() if do == "start" else self.lesson.started
        if started is None:
            raise Refused(400, "the plan has not been started")
        started += 60 * minutes
        await self._store(self._database.start, self.session.id, started)
        self.lesson.started = started

    async def _show(self, do: str, question: Any) -> None:
        if not isinstance(question, str) or question not in self.course.questions:
            raise Refused(400, "there is no such question")
        was = self.lesson.showing.get(question, Showing())
        now = time.time()
        showing = {
            "show": Showing(True, was.revote, was.reveal),
            "revote": Showing(False, was.revote or now, None),
            "reveal": Showing(True, was.revote, was.reveal or now),
            "again": Showing(),
        }[do]
        async with self._storing:
            await self._store(self._database.show, self.session.id, question, showing)
            self.lesson.showing[question] = showing
            happened = await self._store(self._database.events, self.session.id)
            self._fill(happened)

    async def expire(self) -> None:
        """Delete what is older than 14 days, and begin anew if that was this lesson."""
        async with self._storing:
            if await self._store(self._database.expire, time.time()):
                self._open(*await self._store(self._kept))
                self.publish()

    def publish(self) -> None:
        """Tell all pages that something is new."""
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def news(self, seconds: float) -> None:
        """Wait until something is new, or for `seconds`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    def view(self, chapter: str) -> dict[str, Any]:
        """Return what a page shows."""
        now = time.time()
        asked = self.version, chapter if chapter in self.course.by_key else "", int(now)
        if asked not in self._views:
            self._views = {
                key: kept
                for key, kept in self._views.items()
                if key[0] == self.version and key[2] == asked[2]
            }
            self._views[asked] = view(self.room, self.lesson, asked[1], now)
        return self._views[asked]

    def close(self) -> None:
        """Close the database."""
        self._thread.submit(self._database.close)
        self._thread.shutdown()
