"""`convladder ladder`: the methods on one layer or all (`conv`), or the rungs of LeNet-5 (`lenet`).

Each is judged, then timed, beside libraries with `--peers`; with `lenet --profile`, CUPTI shows
what a GPU does in each rung.
"""

import argparse
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from .. import cuda
from ..bench import conv, conv_gpu, lenet, profiles
from ..bench.benchmark import EVERY_LAYER
from ..bench.conv_analysis import runs_as_dict
from ..bench.conv_cpu import compare_methods
from ..bench.conv_tables import SUBJECT, cpu_cells, cpu_means, gpu_cells
from ..bench.ladder import climb, results_as_dict
from ..bench.libraries import LIBRARIES
from ..bench.records import write
from ..bench.result import Result, over_layers
from ..bench.rounds import ROUNDS
from ..core.problem import ConvProblem
from ..core.registry import Ladder, Method, get_method, predicted_costs
from ..core.text import mark_disturbed, seconds_text
from ..measure import machine, roofline
from ..measure import threads as pinned
from ..measure.cuda import cupti
from ..measure.cuda.gpu_info import require_gpu
from ..measure.cuda.profile import Profile
from ..measure.limits import Roofline
from ..measure.memory import workspace_text
from ..networks.lenet import images
from ..networks.lenet.rungs import Rung, get_rung, rungs
from ..teach.table import Table, table
from .terminal import Bar, CommandError, must_be_writable

EMULATED = 200  # images of LeNet-5 on the emulator, where --images does not say
CALLS = 8  # functions of the host that a profile shows


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `ladder`."""
    parser = commands.add_parser("ladder")
    ladders = parser.add_subparsers(required=True, metavar="conv|lenet")
    _add_conv(ladders.add_parser("conv", help="the convolution methods"))
    _add_lenet(ladders.add_parser("lenet", help="LeNet-5 on the 10,000 test images of MNIST"))


def _add_conv(parser: argparse.ArgumentParser) -> None:
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


def _add_lenet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device",
        choices=("cpu", "gpu"),
        help="default: gpu if there is one; "
        "without one its rungs run on the emulator, and are not timed",
    )
    parser.add_argument("--rungs", metavar="A,B", help="only these, in this order")
    parser.add_argument(
        "--images",
        type=int,
        metavar="N",
        help=f"only the first N (default: all, or {EMULATED} on the emulator)",
    )
    parser.add_argument(
        "--peers",
        action="store_true",
        help="beside PyTorch and ONNX Runtime; on a GPU also the bare copies, and "
        "PyTorch's compiler searches for two minutes",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="default: all cores")
    parser.add_argument(
        "--budget",
        type=float,
        default=0.5,
        metavar="S",
        help="seconds of timing for each (default: 0.5)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write a record")
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="also draw it as a PNG, beside "
        "the records of other machines; on the emulator those alone",
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="instead of timing: what the GPU "
        "did in each rung, call by call, and what the host asked for",
    )
    parser.add_argument(
        "--timelines", type=Path, metavar="FOLDER", help="with --profile: also draw each, as a PNG"
    )
    parser.set_defaults(run=_lenet)


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


def _lenet(args: argparse.Namespace) -> int:
    must_be_writable(args.json, args.plot)
    if args.timelines is not None and not args.profile:
        raise CommandError("--timelines draws what --profile sees; add --profile")
    if args.images is not None and not 0 < args.images <= len(images()):
        raise CommandError(f"--images {args.images}: there are 1 to {len(images()):,}")
    chosen = _rungs(args)
    if args.profile:
        return _profile(args, chosen)
    emulated = chosen[0].device == "gpu" and _backend() == "emulator"
    if emulated:
        chosen = [rung for rung in chosen if rung.emulated] or chosen
    count = args.images or (EMULATED if emulated else len(images()))
    try:
        with Bar(len(chosen) + 2 + 4 * args.peers) as bar:
            result = lenet.compare_rungs(
                chosen,
                count=count,
                threads=args.threads,
                with_peers=args.peers,
                with_copies=args.peers,
                budget=args.budget,
                progress=bar.step,
            )
    except (ValueError, cuda.CudaError) as error:
        raise CommandError(error) from error
    except MemoryError as error:  # CuPy's too
        raise CommandError(
            f"{count:,} images and their maps need more memory than there is; take "
            "fewer with --images"
        ) from error
    _print_rungs(result, emulated)
    if args.json:
        write(result.as_dict(), args.json)
    if args.plot:
        _draw_rungs(result, args.plot)
    return 1 if result.wrong else 0


def _rungs(args: argparse.Namespace) -> list[Rung]:
    if args.rungs is None:
        return rungs(args.device or ("gpu" if args.profile or cuda.gpu() else "cpu"))
    try:
        chosen = [get_rung(name.strip()) for name in args.rungs.split(",") if name.strip()]
    except ValueError as error:
        raise CommandError(f"--rungs: {error}") from error
    if not chosen:
        raise CommandError(f"--rungs {args.rungs!r} names no rung; leave it out for all")
    if len({rung.device for rung in chosen} | ({args.device} - {None})) > 1:
        raise CommandError(f"--rungs {args.rungs!r} are of both devices; name those of one")
    return chosen


def _backend() -> str:
    try:
        return cuda.backend()
    except cuda.NoBackend as error:
        raise CommandError(error) from error


def _print_rungs(result: lenet.LenetComparison, emulated: bool) -> None:
    where = machine().cpu if result.device == "cpu" or emulated else machine().gpu
    how = " (emulator: judged, not timed)" if emulated else ""
    print(f"LeNet-5, {result.images:,} images, {where}{how}\n")
    timings = result.comparison.timings if result.comparison else {}
    cpu = result.device == "cpu"
    rows = []
    for name in dict.fromkeys([*result.judged, *timings]):
        timing, judged = timings.get(name), result.judged.get(name, "")
        device = result.device_seconds.get(name)
        computes = timing and (judged or name == lenet.ARITHMETIC)
        rows.append(
            [
                name,
                mark_disturbed(seconds_text(timing.median), timing.disturbed) if timing else "",
                f"{seconds_text(timing.low)} to {seconds_text(timing.high)}" if timing else "",
                seconds_text(device) if device else "",
                f"{result.flops_per_s(name) / 1e9:,.0f}" if computes else "",
                f"{result.share_of_peak(name):.0%}" if cpu and computes else "",
                f"WRONG: {judged}" if name in result.wrong else judged.partition(", ")[2],
            ]
        )
    columns = [
        "rung", "host to host", "quartiles", "on the device", "GFLOP/s", "of the peak", "judged",
    ]  # fmt: skip
    empty = columns.index("on the device" if cpu else "of the peak")
    for row in (columns, *rows):
        del row[empty]
    print(table(rows, columns))
    for name, why in result.absent.items():
        print(f"{name} did not run: {why}")


def _draw_rungs(result: lenet.LenetComparison, path: Path) -> None:
    """The records, and before them this run, if it was timed and of as many images."""
    from ..teach.plots.lenet import lenet_ladder_picture

    runs = lenet.lenet_records(result.device)
    if result.seconds and result.images == len(images()):
        runs.insert(0, result)
    lenet_ladder_picture(
        {run.label: run for run in runs},
        lenet.rtx_2060(),
        [rung.name for rung in rungs(result.device)],
        ("torch", "onnxruntime"),
    ).save(path)


def _profile(args: argparse.Namespace, chosen: list[Rung]) -> int:
    """Print what the GPU does in each rung, and in PyTorch with `--peers`, call by call."""
    from ..teach.plots.profiling import calls_table, device_table, profile_sentence

    if chosen[0].device == "cpu":
        raise CommandError(
            "--profile is of the GPU's rungs; leave out --device cpu and name those with --rungs"
        )
    if reason := cupti.missing():
        raise CommandError(f"--profile: {reason}")
    if args.timelines is not None and not args.timelines.is_dir():
        raise CommandError(f"{args.timelines}: there is no such folder to draw to; make it")
    try:
        with Bar(2 * len(chosen) + 8 * args.peers) as bar:
            result = profiles.profiles(
                chosen, count=args.images, with_peers=args.peers,
                begun=bar.step, progress=bar.step,
            )  # fmt: skip
            seen = dict(result.seen)
    except (ValueError, RuntimeError, cuda.CudaError) as error:
        raise CommandError(error) from error
    for name, profile in seen.items():
        print(f"\n{name}: {result.images:,} images, {profile_sentence(profile)}\n")
        print(device_table(profile), calls_table(profile, CALLS), sep="\n\n")
        if args.timelines is not None:
            _draw_timeline(name, profile, args.timelines)
    for name, why in result.absent.items():
        print(f"\n{name} did not run: {why}")
    if wrong := [name for name, judgement in result.judgements.items() if not judgement.ok]:
        print(f"\nWRONG, so not profiled: {', '.join(wrong)}")
    return 1 if wrong else 0


def _draw_timeline(name: str, profile: Profile, folder: Path) -> None:
    from ..teach.plots.profiling import timeline_picture

    path = folder / f"{name.replace(', ', '_').replace(' ', '_')}.png"
    timeline_picture(profile.events, name).save(path)
    print(f"\nDrawn in {path}")
