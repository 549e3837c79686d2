"""What learners' servers find in their environment, and what the hub runs beside them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from . import containers
from .release import REPOSITORY, git_config
from .settings import Place, Settings
from .turn import prepare

CACHE = "cache"  # kernels that are compiled already: `convladder classroom warm` fills it
BOARD = "board"
UNUSED = 2  # idle times after which a server ends itself, should the hub be gone
OWN_PATH = ("/usr/local/bin", "/usr/bin", "/bin")


def learner_environment(place: Place, settings: Settings) -> dict[str, str]:
    """Return what each server has besides its name, home and token; makes the turns' files."""
    environment = {
        **prepare(place.shared / "room", gpus()),
        "GIT_CONFIG_SYSTEM": str(git_config(place.shared)),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), *OWN_PATH)),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
        "CONVLADDER_BOARD": f"http://{settings.inside}:{settings.board_port}/services/{BOARD}/",
    }
    if (cache := place.shared / CACHE).is_dir():
        environment["CONVLADDER_SHARED_CACHE"] = str(cache)
    return environment


def repository(place: Place, in_container: bool = False) -> str:
    """Return the address that learners' servers pull from."""
    if in_container:
        return containers.repository()
    return f"file://{place.shared / REPOSITORY}"


def command() -> list[str]:
    """Return how a learner's server is started: see `convladder classroom server`."""
    return [str(Path(sys.executable).with_name("convladder")), "classroom", "server", "--"]


def server_limits(idle: int) -> list[str]:
    """Return options of a server that ends kernels, and then itself, long after the last use."""
    seconds = UNUSED * idle
    return [
        f"--MappingKernelManager.cull_idle_timeout={seconds}",
        f"--ServerApp.shutdown_no_activity_timeout={seconds}",
    ]


def gpus() -> list[str]:
    """Return the PCI addresses of this machine's NVIDIA GPUs."""
    if shutil.which("nvidia-smi") is None:
        return []
    done = subprocess.run(
        ["nvidia-smi", "--query-gpu=pci.bus_id", "--format=csv,noheader"],
        capture_output=True,
        text=True,
    )
    return done.stdout.split() if done.returncode == 0 else []


def culler(idle: int) -> tuple[dict, dict]:
    """Return the service that ends servers unused for `idle` seconds, and what it may do."""
    service = {
        "name": "idle-culler",
        "command": [
            sys.executable,
            "-m",
            "jupyterhub_idle_culler",
            f"--timeout={idle}",
            f"--cull-every={max(10, idle // 10)}",
        ],
    }
    role = {
        "name": "idle-culler",
        "services": ["idle-culler"],
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
    }
    return service, role
