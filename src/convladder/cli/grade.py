"""`convladder grade`: labs that were handed in, judged without trusting them."""

import argparse
import secrets
import sys
from pathlib import Path

from .terminal import CommandError, course_folder


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `grade`."""
    parser = commands.add_parser("grade")
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="FOLDER/learner/03_mec.ipynb, and so on"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="of grades.csv and grades.html (default: .)"
    )
    parser.set_defaults(run=_grade)


def _grade(args: argparse.Namespace) -> int:
    if sys.platform != "linux":
        raise CommandError("grading needs Linux: run it in a container, or on a server")
    from ..classroom.grade.jail import JailError
    from ..classroom.grade.report import mark_all

    labs = {path.stem: path for path in sorted((course_folder() / "labs").glob("*.ipynb"))}
    if not args.folder.is_dir():
        raise CommandError(f"{args.folder} is no folder; give the one that holds learners' folders")
    out = args.out or Path()
    try:
        found = mark_all(
            args.folder, labs, secrets.randbits(64), lambda line: print(line, flush=True), out
        )
        if not found:
            raise CommandError(f"{args.folder} holds no learner/{next(iter(labs))}.ipynb")
        print(out / "grades.csv", out / "grades.html", sep="\n")
    except JailError as error:
        raise CommandError(error) from error
    return 0
