"""`convladder notebooks run | labs | check`: for authors of chapters and labs."""

import argparse
from pathlib import Path

from .errors import CommandError


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `notebooks` and its three verbs."""
    parser = commands.add_parser("notebooks", help="execute, generate and check the notebooks")
    verbs = parser.add_subparsers(required=True, metavar="run | labs | check")
    verb = verbs.add_parser("run", help="execute chapters and solutions, and save their outputs")
    verb.add_argument("number", nargs="*", help="chapter number, such as 03; all if left out")
    verb.set_defaults(run=_run)
    verb = verbs.add_parser("labs", help="write and execute labs/ from solutions/")
    verb.add_argument("number", nargs="*", help="lab number, such as 03; all if left out")
    verb.set_defaults(run=_labs)
    verb = verbs.add_parser("check", help="say what is wrong in any notebook, without running it")
    verb.set_defaults(run=_check)


def course_root() -> Path:
    """Return the folder that holds course/. Raises CommandError where there is none."""
    from ..authoring import NotebookError
    from ..authoring import course_root as root

    try:
        return root()
    except NotebookError as error:
        raise CommandError(error) from error


def _run(args: argparse.Namespace) -> int:
    from ..authoring import find, run

    root = course_root()
    paths = [path for number in args.number or [None] for folder in ("course", "solutions")
             for path in find(root, folder, number)]
    if not paths:
        raise CommandError(f"course/ and solutions/ hold no notebook {' '.join(args.number)}")
    return _told(lambda: run(paths, print))


def _labs(args: argparse.Namespace) -> int:
    from ..authoring import labs

    root = course_root()
    return _told(lambda: [labs(root, number, print) for number in args.number or [None]])


def _check(args: argparse.Namespace) -> int:
    from ..authoring import check

    report = check(course_root())
    for finding in report.findings:
        print(finding)
    print("\nCells whose output is not compared (tag nbval-ignore-output):")
    for name, count in report.ignored.items():
        print(f"  {count:3d}  {name}")
    print(f"\n{len(report.ignored)} notebooks, {len(report.findings)} findings")
    return 1 if report.findings else 0


def _told(work) -> int:
    """Do the work; a notebook that fails is a finding, told in words."""
    from ..authoring import NotebookError

    try:
        work()
    except NotebookError as error:
        print(error)
        return 1
    return 0
