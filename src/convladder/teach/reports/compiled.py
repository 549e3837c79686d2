"""Records of the compiled networks as tables: beside the libraries, and on a GPU pass by pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...bench.compiled import WHOLE, NetworkComparison, networks_of, recorded
from ...text import seconds_text
from ..table import Table, table
from .compiled_gpu import compiled_gpu_records
from .cpu import cpu_provenance


def compiled_table(networks: Sequence[NetworkComparison], caption: str) -> Table:
    """Return a row for each way to run each network: its time, over ours, and its error."""
    rows = []
    for network in networks:
        comparison, ours = network.comparison, subject(network)
        for name, timing in sorted(comparison.timings.items(), key=lambda item: item[1].median):
            over = "" if name == ours else f"{comparison.ratio(name, ours):.2f} times ours"
            rows.append(
                (
                    network.label,
                    name,
                    seconds_text(timing.median),
                    over,
                    f"{network.error[name]:.0e}",
                )
            )
    return table(rows, ("network", "way", "median", "takes", "apart from float64"), caption)


def subject(network: NetworkComparison) -> str:
    """Return the name of our compiled program among them: the whole in lanes if there is one."""
    return WHOLE if WHOLE in network.rounds else "compiled"


def compiled_records() -> list[tuple[str, list[NetworkComparison]]]:
    """Return machine and day, and networks, of each record that has a library in it."""
    runs = [
        (f"{cpu_provenance(record)}, {_libraries(record)}", networks_of(record))
        for record in recorded()
    ]
    return [(where, networks) for where, networks in runs if any(n.libraries for n in networks)]


def _libraries(record: Mapping) -> str:
    names = ("onnxruntime", "torch", "apache-tvm")
    return ", ".join(
        f"{name} {record['versions'][name]}" for name in names if record["versions"].get(name)
    )


def compiled_gpu_table(network: str) -> Table | str:
    """Return times of a network on recorded GPUs after each pass, and PyTorch's;
    words where none is.
    """
    rows, captions = [], []
    for record in compiled_gpu_records():
        result = record["networks"][network]
        gpu = f"{record['card']['gpu']}, recorded {record['date']}"
        captions.append(f"{network}, {result['images']:,} images, {gpu}")
        rows += [
            (stage, result["kernels"][stage], f"{1e3 * seconds:.2f} ms")
            for stage, seconds in result["seconds"].items()
        ]
        rows += [
            (
                f"PyTorch {record['versions']['torch']}, {name}",
                None,
                f"{1e3 * way['seconds']:.2f} ms",
            )
            for name, way in result["torch"].items()
        ]
    if not rows:
        return "No record of a GPU comes with this copy."
    return table(rows, ("after", "kernels", "on the device"), "; ".join(captions))
