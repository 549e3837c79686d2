"""`convladder record --compile`: chapter 12's networks, compiled, beside the libraries."""

import argparse
import json

from .errors import CommandError
from .progress import Bar

STEPS = 40  # of the bar: some eight contestants for each of five cases


def record(args: argparse.Namespace) -> int:
    """Measure, print and write. Raises CommandError."""
    if args.readme or len(args.threads) > 1:
        raise CommandError("--compile writes no table to a README, and takes --threads once")
    return _on_gpu(args) if args.device == "gpu" else _on_cpu(args)


def _on_cpu(args: argparse.Namespace) -> int:
    from ..compile.contest import RECORDS, contests_of, measured
    from ..measure.record import file_name

    bar = Bar(STEPS)
    try:
        found = measured(args.threads[0] if args.threads else None, bar.step)
    except ValueError as error:  # about --threads, and says so
        raise CommandError(error) from error
    finally:
        bar.close()
    for each in contests_of(found):
        print(f"\n{each.label}, {each.batch} at a time\n{each.comparison}")
        for name, why in each.absent.items():
            print(f"{name} did not run: {why}")
    return _write(found, args.file or RECORDS / file_name(found))


def _on_gpu(args: argparse.Namespace) -> int:
    from .. import cuda
    from ..compile.gpu_times import RECORDS, measured
    from ..measure.gpu.record import file_name

    if args.threads:
        raise CommandError("--threads is of the processor; leave it out with --device gpu")
    if not cuda.gpu():
        raise CommandError("--compile --device gpu: there is no GPU here that CuPy sees, and only "
                           "one has times to record")
    bar = Bar(STEPS)
    try:
        found = measured(bar.step)
    except RuntimeError as error:
        raise CommandError(error) from error
    finally:
        bar.close()
    for network, result in found["networks"].items():
        print(f"\n{network}, {result['images']:,} images")
        for stage, seconds in result["seconds"].items():
            print(f"{stage:<20}{result['kernels'][stage]:>4} kernels{1e3 * seconds:>9.3f} ms")
        for name, of in result["torch"].items():
            print(f"torch, {name:<13}{1e3 * of['seconds']:>20.3f} ms, {of['apart']:.1e} apart")
    return _write(found, args.file or RECORDS / file_name(found))


def _write(found: dict, path) -> int:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n")
    print(f"\nWritten to {path}")
    return 0
