"""`convladder book`: the course as a static site."""

import argparse
import re
from pathlib import Path

from .errors import CommandError
from .notebooks import course_root

FOLDER = Path("build/book")


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `book`."""
    parser = commands.add_parser("book", help="make a static site of the chapters and labs")
    parser.add_argument(
        "--frames",
        nargs="*",
        metavar="NN",
        help="first draw what the pictures with controls show, of these chapters "
        "or of all: ten minutes on an idle machine; kept for the next time",
    )
    parser.add_argument(
        "--repository",
        default="",
        metavar="URL",
        help="https://github.com/OWNER/NAME, for the buttons that open a notebook "
        "in Codespaces, Colab and Binder (default: no such buttons)",
    )
    parser.add_argument("--branch", default="main", help="of that repository (default: main)")
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="FOLDER",
        help=f"where the site is made (default: {FOLDER} in the checkout)",
    )
    parser.set_defaults(run=_book)


def _book(args: argparse.Namespace) -> int:
    from ..authoring import NotebookError, find
    from ..book import BookError, build, check, draw_frames

    if args.repository and not re.fullmatch(r"https://[^/\s]+/[^/\s]+/[^/\s]+", args.repository):
        raise CommandError(
            f"--repository {args.repository} is not an address such as "
            "https://github.com/OWNER/NAME"
        )
    root = course_root()
    for number in args.frames or []:
        if not find(root, "course", number):
            raise CommandError(f"--frames {number}: course/ holds no such chapter")
    folder = (args.folder or root / FOLDER).resolve()
    try:
        if args.frames is not None:
            for number in args.frames or [None]:
                draw_frames(root, folder / "frames", number, print)
        built = build(root, folder, args.repository, args.branch)
    except BookError as error:
        raise CommandError(error) from error
    except NotebookError as error:
        print(error)
        return 1
    findings = [*built.warnings, *check(root, built.index.parent)]
    for finding in findings:
        print(finding)
    print(
        f"{built.index}\n{built.pages} pages, {built.size / 1e6:.1f} MB without frames, made in "
        f"{built.seconds:.0f} s; {built.players} of {built.pictures} pictures with controls move"
        + ("" if built.players == built.pictures else " (--frames draws what the others show)")
    )
    if findings:
        print(f"{len(findings)} findings")
    return 1 if findings else 0
