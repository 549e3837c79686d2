"""`convladder slides`: chapters as reveal.js slides."""

import argparse
from pathlib import Path

from ..journal import course_root
from .errors import CommandError

FOLDER = Path("build/slides")


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `slides`."""
    parser = commands.add_parser("slides", help="make slides of chapters, to teach from")
    parser.add_argument(
        "number", nargs="*", metavar="NN", help="chapter number, such as 03; all if left out"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help=f"where they are written (default: {FOLDER} beside course/)",
    )
    parser.add_argument(
        "--dark",
        action="store_true",
        help="light letters on a dark ground (T changes it in the browser)",
    )
    parser.set_defaults(run=_slides)


def _slides(args: argparse.Namespace) -> int:
    from tools.notebooks.notebook import NotebookError
    from ..classroom.slides import SlidesError, build

    root = course_root()
    folder = (args.out or root / FOLDER).resolve()
    try:
        made = build(root, folder, args.number, args.dark)
    except (SlidesError, NotebookError) as error:
        raise CommandError(error) from error
    for deck in made:
        print(f"{deck.page.name}  {deck.slides} slides, {deck.size / 1e6:.1f} MB  {deck.title}")
    first = made[0].page if len(made) == 1 else folder / "index.html"
    print(
        f"Open {first.as_uri()} in a browser; no network is needed.\n"
        "Space goes on, the right arrow to the next section; S opens the speaker's notes, "
        "F fills the screen, T turns dark to light, O shows all slides. "
        "To print: add ?print-pdf to the address."
    )
    return 0
