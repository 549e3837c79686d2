"""`convladder record --compile`: chapter 12's networks, compiled, beside the libraries."""

import argparse
from pathlib import Path

from .errors import CommandError
from .progress import Bar

STEPS = 40  # of the bar: some eight contestants for each of five cases


def record(args: argparse.Namespace) -> tuple[dict, Path, list[str]]:
    """The record, as a `Recording` takes it, on the `--device`. Raises CommandError."""
    if args.readme or len(args.threads) > 1:
        raise CommandError("--compile writes no table to a README, and takes --threads once")
    return _on_gpu(args) if args.device == "gpu" else _on_cpu(args)


def _on_cpu(args: argparse.Namespace) -> tuple[dict, Path, list[str]]:
    from ..bench.compiled import RECORDS, contests_of, measured
    from ..records.store import file_name

    bar = Bar(STEPS)
    try:
        found = measured(args.threads[0] if args.threads else None, bar.step)
    except ValueError as error:  # about --threads, and says so
        raise CommandError(error) from error
    finally:
        bar.close()
    lines = []
    for each in contests_of(found):
        lines += ["", f"{each.label}, {each.batch} at a time", str(each.comparison)]
        lines += [f"{name} did not run: {why}" for name, why in each.absent.items()]
    return found, RECORDS / file_name(found), lines


def _on_gpu(args: argparse.Namespace) -> tuple[dict, Path, list[str]]:
    from .. import cuda
    from ..bench.compiled_gpu import RECORDS, measured
    from ..bench.conv_gpu import file_name

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
    lines = []
    for network, result in found["networks"].items():
        lines += ["", f"{network}, {result['images']:,} images"]
        for stage, seconds in result["seconds"].items():
            kernels = result["kernels"][stage]
            lines.append(f"{stage:<20}{kernels:>4} kernels{1e3 * seconds:>9.3f} ms")
        for name, of in result["torch"].items():
            lines.append(f"torch, {name:<13}{1e3 * of['seconds']:>20.3f} ms, "
                         f"{of['apart']:.1e} apart")
    return found, RECORDS / file_name(found), lines
