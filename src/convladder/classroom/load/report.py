"""What a rehearsal measured, as text, as a record, and against what was promised."""

from __future__ import annotations

from collections import Counter
from statistics import median

import psutil

from ...bench.stamp import cpu_stamp
from .rehearse import Rehearsal

MIB, GIB = 2**20, 2**30
PACKAGES = ("jupyterhub", "jupyterlab", "jupyter-server", "ipykernel", "nbgitpuller", "sqlalchemy")
SPAWNED, PEAK, EACH, SHOWN, IDLE = 180.0, 10 * GIB, 300 * MIB, 2.0, 0.05


def as_record(found: Rehearsal) -> dict[str, object]:
    """Return it as a record: seconds, bytes, and shares of this machine's cores."""
    users = len(found.diaries)
    statuses = sum((Counter(each.answers) for each in found.diaries), Counter())
    checks = [seconds for each in found.diaries for seconds in each.checks]
    return {
        **cpu_stamp(PACKAGES),
        "ram": psutil.virtual_memory().total,
        "learners": users,
        "chapters": list(found.plan.chapters),
        "lab": found.plan.lab,
        "think": found.plan.think,
        "quick": found.plan.quick,
        "separate": found.separate,
        "seconds": found.seconds,
        "finished": sum(not each.errors for each in found.diaries),
        "came_back": sum(each.came_back for each in found.diaries),
        "dropped": sum(each.dropped for each in found.diaries),
        "errors": [f"{each.user}: {error}" for each in found.diaries for error in each.errors],
        "refused_429": statuses[429],
        "server_errors": sum(n for status, n in statuses.items() if status >= 500),
        "spawn": _spread([each.spawned for each in found.diaries]),
        "pull": _spread([each.pulled for each in found.diaries]),
        "check": _spread(checks) | {"count": len(checks)},
        "peak": found.peak,
        "hub": found.memory.hub,
        "learner": _spread(list(found.memory.learners.values())),
        "kernels": _spread(list(found.memory.kernels.values())),
        "home": _spread(found.homes),
        "idle": found.idle,
        "compiled": found.compiled,
        "events": {
            "told": len(found.told),
            "kept": len(set(found.kept)),
            "lost": len(found.told.keys() - set(found.kept)),
            "lost_kinds": Counter(
                kind for uid, kind in found.told.items() if uid not in set(found.kept)
            ),
            "doubled": len(found.kept) - len(set(found.kept)),
        },
        "shown": _spread(found.delays) | {"count": len(found.delays)},
    }


def missed(record: dict) -> list[str]:
    """Return what falls short of the promise, a sentence each; [] where nothing does."""
    users, events = record["learners"], record["events"]
    claims = {
        f"{record['finished']} of {users} learners finished without an error": record["finished"]
        == users,
        f"{record['came_back']} of {users} came back after a lost connection": record["came_back"]
        == users,
        f"{record['refused_429']} requests were refused with 429": record["refused_429"] == 0,
        f"{record['server_errors']} answers were errors of a server": record["server_errors"] == 0,
        f"the slowest server came after {record['spawn']['most']:.0f} s (at most {SPAWNED:.0f})": record[
            "spawn"
        ]["most"]
        <= SPAWNED,
        f"the peak is {record['peak'] / GIB:.2f} GiB (at most {PEAK / GIB:.0f})": record["peak"]
        <= PEAK,
        f"a learner has up to {record['learner']['most'] / MIB:.0f} MiB (at most {EACH / MIB:.0f})": record[
            "learner"
        ]["most"]
        <= EACH,
        f"{record['compiled']} kernels were compiled by learners": record["compiled"] == 0,
        f"{events['lost']} of {events['told']} events were lost, {events['doubled']} doubled": events[
            "lost"
        ]
        == events["doubled"]
        == 0
        < events["told"],
        f"the board is {record['shown']['p95']:.1f} s behind (less than {SHOWN:.0f})": record[
            "shown"
        ]["p95"]
        < SHOWN,
        f"the hub takes {record['idle']:.1%} of the processor while learners read (at most "
        f"{IDLE:.0%})": record["idle"] <= IDLE,
    }
    return [sentence for sentence, kept in claims.items() if not kept]


def lines(record: dict) -> list[str]:
    """Return what to print of a record."""
    events, learner, kernels = record["events"], record["learner"], record["kernels"]
    return [
        f"{record['learners']} learners, chapters {' '.join(record['chapters'])} and lab "
        f"{record['lab']}: {record['finished']} finished without an error in "
        f"{record['seconds']:.0f} s, {record['came_back']} came back after a lost connection, "
        f"{record['dropped']} connections were dropped besides and taken up again",
        f"server      after {_seconds(record['spawn'])}; {record['refused_429']} requests refused "
        f"with 429, {record['server_errors']} errors of a server",
        f"pull        {_seconds(record['pull'])}",
        f"check       {record['check']['count']} of them, {_seconds(record['check'])}",
        f"memory      peak {record['peak'] / GIB:.2f} GiB of all processes, what they share "
        f"counted once, without files kept for later; hub, proxy and services "
        f"{record['hub'] / MIB:.0f} MiB; a learner {learner['median'] / MIB:.0f} MiB, at most "
        f"{learner['most'] / MIB:.0f}, of them kernels {kernels['median'] / MIB:.0f}, at most "
        f"{kernels['most'] / MIB:.0f}",
        f"compiled    {record['compiled']} kernels by learners' own compilers",
        f"events      {events['told']} told, {events['kept']} kept, {events['lost']} lost, "
        f"{events['doubled']} doubled",
        f"board       shows what is done after {_seconds(record['shown'])}",
        f"processor   {record['idle']:.1%} of it while all read",
        *(f"ERROR       {error}" for error in record["errors"][:20]),
        *(f"MISSED      {sentence}" for sentence in missed(record)),
    ]


def _spread(values: list[float]) -> dict[str, float]:
    """Return the median, the 95th percentile and the most; zeros of nothing."""
    found = sorted(values) or [0.0]
    return {
        "median": median(found),
        "p95": found[min(len(found) - 1, int(0.95 * len(found)))],
        "most": found[-1],
    }


def _seconds(spread: dict[str, float]) -> str:
    return (
        f"{spread['median']:.2f} s, 95 % within {spread['p95']:.2f} s, all within "
        f"{spread['most']:.2f} s"
    )
