"""`convladder classroom`: a room of learners on one machine, for who teaches there."""

import argparse
from pathlib import Path

from . import room
from .errors import CommandError


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `classroom` with what can be done in one."""
    parser = commands.add_parser("classroom", help="a room of learners on this machine")
    actions = parser.add_subparsers(required=True, metavar="action")
    _add_release(actions)
    room.add_to(actions)


def shared() -> Path:
    """Return the folder of the hub's files that learners read, in this checkout."""
    from .lab import editable_root

    if (root := editable_root()) is None:
        raise CommandError("a hub needs a checkout of the course, since it hands out the course's "
                           "files; run this command in one, after make hub")
    return root / "classroom" / "hub" / "shared"


def _add_release(actions: argparse._SubParsersAction) -> None:
    parser = actions.add_parser(
        "release", help="hand out the course as it is now, and solutions by number")
    parser.add_argument("--solutions", nargs="+", default=[], metavar="NN",
                        help="these solutions too, from now on: 01 02, or all")
    parser.add_argument("--to", type=Path, metavar="FOLDER",
                        help="where the repository is that learners pull from "
                             "(default: the one of this checkout's hub)")
    parser.set_defaults(run=_release)


def _release(args: argparse.Namespace) -> int:
    from ..classroom.release import ReleaseError, release

    try:
        done = release(args.to or shared(), args.solutions)
    except ReleaseError as error:
        raise CommandError(error) from error
    print(f"{len(done.changed)} files changed in {done.repository}; learners have them when they "
          "next follow a link." if done.changed else f"{done.repository} is up to date.")
    print("Solutions that are out: " + (", ".join(done.solutions) or "none") + ".")
    return 0
