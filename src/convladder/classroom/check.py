"""What a machine has for a room of learners: a finding each, and how many learners it takes.

What a learner needs is not guessed: it comes from rehearsals that were recorded, `convladder
classroom load`.
"""

from __future__ import annotations

import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from ..cuda.emulator.kept import distrust
from ..measure.cuda.driver import driver
from ..measure.pinning import available_cores
from ..records.store import newest
from . import refusals
from .environment import CACHE
from .settings import HubError, Place, Settings

KIND = "classroom"  # of records
GIB, MIB = 2**30, 2**20
EACH_CORE = 15  # learners: thirty have worked on two cores, and read most of the time
RESERVE = GIB  # of memory, for the system itself
SPARE = 2 * GIB  # of disk
CGROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


@dataclass(frozen=True)
class Finding:
    """One thing looked at. needed: without it the room does not work. remedy: what to do, a
    sentence or ""; takes: how many learners it is enough for, None where that is no matter of
    number."""

    what: str
    ok: bool
    found: str
    remedy: str = ""
    needed: bool = True
    takes: int | None = None


def examine(learners: int, settings: Settings, place: Place) -> Iterator[Finding]:
    """Look at this machine for a room of so many, at a hub of these settings, with its folders at
    `place`. Nothing is changed."""
    record = newest(KIND)
    yield _cores(learners)
    yield _memory(learners, record)
    yield _disk(learners, record, place)
    yield _refused(
        "ports",
        lambda: refusals.refuse_ports(settings),
        f"{settings.port} to {settings.board_port} are free",
    )
    yield _refused("Node", refusals.node, "{} is new enough for the hub's proxy")
    yield _refused("proxy", lambda: refusals.proxy(Path(sys.prefix) / "proxy"), "installed")
    yield Finding(
        "JupyterHub",
        find_spec("jupyterhub") is not None,
        "installed" if find_spec("jupyterhub") else "not in this environment",
        "make hub installs it",
    )
    yield from _separation(learners, settings, place)
    yield _limits(settings)
    yield _tls(settings)
    yield _cache(place)
    yield _gpu()


def capacity(findings: list[Finding]) -> Finding | None:
    """Return what takes the fewest learners."""
    numbered = [each for each in findings if each.takes is not None]
    return min(numbered, key=lambda each: each.takes, default=None)


def _cores(learners: int) -> Finding:
    cores = available_cores()
    takes = cores * EACH_CORE
    return Finding(
        "cores",
        learners <= takes,
        f"{cores}; {EACH_CORE} learners share one",
        f"take a machine with {-(-learners // EACH_CORE)} cores, or let learners work "
        "in pairs: they wait for each other otherwise",
        needed=False,
        takes=takes,
    )


def _memory(learners: int, record: dict) -> Finding:
    each = memory_of_learner(record)
    have = available_memory()
    takes = max(0, int((have - record["hub"] - RESERVE) // each))
    wanted = record["hub"] + RESERVE + learners * each
    return Finding(
        "memory",
        learners <= takes,
        f"{have / GIB:.1f} GiB to be had; {learners} "
        f"learners take {wanted / GIB:.1f} ({each / MIB:.0f} MiB each, by "
        f"{_source(record)})",
        f"take a machine with {wanted / GIB:.0f} GiB more than its other programs use, "
        f"or have {takes} learners",
        takes=takes,
    )


def _disk(learners: int, record: dict, place: Place) -> Finding:
    existing = next(path for path in (place.root, *place.root.parents) if path.exists())
    free, each = shutil.disk_usage(existing).free, record["home"]["most"]
    takes = max(0, int((free - SPARE) // each))
    return Finding(
        "disk",
        learners <= takes,
        f"{free / GIB:.1f} GiB free where homes are; {learners} take {learners * each / GIB:.1f}",
        f"free {(SPARE + learners * each - free) / GIB:.1f} GiB there, or name another "
        "disk with --data",
        takes=takes,
    )


def _separation(learners: int, settings: Settings, place: Place) -> Iterator[Finding]:
    docker = _answers(["docker", "version", "--format", "{{.Server.Version}}"])
    separate = refusals.separates(settings)
    yield Finding(
        "root",
        separate or bool(settings.image),
        "learners get user ids of their own"
        if separate
        else "you are not root, so all learners are one user, who can read all of their files",
        "start the hub as root, or rehearse alone",
        needed=False,
    )
    yield Finding(
        "Docker",
        bool(docker),
        docker or "none that answers",
        "only needed for --image, a container a learner",
        needed=False,
    )
    if separate:
        yield _refused(
            "files",
            lambda: refusals.refuse_unreachable(
                Path(sys.executable), Path(__file__), _existing(place.shared)
            ),
            "learners can read Python and the course",
        )
        if find_spec("jupyterhub") is not None:
            from .spawner import FIRST_ID, LAST_ID

            ids = LAST_ID - FIRST_ID + 1
            yield Finding(
                "user ids",
                learners <= ids,
                f"{ids}",
                "use --image, or the values for Kubernetes",
                takes=ids,
            )


def _limits(settings: Settings) -> Finding:
    amount = f"{settings.memory / GIB:g} GiB"
    if settings.image:
        return Finding("limits", True, f"a learner may have {amount} in all")
    return Finding(
        "limits",
        False,
        f"each process of a learner may have {amount} (--memory), and "
        "all of them together have no limit",
        "containers (--image), The Littlest JupyterHub and Kubernetes limit a learner as a whole",
        needed=False,
    )


def _tls(settings: Settings) -> Finding:
    if refusals.is_loopback(settings.host):
        return Finding("TLS", True, f"not needed: {settings.host} is this machine only")
    try:
        refusals.refuse_open(settings, refusals.separates(settings))
        if settings.cert:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
                settings.cert, settings.key
            )
    except HubError as error:
        return Finding("TLS", False, str(error))
    except (OSError, ssl.SSLError) as error:
        return Finding(
            "TLS",
            False,
            f"{settings.cert} and {settings.key} are no pair ({error.strerror or error})",
            "name a certificate and its own key, in PEM",
        )
    return Finding("TLS", True, settings.cert or "something before the hub encrypts, as you said")


def _cache(place: Place) -> Finding:
    folder = place.shared / CACHE / "kernels"
    fill = f"fill it before class: convladder classroom warm {place.shared / CACHE}"
    if not folder.is_dir():
        return Finding(
            "warm cache", False, "none: every learner compiles every kernel", fill, needed=False
        )
    why = distrust(folder)
    number = sum(1 for _ in folder.glob("*.so"))
    return Finding("warm cache", why is None, why or f"{number} kernels", fill, needed=False)


def _gpu() -> Finding:
    if (found := driver()) is None:
        return Finding("GPU", False, "none; chapters run on the emulator", needed=False)
    return Finding("GPU", True, f"{found.best[0]}; learners take turns at it", needed=False)


def memory_of_learner(record: dict) -> float:
    """Return the bytes of a learner who has a chapter and a lab open: in a rehearsal, which has one
    notebook open at a time, the most at its end or while the whole was largest, and a kernel more.
    """
    one = max(record["learner"]["most"], (record["peak"] - record["hub"]) / record["learners"])
    return one + record["kernels"]["most"]


def available_memory() -> int:
    """Return the bytes that programs can have now, within this container's limit if it has one."""
    import psutil

    free, limit = psutil.virtual_memory().available, None
    for path in CGROUPS:
        try:
            limit = int(path.read_text())
            break
        except (OSError, ValueError):  # "max": no limit
            continue
    return free if limit is None else min(free, limit)


def _refused(what: str, look: Callable[[], object], found: str) -> Finding:
    """What a refusal of the hub says, or `found`."""
    try:
        return Finding(what, True, found.format(look()))
    except HubError as error:
        return Finding(what, False, str(error))


def _existing(path: Path) -> Path:
    return next(each for each in (path, *path.parents) if each.exists())


def _answers(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _source(record: dict) -> str:
    return f"a rehearsal of {record['date']}"
