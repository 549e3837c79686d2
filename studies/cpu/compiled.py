"""Compiled networks beside the hand-written rung and the libraries: judged, then timed in turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from convladder.bench.compiled import WHOLE, NetworkComparison, networks_of
from convladder.bench.libraries import missing
from convladder.bench.metadata import VERSIONS, cpu_metadata
from convladder.bench.rounds import judge_then_time
from convladder.core.progress import Progress, report_progress
from convladder.measure import compare
from convladder.measure.pinning import thread_count
from convladder.networks import lenet
from convladder.networks.compile.graph import Graph, Tensor
from convladder.networks.compile.interpreter import evaluate
from convladder.networks.compile.networks import NETWORKS
from convladder.networks.compile.passes import PASSES, images_in_lanes, to_nhwc
from convladder.networks.compile.program import compile_graph
from convladder.networks.lenet.rungs import get_rung

from .graph_peers import optimised_by_onnxruntime, peers

FOLDER = "compile"  # beside the records of GPUs

CASES = (
    ("lenet", 10_000, 500),
    ("skip", 1, 1),
    ("skip", 32, 32),
    ("depthwise", 1, 1),
    ("depthwise", 32, 32),
)  # network, images, how many at a time
HAND = "lanes, by hand"  # chapter 14's best CPU rung
COMPILED = "compiled"
BARE = "not optimised"


def compare_network(
    network: str, images: int, batch: int, *, threads: int | None = None,
    with_peers: bool = True, budget: float = 0.5, progress: Progress = report_progress,
) -> NetworkComparison:  # fmt: skip
    """Judge and time our ways and the libraries' on `images` images, `batch` at a time.

    Raises `ValueError` for threads, and for a network that there is not.
    """
    if network not in NETWORKS:
        raise ValueError(f"there is no network {network!r}; there are {', '.join(NETWORKS)}")
    number, graph = thread_count(threads), NETWORKS[network](batch)
    x = sample(graph, images)
    right = expected(graph, x)
    ways = _ours(network, graph, x, batch)
    libraries, errors = {}, {}
    for way in peers(graph, x, batch, number) if with_peers else ():
        ways[way.name], libraries[way.name] = way.run, way.package

    def judge(name: str, run: Callable) -> bool:
        errors[name] = distance(run(), right)
        return errors[name] <= limit(graph)

    def time(right: dict[str, Callable]) -> dict[str, tuple[float, ...]]:
        progress("timing")
        return compare(right, budget=budget, threads=threads).rounds

    rounds, absent = judge_then_time(ways, judge, time, optional=libraries, progress=progress)
    present = {name: of for name, of in libraries.items() if name not in absent}
    return NetworkComparison(network, images, batch, number, rounds, errors, present, absent)


def _ours(network: str, graph: Graph, x: np.ndarray, batch: int) -> dict[str, Callable]:
    (name,), (output,) = graph.inputs, graph.outputs
    parts = [x[at : at + batch] for at in range(0, len(x), batch)]

    def in_parts(program) -> Callable[[], np.ndarray]:
        return lambda: np.concatenate([program(**{name: part})[output] for part in parts])

    ways = {
        COMPILED: in_parts(compile_graph(graph)),
        BARE: in_parts(compile_graph(graph, [to_nhwc])),
    }
    if network == "lenet":
        whole = compile_graph(NETWORKS[network](len(x)), (*PASSES, images_in_lanes))
        ways = {
            HAND: get_rung("lanes").session(x[:, 0]).run,
            WHOLE: lambda: whole(**{name: x})[output],
            **ways,
        }
    return ways


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Measure all of `CASES` here, on all cores, as a record."""
    networks = [
        compare_network(*case, progress=lambda what, at=case[0]: progress(f"{at}: {what}"))
        for case in CASES
    ]
    return {
        **cpu_metadata((*VERSIONS, "apache-tvm")),
        "contests": [each.as_dict() for each in networks],
        "onnxruntime": _operators(),
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield for each network the ways and their times."""
    for each in networks_of(record):
        yield from ("", f"{each.label}, {each.batch} at a time", str(each.comparison))
        yield from (f"{name} did not run: {why}" for name, why in each.absent.items())


def _operators() -> dict[str, list[str]]:
    """Return ONNX Runtime's operators for each network; {} where it is not installed."""
    if "onnxruntime" in missing():
        return {}
    return {name: optimised_by_onnxruntime(name) for name in NETWORKS}


MAX_ERROR = 1e-5  # of the largest value: what float32 may be off by after a dozen layers
MAX_WRONG_LABELS = 5e-4  # of all labels: a few hang on a logit's last digits


def sample(graph: Graph, count: int) -> np.ndarray:
    """Return `count` images for a network: the first test digits, or values by chance."""
    (name,) = graph.inputs
    shape, rng = graph[name].shape[1:], np.random.default_rng(12)
    if graph.name == "lenet":
        return np.ascontiguousarray(lenet.images()[:count, np.newaxis])
    return rng.standard_normal((count, *shape), np.float32)


def expected(graph: Graph, x: np.ndarray) -> np.ndarray:
    """Return the float64 oracle's labels or values for images `x`, of whatever number."""
    if graph.name == "lenet":
        return lenet.logits(x[:, 0], lenet.weights()).argmax(axis=1)
    (name,) = graph.inputs
    whole = graph.having(inputs={name: Tensor(x.shape, graph[name].dtype)})
    return evaluate(whole, **{name: x})[graph.outputs[0]]


def distance(values: np.ndarray, right: np.ndarray) -> float:
    """Return how far values are from right ones, over the largest; of labels the share wrong."""
    if right.dtype.kind == "i":
        return float(np.mean(values != right))
    return float(np.abs(values - right).max() / np.abs(right).max())


def limit(graph: Graph) -> float:
    """Return how far values may be from the right ones and be right."""
    return MAX_WRONG_LABELS if graph.name == "lenet" else MAX_ERROR
