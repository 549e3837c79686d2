"""Chapter 15: every node drawn, and marks for what changed."""

from matplotlib.colors import to_hex

from convladder.networks.compile import NETWORKS, optimise
from convladder.teach.plots import compilers
from convladder.teach.plots.style import GREEN, ORANGE


def boxes(ax, colour=None):
    return [
        p
        for p in ax.patches
        if hasattr(p, "get_boxstyle")
        and (colour is None or to_hex(p.get_facecolor()) == colour.lower())
    ]


def lines(ax):
    return [p for p in ax.patches if not hasattr(p, "get_boxstyle")]


def test_every_node_and_every_edge(figures):
    graph = NETWORKS["skip"](1)
    picture = compilers.graph_picture(graph)
    (ax,) = figures[0].axes
    assert len(boxes(ax)) == len(graph.nodes) + 1
    edges = sum(i not in graph.constants for node in graph.nodes for i in node.inputs)
    assert len(lines(ax)) == edges
    assert picture.alt.count("Conv") == sum(node.op == "Conv" for node in graph.nodes)


def test_a_pass_marks_what_goes_and_what_comes(figures):
    step = next(s for s in optimise(NETWORKS["lenet"](1)) if s.name == "fuse_relu")
    compilers.step_picture(step)
    before, after = figures[0].axes
    assert len(boxes(before, ORANGE)) == len(step.gone) == 8
    assert len(boxes(after, GREEN)) == len(step.new) == 4
    assert not boxes(before, GREEN)
