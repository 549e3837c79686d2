"""`convladder record`: measure something of this machine, and keep it for the course.

What there is to measure are the benchmarks of `convladder.bench`: a flag for each but the first,
the microkernel beside the libraries. All are served alike.
"""

import argparse
import inspect
from pathlib import Path
from types import ModuleType

from ..bench import benchmarks, conv
from .terminal import Bar, CommandError, must_be_writable


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `record`."""
    parser = commands.add_parser(
        "record",
        help="measure the microkernel beside the libraries on "
        "every layer, and write the record that notebooks draw",
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="default: beside the package's other records, named after the machine",
    )
    parser.add_argument(
        "--shape",
        default=conv.EVERY_LAYER,
        metavar="LAYER",
        help="one layer only, as `ladder conv` takes it",
    )
    parser.add_argument(
        "--device",
        choices=("cpu", "gpu"),
        default="cpu",
        help="with gpu: all methods of the GPU beside cuDNN, batch 1 and 32",
    )
    parser.add_argument(
        "--threads",
        type=int,
        action="append",
        default=[],
        metavar="N",
        help="repeat for several runs (default: 1, and all cores)",
    )
    parser.set_defaults(run=_record, benchmark=conv)
    for name, benchmark in benchmarks().items():
        if benchmark is not conv:
            parser.add_argument(
                f"--{name}",
                dest="benchmark",
                action="store_const",
                const=benchmark,
                help=f"instead: {benchmark.HELP}",
            )


def _record(args: argparse.Namespace) -> int:
    from ..bench import records as store
    from ..measure.quick import VARIABLE, quick

    if quick():
        raise CommandError(
            f"{VARIABLE} is set, which cuts measurements short: a record needs them "
            "in full, so unset it"
        )
    benchmark = args.benchmark
    must_be_writable(args.file)
    record = _measured(benchmark, args)
    print(*benchmark.lines(record), sep="\n")
    kind = benchmark.folder(record) if hasattr(benchmark, "folder") else benchmark.NAME
    path = args.file or store.place(kind, record)
    store.write(record, path)
    print(f"\nWritten to {path}")
    return 0


def _measured(benchmark: ModuleType, args: argparse.Namespace) -> dict:
    """The record. Raises CommandError for a bad request, or where it cannot be made here."""
    with Bar() as bar:
        given = {
            "device": args.device,
            "threads": args.threads,
            "shape": args.shape,
            "progress": bar.step,
        }
        takes = inspect.signature(benchmark.measure).parameters
        try:
            return benchmark.measure(
                **{name: value for name, value in given.items() if name in takes}
            )
        except (ValueError, RuntimeError, ImportError) as error:
            flag = "" if benchmark is conv else f"--{benchmark.NAME}: "
            raise CommandError(f"{flag}{error}") from error
