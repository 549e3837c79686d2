"""Chapter 15: every node drawn, marks for what changed, and records of networks."""

import pytest
from matplotlib.colors import to_hex

from convladder import ConvProblem
from convladder.bench.compiled import WHOLE, NetworkComparison, cpu_records
from convladder.cpu.isa import Isa
from convladder.networks.compile import NETWORKS, PASSES, infer_shapes, optimise
from convladder.networks.compile.schedule import Trial, space
from convladder.teach.plots import compilers
from convladder.teach.plots.style import GREEN, ORANGE
from convladder.teach.reports import compiled_gpu_records


def boxes(ax, colour=None):
    return [
        p
        for p in ax.patches
        if hasattr(p, "get_boxstyle")
        and (colour is None or to_hex(p.get_facecolor()) == colour.lower())
    ]


def lines(ax):
    return [p for p in ax.patches if not hasattr(p, "get_boxstyle")]


@pytest.mark.parametrize("name", NETWORKS)
def test_every_node_and_every_edge(name, figures):
    graph = NETWORKS[name](1)
    picture = compilers.graph_picture(graph)
    (ax,) = figures[0].axes
    assert len(boxes(ax)) == len(graph.nodes) + 1
    edges = sum(i not in graph.constants for node in graph.nodes for i in node.inputs)
    assert len(lines(ax)) == edges
    assert picture.alt.count("Conv") == sum(node.op == "Conv" for node in graph.nodes)
    graph = infer_shapes(graph)
    largest = max(line.get_linewidth() for line in lines(ax))
    most = max(graph.tensors.values(), key=lambda t: t.bytes)
    assert largest == pytest.approx(0.8 + compilers.THICK) and most.bytes > 2**12


def test_a_pass_marks_what_goes_and_what_comes(figures):
    step = next(s for s in optimise(NETWORKS["lenet"](1)) if s.name == "fuse_relu")
    compilers.step_picture(step)
    before, after = figures[0].axes
    assert len(boxes(before, ORANGE)) == len(step.gone) == 8
    assert len(boxes(after, GREEN)) == len(step.new) == 4
    assert not boxes(before, GREEN)
    assert "91,048 bytes" in before.get_title("left")
    assert "53,576 bytes" in after.get_title("left")


def test_stepping_through_all_passes(figures):
    for passes in (0, 4, len(PASSES)):
        picture = compilers.passes_picture("skip", passes)
        left, right = figures[-1].axes
        assert len(right.get_yticks()) == len(PASSES) + 1
        assert f"after {passes} passes" in picture.alt
    assert len(boxes(figures[1].axes[0], GREEN)) == 9  # the folded norms


def test_schedules_are_drawn_with_their_forecast(figures):
    some = space(ConvProblem.parse("10x10x4,3x3x8"), isa=Isa("NEON", 128, 32, fused=True))[:4]
    trials = [Trial(s, 1e-5 * (1 + i)) for i, s in enumerate(some[:3])]
    trials.append(Trial(some[3], None, "wrong"))
    compilers.schedules_picture(trials, dict.fromkeys(some, 2e-05))
    (ax,) = figures[0].axes
    assert len(ax.get_yticks()) == 3
    assert to_hex(ax.patches[0].get_facecolor()) == GREEN.lower()
    assert sum(list(line.get_xdata()) == [2e-5, 2e-5] for line in ax.lines) == 3
    with pytest.raises(ValueError, match="none was timed"):
        compilers.schedules_picture(trials[3:], {})


def test_a_table_is_sorted_and_measured_by_ours():
    rounds = {"compiled": (4.0, 4.0), "onnxruntime": (2.0, 2.0), "torch.compile": (6.0, 6.0)}
    result = NetworkComparison(
        "skip", 1, 1, 2, rounds, dict.fromkeys(rounds, 2e-7), {"onnxruntime": "onnxruntime"}, {}
    )
    shown = compilers.compiled_table([result], "here, today")
    assert [row[1] for row in shown.cells] == ["onnxruntime", "compiled", "torch.compile"]
    assert [row[3] for row in shown.cells] == ["0.50 times ours", "", "1.50 times ours"]
    assert shown.caption == "here, today" and shown.cells[0][0] == "skip, 1 image"
    whole = NetworkComparison("lenet", 9, 3, 2, {WHOLE: (1.0,), **rounds}, {}, {}, {})
    assert compilers.subject(whole) == WHOLE


def test_what_is_shipped_says_where_and_when():
    assert cpu_records() and compiled_gpu_records()
    for where, contests in compilers.compiled_records():
        assert "recorded 20" in where and "onnxruntime " in where
        assert {c.network for c in contests} == {"lenet", "skip", "depthwise"}
        assert all(c.error[name] <= 1e-5 for c in contests for name in c.rounds)
    for name in ("lenet", "skip", "depthwise"):
        assert "NVIDIA H200, recorded 20" in compilers.compiled_gpu_table(name).caption


def test_no_record_of_a_gpu(monkeypatch):
    monkeypatch.setattr(compilers, "compiled_gpu_records", lambda: [])
    assert "No record of a GPU" in compilers.compiled_gpu_table("lenet")
