"""A lesson with so many learners at a hub of its own, from its start to its end, measured."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

from tools.notebooks.notebook import find
from ..warm import warm
from .audience import Audience, kept_events, told_events
from .hub import RehearsalHub
from .lesson import Diary, Learner, Plan
from .watch import Memory, Watch, load_of

IDLE = 15.0  # seconds in which all learners read
SETTLE = 20.0  # seconds for the last events to arrive


@dataclass
class Rehearsal:
    """What came of a lesson. idle: share of the machine's cores that the hub takes while learners
    read; compiled: kernels that a compiler made for a learner; homes: bytes on disk;
    delays: of the board's page."""

    plan: Plan
    diaries: list[Diary]
    seconds: float
    memory: Memory
    peak: int
    idle: float
    compiled: int
    homes: list[int]
    told: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    separate: bool = True


def rehearse(
    learners: int,
    plan: Plan,
    checkout: Path,
    port: int = 8200,
    together: bool = False,
    say: Callable[[str], None] = lambda line: None,
    log: Path | None = None,
) -> Rehearsal:
    """Play a lesson of `plan` and return what was measured. Raises LoadError.

    together: learners are one user, as they are without root. Nothing is left of it: no process, no
    file but `log`, with what the hub and the learners' servers said, no user.
    """
    with RehearsalHub(port, together, log=log) as hub:
        if any(number >= "06" for number in plan.chapters):
            warm(hub.cache, checkout, [n for n in plan.chapters if n >= "06"], say)
        hub.start()
        say(f"a hub at {hub.url}, {learners} learners")
        key = find(checkout, "course", plan.lab)[0].stem
        with (
            Audience(hub.url, hub.instructors_code, key) as audience,
            Watch(hub.processes) as watch,
        ):
            return _lesson(hub, checkout, learners, plan, audience, watch, say)


def _lesson(
    hub: RehearsalHub,
    checkout: Path,
    number: int,
    plan: Plan,
    audience: Audience,
    watch: Watch,
    say: Callable[[str], None],
) -> Rehearsal:
    begun = time.monotonic()
    people = [Learner(hub.url, f"learner-{n:02}", checkout, plan, n) for n in range(1, number + 1)]
    threads = [
        Thread(target=each.attend, args=(hub.code, hub.repository), daemon=True) for each in people
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(timeout=20)
            say(_progress([each.diary for each in people], time.monotonic() - begun, watch.peak))
    seconds, diaries = time.monotonic() - begun, [each.diary for each in people]
    memory = watch.now()
    idle = load_of([each for group in hub.processes().values() for each in group], IDLE)
    told = told_events(hub.journals())
    until = time.monotonic() + SETTLE
    while (
        (kept := kept_events(hub.place.run))
        and len(set(kept)) < len(told)
        and time.monotonic() < until
    ):
        time.sleep(0.5)
    for each in people:
        each.close()
    return Rehearsal(
        plan,
        diaries,
        seconds,
        memory,
        watch.peak,
        idle,
        hub.compiled(),
        hub.homes(),
        told,
        kept_events(hub.place.run),
        audience.delays(each.passed for each in diaries),
        not hub.settings.rehearsal and os.geteuid() == 0,
    )


def _progress(diaries: list[Diary], seconds: float, peak: int) -> str:
    done = Counter(
        {
            "servers": sum(each.spawned > 0 for each in diaries),
            "cells": sum(each.cells for each in diaries),
            "checks": sum(len(each.checks) for each in diaries),
            "errors": sum(len(each.errors) for each in diaries),
        }
    )
    return f"{seconds:4.0f} s  {peak / 2**30:5.2f} GiB  " + "  ".join(
        f"{what} {count}" for what, count in done.items()
    )


def needs() -> str | None:
    """Return the package that is missing for a rehearsal, None if all are there."""
    return next(
        (
            name
            for name in ("jupyterhub", "psutil", "requests", "websocket")
            if find_spec(name) is None
        ),
        None,
    )
