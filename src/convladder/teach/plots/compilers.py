"""Chapter 15: graphs, passes, schedules, and recorded compilers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path

from ...bench.compiled import NetworkComparison, compiled_gpu_records, cpu_records, networks_of
from ...core.text import mark_disturbed, seconds_text
from ...networks.compile import NETWORKS, Graph, Node, PassResult, infer_shapes, optimise
from ...networks.compile.cost import Cost, cost
from ...networks.compile.schedule import Schedule, Trial
from ..table import Table, table
from .axes import behind, name_rows
from .provenance import cpu_provenance, gpu_provenance
from .shapes import bare, box
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure, ink

ROW = 0.36  # inches from a node to the next below
WIDTH, HEIGHT = 0.86, 0.56  # of a box, in columns and rows
THICK = 7.0  # points, of the line with most bytes
FEWEST_ROWS = 6
COLOURS = 64  # of the PNG: boxes and letters need no more


def node_text(node: Node) -> str:
    """Return a node's work in words, fused work included: "Conv + sum + ReLU"."""
    parts = [node.op]
    if node.op == "Conv":
        depthwise = node.get("group", 1) > 1
        parts = ["Conv, depthwise" if depthwise else "Conv"]
        parts += ["sum"] * (len(node.inputs) > 3)
    parts += ["ReLU"] * bool(node.get("relu")) + ["pool"] * bool(node.get("pool"))
    return " + ".join(parts)


def graph_picture(graph: Graph, title: str | None = None) -> Picture:
    """Draw the nodes of a graph from its inputs down, each with the shape of what it makes."""
    graph = infer_shapes(graph)
    places = _places(graph)
    fig, ax = figure(3.6 * _columns(places), 0.5 + ROW * _rows(places))
    _draw(ax, graph, places, {}, _most_bytes(graph))
    ax.set_title(title or graph.name)
    return Picture(fig, f"The graph {graph.name}: {_nodes_text(graph)}.", COLOURS)


def step_picture(step: PassResult) -> Picture:
    """Draw a pass: the graph before, what goes in orange; the graph after, what is new in green."""
    both = (step.before, step.after)
    places = [_places(graph) for graph in both]
    columns = [_columns(each) for each in places]
    fig, axes = figure(
        3.6 * sum(columns), 0.5 + ROW * max(map(_rows, places)), ncols=2, width_ratios=columns
    )
    marks = ({n.output: ORANGE for n in step.gone}, {n.output: GREEN for n in step.new})
    most, rows = _most_bytes(step.before), max(map(_rows, places))
    for ax, graph, place, mark, when in zip(axes, both, places, marks, ("before", "after")):
        _draw(ax, graph, place, mark, most, rows)
        ax.set_title(
            f"{when} {step.name}\n{len(graph.nodes)} nodes, "
            f"{cost(graph).map_bytes:,} bytes of maps",
            fontsize=9.5,
        )
    return Picture(
        fig,
        f"The graph {step.before.name} before and after {step.name}: "
        f"{_nodes_text(step.before)}; then {_nodes_text(step.after)}.",
        COLOURS,
    )


@lru_cache(maxsize=8)
def _steps(network: str) -> list[PassResult]:
    return optimise(NETWORKS[network](1))


def passes_picture(network: str, passes: int) -> Picture:
    """Draw a network after its first `passes` passes,
    and the bytes of maps that each of them left.
    """
    steps = _steps(network)
    graphs = [steps[0].before, *(step.after for step in steps)]
    names = ["as it came", *(step.name for step in steps)]
    places = [_places(graph) for graph in graphs]
    rows, columns = max(map(_rows, places)), max(map(_columns, places))
    fig, (left, right) = figure(
        3.6 * columns + 3.6, 0.5 + ROW * rows, ncols=2, width_ratios=(3.6 * columns, 3.0)
    )
    graph, marks = graphs[passes], {}
    if passes:
        marks = {node.output: GREEN for node in steps[passes - 1].new}
    _draw(left, graph, places[passes], marks, _most_bytes(graphs[0]), rows)
    left.set_title(f"{network}, {names[passes]}")
    _bars(right, dict(enumerate(map(cost, graphs))), names, passes)
    right.set_ylim(left.get_ylim())  # a bar as high as a row: all in sight below the slider
    return Picture(
        fig,
        f"{network} after {passes} passes ({names[passes]}): {_nodes_text(graph)}; "
        f"{cost(graph).map_bytes:,} bytes of maps.",
        COLOURS,
    )


def _bars(ax: Axes, costs: Mapping[int, Cost], names: list[str], now: int) -> None:
    most = max(c.map_bytes for c in costs.values())
    for row, each in costs.items():
        ax.barh(row, each.map_bytes, color=SKY if row == now else PALE, height=0.7)
        behind(ax, f"{each.nodes} nodes, {each.map_bytes:,} B", 0, row, fontsize=8)
    name_rows(ax, names, inverted=False, fontsize=8.5)
    ax.set(xlim=(0, most), xticks=[], title="maps, to and from memory")
    ax.spines[:].set_visible(False)


def _places(graph: Graph) -> dict[str, tuple[int, int]]:
    """Return (row, column) of each input and node: below all that it reads,
    side by side in a row.
    """
    rows = dict.fromkeys(graph.inputs, 0)
    for node in graph.nodes:
        above = [rows[name] for name in node.inputs if name in rows]
        rows[node.output] = 1 + max(above, default=-1)
    taken: dict[int, int] = {}
    places = {}
    for name, row in rows.items():
        places[name] = row, taken.get(row, 0)
        taken[row] = taken.get(row, 0) + 1
    return places


def _rows(places: Mapping[str, tuple[int, int]]) -> int:
    return max(FEWEST_ROWS, 1 + max(row for row, _ in places.values()))


def _columns(places: Mapping[str, tuple[int, int]]) -> int:
    return 1 + max(column for _, column in places.values())


def _most_bytes(graph: Graph) -> int:
    return max(graph[name].bytes for name in (*graph.inputs, *graph.tensors))


def _draw(
    ax: Axes,
    graph: Graph,
    places: Mapping[str, tuple[int, int]],
    marks: Mapping[str, str],
    most: int,
    rows: int | None = None,
) -> None:
    for node in graph.nodes:
        row, column = places[node.output]
        for name in node.inputs:
            if name in places:
                _edge(ax, places[name], (row, column), 0.8 + THICK * graph[name].bytes / most)
    for name in graph.inputs:
        _box(ax, places[name], name, graph, name, GREY, "white")
    for node in graph.nodes:
        name, colour = node.output, marks.get(node.output, BLUE)
        fill = colour if name in marks else "white"
        _box(ax, places[name], node_text(node), graph, name, colour, fill)
    ax.set(xlim=(-0.5, _columns(places) - 0.36), ylim=((rows or _rows(places)) - 0.4, -0.6))
    bare(ax)


def _edge(ax: Axes, begin: tuple[float, float], end: tuple[float, float], width: float) -> None:
    """Draw a line down to the node below; around the boxes if others of its column are between."""
    (above, first), (row, column) = begin, end
    if first == column and row > above + 1:
        side = column + WIDTH / 2
        points = [(side, above), (side + 0.14, above), (side + 0.14, row), (side, row)]
        codes = [Path.MOVETO, *[Path.CURVE4] * 3]
    else:
        points = [(first, above + HEIGHT / 2), (column, row - HEIGHT / 2)]
        codes = [Path.MOVETO, Path.LINETO]
    style = {"fill": False, "edgecolor": GREY, "alpha": 0.55, "capstyle": "butt", "zorder": 1}
    ax.add_patch(PathPatch(Path(points, codes), linewidth=width, **style))


def _box(
    ax: Axes, place: tuple[int, int], text: str, graph: Graph, name: str, edge: str, fill: str
) -> None:
    (row, column), round_ = place, "round,pad=0,rounding_size=0.08"
    left, style = column - WIDTH / 2, {"facecolor": fill, "edgecolor": edge, "zorder": 2}
    corner = (left, row - HEIGHT / 2)
    ax.add_patch(FancyBboxPatch(corner, WIDTH, HEIGHT, boxstyle=round_, mutation_aspect=3, **style))
    letters = {"va": "center", "color": ink(fill), "zorder": 3}
    ax.text(left + 0.03, row, text, fontsize=8, **letters)
    shape = "×".join(map(str, graph[name].shape[1:])) or "label"
    ax.text(left + WIDTH - 0.03, row, shape, ha="right", fontsize=7.5, **letters)


def _nodes_text(graph: Graph) -> str:
    return ", ".join(map(node_text, graph.nodes))


KINDS = {"Conv": BLUE, "Gemm": GREEN, "FusedGemm": GREEN, "MaxPool": SKY, "GlobalAveragePool": SKY}
MARKED = ("ReorderInput", "ReorderOutput")  # nothing but a change of layout
SHORT = {
    "GlobalAveragePool": "Avg\nPool",
    "MaxPool": "Max\nPool",
    "FusedGemm": "Gemm",
    "BatchNormalization": "Batch\nNorm",
    "ReorderOutput": "Reorder",
    "ReorderInput": "Reorder",
    "Transpose": "Trans-\npose",
}
ROW_WIDTH, ROW_HEIGHT = 0.94, 0.6  # of a box; the next is 1 to the right, the next row 1 below


def nodes_picture(rows: Mapping[str, Sequence[str]]) -> Picture:
    """Draw the operators of each row in their order: `{"lenet, ours": ["Conv", ...]}`."""
    longest = max(map(len, rows.values()))
    fig, ax = figure(7.1, 0.1 + 0.62 * len(rows))
    for y, (label, ops) in enumerate(rows.items()):
        ax.text(0, y - 0.05, f"{label}: {len(ops)}", va="bottom", fontsize=9.5)
        for x, op in enumerate(ops):
            colour = ORANGE if op in MARKED else KINDS.get(op, PALE)
            style = {"fontsize": 7.8, "linespacing": 1}
            name, letters = SHORT.get(op, op), GREY if colour == PALE else None
            box(ax, x, y, ROW_WIDTH, ROW_HEIGHT, colour, name, letters=letters, text=style)
    ax.set(xlim=(0, longest), ylim=(len(rows) - 1 + ROW_HEIGHT, -0.4))
    ax.set_axis_off()
    said = "; ".join(f"{label}, {len(ops)} nodes" for label, ops in rows.items())
    return Picture(fig, f"The nodes that are left of each network: {said}.", colours=128)


def schedules_picture(trials: Sequence[Trial], predicted: Mapping[Schedule, float]) -> Picture:
    """Draw a bar for each candidate, the quickest on top and green; an orange mark for the
    forecast.

    predicted: seconds by schedule. Raises ValueError where no trial was timed.
    """
    timed = [trial for trial in trials if trial.seconds is not None]
    if not timed:
        raise ValueError("no candidate was right, so none was timed and there is nothing to draw")
    fig, ax = figure(7.4, 0.9 + 0.2 * len(timed))
    for row, trial in enumerate(timed):
        forecast = predicted[trial.schedule]
        ax.barh(row, trial.seconds, height=0.72, color=BLUE if row else GREEN)
        ax.plot([forecast] * 2, [row - 0.36, row + 0.36], color=ORANGE, linewidth=2)
        behind(ax, seconds_text(trial.seconds), max(trial.seconds, forecast), row, fontsize=7.5)
    schedules = [str(trial.schedule) for trial in timed]
    name_rows(ax, schedules, inverted=False, fontsize=7.5, family="monospace")
    slowest = max(timed[-1].seconds, *(predicted[trial.schedule] for trial in timed))
    low = min(t.seconds for t in timed) / 2.5
    ax.set(xscale="log", xlim=(low, 2.2 * slowest), ylim=(len(timed) - 0.4, -0.6), xticks=[])
    ax.minorticks_off()
    ax.set_xlabel("time of one call (log scale); orange: what the model predicts", color=GREY)
    ax.spines.bottom.set_visible(False)
    return Picture(
        fig,
        f"Times of {len(timed)} schedules of one convolution, the quickest first, "
        "each beside its forecast.",
    )


def compiled_table(networks: Sequence[NetworkComparison], caption: str) -> Table:
    """Return a row for each way to run each network: its time, over ours, and its error."""
    rows = []
    for network in networks:
        comparison, ours = network.comparison, network.ours
        for name, timing in sorted(comparison.timings.items(), key=lambda item: item[1].median):
            over = "" if name == ours else f"{comparison.ratio(name, ours):.2f} times ours"
            median = mark_disturbed(seconds_text(timing.median), timing.disturbed)
            rows.append((network.label, name, median, over, f"{network.error[name]:.0e}"))
    return table(rows, ("network", "way", "median", "relative", "error against float64"), caption)


def compiled_records() -> list[tuple[str, list[NetworkComparison]]]:
    """Return machine and day, and networks, of each record that has a library in it."""
    runs = [
        (f"{cpu_provenance(record)}, {_libraries(record)}", networks_of(record))
        for record in cpu_records()
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
        gpu = gpu_provenance(record)
        captions.append(f"{network}, {result['images']:,} images, {gpu}")
        rows += [
            (stage, result["kernels"][stage], f"{1e3 * seconds:.2f} ms")
            for stage, seconds in result["seconds"].items()
        ]
        torch = f"PyTorch {record['versions']['torch']}"
        rows += [
            (f"{torch}, {name}", None, f"{1e3 * way['seconds']:.2f} ms")
            for name, way in result["torch"].items()
        ]
    if not rows:
        return "No record of a GPU comes with this copy."
    return table(rows, ("after", "kernels", "on the device"), "; ".join(captions))
