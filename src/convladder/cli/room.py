"""`convladder classroom warm` and `check`: a machine made ready for a room, and looked at."""

import argparse
import json
import signal
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

from ..classroom.settings import Place, Settings
from .errors import CommandError


def add_to(actions: argparse._SubParsersAction) -> None:
    """Add `warm` and `check` to what `convladder classroom` can do."""
    _add_warm(actions)
    _add_check(actions)
    _add_load(actions)


def _add_warm(actions: argparse._SubParsersAction) -> None:
    parser = actions.add_parser(
        "warm", help="compile the course's kernels once, for all learners to load"
    )
    parser.add_argument(
        "folder",
        type=Path,
        metavar="FOLDER",
        help="where they are kept: root's, and read by learners",
    )
    parser.add_argument(
        "--chapters",
        nargs="+",
        default=[],
        metavar="NN",
        help="only theirs (default: all chapters that launch kernels)",
    )
    parser.set_defaults(run=_warm)


def _warm(args: argparse.Namespace) -> int:
    from ..classroom.warm import WarmError, warm
    from ..journal import course_root

    try:
        variable = warm(
            args.folder, course_root(), args.chapters, lambda line: print(line, flush=True)
        )
    except WarmError as error:
        raise CommandError(error) from error
    ((name, value),) = variable.items()
    print(
        "Learners load them, and start no compiler, where their notebooks have "
        f"{name}={value} in the environment."
    )
    return 0


def _add_check(actions: argparse._SubParsersAction) -> None:
    parser = actions.add_parser(
        "check", help="say what this machine lacks for a room, and how many learners it takes"
    )
    parser.add_argument("--learners", type=int, default=30, metavar="N", help="(default: 30)")
    parser.add_argument(
        "--host",
        default=Settings.host,
        metavar="ADDRESS",
        help=f"where the hub is to listen (default: {Settings.host})",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=Settings.port,
        metavar="N",
        help=f"and the three behind it (default: {Settings.port})",
    )
    parser.add_argument("--cert", metavar="FILE", help="its TLS certificate, in PEM")
    parser.add_argument("--key", metavar="FILE", help="the certificate's key")
    parser.add_argument("--without-tls", action="store_true", help="something else encrypts")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="where the hub keeps its data (default: classroom/hub)",
    )
    parser.add_argument("--json", action="store_true", help="the same for programs")
    parser.set_defaults(run=_check)


def _check(args: argparse.Namespace) -> int:
    from ..classroom.check import capacity, examine
    from .lab import editable_root

    if args.learners < 1:
        raise CommandError(f"--learners {args.learners} is no class; name 1 or more")
    if find_spec("psutil") is None:
        raise CommandError(
            "what a room needs is not installed in this environment; make hub installs it"
        )
    here = Place((args.data or (editable_root() or Path.cwd()) / "classroom" / "hub").resolve())
    settings = Settings(
        host=args.host, port=args.port, cert=args.cert, key=args.key, without_tls=args.without_tls
    )
    findings = list(examine(args.learners, settings, here))
    least = capacity(findings)
    if args.json:
        print(
            json.dumps(
                {"takes": least.takes, "findings": [asdict(each) for each in findings]}, indent=1
            )
        )
    else:
        for each in findings:
            mark = "ok" if each.ok else "MISSING" if each.needed else "absent"
            print(
                f"{mark:<8} {each.what}: {each.found}"
                + (f"; {each.remedy}" if each.remedy and not each.ok else "")
                + "."
            )
        print(
            f"\nThis machine takes {least.takes} learners; its {least.what} would be the first "
            "to be too small."
        )
    return 1 if any(each.needed and not each.ok for each in findings) else 0


def _add_load(actions: argparse._SubParsersAction) -> None:
    parser = actions.add_parser(
        "load", help="play a lesson with many learners at a hub of its own, and measure it"
    )
    parser.add_argument("--learners", type=int, default=30, metavar="N", help="(default: 30)")
    parser.add_argument(
        "--chapters",
        nargs="+",
        default=["01", "06"],
        metavar="NN",
        help="what each runs (default: 01 06)",
    )
    parser.add_argument(
        "--think",
        type=float,
        default=0.3,
        metavar="SECONDS",
        help="between two cells, on average (default: 0.3)",
    )
    parser.add_argument(
        "--answers",
        type=int,
        default=100,
        metavar="N",
        help="checks of each learner, at least (default: 100)",
    )
    parser.add_argument(
        "--full",
        action="store_true",
        help="let notebooks measure in full, a tenth of which is usual here",
    )
    parser.add_argument(
        "--together", action="store_true", help="learners are one user, as they are without root"
    )
    parser.add_argument(
        "--port",
        type=int,
        default=8200,
        metavar="N",
        help="and the three behind it (default: 8200)",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="keep what was measured, for `convladder classroom check`",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write it there too, as JSON")
    parser.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="keep there what the hub and the learners' servers said",
    )
    parser.set_defaults(run=_load)


def _load(args: argparse.Namespace) -> int:
    from ..classroom.load import as_record, lines, missed, needs
    from .lab import editable_root

    if (checkout := editable_root()) is None:
        raise CommandError("a hub needs a checkout of the course: git clone it, and run this there")
    if package := needs():
        raise CommandError(f"{package} is not installed in this environment; make hub installs it")
    from tools.notebooks.notebook import NotebookError
    from ..classroom.load import Plan, rehearse
    from ..classroom.load.browser import LoadError
    from ..classroom.warm import WarmError
    from ..classroom.check import KIND
    from ..records.store import place, write

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends it, nothing is left
    plan = Plan(tuple(args.chapters), think=args.think, quick=not args.full, answers=args.answers)
    try:
        found = rehearse(
            args.learners,
            plan,
            checkout,
            args.port,
            args.together,
            lambda line: print(line, flush=True),
            args.log,
        )
    except (LoadError, WarmError, NotebookError) as error:
        raise CommandError(error) from error
    record = as_record(found)
    print("\n".join(lines(record)))
    for path in [args.out] * (args.out is not None) + [place(KIND, record)] * args.record:
        write(record, path)
        print(f"record      {path}")
    return 1 if missed(record) else 0
