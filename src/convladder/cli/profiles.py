"""`ladder lenet --profile`: what a GPU does in each rung, call by call."""

import argparse
from pathlib import Path

from .terminal import Bar, CommandError

CALLS = 8  # functions of the host that the terminal shows


def ladder(args: argparse.Namespace, chosen: list) -> int:
    """Return the tables of each rung, and of PyTorch with `--peers`. Raises CommandError."""
    from ..measure.cuda.cupti import missing
    from ..networks.lenet import images
    from ..teach.plots.profiling import calls_table, device_table, profile_sentence

    if args.device == "cpu" or any(rung.device == "cpu" for rung in chosen):
        chosen = _of_the_gpu(args, chosen)
    if reason := missing():
        raise CommandError(f"--profile: {reason}")
    if args.images is not None and not 0 < args.images <= len(images()):
        raise CommandError(f"--images {args.images}: there are 1 to {len(images()):,}")
    if args.timelines is not None and not args.timelines.is_dir():
        raise CommandError(f"{args.timelines}: there is no such folder to draw to; make it")
    result = _profiles(chosen, args.images, args.peers)
    for name, profile in result.seen.items():
        print(f"\n{name}: {result.images:,} images, {profile_sentence(profile)}\n")
        print(device_table(profile), calls_table(profile, CALLS), sep="\n\n")
        if args.timelines is not None:
            _draw(name, profile, args.timelines)
    for name, why in result.absent.items():
        print(f"\n{name} did not run: {why}")
    if wrong := [name for name, judgement in result.judgements.items() if not judgement.ok]:
        print(f"\nWRONG, so not profiled: {', '.join(wrong)}")
    return 1 if wrong else 0


def _profiles(chosen: list, count: int | None, with_peers: bool):
    from .. import cuda
    from ..bench.profiles import profiles

    with Bar(2 * len(chosen) + 8 * with_peers) as bar:
        try:
            return profiles(chosen, count=count, with_peers=with_peers, progress=bar.step)
        except (ValueError, RuntimeError, cuda.CudaError) as error:
            raise CommandError(error) from error


def _of_the_gpu(args: argparse.Namespace, chosen: list) -> list:
    if args.device == "cpu" or args.rungs is not None:
        raise CommandError(
            "--profile is of the GPU's rungs; leave out --device cpu and name those with --rungs"
        )
    from ..networks.lenet.rungs import rungs

    return rungs("gpu")


def _draw(name: str, profile, folder: Path) -> None:
    from ..teach.plots.profiling import timeline_picture

    path = folder / f"{name.replace(', ', '_').replace(' ', '_')}.png"
    timeline_picture(profile.events, name).save(path)
    print(f"\nDrawn in {path}")
