"""From settings to a hub that runs: what is refused, made and said before JupyterHub starts."""

from __future__ import annotations

import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

from . import refusals
from .containers import refuse_without_docker
from .environment import repository
from .release import ReleaseError, links, release
from .roster import INSTRUCTOR, RosterError, read
from .settings import PLACE, HubError, Place, Settings, write_private
from .stopping import end_orphans, refuse_second

CONFIG = "jupyterhub_config.py"
LINKS = "links.html"
LOG = "hub.log"


def prepare(settings: Settings, place: Place, checkout: Path) -> Iterator[str]:
    """Make all that the hub needs, and yield what to tell the instructor, a line each.

    Raises HubError for what is refused; until then nothing was changed but folders made.
    """
    if find_spec("jupyterhub") is None:
        raise HubError("JupyterHub is not installed in this environment; make hub installs it")
    separate = refusals.separates(settings)
    refusals.refuse_open(settings, separate)
    if settings.image:
        refuse_without_docker(settings.image)
    refusals.node()
    refusals.proxy(Path(sys.prefix) / "proxy")
    refuse_second(place)
    end_orphans(place)
    refusals.refuse_ports(settings)
    learners = _learners(settings)
    place.make()
    if separate:
        refusals.refuse_unreachable(Path(sys.executable), Path(__file__), place.shared)
        refusals.close(checkout)
    try:
        done = release(place.shared)
    except ReleaseError as error:
        raise HubError(error) from error
    place.save(settings)
    pages = links(settings.url, checkout, repository(place, bool(settings.image)))
    write_private(place.run / LINKS, _links_page(pages))
    if not separate and not settings.image:
        yield (
            "A REHEARSAL: learners are one user of this machine, who can read and change all of "
            "their files. The hub stays on this machine."
        )
    if settings.without_tls and not refusals.is_loopback(settings.host):
        yield "Passwords are not encrypted on the way, as you said."
    yield f"Learners sign up with the code {place.code('class')}" + (
        f", {len(learners)} names of {settings.names}." if learners else ", with any name."
    )
    yield f"You sign up as {INSTRUCTOR} with the code {place.code(INSTRUCTOR)}; keep it."
    yield (
        f"Links for learners: {place.run / LINKS}; solutions that are out: "
        f"{', '.join(done.solutions) or 'none'} (convladder classroom release)."
    )


def run(settings: Settings, place: Place, say: Callable[[str], None]) -> int:
    """Run JupyterHub until it is ended, and return its exit code; its log is in the folder `run`.

    Raises HubError if it ends before it can be reached.
    """
    log = place.run / LOG
    environment = {**os.environ, PLACE: str(place.root)}
    config = Path(__file__).resolve().parents[3] / "classroom" / "hub" / CONFIG
    with open(log, "ab") as file:
        begun = file.tell()
        hub = subprocess.Popen(
            [sys.executable, "-m", "jupyterhub", "--config", str(config)],
            stdout=file,
            stderr=subprocess.STDOUT,
            cwd=place.run,
            env=environment,
            umask=0o077,
        )
    signal.signal(signal.SIGTERM, lambda *_: hub.terminate())
    try:
        while not _answers(settings):
            if hub.poll() is not None:
                raise HubError(
                    f"JupyterHub ended at its start; {log} says why:\n" + _last_lines(log, begun)
                )
            time.sleep(0.5)
        say(f"The hub runs: {settings.url} (what it does is in {log}).")
        say(f"The board, for you: {settings.url}/services/board/")
        say(
            "Ctrl-C ends it. Learners' servers go on, and a hub started again finds them; "
            "convladder classroom stop ends them too."
        )
        return hub.wait()
    except KeyboardInterrupt:  # of the terminal: JupyterHub has had it too
        return hub.wait()


def _answers(settings: Settings) -> bool:
    """Whether the hub answers through its proxy."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    ours = replace(settings, host=host)
    any_name = ssl.create_default_context()  # the certificate names what others call this machine
    any_name.check_hostname, any_name.verify_mode = False, ssl.CERT_NONE
    try:
        with urlopen(f"{ours.bind_url}/hub/health", timeout=5, context=any_name) as answer:
            return answer.status == 200
    except OSError:
        return False


def _last_lines(log: Path, begun: int) -> str:
    with open(log, "rb") as file:
        file.seek(begun)
        lines = file.read().decode("utf-8", "replace").splitlines()
    return "\n".join(lines[-8:])


def _learners(settings: Settings) -> dict[str, str]:
    """Return user name -> name of the list, {} without one."""
    if settings.names is None:
        return {}
    try:
        return {learner.user: learner.name for learner in read(settings.names)}
    except RosterError as error:
        raise HubError(error) from error


def _links_page(pages: list[tuple[str, str]]) -> str:
    items = "\n".join(
        f'<li><a href="{escape(link)}">{escape(title)}</a></li>' for title, link in pages
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" '
        'content="width=device-width"><title>Links for the class</title>\n'
        "<style>body{max-width:42em;margin:2em auto;padding:0 1em;font:1.1em/1.7 sans-serif}"
        "</style>\n<h1>Links for the class</h1>\n<p>Each brings the course, or its "
        f"corrections, and opens a notebook.</p>\n<ul>\n{items}\n</ul>\n</html>\n"
    )
