"""`convladder record`: measure this machine beside the libraries, and keep it for the course.

Or, with a flag, one of the other records: they stand in recordings.py.
"""

import argparse
import json
from pathlib import Path

from . import contests, gpu, readme
from .errors import CommandError
from .recordings import RECORDINGS


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `record`."""
    parser = commands.add_parser("record", help="measure the microkernel beside the libraries on "
                                 "every layer, and write the record that notebooks draw")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE",
                        help="default: beside the package's other records, named after the machine")
    parser.add_argument("--shape", default=contests.EVERY_LAYER, metavar="LAYER",
                        help="one layer only, as `ladder conv` takes it")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu",
                        help="with gpu: all methods of the GPU beside cuDNN, batch 1 and 32")
    parser.add_argument("--threads", type=int, action="append", default=[], metavar="N",
                        help="repeat for several runs (default: 1, and all cores)")
    parser.add_argument("--readme", type=Path, metavar="README.md",
                        help="also write the results between this file's markers, and the tables "
                        "between those of docs/results.md beside it")
    parser.add_argument("--from", dest="made", type=Path, metavar="RECORD", help="with --readme: "
                        "measure nothing, write the table of a record that was made before")
    for recording in RECORDINGS:
        parser.add_argument(f"--{recording.flag}", dest="instead", action="store_const",
                            const=recording, help=f"instead: {recording.help}")
    parser.set_defaults(run=_record)


def _record(args: argparse.Namespace) -> int:
    from ..bench.compare import contests_as_dict
    from ..measure import available_cores, roofline
    from ..records.store import RECORDS, file_name
    from ..registry import get_method

    if args.file is not None and not args.file.resolve().parent.is_dir():
        raise CommandError(f"{args.file}: there is no folder {args.file.parent} to write to; "
                           "make it")
    if args.instead:
        record, path, lines = args.instead.take(args)
        print(*lines, sep="\n")
        _write(record, args.file or path)
        return 0
    if args.made is not None:
        return _made_before(args)
    if args.readme is not None:
        readme.places(args.readme, args.device)  # before minutes of measuring, not after
    if args.device == "gpu":
        return gpu.record(args)
    methods = [get_method(name) for name in (contests.SUBJECT, "im2col")]
    try:
        problems = contests.layers(args.shape)
        for threads in args.threads:
            roofline(threads)
    except ValueError as error:  # about --shape or --threads, and says so
        raise CommandError(error) from error
    numbers = dict.fromkeys(args.threads or [1, available_cores()])
    runs = [contests.run(problems, methods, threads, with_peers=True) for threads in numbers]
    record = contests_as_dict(runs)
    print(readme.cpu_table(record))
    _write(record, args.file or RECORDS / file_name(record))
    if absent := contests.without():
        print(absent)
    if args.readme is not None:
        readme.write(args.readme, "cpu", record)
    return 0


def _made_before(args: argparse.Namespace) -> int:
    if args.readme is None:
        raise CommandError("--from writes a record's table into a file; name it with --readme")
    key = "card" if args.device == "gpu" else "machine"
    try:
        record = json.loads(args.made.read_text())
    except (OSError, ValueError) as error:
        raise CommandError(f"{args.made} is no record that can be read: {error}") from error
    if not isinstance(record, dict) or not {key, "runs"} <= record.keys():
        raise CommandError(f"{args.made} is no record of --device {args.device}")
    readme.write(args.readme, args.device, record)
    return 0


def _write(record: dict, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n")
    print(f"\nWritten to {path}")
