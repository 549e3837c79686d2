"""The command `convladder`: one module a subcommand, each with `add_to(commands)`.

Exit codes: 0 done, 1 something was found wrong, 2 the request itself was wrong (one sentence says
what), 141 nobody reads what it prints any more, as behind `| head`. A traceback is a bug of ours.
"""

import argparse
import errno
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from ..core.machine_error import MachineError
from .lab import spare_formats
from .terminal import CommandError

COMMANDS = (
    "get",
    "lab",
    "progress",
    "doctor",
    "ladder",
    "record",
    "board",
    "grade",
    "slides",
)


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    argv = sys.argv[1:] if argv is None else argv
    if sys.stdout is None:  # closed, as by `>&-`
        sys.stdout = io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):  # of a terminal, perhaps of ASCII alone
        sys.stdout.reconfigure(errors="backslashreplace")
    spare_formats()  # or what reads a notebook, JupyterLab too, is there a second later
    try:
        try:
            args = parser([argv[0]] if argv and argv[0] in COMMANDS else COMMANDS).parse_args(argv)
            _must_be_somewhere()
            code = args.run(args)
        except SystemExit as end:  # of argparse, after its help
            code = end.code
        sys.stdout.flush()
        return code
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        # Python flushes it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno == errno.EPIPE:
            return 141
        print("convladder: there is no room left on the disk", file=sys.stderr)
        return 2
    except (CommandError, MachineError) as error:
        print(f"convladder: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _must_be_somewhere() -> None:
    try:
        os.getcwd()
    except FileNotFoundError:
        raise CommandError(
            "the folder that you are in was deleted; change to another one"
        ) from None


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the argument parser of `convladder`, with these subcommands."""
    whole = argparse.ArgumentParser(
        prog="convladder", description="The ConvLadder course: open it, measure with it, keep it."
    )
    commands = whole.add_subparsers(required=True, metavar="command")
    for name in names:
        import_module(f".{name}", __name__).add_to(commands)
    return whole
