"""`convladder progress`: how far a learner is, from a file of their own."""

import argparse
from pathlib import Path

from ..journal import VARIABLE, board_of, export, forget
from ..journal.location import journal_path
from .terminal import CommandError, must_be_writable


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `progress`."""
    parser = commands.add_parser("progress")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--reset", action="store_true", help="begin anew; what was kept is put aside, not deleted"
    )
    what.add_argument(
        "--export", type=Path, metavar="FILE", help="write the events to FILE, a JSON object a line"
    )
    parser.set_defaults(run=_progress)


def _progress(args: argparse.Namespace) -> int:
    path = journal_path()
    if path is None:
        raise CommandError(
            f"nothing is kept here, as {VARIABLE}=off, CI or a test asks for; "
            f"{VARIABLE}=FILE names a file to keep it in"
        )
    if args.export is not None:
        must_be_writable(args.export)
    try:
        text = _text(args, path)
    except OSError as error:
        raise CommandError(
            f"{error.filename or path}: {error.strerror or error}; "
            f"{VARIABLE}=FILE names another file"
        ) from error
    print(text)
    return 0


def _text(args: argparse.Namespace, path: Path) -> str:
    if args.reset:
        if aside := forget():
            return f"You begin anew. What was kept lies in {aside}; delete it if you like."
        return "There was nothing yet."
    if args.export is not None:
        return f"events written to {args.export}: {export(args.export)}"
    from ..teach import progress

    board = board_of(path)
    sent = f"what is new in it goes to your class's board, {board}" if board else "is sent nowhere"
    return f"{progress()}\n(From {path}; it is yours, and {sent}.)"
