"""`convladder slides`: chapters as reveal.js slides."""

import argparse
from pathlib import Path

from .terminal import CommandError, course_folder


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `slides`."""
    parser = commands.add_parser("slides")
    parser.add_argument(
        "number", nargs="*", metavar="NN", help="chapter, such as 03 (default: all)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("slides"), metavar="FOLDER", help="(default: slides)"
    )
    parser.set_defaults(run=_slides)


def _slides(args: argparse.Namespace) -> int:
    from ..classroom.slides import SlidesError, build

    found = sorted((course_folder() / "course").glob("[0-9][0-9]_*.ipynb"))
    paths = [path for path in found if path.name[:2] in args.number or not args.number]
    if unknown := set(args.number) - {path.name[:2] for path in found}:
        raise CommandError(f"there is no chapter {min(unknown)}")
    try:
        for page in build(paths, args.out):
            print(page)
    except SlidesError as error:
        raise CommandError(error) from error
    print("Open one in a browser; no network is needed. S opens the notes, F fills the screen.")
    return 0
