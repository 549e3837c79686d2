"""`convladder ladder conv`: methods on one layer or all, judged, weighed and timed.

The other ladder, `lenet`, has a file of its own.
"""

import argparse
from functools import partial
from pathlib import Path

from ..bench import conv as bench
from ..bench.conv_tables import SUBJECT, cpu_cells, cpu_means, gpu_cells
from ..bench.records import write
from ..bench.result import over_layers
from . import lenet
from .terminal import Bar, CommandError, must_be_writable


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `ladder conv`."""
    parser = commands.add_parser(
        "ladder", help="measure every method on one layer, or on a whole network"
    )
    ladders = parser.add_subparsers(required=True, metavar="conv|lenet")
    conv = ladders.add_parser("conv", help="the convolution methods")
    conv.add_argument(
        "--shape",
        default="report",
        metavar="LAYER",
        help="cv1 to cv12, report, or as 224x224x3,7x7x64,s1,p1 (default: report); "
        f"{bench.EVERY_LAYER}: cv1 to cv12 and report, one after the other",
    )
    conv.add_argument("--methods", metavar="A,B", help="only these, in this order")
    conv.add_argument(
        "--peers",
        action="store_true",
        help="beside PyTorch and ONNX Runtime, in "
        f"paired rounds (unless --methods says more, {SUBJECT} and im2col)",
    )
    conv.add_argument(
        "--device",
        choices=("cpu", "gpu"),
        default="cpu",
        help="whose methods (default: cpu); with gpu, the peer is cuDNN",
    )
    conv.add_argument("--threads", type=int, metavar="N", help="default: all cores")
    conv.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="also write a record: machine, date, versions, results",
    )
    conv.add_argument("--plot", type=Path, metavar="FILE", help="also draw it, as a PNG")
    conv.set_defaults(run=_conv)
    lenet.add_to(ladders)


def _conv(args: argparse.Namespace) -> int:
    names = args.methods and [name.strip() for name in args.methods.split(",") if name.strip()]
    if names == []:
        raise CommandError(f"--methods {args.methods!r} names no method; leave it out for all")
    must_be_writable(args.json, args.plot)
    try:
        return (_on_gpu if args.device == "gpu" else _on_cpu)(args, names)
    except ValueError as error:  # about --shape, --methods or --threads, and says so
        raise CommandError(error) from error


def _on_cpu(args: argparse.Namespace, names: list[str] | None) -> int:
    from ..core.registry import get_method
    from ..measure import roofline

    problems = bench.layers(args.shape)
    methods = names and [get_method(name) for name in names]
    roof = roofline(args.threads)
    if elsewhere := [method.name for method in methods or [] if method.device != "cpu"]:
        raise CommandError(
            f"{', '.join(elsewhere)}: not on the processor, whose methods this "
            "measures; leave out what is not"
        )
    if args.peers or args.shape == bench.EVERY_LAYER:
        default = [get_method(SUBJECT), get_method("im2col")]
        return _compare(args, problems, methods or default, roof)
    return _climb(args, *problems.values(), names, roof)


def _climb(args: argparse.Namespace, problem, names: list[str] | None, roof) -> int:
    from .. import Ladder
    from ..bench.ladder import climb, results_as_dict
    from ..measure import machine

    ladder = Ladder(problem, names)
    if not ladder.rungs:
        raise CommandError("no method takes this layer: " + _reasons(ladder))
    _must_fit(problem, ladder.rungs)
    with Bar(len(ladder.rungs)) as bar:
        results = climb(ladder, threads=args.threads, progress=bar.step)
    print(f"{ladder.problem}: {ladder.problem.macs:,} multiply-accumulates in float32")
    print(f"{machine().cpu}, {roof}\n")
    print(_table(results))
    print("\n" + _auto(problem, results))
    if ladder.skipped:
        print("\nSkipped: " + _reasons(ladder))
    if args.json:
        write(results_as_dict(results), args.json)
    if args.plot:
        from ..teach.plots.common import ladder_picture

        ladder_picture(results).save(args.plot)
    return 0


def _auto(problem, results) -> str:
    """What `conv2d(..., method="auto")` would take, beside what was fastest just now."""
    from ..core.registry import predicted_costs
    from ..measure import threads

    with threads(results[0].threads):
        costs = predicted_costs(problem)
    chosen, *others = costs
    models = ", ".join(f"{name} {costs[name] / costs[chosen]:.2g} times as long" for name in others)
    text = f"auto takes {chosen}" + (f" (by the models {models})" if models else "")
    times = {result.name: result.timing.median for result in results}
    fastest = min(times, key=times.get)
    if chosen == fastest:
        return f"{text}: the fastest here."
    if chosen not in times:
        return f"{text}, which was not measured here."
    ahead = times[chosen] / times[fastest]
    return f"{text}; {fastest} was fastest here, {ahead:.2f} times as fast."


def _compare(args: argparse.Namespace, problems: dict, methods: list, roof) -> int:
    from ..bench.conv_analysis import runs_as_dict
    from ..bench.conv_cpu import compare_methods
    from ..bench.libraries import LIBRARIES
    from ..bench.rounds import ROUNDS
    from ..measure import machine
    from ..teach.table import table

    if args.plot:
        raise CommandError(
            "--plot draws the ladder of one layer; leave out --peers and "
            f"--shape {bench.EVERY_LAYER}, or write --json"
        )
    for problem in problems.values():
        _must_fit(problem, methods)
    ways = len(methods) + (len(LIBRARIES) + 1 if args.peers else 0)  # torch has two
    with Bar(len(problems) * (ways + ROUNDS)) as bar:
        results = over_layers(
            problems,
            methods,
            partial(compare_methods, threads=args.threads, with_peers=args.peers),
            bar.step,
        )
    print(f"{machine().cpu}, {roof}\n")
    print(table(*cpu_cells(results, methods[0].name)))
    print("", *cpu_means(results, methods[0].name), sep="\n")
    if args.peers and (absent := bench.absent_text()):
        print(absent)
    if args.json:
        write(runs_as_dict([results]), args.json)
    return 0


def _on_gpu(args: argparse.Namespace, names: list[str] | None) -> int:
    from ..bench.conv_gpu import as_record, compare_on_gpu
    from ..teach.table import table

    try:
        bench.require_gpu(with_cudnn=args.peers)
    except RuntimeError as error:
        raise CommandError(error) from error
    if args.threads:
        raise CommandError(
            "--threads is for the processor's methods; leave it out with --device gpu"
        )
    problems, chosen = bench.layers(args.shape), bench.gpu_methods(names)
    with Bar(len(problems) * (len(chosen) + 4)) as bar:
        results = over_layers(
            problems, chosen, partial(compare_on_gpu, with_cudnn=args.peers), bar.step
        )
    record = as_record({next(iter(problems.values())).i_n: results})
    for run in record["runs"]:
        for name, layer in run["layers"].items():
            print(f"{name}: {layer['problem']}, {record['card']['gpu']}\n")
            print(table(*gpu_cells(layer)), "\n")
    if args.json:
        write(record, args.json)
    if args.plot:
        _draw(record, args.plot)
    return 0


def _draw(record: dict, path: Path) -> None:
    """One layer as bars, many as ratios to cuDNN, which needs --peers."""
    from ..teach.plots.common import cudnn_layer_picture, cudnn_layers_picture

    where = f"{record['card']['gpu']}, {record['date']}"
    (run,) = record["runs"]
    if len(run["layers"]) == 1:
        picture = cudnn_layer_picture(*run["layers"].popitem(), where)
    else:
        try:
            picture = cudnn_layers_picture(run, where)
        except ValueError as error:
            raise CommandError(f"--plot of many layers: {error}; add --peers") from error
    picture.save(path)


def _must_fit(problem, methods) -> None:
    """Raise CommandError for a layer beyond this machine's memory, before the system kills us."""
    from ..measure import machine

    memory = machine().memory
    # The oracle and its error bound are float64: four times the arrays, beside the arrays.
    needed = 5 * problem.compulsory_bytes() + max(
        method.workspace_bytes(problem) for method in methods
    )
    if memory is not None and needed > memory:
        raise CommandError(
            f"{problem} needs about {needed / 2**30:,.0f} GiB of memory and this "
            f"machine has {memory / 2**30:.0f} GiB; choose a smaller layer"
        )


def _table(results) -> object:
    from ..core.text import mark_disturbed, seconds_text
    from ..measure.memory import workspace_text
    from ..teach.table import table

    rows = [
        (
            result.name,
            seconds_text(result.timing.median),
            f"{seconds_text(result.timing.low)} to {seconds_text(result.timing.high)}",
            f"{result.flops_per_s / 1e9:,.2f}",
            mark_disturbed(result.share_text, result.disturbed),
            workspace_text(result.workspace),
            f"{result.error:.0e}",
        )
        for result in results
    ]
    return table(
        rows,
        ["method", "time", "quartiles", "GFLOP/s", "of the limit", "workspace", "relative error"],
    )


def _reasons(ladder) -> str:
    return "; ".join(f"{name} ({reason})" for name, reason in ladder.skipped.items())
