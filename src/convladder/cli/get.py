"""`convladder get`: the course's notebooks in a folder of one's own."""

import argparse
import shlex
from pathlib import Path

from ..text import command_text
from .errors import CommandError


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `get`."""
    parser = commands.add_parser(
        "get",
        help="write the course into a folder, or bring one up to date; what you changed "
        "in it stays",
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="FOLDER",
        help="default: the course that you are in, else ./convladder-course",
    )
    parser.set_defaults(run=_get)


def _get(args: argparse.Namespace) -> int:
    from ..authoring import COPY, NotebookError, get
    from ..authoring.copies import MEMORY
    from ..journal import remember

    here = Path.cwd()
    known = [folder for folder in (here, *here.parents) if (folder / MEMORY).is_file()]
    folder = args.folder or (known[0] if known else here / COPY)
    try:
        got = get(folder)
    except NotebookError as error:
        raise CommandError(error) from error
    remember(got.folder)
    print("\n".join(got.lines()))
    there = "" if folder == Path() else f"cd {shlex.quote(str(folder))} && "
    print(f"Open it with: {there}{command_text()} lab")
    return 0
