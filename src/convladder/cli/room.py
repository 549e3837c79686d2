"""`convladder classroom warm` and `check`: a machine made ready for a room, and looked at."""

import argparse
from pathlib import Path

from .errors import CommandError


def add_to(actions: argparse._SubParsersAction) -> None:
    """Add `warm` and `check` to what `convladder classroom` can do."""
    _add_warm(actions)


def _add_warm(actions: argparse._SubParsersAction) -> None:
    parser = actions.add_parser(
        "warm", help="compile the course's kernels once, for all learners to load")
    parser.add_argument("folder", type=Path, metavar="FOLDER",
                        help="where they are kept: root's, and read by learners")
    parser.add_argument("--chapters", nargs="+", default=[], metavar="NN",
                        help="only theirs (default: all chapters that launch kernels)")
    parser.set_defaults(run=_warm)


def _warm(args: argparse.Namespace) -> int:
    from ..classroom.warm import WarmError, warm
    from .notebooks import course_root

    try:
        variable = warm(args.folder, course_root(), args.chapters,
                        lambda line: print(line, flush=True))
    except WarmError as error:
        raise CommandError(error) from error
    print("Learners load them, and start no compiler, where their notebooks have "
          + " ".join(f"{name}={value}" for name, value in variable.items()) + " in the environment.")
    return 0
