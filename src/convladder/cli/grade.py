"""`convladder grade`: labs that were handed in, judged without trusting them."""

import argparse
import secrets
import sys
from pathlib import Path

from .errors import CommandError

OUT = "graded"


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `grade`."""
    parser = commands.add_parser(
        "grade", help="judge labs that were handed in, each behind walls of its own"
    )
    parser.add_argument(
        "submissions",
        type=Path,
        metavar="FOLDER",
        nargs="?",
        help="a folder of notebooks or of learners' folders, a zip from Canvas or "
        "Moodle, or nbgrader's course folder",
    )
    book = parser.add_mutually_exclusive_group()
    book.add_argument(
        "--canvas",
        type=Path,
        metavar="EXPORT.csv",
        help="Canvas's export of the grade book: a copy with the lab's column filled comes out",
    )
    book.add_argument(
        "--moodle",
        type=Path,
        metavar="EXPORT.csv",
        help="the same for Moodle's grading worksheet or grade book",
    )
    parser.add_argument(
        "--column", metavar="TITLE", help="the column to fill (default: the one that names the lab)"
    )
    parser.add_argument(
        "--labs", nargs="+", type=int, metavar="NN", default=[], help="these labs only"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help=f"where the pages go (default: {OUT} beside the submissions)",
    )
    parser.add_argument(
        "--exercises",
        type=Path,
        metavar="FOLDER",
        help="exercises of your own as well, such as an exam's: "
        "FOLDER/lab90/e1_name.py; learners never see them",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="of the cases, as the class's page has it, to judge once more with "
        "the same (default: a new secret one)",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        default=30.0,
        help="for one call of a learner's function (default: 30)",
    )
    parser.add_argument(
        "--fewer-walls",
        action="store_true",
        help="go on where this machine cannot shut submissions in",
    )
    parser.add_argument(
        "--nbgrader",
        type=Path,
        metavar="COURSE",
        help="grade nothing: write the labs as a course of nbgrader's, whose "
        "graded cells fail where a check does not pass",
    )
    parser.set_defaults(run=_grade)


def _grade(args: argparse.Namespace) -> int:
    from ..classroom.grade.archive import ArchiveError
    from ..classroom.grade.gradebook import CANVAS, MOODLE, GradebookError, read
    from ..classroom.grade.pages import write_pages
    from ..classroom.grade.room import enter, grade_room
    from ..classroom.grade.secret import ExerciseError, Exercises
    from ..classroom.grade.submissions import submissions
    from ..classroom.grade.walls import MISSING, NAMESPACES, Limits, cache_folder, walls

    if args.nbgrader is not None:
        return _export(args)
    if args.submissions is None:
        raise CommandError("name the folder or the zip of what was handed in")
    if not 0.1 <= args.seconds <= 600:
        raise CommandError(f"--seconds {args.seconds:g}: give 0.1 to 600")
    out = args.out or args.submissions.resolve().parent / OUT
    export = args.canvas or args.moodle
    try:
        # What an instructor may have mistyped, before anything takes its time.
        book = export and read(export, CANVAS if args.canvas else MOODLE)
        exercises = Exercises(
            secrets.randbits(64) if args.seed is None else args.seed, args.exercises
        )
        found = submissions(args.submissions)
        if book is not None:
            book.column(args.labs[0] if len(args.labs) == 1 else _only_lab(found), args.column)
    except (ArchiveError, GradebookError, ExerciseError) as error:
        raise CommandError(str(error)) from error
    if not found:
        raise CommandError(
            f"{args.submissions} holds no notebook (.ipynb), in no folder and no zip of it"
        )
    unknown = [lab for lab in args.labs if not exercises.of_lab(lab)]
    if unknown:
        raise CommandError(f"--labs {unknown[0]}: there is no such lab")
    if export and (out / export.name).resolve() == export.resolve():
        raise CommandError(
            f"--out {out}: the filled copy would replace {export}; name another folder"
        )
    kept = walls()
    if kept != NAMESPACES and not args.fewer_walls:
        raise CommandError(
            f"this machine cannot shut submissions in: {MISSING[kept]}. Grade on "
            "Linux as root or with user namespaces, or say --fewer-walls if you "
            "trust all of them"
        )
    room = grade_room(
        found, exercises, Limits(call=args.seconds), kept, cache_folder(), args.labs, _say
    )
    notes: list[str] = []
    try:
        out.mkdir(parents=True, exist_ok=True)
        if book is not None:
            try:
                notes = enter(room, book, args.column)
                book.write(out / export.name)
            except GradebookError as error:  # what was judged is kept all the same
                print(write_pages(room, out))
                raise CommandError(str(error)) from error
        page = write_pages(room, out, notes)
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}") from error
    look = sum(bool(learner.look) for learner in room.learners)
    count, names = len(room.learners), len(room.names)
    print(f"{count} submission{'s' * (count != 1)}, {names} exercise{'s' * (names != 1)}; {page}")
    if book is not None:
        entered = sum(each.entered.endswith(" entered") for each in room.learners)
        print(f"{out / export.name}: {entered} entered")
    for note in notes:
        _say(f"  {note}")
    if look:
        print(f"{look} at which a person should look")
    return 0


def _export(args: argparse.Namespace) -> int:
    from tools.notebooks.notebook import NotebookError
    from ..classroom.grade.nbgrader import export

    if args.submissions is not None:
        raise CommandError("--nbgrader grades nothing: leave the submissions' folder out")
    try:
        for path in export(args.nbgrader, args.labs):
            print(path)
    except NotebookError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{args.nbgrader} cannot be written: {error.strerror}") from error
    print(f"In {args.nbgrader}: nbgrader generate_assignment lab01")
    return 0


def _say(line: str) -> None:
    """Print a line, in which a name that was handed in may be anything."""
    from ..classroom.grade.archive import clean

    encoding = sys.stdout.encoding or "utf-8"
    print(clean(line).encode(encoding, "replace").decode(encoding), flush=True)


def _only_lab(found: list) -> int | None:
    labs = {lab for one in found for lab in one.notebooks}
    return labs.pop() if len(labs) == 1 else None
