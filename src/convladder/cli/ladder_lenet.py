"""`convladder ladder lenet`: the rungs of LeNet-5, judged and timed.

With `--profile`, CUPTI shows what a GPU does in each rung.
"""

import argparse
from pathlib import Path

from .. import cuda
from ..bench import lenet, profiles
from ..bench.records import write
from ..core.text import mark_disturbed, seconds_text
from ..measure import machine
from ..measure.cuda import cupti
from ..measure.cuda.profile import Profile
from ..networks.lenet import images
from ..networks.lenet.rungs import LenetRung, get_rung, rungs
from ..teach.table import table
from .terminal import Bar, CommandError, must_be_writable

EMULATED = 200  # images of LeNet-5 on the emulator, where --images does not say
CALLS = 8  # functions of the host that a profile shows


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what `ladder lenet` takes."""
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


def _rungs(args: argparse.Namespace) -> list[LenetRung]:
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


def _profile(args: argparse.Namespace, chosen: list[LenetRung]) -> int:
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
