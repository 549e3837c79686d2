"""Contests with the libraries, over one layer or many: running them, and what they come to."""

from collections.abc import Sequence

from .doctor import extra_install
from .errors import CommandError
from .progress import Bar

EVERY_LAYER = "paper"  # as --shape: cv1 to cv12 and the MEC report's layer
SUBJECT = "microkernel"


def layers(shape: str) -> dict:
    """Problems by name: every layer, or the one that `shape` describes."""
    from .. import PAPER, REPORT, ConvProblem

    if shape == EVERY_LAYER:
        return {**PAPER, "report": REPORT}
    return {shape: ConvProblem.parse(shape)}


def run(problems: dict, methods: Sequence, threads: int | None, with_peers: bool) -> dict:
    """`{layer: Contest}`, with a bar. Raises `ValueError` for a number of threads."""
    from ..bench.compare import ROUNDS, contest
    from ..bench.libraries.conv import LIBRARIES

    contestants = len(methods) + (len(LIBRARIES) + 1 if with_peers else 0)  # torch counts twice
    bar = Bar(len(problems) * (contestants + ROUNDS))
    results = {}
    for name, problem in problems.items():
        takers = [method for method in methods if method.unsupported(problem) is None]
        if not takers:
            raise CommandError(f"no method takes {name}: " + "; ".join(
                f"{method.name} ({method.unsupported(problem)})" for method in methods))
        results[name] = contest(
            problem, takers, threads=threads, with_peers=with_peers,
            progress=lambda what, name=name: bar.step(f"{name}: {what}"))
    bar.close()
    return results


def rivals(contests: dict, subject: str) -> list[str]:
    """Libraries and other methods that `subject` can be compared with on every layer."""
    names = []
    for result in contests.values():
        for name in result.comparison.timings:
            rival = result.libraries.get(name, name)
            if rival != subject and rival not in names:
                names.append(rival)
    return [name for name in names if all(
        result.best_of(name) or name in result.comparison.timings for result in contests.values())]


def cells(contests: dict, subject: str) -> tuple[list[list[str]], list[str]]:
    """Rows and column names: a layer a row, ratios saying how many times slower the rival is."""
    from ..text import seconds_text

    against = rivals(contests, subject)
    rows = []
    for layer, result in contests.items():
        packing = result.prepare_seconds.get(subject)
        rows.append([
            layer, seconds_text(result.seconds(subject)),
            f"{result.problem.flops / result.seconds(subject) / 1e9:,.1f}",
            f"{result.share(subject):.0%}",
            *(f"{result.ratio(rival, subject):.2f}" for rival in against),
            "none" if packing is None else seconds_text(packing)])
    return rows, ["layer", subject, "GFLOP/s", "of the peak",
                  *(f"{rival} takes" for rival in against), "packing"]


def summary(contests: dict, subject: str) -> list[str]:
    """Means over the layers, the worst of them, packing both ways: a line each."""
    from ..bench.compare import median_share, standing

    lines = []
    for rival in rivals(contests, subject):
        found = standing(contests, rival, subject)
        lines.append(
            f"{rival} takes {found.mean:.2f} times as long (geometric mean; "
            f"least {found.least:.2f} on {found.layer}; "
            f"{found.unprepared:.2f} were weights packed in every call)")
    lines.append(f"{subject} does {median_share(contests, subject):.1%} of the measured "
                 "multiply-add peak (median layer)")
    return lines


def without() -> str | None:
    """What is not installed and the command that adds it; None if all is there."""
    from ..bench.libraries.conv import missing

    absent = missing()
    if not absent:
        return None
    return f"Not there to compare with: {', '.join(absent)}. Add with: {extra_install('peers')}"
