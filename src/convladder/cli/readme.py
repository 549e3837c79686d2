"""README.md's tables: what a record holds, as Markdown, written between two markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from . import contests
from .errors import CommandError


def markers(device: str) -> tuple[str, str]:
    """The lines that stand before and behind the table of `device`, "cpu" or "gpu"."""
    command = "convladder record --readme" if device == "cpu" else \
        "convladder record --device gpu --readme"
    return f"<!-- {device} table, written by `{command}` -->", f"<!-- {device} table ends -->"


def split(readme: Path, device: str) -> tuple[str, str]:
    """The text before and behind the table. Raises CommandError if it has no place."""
    text = readme.read_text() if readme.is_file() else ""
    first, last = markers(device)
    before, begin, rest = text.partition(first)
    _, end, after = rest.partition(last)
    if not (begin and end):
        raise CommandError(f"{readme} has no place for the table; write these two lines there: "
                           f"{first} and {last}")
    return before, after


def write(readme: Path, device: str, record: Mapping) -> None:
    """Put a record's table in its place. Raises CommandError if there is none."""
    before, after = split(readme, device)
    first, last = markers(device)
    text = cpu_table(record) if device == "cpu" else gpu_table(record)
    readme.write_text(f"{before}{first}\n{text}\n{last}{after}")


def cpu_table(record: Mapping) -> str:
    """A processor's record: a run a table, its summary, the machine and the day."""
    from ..bench.compare import contests_of

    parts = []
    for run in contests_of(record):
        threads = next(iter(run.values())).threads
        parts += [f"**{threads} thread{'' if threads == 1 else 's'}**", "",
                  *_lines(*contests.cells(run, contests.SUBJECT)), "",
                  *(f"- {line}" for line in contests.summary(run, contests.SUBJECT)), ""]
    card = record["machine"]
    software = [f"Python {card['python']}", f"NumPy {card['numpy']} ({card['blas']})",
                f"Numba {card['numba']}", *_named(record["versions"])]
    parts.append(f"*{card['cpu']}, {card['isa']}, {card['cores']} cores, {record['date']}; "
                 f"{', '.join(software)}. Batch 1, float32; medians of paired rounds.*")
    return "\n".join(parts)


def gpu_table(record: Mapping) -> str:
    """A GPU's record: a batch a table, the means over its layers, the machine and the day."""
    from ..bench.conv_gpu import ratios

    parts = []
    for run in record["runs"]:
        rows = [_gpu_row(name, layer) for name, layer in run["layers"].items()]
        parts += [f"**{run['batch']} image{'' if run['batch'] == 1 else 's'}**", "",
                  *_lines(rows, GPU_COLUMNS), "",
                  *(_mean(name, of, ratios(run, name, of)) for name, of in (
                      (IMPLICIT, "float32"), (MEC, "float32"), (HALF, "float16"))), ""]
    card = record["card"]
    parts.append(f"*{card['gpu']}, driver {card['driver']}, {record['date']}; "
                 f"{', '.join(_named(record['versions']))}. TF32 off for float32; each library in "
                 "the faster of its layouts; medians of interleaved graph replays.*")
    return "\n".join(parts)


IMPLICIT, MEC, HALF = "gpu_implicit_gemm", "gpu_mec_pointers", "gpu_wgmma"
GPU_COLUMNS = ["layer", f"{IMPLICIT}, float32", "TFLOP/s", "cuDNN takes", "cuDNN's workspace",
               MEC, "its matrix", f"{HALF}, float16", "TFLOP/s", "cuDNN takes"]


def _gpu_row(name: str, layer: Mapping) -> list[str]:
    from ..bench.conv_gpu import rival, rival_seconds, seconds
    from ..text import bytes_text, seconds_text

    own, half = seconds(layer, IMPLICIT), seconds(layer, HALF)
    entries, peak = layer["entries"], layer["entries"][IMPLICIT]["peak"]  # its result alone
    return [
        name, seconds_text(own), f"{layer['flops'] / own / 1e12:.1f}",
        f"{rival_seconds(layer) / own:.2f}",
        bytes_text(entries[rival(layer)]["peak"] - peak),
        seconds_text(seconds(layer, MEC)), bytes_text(entries["gpu_mec"]["peak"] - peak),
        seconds_text(half), f"{layer['flops'] / half / 1e12:.0f}",
        f"{rival_seconds(layer, 'float16') / half:.2f}",
    ]


def _mean(name: str, precision: str, found: Mapping[str, float]) -> str:
    from ..bench.compare import geometric_mean

    worst = min(found, key=found.get)
    return (f"- {name}: cuDNN ({precision}) takes {geometric_mean(list(found.values())):.2f} times "
            f"as long (geometric mean; least {found[worst]:.2f} on {worst})")


def _lines(rows: list[list[str]], columns: list[str]) -> Iterator[str]:
    for line in (columns, ["---", *["---:"] * (len(columns) - 1)], *rows):
        yield f"| {' | '.join(line)} |"


def _named(versions: Mapping[str, str | None]) -> list[str]:
    return [f"{name} {number}" for name, number in versions.items() if number]
