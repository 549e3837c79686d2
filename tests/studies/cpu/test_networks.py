"""The layers of whole networks, and the table that a record of them gives."""

from convladder import ConvProblem
from convladder.bench.conv_cpu import ConvComparison
from convladder.bench.records.conv_cpu import runs_as_dict
from convladder.measure.timing import Comparison
from studies.cpu import networks as bench


def test_a_network_counts_each_layer_as_often_as_it_has_it(monkeypatch):
    """0.5 and 2 times as fast a layer, the slower one three times: the whole is 5 to 7."""
    monkeypatch.setattr(
        bench, "networks", lambda: {"N": {"4x4x1,1x1x1,s1,p0": 3, "3x3x1,1x1x1,s1,p0": 1}}
    )
    seconds = {"4x4x1,1x1x1,s1,p0": (2.0, 1.0, 1.5), "3x3x1,1x1x1,s1,p0": (1.0, 9.0, 2.0)}
    names = "microkernel", "torch, a", "torch, b"
    run = {
        layer: ConvComparison.of(
            ConvProblem.parse(layer), 1,
            Comparison.of(dict(zip(names, ([time] for time in times))), 1),
            {"torch, a": "torch", "torch, b": "torch"}, {}, 1e9)
        for layer, times in seconds.items()
    }  # fmt: skip
    head, line = bench.lines(runs_as_dict([run]))
    assert "1 thread:" in head
    assert line.split()[:2] == ["N", "0.71"] and "least 0.50: 4x4x1" in line
