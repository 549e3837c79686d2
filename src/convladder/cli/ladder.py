"""`convladder ladder conv`: every method on one layer, judged, weighed and timed."""

import argparse
import json
import sys
from pathlib import Path

from .errors import CommandError


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `ladder conv`."""
    parser = commands.add_parser("ladder", help="measure every method on one layer")
    ladders = parser.add_subparsers(required=True, metavar="conv")
    conv = ladders.add_parser("conv", help="the convolution methods")
    conv.add_argument("--shape", default="seed", metavar="LAYER",
                      help="cv1 to cv12, seed, or as 224x224x3,7x7x64,s1,p1 (default: seed)")
    conv.add_argument("--methods", metavar="A,B", help="only these, in this order")
    conv.add_argument("--threads", type=int, metavar="N", help="default: all cores")
    conv.add_argument("--json", type=Path, metavar="FILE", help="also write a record: "
                      "machine, date, versions, results")
    conv.add_argument("--plot", type=Path, metavar="FILE", help="also draw it, as a PNG")
    conv.set_defaults(run=_conv)


def _conv(args: argparse.Namespace) -> int:
    from .. import ConvProblem, Ladder
    from ..measure import climb, machine, results_as_dict, roofline

    names = args.methods and [name.strip() for name in args.methods.split(",") if name.strip()]
    if names == []:
        raise CommandError(f"--methods {args.methods!r} names no method; leave it out for all")
    for path in (args.json, args.plot):
        if path is not None and not path.resolve().parent.is_dir():
            raise CommandError(f"{path}: there is no folder {path.parent} to write to; make it")
    try:
        ladder = Ladder(ConvProblem.parse(args.shape), names)
        roof = roofline(args.threads)
    except ValueError as error:  # about --shape, --methods or --threads, and says so
        raise CommandError(error) from error
    if not ladder.rungs:
        raise CommandError("no method takes this layer: " + _reasons(ladder))
    _must_fit(ladder)
    results = climb(ladder, threads=args.threads, progress=_progress)
    _progress(None)
    print(f"{ladder.problem}: {ladder.problem.macs:,} multiply-accumulates in float32")
    print(f"{machine().cpu}, {roof}\n")
    print(_table(results))
    if ladder.skipped:
        print("\nSkipped: " + _reasons(ladder))
    if args.json:
        args.json.write_text(json.dumps(results_as_dict(results), indent=1) + "\n")
    if args.plot:
        from ..teach.plots.ladder import ladder_picture

        ladder_picture(results).save(args.plot)
    return 0


def _must_fit(ladder) -> None:
    """Raise CommandError for a layer beyond this machine's memory, before the system kills us."""
    from ..measure import machine

    problem, memory = ladder.problem, machine().memory
    # The oracle and its error bound are float64: four times the arrays, beside the arrays.
    needed = 5 * problem.compulsory_bytes() + max(
        method.workspace_bytes(problem) for method in ladder.rungs)
    if memory is not None and needed > memory:
        raise CommandError(f"{problem} needs about {needed / 2**30:,.0f} GiB of memory and this "
                           f"machine has {memory / 2**30:.0f} GiB; choose a smaller layer")


def _table(results) -> object:
    from ..teach.quantities import seconds_text, workspace_text
    from ..teach.table import table

    rows = [
        (result.name, seconds_text(result.timing.median),
         f"{seconds_text(result.timing.low)} to {seconds_text(result.timing.high)}",
         f"{result.flops_per_s / 1e9:,.2f}", f"{result.share:.1%}",
         workspace_text(result.workspace), f"{result.error:.0e}")
        for result in results
    ]
    return table(rows, ["method", "time", "quartiles", "GFLOP/s", "of the limit", "workspace",
                        "relative error"])


def _reasons(ladder) -> str:
    return "; ".join(f"{name} ({reason})" for name, reason in ladder.skipped.items())


def _progress(name: str | None) -> None:
    """Show on a terminal which method is at work; None clears the line."""
    if sys.stderr.isatty():
        print(f"\r\033[K{name + ' ...' if name else ''}", end="", file=sys.stderr, flush=True)
