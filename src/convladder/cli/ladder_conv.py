"""`convladder ladder conv`: the methods on one layer or all, judged and timed."""

import argparse
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ..bench import conv, conv_gpu
from ..bench.benchmark import EVERY_LAYER
from ..bench.conv_cpu import compare_methods
from ..bench.conv_tables import SUBJECT, cpu_cells, cpu_means, gpu_cells
from ..bench.ladder import climb, results_as_dict
from ..bench.libraries import LIBRARIES
from ..bench.records import write
from ..bench.records.conv_cpu import runs_as_dict
from ..bench.result import Result, over_layers
from ..bench.rounds import ROUNDS
from ..core.problem import ConvProblem
from ..core.registry import Ladder, Method, get_method, predicted_costs
from ..core.text import seconds_text
from ..measure import machine, roofline
from ..measure import threads as pinned
from ..measure.cuda.gpu_info import require_gpu
from ..measure.limits import Roofline
from ..measure.memory import workspace_text
from ..teach.table import Table, table
from .terminal import Bar, CommandError, must_be_writable


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what `ladder conv` takes."""
    parser.add_argument(
        "--shape",
        default="report",
        metavar="LAYER",
        help="cv1 to cv12, report, or as 224x224x3,7x7x64,s1,p1 (default: report); "
        f"{EVERY_LAYER}: cv1 to cv12 and report, one after the other",
    )
    parser.add_argument("--methods", metavar="A,B", help="only these, in this order")
    parser.add_argument(
        "--peers",
        action="store_true",
        help="beside PyTorch and ONNX Runtime, in "
        f"paired rounds (unless --methods says more, {SUBJECT} and im2col)",
    )
    parser.add_argument(
        "--device",
        choices=("cpu", "gpu"),
        default="cpu",
        help="whose methods (default: cpu); with gpu, the peer is cuDNN",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="default: all cores")
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="also write a record: machine, date, versions, results",
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="on a processor: also draw it, as a PNG"
    )
    parser.set_defaults(run=_conv)


def _conv(args: argparse.Namespace) -> int:
    names = args.methods and [name.strip() for name in args.methods.split(",") if name.strip()]
    if names == []:
        raise CommandError(f"--methods {args.methods!r} names no method; leave it out for all")
    must_be_writable(args.json, args.plot)
    try:
        return (_conv_on_gpu if args.device == "gpu" else _conv_on_cpu)(args, names)
    except ValueError as error:  # about --shape, --methods or --threads, and says so
        raise CommandError(error) from error


def _conv_on_cpu(args: argparse.Namespace, names: list[str] | None) -> int:
    problems = conv.layers(args.shape)
    methods = [get_method(name) for name in names or ()]
    roof = roofline(args.threads)
    if elsewhere := [method.name for method in methods if method.device != "cpu"]:
        raise CommandError(
            f"{', '.join(elsewhere)}: not on the processor, whose methods this "
            "measures; leave out what is not"
        )
    if args.peers or args.shape == EVERY_LAYER:
        return _compare(
            args, problems, methods or [get_method(SUBJECT), get_method("im2col")], roof
        )
    (problem,) = problems.values()
    return _climb(args, problem, names, roof)


def _climb(
    args: argparse.Namespace, problem: ConvProblem, names: list[str] | None, roof: Roofline
) -> int:
    """Measure one layer: all methods by the roofline, each with its workspace."""
    ladder = Ladder(problem, names)
    skipped = [f"{name} ({reason})" for name, reason in ladder.skipped.items()]
    if not ladder.rungs:
        raise CommandError(f"no method takes this layer: {'; '.join(skipped)}")
    _must_fit(problem, ladder.rungs)
    with Bar(len(ladder.rungs)) as bar:
        results = climb(ladder, threads=args.threads, progress=bar.step)
    print(f"{ladder.problem}: {ladder.problem.macs:,} multiply-accumulates in float32")
    print(f"{machine().cpu}, {roof}\n")
    print(_results_table(results))
    if any(result.disturbed for result in results):
        print("* disturbed: other programs used the processor; run it again")
    print("\n" + _auto_sentence(problem, results))
    if skipped:
        print("\nSkipped:", *skipped, sep="\n")
    if args.json:
        write(results_as_dict(results), args.json)
    if args.plot:
        from ..teach.plots.common import ladder_picture

        ladder_picture(results).save(args.plot)
    return 0


def _results_table(results: Sequence[Result]) -> Table:
    """As many columns as the terminal has room for; a star for what else used the processor."""
    columns = {
        "method": [result.name + "*" * result.disturbed for result in results],
        "time": [seconds_text(result.timing.median) for result in results],
        "quartiles": [
            f"{seconds_text(result.timing.low)} to {seconds_text(result.timing.high)}"
            for result in results
        ],
        "GFLOP/s": [f"{result.flops_per_s / 1e9:,.2f}" for result in results],
        "of the limit": [result.share_text for result in results],
        "workspace": [workspace_text(result.workspace) for result in results],
        "error": [f"{result.error:.0e}" for result in results],
    }
    width = shutil.get_terminal_size((100, 24)).columns
    for dropped in ("", "error", "quartiles", "workspace"):
        columns.pop(dropped, None)
        shown = table(list(zip(*columns.values())), list(columns))
        if max(map(len, repr(shown).splitlines())) <= width:
            break
    return shown


def _auto_sentence(problem: ConvProblem, results: Sequence[Result]) -> str:
    """Compare the choice of `conv2d(..., method="auto")` with the fastest method just now."""
    with pinned(results[0].threads):
        costs = predicted_costs(problem)
    chosen, *others = costs
    models = ", ".join(f"{name} {costs[name] / costs[chosen]:.2g} times as long" for name in others)
    text = f"auto takes {chosen}" + (f" (by the models {models})" if models else "")
    times = {result.name: result.timing.median for result in results}
    fastest = min(times, key=times.__getitem__)
    if chosen == fastest:
        return f"{text}: the fastest here."
    if chosen not in times:
        return f"{text}, which was not measured here."
    ahead = times[chosen] / times[fastest]
    return f"{text}; {fastest} was fastest here, {ahead:.2f} times as fast."


def _compare(
    args: argparse.Namespace,
    problems: dict[str, ConvProblem],
    methods: list[Method],
    roof: Roofline,
) -> int:
    """Measure some methods on one layer or all, and the libraries if asked, in paired rounds."""
    if args.plot:
        raise CommandError(
            "--plot draws the ladder of one layer; leave out --peers and "
            f"--shape {EVERY_LAYER}, or write --json"
        )
    for problem in problems.values():
        _must_fit(problem, methods)
    ways = len(methods) + (len(LIBRARIES) + 1 if args.peers else 0)  # torch has two
    compare = partial(compare_methods, threads=args.threads, with_peers=args.peers)
    with Bar(len(problems) * (ways + ROUNDS)) as bar:
        results = over_layers(problems, methods, compare, bar.step)
    print(f"{machine().cpu}, {roof}\n")
    print(table(*cpu_cells(results, methods[0].name)))
    print("", *cpu_means(results, methods[0].name), sep="\n")
    if args.peers and (absent := conv.absent_text()):
        print(absent)
    if args.json:
        write(runs_as_dict([results]), args.json)
    return 0


def _must_fit(problem: ConvProblem, methods: Sequence[Method]) -> None:
    """Raise CommandError for a layer beyond this machine's memory, before the system kills us."""
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


def _conv_on_gpu(args: argparse.Namespace, names: list[str] | None) -> int:
    if args.plot:
        raise CommandError("--plot draws a ladder of the processor's methods; write --json instead")
    try:
        require_gpu("--device gpu measures one")
        if args.peers:
            conv.require_cudnn()
    except RuntimeError as error:
        raise CommandError(error) from error
    if args.threads:
        raise CommandError(
            "--threads is for the processor's methods; leave it out with --device gpu"
        )
    problems, chosen = conv.layers(args.shape), conv.gpu_methods(names)
    compare = partial(conv_gpu.compare_on_gpu, with_cudnn=args.peers)
    with Bar(len(problems) * (len(chosen) + 4)) as bar:
        results = over_layers(problems, chosen, compare, bar.step)
    record = conv_gpu.as_record({next(iter(problems.values())).i_n: results})
    (run,) = record["runs"]
    for name, layer in run["layers"].items():
        print(f"{name}: {layer['problem']}, {record['card']['gpu']}\n")
        print(table(*gpu_cells(layer)), "\n")
    if args.json:
        write(record, args.json)
    return 0
