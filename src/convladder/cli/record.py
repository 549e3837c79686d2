"""`convladder record`: measure something of this machine, and keep it for the course.

A flag names one of the benchmarks of `convladder.bench`; without one it is the convolutions of a
processor.
"""

import argparse
from pathlib import Path

from ..bench import records
from ..bench.benchmark import EVERY_LAYER, Options, benchmarks
from ..measure.hardware import held_back
from ..measure.quick import VARIABLE, quick
from .terminal import Bar, CommandError, must_be_writable

DEFAULT = "conv-cpu"


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `record`."""
    parser = commands.add_parser("record")
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="default: beside the package's other records, named after the machine",
    )
    parser.add_argument(
        "--shape",
        default=EVERY_LAYER,
        metavar="LAYER",
        help="of the convolutions, one layer only, as `ladder conv` takes it",
    )
    parser.add_argument(
        "--threads",
        type=int,
        action="append",
        default=[],
        metavar="N",
        help="repeat for several runs on the processor (default: 1, and all cores)",
    )
    for benchmark in benchmarks().values():
        parser.add_argument(
            f"--{benchmark.name}",
            dest="benchmark",
            action="store_const",
            const=benchmark,
            help=benchmark.help + (" (default)" if benchmark.name == DEFAULT else ""),
        )
    parser.set_defaults(run=_record, benchmark=benchmarks()[DEFAULT])


def _record(args: argparse.Namespace) -> int:
    benchmark = args.benchmark
    if quick():
        raise CommandError(
            f"{VARIABLE} is set, which cuts measurements short: a record needs them "
            "in full, so unset it"
        )
    if held := held_back():
        raise CommandError(
            f"{held} holds libraries back from this processor's own kernels, so that no ratio to "
            "them would be true: unset it first"
        )
    must_be_writable(args.file)
    try:
        with Bar() as bar:
            record = benchmark.measure(Options(tuple(args.threads), args.shape, bar.step))
    except (ValueError, RuntimeError, ImportError) as error:
        raise CommandError(f"--{benchmark.name}: {error}") from error
    print(*benchmark.lines(record), sep="\n")
    path = args.file or records.place(benchmark.name, record)
    records.write(record, path)
    print(f"\nWritten to {path}")
    return 0
