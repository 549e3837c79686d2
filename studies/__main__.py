"""The command line of the studies: measure one, and write its record."""

import argparse
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from convladder.bench import records as store
from convladder.cli.terminal import Bar, CommandError, must_be_writable
from convladder.measure.quick import VARIABLE, quick

from . import STUDIES


def main(argv: list[str] | None = None) -> int:
    """Run one study. Returns 0, or 2 where this machine cannot make the record."""
    args = _parser().parse_args(argv)
    study = load(args.study)
    try:
        if quick():
            raise CommandError(f"{VARIABLE} shortens measurements; unset it to make a record")
        must_be_writable(args.file)
        with Bar() as bar:
            record = study.measure(progress=bar.step)
    except (CommandError, RuntimeError, ImportError, ValueError) as error:
        print(f"studies {args.study}: {error}", file=sys.stderr)
        return 2
    print(*study.lines(record), sep="\n")
    path = args.file or store.place(study.FOLDER, record)
    store.write(record, path)
    print(f"\nWritten to {path}")
    return 0


def load(name: str) -> ModuleType:
    """Return the module of a study."""
    return import_module(f"{__package__}.{STUDIES[name]}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m studies",
        description="Measure one study and write its record.",
        epilog="\n".join(f"{name:<14} {load(name).__doc__.splitlines()[0]}" for name in STUDIES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("study", choices=STUDIES, metavar="NAME", help="one of those below")
    parser.add_argument(
        "file", nargs="?", type=Path, help="default: beside the package's records of its kind"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
