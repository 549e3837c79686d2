"""The command `convladder`: one module a subcommand, each with `add_to(commands)`.

Exit codes: 0 done, 1 something was found wrong, 2 the request itself was wrong (one sentence says
what), 141 nobody reads what it prints any more, as behind `| head`. A traceback is a bug of ours.
"""

import argparse
import codecs
import errno
import io
import os
import sys
from difflib import get_close_matches
from importlib import import_module

from .. import __version__
from ..core.install import command_text
from ..core.machine_error import MachineError
from ..journal import course_root
from .lab import spare_formats
from .terminal import CommandError

GROUPS = {
    "Learn": {
        "get": "write or update the course; your changes stay",
        "lab": "open the course in JupyterLab",
        "progress": "show what you passed, and what comes next",
        "doctor": "say what this machine can do and what it lacks",
    },
    "Measure": {
        "ladder": "time every method on a layer, or a network",
        "record": "measure this machine, and keep the record",
    },
    "Teach": {
        "board": "show where everybody in the room is",
        "grade": "judge labs that were handed in",
        "slides": "make slides of chapters",
    },
}
COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}
PLAIN = {"µ": "u", "×": "x", "−": "-", "–": "-", "’": "'", "·": "-", "\N{NO-BREAK SPACE}": " "}


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    argv = sys.argv[1:] if argv is None else argv
    if sys.stdout is None:  # closed, as by `>&-`
        sys.stdout = io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):  # of a terminal, perhaps of ASCII alone
        codecs.register_error("plain", _plain)
        sys.stdout.reconfigure(errors="plain")
    spare_formats()  # or what reads a notebook, JupyterLab too, is there a second later
    try:
        try:
            code = _run(argv)
        except SystemExit as end:  # of argparse, after its help
            code = int(end.code or 0)
        sys.stdout.flush()
        return code
    except OSError as error:
        why = error.strerror
        if error.errno in (errno.EPIPE, errno.ENOSPC):
            # Python flushes it once more at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if error.errno == errno.EPIPE:
                return 141
            why = "there is no room left on the disk"
        elif error.filename is None:
            raise
        place = f"{error.filename}: " if error.filename else ""
        print(f"convladder: {place}{why}", file=sys.stderr)
        return 2
    except (CommandError, MachineError) as error:
        print(f"convladder: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _run(argv: list[str]) -> int:
    if not argv:
        print(f"{parser().format_help()}\nBegin with: {first_step()}")
        return 0
    if argv[0] not in COMMANDS and not argv[0].startswith("-"):
        meant = get_close_matches(argv[0], COMMANDS, 1)
        raise CommandError(
            f"there is no command {argv[0]!r}; "
            + (f"did you mean {meant[0]}?" if meant else f"there are {', '.join(COMMANDS)}")
        )
    args, unknown = parser(argv[0]).parse_known_args(argv)
    if unknown:
        raise CommandError(
            f"{argv[0]} takes no {unknown[0]}; `convladder {argv[0]} --help` says what it takes"
        )
    _must_be_somewhere()
    return args.run(args)


def first_step() -> str:
    """Return the command that opens the course, or that brings one if there is none."""
    try:
        course_root()
    except LookupError:
        return f"{command_text()} get"
    return f"{command_text()} lab"


def _must_be_somewhere() -> None:
    try:
        os.getcwd()
    except FileNotFoundError:
        raise CommandError(
            "the folder that you are in was deleted; change to another one"
        ) from None


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write what a terminal of few letters lacks by others: an error handler of `codecs`."""
    if isinstance(error, UnicodeEncodeError) and error.object[error.start] in PLAIN:
        return PLAIN[error.object[error.start]], error.start + 1
    return codecs.backslashreplace_errors(error)


def parser(command: str = "") -> argparse.ArgumentParser:
    """Return the argument parser of `convladder`, with the arguments of this command alone: to
    import all of them takes seconds."""
    lines = ["Make convolution fast, one measured rung at a time."]
    for title, group in GROUPS.items():
        lines += ["", f"{title}:", *(f"  {name:<9} {text}" for name, text in group.items())]
    whole = argparse.ArgumentParser(
        prog="convladder",
        usage="convladder [-h] [--version] COMMAND ...",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="\n".join(lines),
        epilog="`convladder COMMAND --help` says what a command takes.",
    )
    whole.add_argument("--version", action="version", version=f"convladder {__version__}")
    if command in COMMANDS:
        commands = whole.add_subparsers(prog="convladder", help=argparse.SUPPRESS)
        import_module(f".{command}", __name__).add_to(commands)
        commands.choices[command].description = COMMANDS[command]
    return whole
