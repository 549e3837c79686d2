"""A container a learner, by DockerSpawner: for a machine that has Docker.

The image is `classroom/hub/Dockerfile`'s. Hub, proxy and board run on the machine itself, and
containers reach them at Docker's own address there, which nobody outside the machine does.
"""

from __future__ import annotations

import os
from pathlib import Path

from .release import REPOSITORY
from .settings import HubError, Place, Settings
from .turn import prepare

SOCKET = Path("/var/run/docker.sock")
SHARED = "/shared"  # in a container: what learners read
HOME = "/home/jovyan"  # in a container, as in Jupyter's own images


def refuse_without_docker(image: str) -> None:
    """Raise HubError if there is no Docker that this user may use."""
    if not os.access(SOCKET, os.R_OK | os.W_OK):
        raise HubError(
            f"--image {image} needs Docker, and {SOCKET} "
            f"{'is closed to you' if SOCKET.exists() else 'is not there'}; install and "
            "start Docker, or leave out --image for processes of this machine"
        )


def spawner_values(place: Place, settings: Settings) -> dict[str, object]:
    """Return values of DockerSpawner's traits; makes the files of the turns.

    A container may have `settings.memory`, is nobody's but its learner's, and goes when its server
    ends; the home stays in a volume.
    """
    prepare(place.shared / "room")
    return {
        "image": settings.image,
        "cmd": ["convladder", "classroom", "server", "--"],
        "remove": True,
        "use_internal_ip": True,
        "mem_limit": settings.memory,
        "notebook_dir": HOME,
        "volumes": {
            "convladder-{username}": HOME,
            str(place.shared): {"bind": SHARED, "mode": "ro"},
        },
        "environment": {
            "CONVLADDER_ROOM": f"{SHARED}/room",
            "CONVLADDER_BOARD": f"http://{settings.inside}:{settings.board_port}/services/board/",
        },
        "extra_host_config": {
            "security_opt": ["no-new-privileges"],
            "cap_drop": ["ALL"],
            "pids_limit": 512,
        },
    }


def repository() -> str:
    """Return the address that containers pull from."""
    return f"file://{SHARED}/{REPOSITORY}"
