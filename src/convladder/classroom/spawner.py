"""A server a learner, each under a user id of its own where root starts them.

No system accounts: a user id from 61000 on goes with a name for as long as the hub's folder lives,
and is never given to another. Without root all servers are the user's who started the hub. Import
it only with the extra `classroom`.
"""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Callable
from pathlib import Path

from jupyterhub.spawner import LocalProcessSpawner
from traitlets import Bool, Integer, Unicode

from .board.hub import INSTRUCTORS
from .roster import USER
from .settings import HubError, write_private

FIRST_ID = 61000  # up to 61183, between systemd's ranges for homes and for services
LAST_ID = 61183
TASKS = 512  # processes and threads of a learner: dozens of kernels, and no fork bomb
NICE = 5  # the hub, its proxy and the board come first
FIRST_TO_GO = 500  # where memory runs out, a learner's process is ended before the hub


class LearnerSpawner(LocalProcessSpawner):
    """Starts a learner's server as a process of this machine."""

    homes = Unicode(help="the folder of the learners' homes", config=True)
    sockets = Unicode(help="the folder of the folders for their kernels' sockets", config=True)
    ids = Unicode(help="the file of the learners' user ids", config=True)
    separate = Bool(help="whether learners have user ids of their own; only root can", config=True)
    memory = Integer(0, help="bytes of data a process may have; 0: any amount", config=True)

    @property
    def home(self) -> Path:
        """Return the learner's home. Raises HubError for a name that is no folder's."""
        if not USER.fullmatch(self.user.name):
            raise HubError(f"{self.user.name!r} is no user name")
        return Path(self.homes) / self.user.name

    @property
    def runtime(self) -> Path:
        """Return the folder in which the learner's server meets its kernels."""
        return Path(self.sockets) / self.user.name

    def user_env(self, env: dict[str, str]) -> dict[str, str]:
        """Return the environment with the learner's name and home.

        Who teaches has no board to send to, and so is none of the learners on it.
        """
        if self.user.admin or any(group.name == INSTRUCTORS for group in self.user.groups):
            env.pop("CONVLADDER_BOARD", None)
        return {
            **env,
            "USER": self.user.name,
            "LOGNAME": self.user.name,
            "HOME": str(self.home),
            "SHELL": "/bin/bash",
            "JUPYTER_RUNTIME_DIR": str(self.runtime),
        }

    def make_preexec_fn(self, name: str) -> Callable[[], None]:
        """Return what a server's process does first: set limits, become the learner."""
        uid = user_id(Path(self.ids), name) if self.separate else None
        make_home(self.home, uid)
        make_home(self.runtime, uid)
        home, memory = str(self.home), self.memory

        def become() -> None:
            os.umask(0o077)
            os.nice(NICE)
            _set_limits(memory, uid)
            if uid is not None:
                os.setgroups([])
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)
            os.chdir(home)

        return become

    async def move_certs(self, paths: dict) -> dict:
        """Return the certificates between hub and servers as they are: there are none."""
        return paths


def user_id(file: Path, name: str) -> int:
    """Return the user id of a name, the next free one at the first call.

    Raises HubError when there are none left.
    """
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if name not in known:
        number = FIRST_ID + len(known)
        if number > LAST_ID:
            raise HubError(
                f"there are {len(known)} learners, and no user id for one more: use "
                "the values for The Littlest JupyterHub or Kubernetes"
            )
        known[name] = number
        write_private(file, json.dumps(known, indent=1) + "\n")
    return known[name]


def make_home(home: Path, uid: int | None) -> None:
    """Make a home that only the learner may open; an existing one is closed to others again.

    The folder above is the hub's, so that no learner can put a link in the place of a home.
    """
    home.mkdir(mode=0o700, exist_ok=True)
    folder = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchmod(folder, 0o700)
        if uid is not None:
            os.fchown(folder, uid, uid)
    finally:
        os.close(folder)


def _set_limits(memory: int, uid: int | None) -> None:
    """Limits of each process, and, where the learner has a user id, of all of them together."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    if uid is not None:
        resource.setrlimit(resource.RLIMIT_NPROC, (TASKS, TASKS))
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write(str(FIRST_TO_GO))
    except OSError:  # not Linux
        pass
