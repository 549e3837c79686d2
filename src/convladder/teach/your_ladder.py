"""Your ladder: every way to compute one layer that you have timed on this machine, as a picture.

Rungs are kept in the learner's journal, with machine and day. A rung of an earlier chapter that
is not there is drawn in grey, as another machine recorded it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.ticker import NullLocator

from ..bench.rungs import LIBRARY_NAMES, PYTHON, RUNGS, climb, libraries, recorded
from ..core.problem import REPORT, ConvProblem
from ..core.text import bytes_text, seconds_text
from ..journal import RUNG, Event, events, tell
from ..measure import machine, roofline
from ..measure.memory import RESOLUTION
from .plots.style import GREY, PINK, Picture, figure

YOURS, ELSEWHERE = "#5B6B7B", "#CBD3DA"
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1}  # behind words that cross a line
_SESSION: list[Event] = []  # rungs of this kernel, where no journal is kept


@dataclass(frozen=True)
class Step:
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

    def add(self, name: str, timing: Any, workspace: int = 0, part: float = 1) -> None:
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
            each = climb(rung, self.layer)
            self.add(name, each["seconds"], each["workspace"])
        else:
            self._recorded.add(name)

    def add_libraries(self) -> None:
        """Time the libraries that are installed here, once for all chapters."""
        mine = self._mine()
        if not any(name in mine for name in LIBRARY_NAMES.values()):
            for name, each in libraries(self.layer).items():
                self.add(name, each["seconds"])

    def steps(self) -> list[Step]:
        """Return the rungs up to the chapter, in its order; those not climbed as recorded."""
        mine, elsewhere = self._mine(), recorded(self.layer)
        found = []
        for rung in RUNGS[self.layer]:
            if rung.name in mine:
                found.append(mine[rung.name])
            elif rung.name in elsewhere and (
                rung.chapter < self.chapter or rung.name in self._recorded
            ):
                found.append(Step(rung.name, **elsewhere[rung.name]))
        return found

    def faster(self, name: str, than: str) -> float:
        """Return how many times faster one rung is than another."""
        seconds = {step.name: step.seconds for step in self.steps()}
        return seconds[than] / seconds[name]

    def picture(self, question: str = "") -> Picture:
        """Draw the ladder from the slowest rung up. question: an empty rung on top."""
        steps, mine = self.steps(), self._mine()
        rows = len(steps) + bool(question)
        limits = {"one core": roofline(1), f"{machine().cores} cores": roofline(None)}
        walls = {name: self.layer.flops / each.limit(self.layer) for name, each in limits.items()}
        slowest = max(step.seconds for step in steps) * 4
        fastest = min([*walls.values(), *(step.seconds for step in steps)]) / 4
        fig, ax = figure(7.4, 1.2 + 0.56 * rows)
        newest = next((s.name for s in reversed(steps) if _chapter_of(s, self) == self.chapter), "")
        for row, step in enumerate(steps):
            colour = ELSEWHERE if step.machine else PINK if step.name == newest else YOURS
            ax.barh(row, step.seconds - slowest, left=slowest, height=0.3, color=colour)
            style = {"va": "bottom", "color": GREY if step.machine else "black", "bbox": PAPER}
            ax.text(slowest / 1.05, row + 0.19, step.name, weight="bold", fontsize=9.5, **style)
            ax.text(fastest, row + 0.19, self._words(step), ha="right", fontsize=8.5, **style)
        if question:
            ax.barh(
                rows - 1, fastest - slowest, left=slowest, height=0.3,
                facecolor="none", edgecolor=PINK, linestyle="--", linewidth=1.4,
            )  # fmt: skip
            ax.text(slowest / 1.05, rows - 0.81, question, weight="bold", va="bottom", fontsize=9.5)
        marks = [(f"limit of {name}", seconds, "black", "-") for name, seconds in walls.items()]
        marks += [
            (name, mine[name].seconds, GREY, ":") for name in LIBRARY_NAMES.values() if name in mine
        ]
        for at, (words, seconds, colour, line) in enumerate(marks):
            ax.axvline(seconds, color=colour, linestyle=line, linewidth=1.2, zorder=0)
            style = {"ha": "right", "va": "center", "fontsize": 8.5, "bbox": PAPER}
            ax.text(seconds, -0.5 - 0.3 * at, f"{words} ", **style)
        ax.set(
            xscale="log",
            xlim=(slowest, fastest),
            ylim=(-0.45 - 0.3 * len(marks), rows - 0.3),
            yticks=[],
            xlabel="time for one image; each tick is ten times faster than the one before",
        )
        ticks = [10.0**n for n in range(2, -7, -1) if fastest < 10.0**n < slowest]
        ax.set_xticks(
            ticks, [seconds_text(tick).replace(".00", "").replace(".0", "") for tick in ticks]
        )
        ax.xaxis.set_minor_locator(NullLocator())
        ax.spines.left.set_visible(False)
        ax.set_title(f"{self.layer} on {machine().cpu}, {machine().cores} cores", fontsize=9)
        names = ", ".join(step.name for step in steps)
        asked = f"; then a question: {question}" if question else ""
        return Picture(fig, f"Your ladder for {self.layer}, bottom to top: {names}{asked}.")

    def _mine(self) -> dict[str, Step]:
        """Return this machine's latest time of each rung."""
        found: dict[str, Step] = {}
        kept = events()
        known = {event.uid for event in kept}
        for event in [*kept, *(each for each in _SESSION if each.uid not in known)]:
            if (event.kind, event.layer, event.machine) == (RUNG, str(self.layer), _here()):
                found[event.what] = Step(
                    event.what, event.measured, event.workspace or 0, "", event.note
                )
        return found

    def _words(self, step: Step) -> str:
        about = "about " * (step.name == PYTHON.name)
        words = [about + seconds_text(step.seconds)]
        words += [f"{bytes_text(step.workspace)} of workspace"] * (step.workspace > RESOLUTION)
        words += [f"recorded on {step.machine.partition(',')[0]}"] * bool(step.machine)
        words += [step.note] * (step.note not in ("", "scaled"))
        return " · ".join(words)


def _here() -> str:
    return f"{machine().cpu}, {machine().cores} cores"


def _chapter_of(step: Step, ladder: YourLadder) -> str:
    return next(rung.chapter for rung in RUNGS[ladder.layer] if rung.name == step.name)
