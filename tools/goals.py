"""The course's goals on a processor, and how a record meets them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from convladder.bench.conv_cpu import ConvComparison
from convladder.bench.libraries import LIBRARIES
from convladder.bench.records.conv_cpu import Run, runs_by_auto
from convladder.bench.rounds import geometric_mean
from convladder.core.problem import PAPER
from convladder.core.text import count_text

TORCH, ONNXRUNTIME = "torch", "onnxruntime"
# How many times PyTorch's speed, by layer; and on any other 3×3 layer of stride 1.
AHEAD = dict.fromkeys(("cv8", "cv9", "cv10", "56×56×64", "28×28×128"), 2.2) | dict.fromkeys(
    ("cv11", "14×14×256"), 1.6
)
LEAST_AHEAD = 1.1
SEVERAL_THREADS = 0.9  # of those
# Over cv1 to cv12 a library, and the least on any of them.
MEANS = {TORCH: 1.5, ONNXRUNTIME: 1.35}
LEAST = 0.95
CHOICE = 1.05  # of the fastest method's time, what is chosen may take, on those and
CHOSEN = (*AHEAD, "cv12", "7×7×512")


class Goal(NamedTuple):
    """`measured` is to be at least `asked`, or at most."""

    what: str
    asked: float
    measured: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        return self.measured <= self.asked if self.at_most else self.measured >= self.asked

    def cells(self) -> list[str]:
        """Return a row of `goals_table`."""
        bound = "at most" if self.at_most else "at least"
        return [
            self.what,
            f"{bound} {self.asked:.3g}",
            f"{self.measured:.2f}",
            "met" if self.met else "**missed**",
        ]


def goals(run: Run) -> list[Goal]:
    """Return the goals for which a run has the layers and the libraries."""
    return [*_ahead(run), *_means(run), *_choice(run)]


def _ahead(run: Run) -> Iterator[Goal]:
    """The speed of `auto` over PyTorch's, on 3×3 layers of stride 1."""
    ratios = {
        name: each.ratio(TORCH, each.chosen)
        for name, each in run.items()
        if each.problem.k_h == each.problem.k_w == 3
        and each.problem.stride == (1, 1)
        and each.best_of(TORCH)
    }
    share = SEVERAL_THREADS if any(each.threads > 1 for each in run.values()) else 1
    for name, asked in AHEAD.items():
        if name in ratios:
            yield Goal(f"vs {TORCH} on {name}", asked * share, ratios[name])
    if ratios:
        worst = min(ratios, key=ratios.get)
        yield Goal(
            f"vs {TORCH} on each 3×3 layer of stride 1 (least on {worst})",
            LEAST_AHEAD * share,
            ratios[worst],
        )


def _means(run: Run) -> Iterator[Goal]:
    for library, ratios in ratios_on_paper(run).items():
        worst = min(ratios, key=ratios.get)
        yield Goal(
            f"vs {library} on cv1 to cv12 (geometric mean)",
            MEANS[library],
            geometric_mean(ratios.values()),
        )
        yield Goal(f"vs {library} on each of cv1 to cv12 (least on {worst})", LEAST, ratios[worst])


def _choice(run: Run) -> Iterator[Goal]:
    """Yield the goals for `auto`'s time against the fastest method's."""
    losses = {name: loss(run[name]) for name in CHOSEN if name in run}
    if losses:
        worst = max(losses, key=losses.get)
        yield Goal(
            f"auto's time over the fastest method's (largest on {worst})",
            CHOICE,
            losses[worst],
            at_most=True,
        )


def ratios_on_paper(run: Run) -> dict[str, dict[str, float]]:
    """Return library -> layer -> its time over that of what `auto` takes, on the paper's twelve
    layers; of libraries that took part in all of them."""
    layers = {name: run[name] for name in PAPER if name in run}
    whole = layers.keys() == PAPER.keys()
    return {
        library: {name: each.ratio(library, each.chosen) for name, each in layers.items()}
        for library in LIBRARIES
        if whole and all(each.best_of(library) for each in layers.values())
    }


def fastest(each: ConvComparison) -> str:
    """Return the method that was, by name."""
    return min((name for name in each.measured if name not in each.libraries), key=each.seconds)


def loss(each: ConvComparison) -> float:
    """Return the time of what `auto` takes over the fastest method's: 1 for a right choice."""
    return each.comparison.ratio(each.chosen, fastest(each))


def markdown(rows: list[list[str]], columns: list[str]) -> Iterator[str]:
    """Yield the lines of a Markdown table, numbers to the right."""
    for line in (columns, ["---", *["---:"] * (len(columns) - 1)], *rows):
        yield f"| {' | '.join(line)} |"


def goals_table(record: Mapping) -> str:
    """Return a processor's record as Markdown: a run a table, a goal a row."""
    parts = []
    for run in runs_by_auto(record):
        if run:
            threads = next(iter(run.values())).threads
            rows = [goal.cells() for goal in goals(run)]
            columns = ["goal", "asked", "measured", ""]
            parts += [f"**{count_text(threads, 'thread')}**", "", *markdown(rows, columns), ""]
    return "\n".join(parts).rstrip()
