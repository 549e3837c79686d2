"""The command line of the tools.

Exit codes: 0 done, 1 something was found wrong, 2 the request itself was wrong.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from convladder.bench import records as store
from convladder.bench.metadata import gpu_metadata
from convladder.cli.terminal import CommandError, must_be_writable
from convladder.journal.course_index import DEEPER

from .book.build import BookError, build
from .book.check import check as check_book
from .book.players import draw_frames
from .notebooks.execute import run
from .notebooks.frame import write_bars
from .notebooks.guide import write_guide
from .notebooks.labs import labs
from .notebooks.links import write_terms
from .notebooks.live import PATIENCE, as_record, gpu_notebooks, run_live
from .notebooks.notebook import NotebookError, find, read, write
from .notebooks.restore import restore
from .notebooks.rules import check
from .readme_ladder import draw
from .replays import add_posters, animate
from .results import write_results

ROOT = Path(__file__).resolve().parents[1]


def main(argv: list[str] | None = None) -> int:
    """Run one command. Returns its exit code."""
    args = _parser().parse_args(argv)
    try:
        return args.run(args)
    except NotebookError as error:
        print(error)
        return 1
    except CommandError as error:
        print(f"tools: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools", description=sys.modules["tools"].__doc__
    )
    parser.set_defaults(root=ROOT)
    commands = parser.add_subparsers(
        required=True, metavar="notebooks | book | results | ladder | animation"
    )
    _add_notebooks(commands.add_parser("notebooks", help="execute, generate and check notebooks"))
    _add_book(commands.add_parser("book", help="make a static site of the chapters and labs"))
    results = commands.add_parser("results", help="write a record's results into the README")
    results.add_argument("record", type=Path, help="a record of convolutions, as JSON")
    results.add_argument("--readme", type=Path, help="default: README.md of this checkout")
    results.set_defaults(run=_results)
    ladder = commands.add_parser("ladder", help="draw README's picture from the newest records")
    ladder.set_defaults(run=_ladder)
    animation = commands.add_parser("animation", help="draw README's replay from a chapter's")
    animation.set_defaults(run=_animation)
    return parser


def _add_notebooks(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(
        required=True,
        metavar="run | labs | restore | terms | bars | posters | guide | check | live",
    )

    def add(verb: str, work, text: str) -> argparse.ArgumentParser:
        found = verbs.add_parser(verb, help=text)
        found.set_defaults(run=work)
        return found

    for verb, work, text in (
        ("run", _run, "execute chapters and solutions, and save their outputs"),
        ("labs", _labs, "write and execute labs/ from solutions/"),
        ("restore", _restore, "undo the new outputs of cells whose code is as committed"),
        ("live", _live, "run the chapters and labs that use a GPU on this one; write a record"),
    ):
        add(verb, work, text).add_argument("number", nargs="*", help="such as 03; all if left out")
    live = verbs.choices["live"]
    live.add_argument("--jobs", type=int, default=1, metavar="N", help="notebooks at a time")
    live.add_argument("--json", type=Path, metavar="FILE", help="default: beside the records")
    add("terms", _terms, "write the glossary's definitions into all links to it")
    add("bars", _bars, "write the bars and times of all notebooks, and fold answers")
    add("posters", _posters, "give stored replays today's player, and new pictures of it")
    add("guide", _guide, "write the chapters' stored values into the answers of classroom/guide")
    add("check", _check, "say what is wrong in any notebook, without running it")


def _add_book(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--frames",
        nargs="*",
        metavar="NN",
        help="first draw the states of pictures with controls, of these chapters or of all: ten "
        "minutes on an idle machine, kept for the next time",
    )
    parser.add_argument(
        "--repository",
        default="",
        metavar="URL",
        help="https://github.com/OWNER/NAME, for buttons that open a notebook elsewhere",
    )
    parser.add_argument("--branch", default="main", help="of that repository (default: main)")
    parser.add_argument("--folder", type=Path, help="where the site is made (default: build/book)")
    parser.set_defaults(run=_book)


def _run(args: argparse.Namespace) -> int:
    paths = [
        path
        for number in args.number or [None]
        for folder in ("course", DEEPER, "solutions")
        for path in find(args.root, folder, number)
    ]
    if not paths:
        raise CommandError(f"course/ and solutions/ hold no notebook {' '.join(args.number)}")
    run(paths, print)
    return 0


def _labs(args: argparse.Namespace) -> int:
    for number in args.number or [None]:
        labs(args.root, number, print)
    return 0


def _restore(args: argparse.Namespace) -> int:
    for number in args.number or [None]:
        restore(args.root, number, print)
    return 0


def _terms(args: argparse.Namespace) -> int:
    write_terms(args.root, print)
    return 0


def _bars(args: argparse.Namespace) -> int:
    write_bars(args.root, print)
    return 0


def _posters(args: argparse.Namespace) -> int:
    for path in (path for folder in ("course", DEEPER) for path in find(args.root, folder)):
        nb = read(path)
        add_posters(nb)
        if write(nb, path):
            print(path.relative_to(args.root))
    return 0


def _animation(args: argparse.Namespace) -> int:
    path = animate(args.root)
    print(f"{path.relative_to(args.root)}: {path.stat().st_size / 1e3:.0f} KB")
    return 0


def _guide(args: argparse.Namespace) -> int:
    write_guide(args.root, print)
    return 0


def _check(args: argparse.Namespace) -> int:
    report = check(args.root)
    print(*report.findings, sep="\n", end="\n" if report.findings else "")
    print("\nCells whose output is not compared (tag nbval-ignore-output):")
    for name, count in report.ignored.items():
        print(f"  {count:3d}  {name}")
    print(f"\n{len(report.ignored)} notebooks, {len(report.findings)} findings")
    return 1 if report.findings else 0


def _live(args: argparse.Namespace) -> int:
    from convladder import cuda

    if not cuda.gpu():
        raise CommandError(
            "there is no NVIDIA GPU here that CuPy sees, and `live` runs notebooks on one; "
            "`make test` runs them without"
        )
    if args.jobs < 1:
        raise CommandError(f"--jobs {args.jobs}: run at least one notebook at a time")
    must_be_writable(args.json)
    runs = run_live(args.root, gpu_notebooks(args.root, args.number), args.jobs, print)
    record = as_record(runs, gpu_metadata(), args.jobs)
    path = args.json or store.place("live", record)
    store.write(record, path)
    for name, each in runs.items():
        for cell, text in each.wrong.items():
            print(f"\n{name}, cell {cell}:\n{text}")
    wrong, slow = (
        sum(len(getattr(each, kind)) for each in runs.values()) for kind in ("wrong", "slow")
    )
    print(
        f"\n{len(runs)} notebooks: {wrong} cells wrong, {slow} longer than {PATIENCE:.0f} s\n"
        f"Written to {path}"
    )
    return 1 if wrong else 0


def _book(args: argparse.Namespace) -> int:
    if args.repository and not re.fullmatch(r"https://[^/\s]+/[^/\s]+/[^/\s]+", args.repository):
        raise CommandError(
            f"--repository {args.repository} is not an address such as "
            "https://github.com/OWNER/NAME"
        )
    for number in args.frames or []:
        if not find(args.root, "course", number):
            raise CommandError(f"--frames {number}: course/ holds no such chapter")
    folder = (args.folder or args.root / "build" / "book").resolve()
    try:
        if args.frames is not None:
            for number in args.frames or [None]:
                draw_frames(args.root, folder / "frames", number, print)
        built = build(args.root, folder, args.repository, args.branch)
    except BookError as error:
        raise CommandError(error) from error
    findings = [*built.warnings, *check_book(args.root, built.index.parent)]
    print(*findings, sep="\n", end="\n" if findings else "")
    print(
        f"{built.index.as_uri()}\n"
        f"{built.pages} pages, {built.size / 1e6:.1f} MB without frames, made in "
        f"{built.seconds:.0f} s; {built.players} of {built.pictures} pictures with controls move"
        + ("" if built.players == built.pictures else " (--frames draws what the others show)")
        + (f"\n{len(findings)} findings" if findings else "")
    )
    return 1 if findings else 0


def _results(args: argparse.Namespace) -> int:
    try:
        record = json.loads(args.record.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{args.record} is not a readable record: {error}") from error
    for path in write_results(record, args.readme or args.root / "README.md"):
        print(f"{path}: written")
    return 0


def _ladder(args: argparse.Namespace) -> int:
    for path in draw(args.root / "course"):
        print(f"{path}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
