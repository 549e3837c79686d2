"""Who is wrong is not timed, who does not run is named, a record gives back what it took."""

import json

import numpy as np
import pytest

from convladder.bench.compiled import NetworkComparison
from convladder.bench.libraries import Library
from convladder.networks.compile import NETWORKS
from studies.cpu import compiled as bench
from studies.cpu import graph_peers as peers
from studies.cpu.compiled import distance, expected, sample


def entered(*others):
    return lambda graph, x, batch, threads: [
        Library(name, "library", lambda run=run, x=x: run(x)) for name, run in others
    ]


def test_judged_before_timed(monkeypatch):
    graph = NETWORKS["skip"](1)

    def right(x):
        return expected(graph, x).astype(np.float32)

    def broken(x):
        raise OSError("no compiler\nthere")

    monkeypatch.setattr(
        bench,
        "peers",
        entered(
            ("right", right), ("wrong", lambda x: right(x) * np.float32(1.001)), ("broken", broken)
        ),
    )
    found = bench.compare_network("skip", 2, 1, threads=1, budget=0.01)
    assert found.rounds.keys() == {"compiled", "not optimised", "right"}
    assert found.error["wrong"] > bench.MAX_ERROR > found.error["compiled"]
    assert found.absent == {"broken": "OSError: no compiler"}
    assert found.libraries == {"right": "library", "wrong": "library"}
    again = NetworkComparison.from_dict(json.loads(json.dumps(found.as_dict())))
    assert again == found and again.label == "skip, 2 images"
    assert again.comparison.ratio("compiled", "compiled") == 1


@pytest.mark.parametrize("name", NETWORKS)
def test_torchs_module_is_the_same_network(name):
    torch = pytest.importorskip("torch")
    graph = NETWORKS[name](2)
    x = sample(graph, 2)
    with torch.no_grad():
        found = peers.module(graph)(torch.from_numpy(x.copy())).numpy()
    assert distance(found, expected(graph, x)) <= bench.limit(graph)
