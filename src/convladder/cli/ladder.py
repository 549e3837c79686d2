"""`convladder ladder conv`: methods on one layer or all, judged, weighed and timed.

The other ladder, `lenet`, has a file of its own.
"""

import argparse
import json
from pathlib import Path

from . import contests, gpu, lenet
from .errors import CommandError
from .progress import Bar


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `ladder conv`."""
    parser = commands.add_parser("ladder", help="measure every method on one layer, or on a "
                                 "whole network")
    ladders = parser.add_subparsers(required=True, metavar="conv|lenet")
    conv = ladders.add_parser("conv", help="the convolution methods")
    conv.add_argument("--shape", default="report", metavar="LAYER",
                      help="cv1 to cv12, report, or as 224x224x3,7x7x64,s1,p1 (default: report); "
                      f"{contests.EVERY_LAYER}: cv1 to cv12 and report, one after the other")
    conv.add_argument("--methods", metavar="A,B", help="only these, in this order")
    conv.add_argument("--peers", action="store_true", help="beside PyTorch and ONNX Runtime, in "
                      f"paired rounds (unless --methods says more, {contests.SUBJECT} and im2col)")
    conv.add_argument("--device", choices=("cpu", "gpu"), default="cpu",
                      help="whose methods (default: cpu); with gpu, the peer is cuDNN")
    conv.add_argument("--threads", type=int, metavar="N", help="default: all cores")
    conv.add_argument("--json", type=Path, metavar="FILE", help="also write a record: "
                      "machine, date, versions, results")
    conv.add_argument("--plot", type=Path, metavar="FILE", help="also draw it, as a PNG")
    conv.set_defaults(run=_conv)
    lenet.add_to(ladders)


def _conv(args: argparse.Namespace) -> int:
    from ..measure import roofline
    from ..registry import get_method

    names = args.methods and [name.strip() for name in args.methods.split(",") if name.strip()]
    if names == []:
        raise CommandError(f"--methods {args.methods!r} names no method; leave it out for all")
    for path in (args.json, args.plot):
        if path is not None and not path.resolve().parent.is_dir():
            raise CommandError(f"{path}: there is no folder {path.parent} to write to; make it")
    if args.device == "gpu":
        return gpu.ladder(args, names)
    many = args.peers or args.shape == contests.EVERY_LAYER
    try:
        problems = contests.layers(args.shape)
        methods = names and [get_method(name) for name in names]
        roof = roofline(args.threads)
    except ValueError as error:  # about --shape, --methods or --threads, and says so
        raise CommandError(error) from error
    if elsewhere := [method.name for method in methods or [] if method.device != "cpu"]:
        raise CommandError(f"{', '.join(elsewhere)}: not on the processor, whose methods this "
                           "measures; leave out what is not")
    if many:
        default = [get_method(contests.SUBJECT), get_method("im2col")]
        return _contests(args, problems, methods or default, roof)
    return _climb(args, *problems.values(), names, roof)


def _climb(args: argparse.Namespace, problem, names: list[str] | None, roof) -> int:
    from .. import Ladder
    from ..bench.ladder import climb, results_as_dict
    from ..measure import machine

    ladder = Ladder(problem, names)
    if not ladder.rungs:
        raise CommandError("no method takes this layer: " + _reasons(ladder))
    _must_fit(problem, ladder.rungs)
    bar = Bar(len(ladder.rungs))
    results = climb(ladder, threads=args.threads, progress=bar.step)
    bar.close()
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


def _contests(args: argparse.Namespace, problems: dict, methods: list, roof) -> int:
    from ..bench.compare import contests_as_dict
    from ..measure import machine
    from ..teach.display.table import table

    if args.plot:
        raise CommandError("--plot draws the ladder of one layer; leave out --peers and "
                           f"--shape {contests.EVERY_LAYER}, or write --json")
    for problem in problems.values():
        _must_fit(problem, methods)
    results = contests.run(problems, methods, args.threads, args.peers)
    print(f"{machine().cpu}, {roof}\n")
    print(table(*contests.cells(results, methods[0].name)))
    print("", *contests.summary(results, methods[0].name), sep="\n")
    if args.peers and (absent := contests.without()):
        print(absent)
    if args.json:
        args.json.write_text(json.dumps(contests_as_dict([results]), indent=1) + "\n")
    return 0


def _must_fit(problem, methods) -> None:
    """Raise CommandError for a layer beyond this machine's memory, before the system kills us."""
    from ..measure import machine

    memory = machine().memory
    # The oracle and its error bound are float64: four times the arrays, beside the arrays.
    needed = 5 * problem.compulsory_bytes() + max(
        method.workspace_bytes(problem) for method in methods)
    if memory is not None and needed > memory:
        raise CommandError(f"{problem} needs about {needed / 2**30:,.0f} GiB of memory and this "
                           f"machine has {memory / 2**30:.0f} GiB; choose a smaller layer")


def _table(results) -> object:
    from ..measure.memory import workspace_text
    from ..teach.display.table import table
    from ..text import seconds_text

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

