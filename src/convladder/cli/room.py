"""`convladder classroom warm` and `check`: a machine made ready for a room, and looked at."""

import argparse
from pathlib import Path

from .errors import CommandError


def add_to(actions: argparse._SubParsersAction) -> None:
    """Add `warm` and `check` to what `convladder classroom` can do."""
    _add_warm(actions)
    _add_load(actions)


def _add_warm(actions: argparse._SubParsersAction) -> None:
    parser = actions.add_parser(
        "warm", help="compile the course's kernels once, for all learners to load")
    parser.add_argument("folder", type=Path, metavar="FOLDER",
                        help="where they are kept: root's, and read by learners")
    parser.add_argument("--chapters", nargs="+", default=[], metavar="NN",
                        help="only theirs (default: all chapters that launch kernels)")
    parser.set_defaults(run=_warm)


def _warm(args: argparse.Namespace) -> int:
    from ..classroom.warm import WarmError, warm
    from .notebooks import course_root

    try:
        variable = warm(args.folder, course_root(), args.chapters,
                        lambda line: print(line, flush=True))
    except WarmError as error:
        raise CommandError(error) from error
    (name, value), = variable.items()
    print("Learners load them, and start no compiler, where their notebooks have "
          f"{name}={value} in the environment.")
    return 0


def _add_load(actions: argparse._SubParsersAction) -> None:
    parser = actions.add_parser(
        "load", help="play a lesson with many learners at a hub of its own, and measure it")
    parser.add_argument("--learners", type=int, default=30, metavar="N", help="(default: 30)")
    parser.add_argument("--chapters", nargs="+", default=["01", "06"], metavar="NN",
                        help="what each runs (default: 01 06)")
    parser.add_argument("--think", type=float, default=0.3, metavar="SECONDS",
                        help="between two cells, on average (default: 0.3)")
    parser.add_argument("--answers", type=int, default=100, metavar="N",
                        help="checks of each learner, at least (default: 100)")
    parser.add_argument("--quick", action="store_true", help="cut the notebooks' timings short")
    parser.add_argument("--together", action="store_true",
                        help="learners are one user, as they are without root")
    parser.add_argument("--port", type=int, default=8200, metavar="N",
                        help="and the three behind it (default: 8200)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write a record as JSON")
    parser.set_defaults(run=_load)


def _load(args: argparse.Namespace) -> int:
    from ..classroom.load import as_record, lines, missed, needs
    from .lab import editable_root

    if (checkout := editable_root()) is None:
        raise CommandError("a hub needs a checkout of the course: git clone it, and run this there")
    if package := needs():
        raise CommandError(f"{package} is not installed in this environment; make hub installs it")
    from ..authoring.notebook import NotebookError
    from ..classroom.load import Plan, rehearse
    from ..classroom.load.browser import LoadError
    from ..classroom.warm import WarmError
    from ..records.store import write

    plan = Plan(tuple(args.chapters), think=args.think, quick=args.quick, answers=args.answers)
    try:
        found = rehearse(args.learners, plan, checkout, args.port, args.together,
                         lambda line: print(line, flush=True))
    except (LoadError, WarmError, NotebookError) as error:
        raise CommandError(error) from error
    record = as_record(found)
    print("\n".join(lines(record)))
    if args.out:
        write(record, args.out)
    return 1 if missed(record) else 0
