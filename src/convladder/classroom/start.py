"""From settings to a hub that runs: what is refused, made and said before JupyterHub starts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from html import escape
from importlib.util import find_spec
from pathlib import Path

from . import refusals
from .environment import repository
from .release import ReleaseError, links, release
from .roster import INSTRUCTOR, RosterError, read
from .settings import HubError, Place, Settings, write_private

CONFIG = "jupyterhub_config.py"
LINKS = "links.html"


def prepare(settings: Settings, place: Place, checkout: Path) -> Iterator[str]:
    """Make all that the hub needs, and yield what to tell the instructor, a line each.

    Raises HubError for what is refused; until then nothing was changed but folders made.
    """
    if find_spec("jupyterhub") is None:
        raise HubError("JupyterHub is not installed in this environment; make hub installs it")
    root = refusals.is_root()
    refusals.refuse_open(settings, root)
    refusals.node()
    refusals.proxy(Path(sys.prefix) / "proxy")
    refusals.refuse_ports(settings)
    learners = _learners(settings)
    place.make()
    if root and not settings.image:
        refusals.refuse_unreachable(Path(sys.executable), Path(__file__), place.shared)
        refusals.close(checkout)
    try:
        done = release(place.shared)
    except ReleaseError as error:
        raise HubError(error) from error
    place.save(settings)
    pages = links(settings.url, checkout, repository(place))
    write_private(place.run / LINKS, _links_page(pages))
    yield (f"The hub: {settings.url}, in a moment. Ctrl-C ends the hub; learners' servers go on "
           "until convladder classroom stop.")
    if not root and not settings.image:
        yield ("A REHEARSAL: without root all learners are one user, who can read and change all "
               "of their files. It stays on this machine.")
    if settings.without_tls and not refusals.is_loopback(settings.host):
        yield "Passwords are not encrypted on the way, as you said."
    yield f"Learners sign up with the code {place.code('class')}" + (
        f", {len(learners)} names of {settings.names}." if learners else ", with any name.")
    yield f"You sign up as {INSTRUCTOR} with the code {place.code(INSTRUCTOR)}; keep it."
    yield (f"Links for learners: {place.run / LINKS}; solutions that are out: "
           f"{', '.join(done.solutions) or 'none'} (convladder classroom release).")


def become_hub(place: Place) -> None:
    """Turn this process into JupyterHub; its files are nobody else's to read. Does not return."""
    os.umask(0o077)
    os.chdir(place.run)
    beside = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([beside, os.environ.get("PATH", "")])}
    os.execve(sys.executable, [sys.executable, "-m", "jupyterhub", "--config",
                               str(place.root / CONFIG)], environment)


def _learners(settings: Settings) -> dict[str, str]:
    """Return user name -> name of the list, {} without one."""
    if settings.names is None:
        return {}
    try:
        return {learner.user: learner.name for learner in read(settings.names)}
    except RosterError as error:
        raise HubError(error) from error


def _links_page(pages: list[tuple[str, str]]) -> str:
    items = "\n".join(f'<li><a href="{escape(link)}">{escape(title)}</a></li>'
                      for title, link in pages)
    return ('<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Links for the class'
            "</title>\n<h1>Links for the class</h1>\n<p>Each brings the course, or its "
            f"corrections, and opens a notebook.</p>\n<ul>\n{items}\n</ul>\n</html>\n")
