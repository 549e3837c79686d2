"""`--device gpu` of `ladder conv` and `record`: the GPU's methods, beside cuDNN where asked."""

import argparse
import json
from importlib.util import find_spec
from pathlib import Path

from . import readme
from .errors import CommandError
from .progress import Bar

SUBJECT = "gpu_implicit_gemm"


def ladder(args: argparse.Namespace, names: list[str] | None) -> int:
    """`ladder conv --device gpu`. Raises CommandError."""
    from ..bench.conv_gpu import as_record
    from ..registry import get_method, methods
    from ..teach.display.table import table
    from . import contests

    _must_be_there(args.peers)
    if args.threads:
        raise CommandError("--threads is of the processor's methods; leave it out with --device "
                           "gpu")
    try:
        chosen = [get_method(name) for name in names] if names else methods("gpu")
        problems = contests.layers(args.shape)
    except ValueError as error:  # about --shape or --methods, and says so
        raise CommandError(error) from error
    if elsewhere := [method.name for method in chosen if method.device != "gpu"]:
        raise CommandError(f"{', '.join(elsewhere)}: not on the GPU; leave out --device gpu")
    runs = {problem.i_n: {} for problem in problems.values()}
    bar = Bar(len(problems) * (len(chosen) + 4))
    for name, problem in problems.items():
        entries = _contest(name, problem, chosen, args.peers, bar)
        runs[problem.i_n][name] = (problem, entries)
    bar.close()
    record = as_record(runs)
    for run in record["runs"]:
        for name, layer in run["layers"].items():
            print(f"{name}: {layer['problem']}, {record['card']['gpu']}\n")
            print(table(*cells(layer)), "\n")
    if args.json:
        args.json.write_text(json.dumps(record, indent=1) + "\n")
    if args.plot:
        _draw(record, args.plot)
    return 0


def _draw(record: dict, path: Path) -> None:
    """One layer as bars, many as ratios to cuDNN, which needs --peers."""
    from ..teach.plots.cudnn import layer_picture, layers_picture

    where = f"{record['card']['gpu']}, {record['date']}"
    (run,) = record["runs"]
    if len(run["layers"]) == 1:
        picture = layer_picture(*run["layers"].popitem(), where)
    else:
        try:
            picture = layers_picture(run, where)
        except ValueError as error:
            raise CommandError(f"--plot of many layers: {error}; add --peers") from error
    picture.save(path)


def record(args: argparse.Namespace) -> int:
    """`record --device gpu`. Raises CommandError."""
    from ..bench.conv_gpu import RECORDS, file_name
    from ..bench.conv_gpu import record as measure
    from . import contests

    _must_be_there(peers=True)
    if args.threads:
        raise CommandError("--threads is of the processor's record; leave it out with --device gpu")
    try:
        problems = contests.layers(args.shape)
    except ValueError as error:  # about --shape, and says so
        raise CommandError(error) from error
    bar = Bar(2 * len(problems) * 20)
    made = measure(problems, progress=bar.step)
    bar.close()
    path = args.file or RECORDS / file_name(made)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(made, indent=1) + "\n")
    for run in made["runs"]:
        print(f"batch {run['batch']}", *summary(run), sep="\n")
    print(f"\nWritten to {path}")
    if args.readme is not None:
        readme.write(args.readme, "gpu", made)
    return 0


def cells(layer: dict) -> tuple[list[list[str]], list[str]]:
    """Rows and column names of one layer's entries; the times are medians."""
    from ..bench.contestants import RIVALS
    from ..bench.conv_gpu import rival_seconds, seconds
    from ..text import bytes_text, seconds_text

    with_rivals = any(name.startswith("cudnn") for name in layer["entries"])
    rows = []
    for name, entry in layer["entries"].items():
        own = seconds(layer, name)
        row = [name, seconds_text(own), seconds_text(seconds(layer, name, "plain")),
               f"{layer['flops'] / own / 1e12:.1f}", bytes_text(entry["peak"]),
               f"{entry['error']:.0e}"]
        if with_rivals:
            rival = rival_seconds(layer, RIVALS.get(name, "float32"))
            row.append("" if name.startswith("cudnn") else f"{rival / own:.2f}")
        rows.append(row)
    columns = ["method", "in a graph", "called", "TFLOP/s", "allocated", "relative error"]
    return rows, columns + ["cuDNN takes"] * with_rivals


def summary(run: dict) -> list[str]:
    """A line a method: how much longer cuDNN takes, over the layers that the method takes."""
    from ..bench.compare import geometric_mean
    from ..bench.contestants import RIVALS
    from ..bench.conv_gpu import ratios

    names = dict.fromkeys(
        name for layer in run["layers"].values() for name in layer["entries"]
        if not name.startswith("cudnn"))
    lines = []
    for name in names:
        precision = RIVALS.get(name, "float32")
        found = ratios(run, name, precision)
        worst = min(found, key=found.get)
        lines.append(
            f"{name}: cuDNN ({precision}) takes {geometric_mean(list(found.values())):.2f} times "
            f"as long over {len(found)} layers (geometric mean; least {found[worst]:.2f}, {worst})")
    return lines


def _contest(name: str, problem, methods: list, with_cudnn: bool, bar: Bar) -> dict:
    from ..bench.compare_gpu import contest

    takers = [method for method in methods if method.unsupported(problem) is None]
    if not takers:
        raise CommandError(f"no method takes {name}: " + "; ".join(
            f"{method.name} ({method.unsupported(problem)})" for method in methods))
    return contest(problem, takers, with_cudnn, progress=lambda what: bar.step(f"{name}: {what}"))


def _must_be_there(peers: bool) -> None:
    """Raise CommandError without a GPU, or without what cuDNN is called through."""
    from .. import cuda
    from .doctor import extra_install

    if not cuda.gpu():
        raise CommandError(
            "--device gpu measures an NVIDIA GPU, and CuPy sees none here; the records of other "
            "machines come with the course (convladder.bench.conv_gpu.records())")
    if peers and find_spec("torch") is None:
        raise CommandError("cuDNN is called through PyTorch, which is not installed; add it with: "
                           + extra_install("peers"))
