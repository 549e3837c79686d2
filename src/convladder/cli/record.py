"""`convladder record`: measure this machine beside the libraries, and keep it for the course.

With `--counts`, what a GPU's own tools count instead; with `--launches`, what a launch costs; with
`--steps`, how long each step of chapter 07 takes; with `--scale`, what several workers gain.
"""

import argparse
import json
from pathlib import Path

from . import contests, gpu
from .errors import CommandError

BEGIN = "<!-- cpu table, written by `convladder record --readme` -->"
END = "<!-- cpu table ends -->"


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
                        help="also write the table between this file's two markers")
    parser.add_argument("--counts", action="store_true", help="instead: what Nsight Compute counts "
                        "of every access pattern and what compute-sanitizer finds, on this GPU")
    parser.add_argument("--launches", action="store_true", help="instead: what a launch costs on "
                        "this GPU, and how long chapter 06's kernels take")
    parser.add_argument("--steps", action="store_true", help="instead: the limits of this GPU, the "
                        "ladder of chapters 06 and 07 and every step of chapter 07, timed")
    parser.add_argument("--scale", action="store_true", help="instead: inference cut over this "
                        "machine's GPUs if it has two or more, else over a worker for each core; "
                        "predicted, then measured")
    parser.set_defaults(run=_record)


def _record(args: argparse.Namespace) -> int:
    from ..measure import available_cores, contests_as_dict, roofline
    from ..measure.record import RECORDS, file_name
    from ..registry import get_method

    if args.file is not None and not args.file.resolve().parent.is_dir():
        raise CommandError(f"{args.file}: there is no folder {args.file.parent} to write to; "
                           "make it")
    if args.counts:
        return _counts(args.file)
    if args.launches:
        return _launches(args.file)
    if args.steps:
        return _steps(args.file)
    if args.scale:
        return _scale(args.file)
    if args.device == "gpu":
        return gpu.record(args)
    if args.readme is not None:
        _split(args.readme)  # before minutes of measuring, not after
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
    path = args.file or RECORDS / file_name(record)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n")
    print(markdown(record))
    print(f"\nWritten to {path}")
    if absent := contests.without():
        print(absent)
    if args.readme is not None:
        before, after = _split(args.readme)
        args.readme.write_text(f"{before}{BEGIN}\n{markdown(record)}\n{END}{after}")
    return 0


def _counts(file: Path | None) -> int:
    from ..counts import record as counts

    if reason := counts.missing():
        raise CommandError(f"--counts: {reason}")
    try:
        record = counts.measured()
    except RuntimeError as error:
        raise CommandError(error) from error
    path = file or counts.RECORD
    path.write_text(json.dumps(record, indent=1) + "\n")
    caught = sum(bool(verdict["errors"]) for verdict in record["broken"].values())
    print(f"{record['device']['name']}: {len(record['cases'])} launches counted; "
          f"compute-sanitizer finds {caught} of {len(record['broken'])} faults")
    print(f"Written to {path}")
    return 0


def _launches(file: Path | None) -> int:
    from .. import cuda
    from ..gpu.first_kernels import seed_kernels
    from ..measure.gpu.launches import RECORDS, launch_costs
    from ..measure.gpu.record import file_name

    if not cuda.gpu():
        raise CommandError("--launches: there is no GPU here that CuPy sees, and launches are to be "
                           "timed on one")
    try:
        record = launch_costs(seed_kernels())
    except ValueError as error:
        raise CommandError(f"--launches: {error}") from error
    path = file or RECORDS / file_name(record)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n")
    print(f"{record['card']['gpu']}: an empty launch returns after "
          f"{1e6 * record['empty']['returns'][1]:.2f} µs")
    print(f"Written to {path}")
    return 0


def _steps(file: Path | None) -> int:
    from .. import cuda
    from ..gpu import steps
    from ..measure.gpu.record import file_name

    if not cuda.gpu():
        raise CommandError("--steps: there is no NVIDIA GPU that CuPy sees, and only one has times "
                           "to record")
    try:
        record = steps.measured()
    except RuntimeError as error:
        raise CommandError(error) from error
    path = file or steps.RECORDS / file_name(record)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n")
    peak = record["limits"]["flops_per_s"]
    print(f"{record['card']['gpu']}: {peak / 1e12:.1f} TFLOP/s, "
          f"{record['limits']['bytes_per_s'] / 1e12:.2f} TB/s; {record['layer']}")
    for name, result in record["ladder"].items():
        rate = record["flops"] / result["seconds"]
        print(f"{name:<20}{result['seconds'] * 1e3:>8.3f} ms{rate / peak:>8.1%} of the peak")
    print(f"Written to {path}")
    return 0


def _scale(file: Path | None) -> int:
    from statistics import median

    from .. import cuda
    from ..measure.gpu.record import file_name as gpu_file_name
    from ..measure.record import file_name
    from ..scale import record as cluster
    from ..scale.gpus import record as gpus

    kind = gpus if cuda.gpu() else cluster
    try:
        found = kind.measured(progress=lambda what: print(what, flush=True))
    except (RuntimeError, ImportError) as error:
        raise CommandError(f"--scale: {error}") from error
    name = gpu_file_name(found) if kind is gpus else file_name(found)
    path = file or cluster.RECORDS / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n")
    for label, workers, predicted, seconds, gain in kind.rows(found):
        print(f"{label:<36}{workers:>3}{1e3 * predicted:>12.3f} ms predicted"
              f"{1e3 * median(seconds):>12.3f} ms{gain:>8.2f} times as fast as one alone")
    print(f"Written to {path}")
    return 0


def markdown(record: dict) -> str:
    """A record as a table for README.md: a run a table, its summary, the machine and the day."""
    from ..measure.record import contests_of

    parts = []
    for run in contests_of(record):
        rows, columns = contests.cells(run, contests.SUBJECT)
        lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *rows]
        threads = next(iter(run.values())).threads
        parts += [f"**{threads} thread{'' if threads == 1 else 's'}**", "",
                  *(f"| {' | '.join(line)} |" for line in lines), "",
                  *(f"- {line}" for line in contests.summary(run, contests.SUBJECT)), ""]
    card, versions = record["machine"], record["versions"]
    software = [f"Python {card['python']}", f"NumPy {card['numpy']} ({card['blas']})",
                f"Numba {card['numba']}",
                *(f"{name} {number}" for name, number in versions.items() if number)]
    parts.append(f"*{card['cpu']}, {card['isa']}, {card['cores']} cores, {record['date']}; "
                 f"{', '.join(software)}. Batch 1, float32; medians of paired rounds.*")
    return "\n".join(parts)


def _split(readme: Path) -> tuple[str, str]:
    """The text before and behind the table."""
    text = readme.read_text() if readme.is_file() else ""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise CommandError(f"{readme} has no place for the table; write these two lines there: "
                           f"{BEGIN} and {END}")
    return before, after
