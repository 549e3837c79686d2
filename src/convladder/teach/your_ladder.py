"""Your ladder: every way to compute one layer that you have timed on this machine, as a picture.

Rungs are kept in the learner's journal, with machine and day. A rung of an earlier chapter that
is not there is drawn pale, as another machine recorded it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from ..bench.rungs import CUDNN, LIBRARY_NAMES, PYTHON, RUNGS, recorded, time_libraries, time_rung
from ..core.problem import REPORT, ConvProblem
from ..core.text import bytes_text, seconds_text
from ..journal import RUNG, Event, events, tell
from ..measure import machine, roofline
from ..measure.memory import RESOLUTION
from .plots.axes import beside, short_seconds, ticks_in_words
from .plots.style import GREY, PINK, Picture, figure

YOURS, ELSEWHERE = "#5B6B7B", "#C3CDD6"
_SESSION: list[Event] = []  # rungs of this kernel, where no journal is kept


@dataclass(frozen=True)
class LadderRow:
    """One row of the picture. machine: where it was recorded, "" for this one."""

    name: str
    seconds: float
    workspace: int
    machine: str = ""
    note: str = ""


class YourLadder:
    """The rungs of `layer` up to a chapter, given by its two digits: `YourLadder("03")`."""

    def __init__(self, chapter: str, layer: ConvProblem = REPORT) -> None:
        if layer not in RUNGS:
            known = " and ".join(map(str, RUNGS))
            raise ValueError(f"no chapter climbs the layer {layer}; there are {known}")
        self.chapter, self.layer = chapter, layer
        self._recorded: set[str] = set()  # rungs of this chapter that this machine cannot time

    def add(self, name: str, timing: Any, workspace: float = 0, part: float = 1) -> None:
        """Keep a rung. timing: a `Timing`, or seconds; workspace: bytes besides the result.

        part: the share of the layer that was timed, from which its seconds are scaled.
        """
        seconds = float(getattr(timing, "median", timing)) / part
        notes = ["scaled"] * (part != 1) + ["busy machine"] * getattr(timing, "disturbed", False)
        said = {"what": name, "measured": seconds, "unit": "s", "layer": str(self.layer)}
        said |= {"workspace": int(workspace), "machine": _here(), "note": ", ".join(notes)}
        _SESSION.append(tell(RUNG, **said) or Event(RUNG, **said))

    def climb(self, name: str) -> None:
        """Time a rung by the package's own method, and keep it.

        A GPU's rung is timed where there is a GPU; elsewhere the recorded one is drawn from now on.
        """
        rung = next(each for each in RUNGS[self.layer] if each.name == name)
        if rung.where != "gpu" or machine().tier == "gpu":
            each = time_rung(rung, self.layer)
            self.add(name, each["seconds"], each["workspace"])
        else:
            self._recorded.add(name)

    def add_libraries(self) -> None:
        """Time the libraries that are installed here, once for all chapters."""
        mine = self._mine()
        if not any(name in mine for name in LIBRARY_NAMES.values()):
            for name, each in time_libraries(self.layer).items():
                self.add(name, each["seconds"])

    def steps(self) -> list[LadderRow]:
        """Return the rungs up to the chapter, in its order; those not climbed as recorded."""
        mine, elsewhere = self._mine(), recorded(self.layer)
        found = []
        for rung in RUNGS[self.layer]:
            if rung.name in mine:
                found.append(mine[rung.name])
            elif rung.name in elsewhere and (
                rung.chapter < self.chapter or rung.name in self._recorded
            ):
                found.append(LadderRow(rung.name, **elsewhere[rung.name]))
        return found

    def faster(self, name: str, than: str) -> float:
        """Return how many times faster one rung is than another."""
        seconds = {step.name: step.seconds for step in self.steps()}
        return seconds[than] / seconds[name]

    def picture(self, question: str = "") -> Picture:
        """Draw the ladder from the slowest rung up. question: an empty rung on top."""
        steps = self.steps()
        rows = len(steps) + bool(question)
        marks = self._marks(steps)
        times = [step.seconds for step in steps]
        slowest, fastest = max(times) * 10, min(times + [each[0] for each in marks]) / 2
        fig, ax = figure(7.4, 1.2 + 0.56 * rows + 0.17 * len(marks))
        self._bars(ax, steps, slowest)
        if question:  # the box is open to the right: nobody knows yet where it ends
            ax.barh(
                rows - 1, fastest / 2 - slowest, left=slowest, height=0.3,
                facecolor="none", edgecolor=PINK, linestyle="--", linewidth=1.4,
            )  # fmt: skip
            _name(ax, rows - 1, question)
        for at, (seconds, words, colour, line) in enumerate(sorted(marks, reverse=True)):
            top = rows - 0.3 + 0.32 * at  # a line ends at its name, below the names further right
            ax.plot(
                [seconds] * 2, [-0.4, top + 0.2], color=colour, linestyle=line, lw=1.2, zorder=0
            )
            beside(ax, words, (seconds, top), (-3, 0), ha="right", va="bottom", fontsize=8.5)
        ax.set(
            xscale="log",
            xlim=(slowest, fastest),
            ylim=(-0.4, rows - 0.3 + 0.32 * len(marks)),
            yticks=[],
            xlabel="time for one image; each tick is ten times faster than the one before",
        )
        ticks = [10.0**n for n in range(2, -7, -1) if fastest < 10.0**n < slowest]
        ticks_in_words(ax.xaxis, short_seconds, ticks)
        ax.spines.left.set_visible(False)
        short = dict.fromkeys(step.machine.partition(",")[0] for step in steps if step.machine)
        p, pale = self.layer, f"; pale: recorded on {' and '.join(short)}" if short else ""
        title = f"{p.i_h}×{p.i_w}×{p.i_c}, {p.k_c} filters of {p.k_h}×{p.k_w}, on {_here()}{pale}"
        ax.set_title(title, fontsize=9)
        names = ", ".join(step.name for step in steps)
        asked = f"; then a question: {question}" if question else ""
        return Picture(fig, f"Your ladder for {self.layer}, bottom to top: {names}{asked}.")

    def _marks(self, steps: list[LadderRow]) -> list[tuple[float, str, str, str]]:
        """Return (seconds, name, colour, line) of this machine's limits, and of libraries."""
        mine, elsewhere = self._mine(), {step.machine for step in steps if step.machine}
        here = " here" * bool(elsewhere)
        limits = {"one core": roofline(1), f"{machine().cores} cores": roofline(None)}
        marks = [
            (self.layer.flops / each.limit(self.layer), f"limit of {name}{here}", "black", "-")
            for name, each in limits.items()
        ]
        marks += [
            (mine[name].seconds, name, GREY, ":") for name in LIBRARY_NAMES.values() if name in mine
        ]
        if (cudnn := recorded(self.layer).get(CUDNN)) and cudnn["machine"] in elsewhere:
            marks.append((cudnn["seconds"], CUDNN, GREY, ":"))
        return marks

    def _bars(self, ax: Axes, steps: list[LadderRow], slowest: float) -> None:
        """Draw a bar for each step from `slowest` on; pink: the newest of this chapter."""
        newest = next((s.name for s in reversed(steps) if self._is_of_chapter(s)), "")
        for row, step in enumerate(steps):
            colour = ELSEWHERE if step.machine else PINK if step.name == newest else YOURS
            ax.barh(row, step.seconds - slowest, left=slowest, height=0.3, color=colour)
            time = "about " * (step.name == PYTHON.name) + seconds_text(step.seconds)
            letters = "white" if colour == YOURS else "black"
            style = {"ha": "right", "va": "center_baseline", "fontsize": 8.5, "color": letters}
            beside(ax, time, (step.seconds, row - 0.01), (-4, 0), **style)
            words = [f"{bytes_text(step.workspace)} of workspace"] * (step.workspace > RESOLUTION)
            words += [step.note] * (step.note not in ("", "scaled"))
            _name(ax, row, step.name, " · ".join(words))

    def _is_of_chapter(self, step: LadderRow) -> bool:
        rung = next(rung for rung in RUNGS[self.layer] if rung.name == step.name)
        return rung.chapter == self.chapter

    def _mine(self) -> dict[str, LadderRow]:
        """Return this machine's latest time of each rung."""
        found: dict[str, LadderRow] = {}
        kept = events()
        known = {event.uid for event in kept}
        for event in [*kept, *(each for each in _SESSION if each.uid not in known)]:
            if (event.kind, event.layer, event.machine) == (RUNG, str(self.layer), _here()):
                found[event.what] = LadderRow(
                    event.what, event.measured, event.workspace or 0, "", event.note
                )
        return found


def _name(ax: Axes, row: int, name: str, words: str = "") -> None:
    """Write a row's name above its bar, and `words` behind it."""
    shown = ax.annotate(
        name, (0, row + 0.21), xycoords=("axes fraction", "data"), weight="bold", fontsize=9.5
    )
    style = {"xycoords": shown, "va": "bottom", "fontsize": 8.5, "color": GREY}
    beside(ax, words, (1, 0), (8, 0), **style)


def _here() -> str:
    return f"{machine().cpu}, {machine().cores} cores"
