"""What README.md and docs/results.md say of a record, as Markdown between markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from . import contests
from .errors import CommandError

RESULTS = Path("docs/results.md")  # beside README.md
PARTS = ("table", "summary")  # docs/results.md holds the first, README.md the second


def markers(device: str, part: str = "table") -> tuple[str, str]:
    """The lines that stand before and behind a part, of PARTS, for `device`, "cpu" or "gpu"."""
    command = "convladder record --readme" if device == "cpu" else \
        "convladder record --device gpu --readme"
    return f"<!-- {device} {part}, written by `{command}` -->", f"<!-- {device} {part} ends -->"


def places(readme: Path, device: str) -> list[tuple[Path, str]]:
    """Return (file, part) of each pair of markers, in `readme` and in docs/results.md beside it.

    Raises CommandError if there is none in `readme`.
    """
    found = [(path, part) for path in (readme, readme.parent / RESULTS) if path.is_file()
             for part in PARTS if _split(path.read_text(encoding="utf-8"), device, part)]
    if readme not in (path for path, _ in found):
        raise CommandError(f"{readme} has no place for results; write these two lines there: "
                           + " and ".join(markers(device, "summary")))
    return found


def write(readme: Path, device: str, record: Mapping) -> None:
    """Put what a record says in its places. Raises CommandError if `readme` has none."""
    text = {"table": cpu_table, "summary": cpu_summary} if device == "cpu" else {
        "table": gpu_table, "summary": gpu_summary}
    for path, part in places(readme, device):
        before, after = _split(path.read_text(encoding="utf-8"), device, part)
        first, last = markers(device, part)
        path.write_text(f"{before}{first}\n{text[part](record)}\n{last}{after}", encoding="utf-8")


def _split(text: str, device: str, part: str) -> tuple[str, str] | None:
    """The text before and behind a part; None if it has no place there."""
    first, last = markers(device, part)
    before, begin, rest = text.partition(first)
    _, end, after = rest.partition(last)
    return (before, after) if begin and end else None


def cpu_table(record: Mapping) -> str:
    """A processor's record: a run a table, its summary, the machine and the day."""
    from ..bench.compare import contests_of

    parts = []
    for run in contests_of(record):
        threads = next(iter(run.values())).threads
        parts += [f"**{_number(threads, 'thread')}**", "",
                  *_lines(*contests.cells(run, contests.SUBJECT)), "",
                  *(f"- {line}" for line in contests.summary(run, contests.SUBJECT)), ""]
    card = record["machine"]
    software = [f"Python {card['python']}", f"NumPy {card['numpy']} ({card['blas']})",
                f"Numba {card['numba']}", *_named(record["versions"])]
    parts.append(f"*{card['cpu']}, {card['isa']}, {card['cores']} cores, {record['date']}; "
                 f"{', '.join(software)}. Batch 1, float32; medians of paired rounds.*")
    return "\n".join(parts)


def cpu_summary(record: Mapping) -> str:
    """A processor's record in a sentence a run: the share of the peak, the means over layers."""
    from ..bench.compare import contests_of, median_share, standing

    card, lines = record["machine"], []
    for run in contests_of(record):
        first, *rest = [(rival, f"{standing(run, rival, contests.SUBJECT).mean:.2f}")
                        for rival in contests.rivals(run, contests.SUBJECT)]
        others = [f"{first[0]} takes {first[1]} times as long", *map(" ".join, rest)]
        threads = _number(next(iter(run.values())).threads, "thread")
        lines.append(f"- {card['cpu']}, {record['date']}, {threads}: `{contests.SUBJECT}` does "
                     f"{median_share(run, contests.SUBJECT):.0%} of the peak; {', '.join(others)}")
    return "\n".join(lines)


def gpu_table(record: Mapping) -> str:
    """A GPU's record: a batch a table, the means over its layers, the machine and the day."""
    from ..bench.conv_gpu import ratios

    parts = []
    for run in record["runs"]:
        rows = [_gpu_row(name, layer) for name, layer in run["layers"].items()]
        parts += [f"**{_number(run['batch'], 'image')}**", "",
                  *_lines(rows, GPU_COLUMNS), "",
                  *(_mean(name, of, ratios(run, name, of)) for name, of in OF), ""]
    card = record["card"]
    parts.append(f"*{card['gpu']}, driver {card['driver']}, {record['date']}; "
                 f"{', '.join(_named(record['versions']))}. TF32 off for float32; each library in "
                 "the faster of its layouts; medians of interleaved graph replays.*")
    return "\n".join(parts)


def gpu_summary(record: Mapping) -> str:
    """A GPU's record in a sentence a batch: the means over its layers."""
    from ..bench.compare import geometric_mean
    from ..bench.conv_gpu import ratios

    lines = []
    for run in record["runs"]:
        (mean, name), *rest = [(f"{geometric_mean(list(ratios(run, name, of).values())):.2f}",
                                f"`{name}` ({of})") for name, of in OF]
        others = [f"{mean} times as long as {name}", *map(" as ".join, rest)]
        lines.append(f"- {record['card']['gpu']}, {record['date']}, "
                     f"{_number(run['batch'], 'image')}: cuDNN takes {', '.join(others)}")
    return "\n".join(lines)


IMPLICIT, MEC, HALF = "gpu_implicit_gemm", "gpu_mec_pointers", "gpu_wgmma"
OF = ((IMPLICIT, "float32"), (MEC, "float32"), (HALF, "float16"))  # a method, cuDNN's precision
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


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _named(versions: Mapping[str, str | None]) -> list[str]:
    return [f"{name} {number}" for name, number in versions.items() if number]
