"""Compiled networks beside the hand-written rung and the libraries: judged, then timed in turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import numpy as np

from .. import lenet
from ..compile.graph import Graph, Tensor
from ..compile.networks import NETWORKS
from ..compile.oracle import evaluate
from ..compile.passes import PASSES, images_in_lanes, to_nhwc
from ..compile.program import compile_graph
from ..lenet.rungs import get_rung
from ..measure import Comparison, Timing, compare, machine
from ..measure.pinning import thread_count
from ..measure.timer import timing_of
from ..records.store import RECORDS as ALL_RECORDS
from ..records.store import records, versions
from .libraries.graph import optimised_by_onnxruntime, peers
from .libraries.lenet import missing

RECORDS = ALL_RECORDS / "compile"
CASES = (("lenet", 10_000, 500), ("skip", 1, 1), ("skip", 32, 32), ("depthwise", 1, 1),
         ("depthwise", 32, 32))  # network, images, how many at a time
HAND = "lanes, by hand"  # chapter 11's best rung on a processor
WHOLE = "compiled, images in lanes"
COMPILED = "compiled"
BARE = "not optimised"
ROUNDING = 1e-5  # of the largest value: what float32 may be apart after a dozen layers
OTHERS = 5e-4  # of all labels: a few hang on a logit's last digits


@dataclass(frozen=True)
class Contest:
    """What came of one network, all by contestant.

    `apart`: how far the values are from float64's, over the largest of them; of labels, the share
    that was wrong. A contestant is timed if that is rounding. `libraries` maps those of a library
    to its name; `absent` says why one did not run. Pairs of `rounds` were taken in turns.
    """

    network: str
    images: int
    batch: int
    threads: int
    rounds: dict[str, tuple[float, ...]]
    apart: dict[str, float]
    libraries: dict[str, str]
    absent: dict[str, str]

    @property
    def comparison(self) -> Comparison:
        timings: dict[str, Timing] = {name: timing_of(list(times), self.threads)
                                      for name, times in self.rounds.items()}
        return Comparison(timings, self.rounds)

    @property
    def label(self) -> str:
        """`skip, 32 images`."""
        return f"{self.network}, {self.images:,} image{'s' * (self.images > 1)}"

    @classmethod
    def from_dict(cls, data: Mapping) -> Contest:
        """From a record's entry."""
        rounds = {name: tuple(times) for name, times in data["rounds"].items()}
        return cls(**{**data, "rounds": rounds})


def contest(
    network: str, images: int, batch: int, *, threads: int | None = None,
    with_peers: bool = True, budget: float = 0.5,
    progress: Callable[[str], None] = lambda what: None,
) -> Contest:  # fmt: skip
    """Our ways and the libraries' through `images` images, `batch` at a time, judged and timed.

    Raises `ValueError` for threads, and for a network that there is not.
    """
    if network not in NETWORKS:
        raise ValueError(f"there is no network {network!r}; there are {', '.join(NETWORKS)}")
    number, graph = thread_count(threads), NETWORKS[network](batch)
    x = sample(graph, images)
    right = expected(graph, x)
    ways = _ours(network, graph, x, batch)
    libraries, absent, found = {}, {}, {}
    if with_peers:
        for peer in peers(graph, x, batch, number):
            ways[peer.name], libraries[peer.name] = peer.run, peer.library
    for name, run in list(ways.items()):
        progress(name)
        try:
            found[name] = apart(run(), right)
        except Exception as error:
            if name not in libraries:
                raise
            absent[name] = f"{type(error).__name__}: {error}".splitlines()[0]
            del ways[name], libraries[name]
    timed = {name: run for name, run in ways.items() if found[name] <= limit(graph)}
    progress("timing")
    rounds = compare(timed, budget=budget, threads=threads).rounds
    return Contest(network, images, batch, number, rounds, found, libraries, absent)


def sample(graph: Graph, count: int) -> np.ndarray:
    """`count` images for a network: the first test digits, or values by chance."""
    (name,) = graph.inputs
    shape, rng = graph[name].shape[1:], np.random.default_rng(12)
    if graph.name == "lenet":
        return np.ascontiguousarray(lenet.images()[:count, np.newaxis])
    return rng.standard_normal((count, *shape), np.float32)


def expected(graph: Graph, x: np.ndarray) -> np.ndarray:
    """The float64 oracle's labels or values for images `x`, of whatever number."""
    if graph.name == "lenet":
        return lenet.logits(x[:, 0], lenet.weights()).argmax(axis=1)
    (name,) = graph.inputs
    whole = graph.having(inputs={name: Tensor(x.shape, graph[name].dtype)})
    return evaluate(whole, **{name: x})[graph.outputs[0]]


def apart(found: np.ndarray, right: np.ndarray) -> float:
    """How far values are from the right ones, over the largest; of labels the share of others."""
    if right.dtype.kind == "i":
        return float(np.mean(found != right))
    return float(np.abs(found - right).max() / np.abs(right).max())


def limit(graph: Graph) -> float:
    """How far apart values may be that are right."""
    return OTHERS if graph.name == "lenet" else ROUNDING


def _ours(network: str, graph: Graph, x: np.ndarray, batch: int) -> dict[str, Callable]:
    (name,), (output,) = graph.inputs, graph.outputs
    parts = [x[at : at + batch] for at in range(0, len(x), batch)]

    def in_parts(program) -> Callable[[], np.ndarray]:
        return lambda: np.concatenate([program(**{name: part})[output] for part in parts])

    ways = {COMPILED: in_parts(compile_graph(graph)),
            BARE: in_parts(compile_graph(graph, [to_nhwc]))}
    if network == "lenet":
        whole = compile_graph(NETWORKS[network](len(x)), (*PASSES, images_in_lanes))
        ways = {HAND: get_rung("lanes").session(x[:, 0]).run,
                WHOLE: lambda: whole(**{name: x})[output], **ways}
    return ways


def measured(threads: int | None = None, progress: Callable[[str], None] = lambda what: None
             ) -> dict[str, object]:
    """All of `CASES` on this machine, as a record."""
    found = []
    for case in CASES:
        found.append(contest(*case, threads=threads,
                             progress=lambda what, at=case[0]: progress(f"{at}: {what}")))
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine().as_dict(),
        "versions": versions() | {"apache-tvm": _tvm_version()},
        "contests": [vars(each) for each in found],
        "onnxruntime": _operators(),
    }


def _operators() -> dict[str, list[str]]:
    """What ONNX Runtime makes of each network; nothing where it is not installed."""
    if "onnxruntime" in missing():
        return {}
    return {name: optimised_by_onnxruntime(name) for name in NETWORKS}


def _tvm_version() -> str | None:
    try:
        return metadata.version("apache-tvm")
    except metadata.PackageNotFoundError:
        return None


def recorded(folder: Path = RECORDS) -> list[dict]:
    """The records of processors that come with the course, the newest first."""
    return [record for record in records(folder) if "contests" in record]


def contests_of(record: Mapping) -> list[Contest]:
    """What a record holds."""
    return [Contest.from_dict(data) for data in record["contests"]]
