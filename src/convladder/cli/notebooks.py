"""`convladder notebooks run | labs | terms | bars | check | live`: for authors."""

import argparse
from pathlib import Path

from .errors import CommandError, must_be_writable


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `notebooks` and its verbs."""
    parser = commands.add_parser("notebooks", help="execute, generate and check the notebooks")
    verbs = parser.add_subparsers(required=True, metavar="run | labs | terms | bars | check | live")
    verb = verbs.add_parser("run", help="execute chapters and solutions, and save their outputs")
    verb.add_argument("number", nargs="*", help="chapter number, such as 03; all if left out")
    verb.set_defaults(run=_run)
    verb = verbs.add_parser("labs", help="write and execute labs/ from solutions/")
    verb.add_argument("number", nargs="*", help="lab number, such as 03; all if left out")
    verb.set_defaults(run=_labs)
    verb = verbs.add_parser("terms", help="write the glossary's definitions into all links to it")
    verb.set_defaults(run=_terms)
    verb = verbs.add_parser(
        "bars",
        help="write the bars at top and foot of all notebooks and the "
        "times in their boxes, and fold what answers a prediction",
    )
    verb.set_defaults(run=_bars)
    verb = verbs.add_parser("check", help="say what is wrong in any notebook, without running it")
    verb.set_defaults(run=_check)
    verb = verbs.add_parser(
        "live",
        help="run the chapters and labs that use a GPU on this one, "
        "compare their outputs, time their cells, and write a record",
    )
    verb.add_argument("number", nargs="*", help="chapter number, such as 11; all if left out")
    verb.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="notebooks at a time (default: 1, so that none disturbs another)",
    )
    verb.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="default: beside the package's other records, named after the GPU",
    )
    verb.set_defaults(run=_live)


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
    paths = [
        path
        for number in args.number or [None]
        for folder in ("course", "solutions")
        for path in find(root, folder, number)
    ]
    if not paths:
        raise CommandError(f"course/ and solutions/ hold no notebook {' '.join(args.number)}")
    return _status_of(lambda: run(paths, print))


def _labs(args: argparse.Namespace) -> int:
    from ..authoring import labs

    root = course_root()
    return _status_of(lambda: [labs(root, number, print) for number in args.number or [None]])


def _terms(args: argparse.Namespace) -> int:
    from ..authoring import write_terms

    return _status_of(lambda: write_terms(course_root(), print))


def _bars(args: argparse.Namespace) -> int:
    from ..authoring import write_bars

    return _status_of(lambda: write_bars(course_root(), print))


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


def _live(args: argparse.Namespace) -> int:
    from .. import cuda
    from ..authoring import NotebookError
    from ..authoring.live import PATIENCE, as_record, gpu_notebooks, run_live
    from ..bench.stamp import gpu_stamp
    from ..records import store

    if not cuda.gpu():
        raise CommandError(
            "there is no NVIDIA GPU here that CuPy sees, and `live` runs notebooks "
            "on one; `make test` runs them without"
        )
    if args.jobs < 1:
        raise CommandError(f"--jobs {args.jobs}: run at least one notebook at a time")
    must_be_writable(args.json)
    try:
        root = course_root()
        runs = run_live(root, gpu_notebooks(root, args.number), args.jobs, print)
    except NotebookError as error:
        raise CommandError(error) from error
    record = as_record(runs, gpu_stamp(), args.jobs)
    path = args.json or store.place("live", record)
    store.write(record, path)
    for name, run in runs.items():
        for cell, text in run.wrong.items():
            print(f"\n{name}, cell {cell}:\n{text}")
    wrong, slow = (
        sum(len(getattr(run, kind)) for run in runs.values()) for kind in ("wrong", "slow")
    )
    print(
        f"\n{len(runs)} notebooks: {wrong} cells wrong, {slow} longer than {PATIENCE:.0f} s\n"
        f"Written to {path}"
    )
    return 1 if wrong else 0


def _status_of(work) -> int:
    """Do the work; a notebook that fails is a finding, told in words."""
    from ..authoring import NotebookError

    try:
        work()
    except NotebookError as error:
        print(error)
        return 1
    return 0
