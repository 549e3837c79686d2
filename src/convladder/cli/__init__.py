"""The command `convladder`: one module a subcommand, each with `add_to(commands)`.

Exit codes: 0 done, 1 something was found wrong, 2 the request itself was wrong (one sentence says
what). A traceback is a bug of ours.
"""

import argparse
import sys

from . import (board, book, classroom, doctor, get, grade, lab, ladder, notebooks, progress,
               record, slides)
from .errors import CommandError


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    args = parser().parse_args(argv)
    try:
        return args.run(args)
    except CommandError as error:
        print(f"convladder: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    """Return the argument parser of `convladder`, all subcommands included."""
    whole = argparse.ArgumentParser(
        prog="convladder", description="The ConvLadder course: open it, measure with it, keep it."
    )
    commands = whole.add_subparsers(required=True, metavar="command")
    for module in (get, lab, progress, doctor, ladder, record, notebooks, book, slides, board,
                   classroom, grade):
        module.add_to(commands)
    return whole
