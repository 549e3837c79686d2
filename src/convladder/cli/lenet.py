"""`convladder ladder lenet`: every rung judged on all images, then timed beside the libraries.

With `--profile`, what the GPU did in each, and the host asked for, by CUPTI.
"""

import argparse
from pathlib import Path

from ..bench.records import write
from . import profiles
from .terminal import Bar, CommandError, must_be_writable

EMULATED = 200  # images, unless --images says more: enough for every block to be another


def add_to(ladders: argparse._SubParsersAction) -> None:
    """Add `ladder lenet`."""
    parser = ladders.add_parser("lenet", help="LeNet-5 on the 10,000 test images of MNIST")
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
    from .. import cuda
    from ..bench.lenet import compare_rungs
    from ..networks.lenet import images

    must_be_writable(args.json, args.plot)
    if args.profile:
        return profiles.ladder(args, _rungs(args))
    if args.timelines is not None:
        raise CommandError("--timelines draws what --profile sees; add --profile")
    chosen = _rungs(args)
    emulated = chosen[0].device == "gpu" and _backend(cuda) == "emulator"
    if emulated:
        chosen = [rung for rung in chosen if rung.emulated] or chosen
    count = args.images
    if count is None:
        count = EMULATED if emulated else len(images())
    if not 0 < count <= len(images()):
        raise CommandError(f"--images {count}: there are 1 to {len(images()):,}")
    try:
        with Bar(len(chosen) + 2 + 4 * args.peers) as bar:
            result = compare_rungs(
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
    _print(result, emulated)
    if args.json:
        write(result.as_dict(), args.json)
    if args.plot:
        _draw(result, args.plot)
    return 1 if result.wrong else 0


def _draw(result, path: Path) -> None:
    """The records, and before them this run, if it was timed and of as many images."""
    from ..bench.lenet import lenet_records, rtx_2060
    from ..networks.lenet import images
    from ..networks.lenet.rungs import rungs
    from ..teach.plots.lenet import lenet_ladder_picture

    runs = lenet_records(result.device)
    if result.seconds and result.images == len(images()):
        runs.insert(0, result)
    lenet_ladder_picture(
        {times.label: times for times in runs},
        rtx_2060(),
        [rung.name for rung in rungs(result.device)],
        ("torch", "onnxruntime"),
    ).save(path)


def _rungs(args: argparse.Namespace) -> list:
    from .. import cuda
    from ..networks.lenet.rungs import get_rung, rungs

    if args.rungs is None:
        return rungs(args.device or ("gpu" if cuda.gpu() else "cpu"))
    try:
        chosen = [get_rung(name.strip()) for name in args.rungs.split(",") if name.strip()]
    except ValueError as error:
        raise CommandError(f"--rungs: {error}") from error
    if not chosen:
        raise CommandError(f"--rungs {args.rungs!r} names no rung; leave it out for all")
    if len({rung.device for rung in chosen} | ({args.device} - {None})) > 1:
        raise CommandError(f"--rungs {args.rungs!r} are of both devices; name those of one")
    return chosen


def _backend(cuda) -> str:
    try:
        return cuda.backend()
    except cuda.NoBackend as error:
        raise CommandError(error) from error


def _print(result, emulated: bool) -> None:
    from ..bench.lenet import ARITHMETIC
    from ..core.text import mark_disturbed, seconds_text
    from ..measure import machine
    from ..teach.table import table

    where = machine().cpu if result.device == "cpu" or emulated else machine().gpu
    print(
        f"LeNet-5, {result.images:,} images, {where}"
        + (" (emulator: judged, not timed)" if emulated else "")
        + "\n"
    )
    timings = result.comparison.timings if result.comparison else {}
    cpu = result.device == "cpu"
    rows = []
    for name in dict.fromkeys([*result.judged, *timings]):
        timing, judged = timings.get(name), result.judged.get(name)
        device = result.device_seconds.get(name)
        computes = timing and (judged or name == ARITHMETIC)
        rows.append(
            [
                name,
                mark_disturbed(seconds_text(timing.median), timing.disturbed) if timing else "",
                f"{seconds_text(timing.low)} to {seconds_text(timing.high)}" if timing else "",
                seconds_text(device) if device else "",
                f"{result.flops_per_s(name) / 1e9:,.0f}" if computes else "",
                f"{result.share_of_peak(name):.0%}" if cpu and computes else "",
                f"WRONG: {judged}" if name in result.wrong else (judged or "").partition(", ")[2],
            ]
        )
    heads = [
        "rung",
        "host to host",
        "quartiles",
        "on the device",
        "GFLOP/s",
        "of the peak",
        "judged",
    ]
    empty = heads.index("on the device" if cpu else "of the peak")
    for row in (heads, *rows):
        del row[empty]
    print(table(rows, heads))
    for name, why in result.absent.items():
        print(f"{name} did not run: {why}")
