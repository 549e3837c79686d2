"""Planners side by side: arenas over the lower bound."""

from __future__ import annotations

from collections.abc import Mapping

from .style import BLUE, GREY, ORANGE, SKY, Picture, figure


def planners_picture(planners: Mapping[str, Mapping[str, float]]) -> Picture:
    """Draw `{planner: {graph: arena over lower bound}}` as groups of bars;
    "yours" is drawn apart.
    """
    graphs = list(next(iter(planners.values())))
    fig, ax = figure(7.6, 3.4)
    wide = 0.8 / len(planners)
    for number, (name, arenas) in enumerate(planners.items()):
        colour = ORANGE if name == "yours" else (GREY, SKY, BLUE)[number % 3]
        at = [graph + (number - (len(planners) - 1) / 2) * wide for graph in range(len(graphs))]
        over = [arenas[graph] - 1 for graph in graphs]
        ax.bar(at, over, 0.9 * wide, bottom=1, color=colour, label=name)
        for x, y in zip(at, over):
            ax.annotate(
                "bound" if y == 0 else f"{y:+.0%}",
                (x, 1 + y),
                (0, 2),
                ha="center",
                textcoords="offset points",
                fontsize=7,
                rotation=90,
            )
    ax.axhline(1, color="black", linewidth=0.8)
    most = max(max(arenas.values()) for arenas in planners.values())
    ax.set(
        ylim=(0.99, 1 + 1.18 * (most - 1) + 0.03),
        ylabel="arena over lower bound",
        title="Planners on six graphs: shorter is better",
    )
    ax.set_xticks(range(len(graphs)), graphs)
    fig.legend(loc="outside lower center", ncols=len(planners))
    listed = "; ".join(
        f"{name}: " + ", ".join(f"{graph} {times:.2f}" for graph, times in arenas.items())
        for name, arenas in planners.items()
    )
    return Picture(fig, f"Arenas over the lower bound. {listed}.")
