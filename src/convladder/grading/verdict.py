"""A verdict: what a check found, and how a terminal and a notebook show it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from .. import cuda
from ..core.text import count_text
from ..exercises.exercise import Exercise, Misconception
from ..replay import Replay, ReplayError
from .compare import RESULT_KINDS, Symptom
from .sandbox import Run
from .smallest import Simplification
from .words import STAGES, code, one_line, sentence, value, within

CASE_LINE = 200  # characters of a case in the journal, and of a line of one whose cost was counted
HINTS = ("What you see", "The idea behind it", "A line of the solution")
SELF_EXPLAINED_KINDS = (  # whose sentence says what to do: no line of the solution mends them
    *("not attempted", "not judged", "signature", "type", "dtype", "compile", "launch"),
    *("unfinished", "changed", "view", "again"),
)
BAR = {"passed": "#00855f", "not attempted": "#8c8c8c", "could not be judged": "#8c8c8c"}
WRONG = "#c85000"  # legible on white and on black


@dataclass
class Outcome:
    """An answer on all cases. `number`: of the first wrong case; None if it's the cost."""

    symptom: Symptom | None
    number: int | None = None
    runs: list[Run] = field(default_factory=list)
    cost: dict[str, int] = field(default_factory=dict)


@dataclass
class SmallCase:
    """The smallest case that fails: its arguments, what is wrong, and what would make it right."""

    args: tuple
    symptom: Symptom
    expected: Any
    got: Any
    needs: list[Simplification]


@dataclass
class Verdict:
    """The result of a check. It shows itself in words, the same on every machine."""

    exercise: Exercise
    outcome: Outcome
    mistake: Misconception | None = None
    small: SmallCase | None = None
    clue: Symptom | None = None
    watch: Callable[[], Replay] | None = None  # makes the replay of what went wrong

    @property
    def passed(self) -> bool:
        """Return whether the answer is right, and within its budget."""
        return self.outcome.symptom is None

    @property
    def judged(self) -> bool:
        """Return whether this machine could judge the answer at all."""
        return self.stage != STAGES["not judged"]

    @property
    def stage(self) -> str:
        """Return how far the answer came: "passed", "wrong values", "over budget", …"""
        return STAGES[self.outcome.symptom.kind] if self.outcome.symptom else "passed"

    @property
    def misconception(self) -> str | None:
        """Return the name of the usual mistake that was recognised."""
        return self.mistake.name if self.mistake else None

    def hint(self, step: int) -> str:
        """Return hint 1, 2 or 3, for whoever reads verdicts in a terminal."""
        hints = self.hints()
        if 1 <= step <= len(hints):
            return ": ".join(hints[step - 1])
        return f"Ask for a hint from 1 to {len(hints)}." if hints else "There is no hint for this."

    def __repr__(self) -> str:
        """Return a verdict for a terminal, with the first hint."""
        shown = (f"    {line}" for line in self.case())
        parts = [f"{self.exercise.name}: {self.stage}", self.message(), *shown, self.note()]
        if further := self.hints():
            title, first = further[0]
            parts += [f"{title}: {first}"] if self.mistake else []
            step = 2 if self.mistake else 1
            parts += [f'Next hint: check("{self.exercise.name}", …).hint({step})']
        return "\n".join(filter(None, parts))

    def _repr_html_(self) -> str:
        """Return a verdict for a notebook, with hints that unfold one after the other."""
        parts = [
            f'<div style="border-left: 4px solid {BAR.get(self.stage, WRONG)}; '
            "padding: 2px 0 2px 12px; "
            'margin: 4px 0; line-height: 1.5; color: var(--jp-ui-font-color1, inherit)">',
            f"<div><b>{escape(self.exercise.name)}</b>: <b>{self.stage}</b></div>",
            f"<div>{_prose(self.message())}</div>",
        ]
        if shown := self.case():
            said = escape("\n".join(shown).replace("`", ""))
            parts.append(
                '<pre style="margin: 6px 0; padding: 6px 10px; white-space: pre-wrap; '
                "font-family: var(--jp-code-font-family, monospace); "
                "color: var(--jp-content-font-color1, inherit); "
                f'background: rgba(128, 128, 128, 0.12)">{said}</pre>'
            )
        if said := self.note():
            parts.append(f"<div>{_prose(said)}</div>")
        folded = self.hints()
        if self.mistake:
            parts.append(f"<div>{_prose(folded.pop(0)[1])}</div>")
        parts += [
            f'<details style="margin-top: 2px"><summary style="cursor: pointer">{title}</summary>'
            f'<div style="padding-left: 16px">{_prose(each)}</div></details>'
            for title, each in folded
        ]
        if replay := self.replay():
            parts.append(
                '<details><summary style="cursor: pointer">Watch it happen</summary>'
                f"{replay.html}</details>"
            )
        return "\n".join([*parts, "</div>"])

    def replay(self) -> Replay | None:
        """Return the replay of what went wrong, None where there is none to be had."""
        try:
            return self.watch() if self.watch else None
        except (cuda.CudaError, ReplayError):  # it ends too early, or is too large to be shown
            return None

    def hints(self) -> list[tuple[str, str]]:
        """Return (title, text) of each hint: those of the mistake, and a line of the solution."""
        mistake, mend, symptom = self.mistake, self.exercise.mend, self.outcome.symptom
        if mistake:
            return list(zip(HINTS, (mistake.shows, mistake.why, mistake.mend or mend), strict=True))
        if self.passed or not self.outcome.runs or symptom.kind in SELF_EXPLAINED_KINDS:
            return []
        return [(HINTS[-1], mend)]

    def message(self) -> str:
        """Return the verdict in a sentence or two."""
        symptom, runs = self.outcome.symptom, self.outcome.runs
        printed = sum(run.printed for run in runs)
        lines = count_text(printed, "line")
        printed_note = f" (It printed {lines}, not shown here.)" if printed else ""
        if symptom is None:
            budget = self.exercise.budget(*runs[-1].args) if self.exercise.budget else {}
            cases = "the only case" if len(runs) == 1 else f"all {len(runs)} cases"
            return f"Right on {cases}{within(budget)}.{printed_note}"
        if self.outcome.number is None:
            return f"{sentence(symptom)}{printed_note}"
        case = f"Case {self.outcome.number + 1} of {len(self.exercise.seeded_cases)}"
        if self.small and symptom.kind != "raised":  # the smallest case says it better
            return f"{case} is wrong.{printed_note}"
        return f"{case}: {sentence(symptom)}{printed_note}"

    def note(self) -> str:
        """Return the name of the usual mistake, or else a clue."""
        if self.mistake:
            return f"This looks like a common mistake: {self.mistake.name}."
        return sentence(self.clue) if self.clue else ""

    def case(self) -> list[str]:
        """Return the lines that show the smallest case, what is expected, and what came; or else
        the case whose cost was counted."""
        if not self.small:
            if self.stage != STAGES["budget"]:
                return []
            return [*map(_cut, self._arguments("The case counted:", self.outcome.runs[-1].args))]
        small, number = self.small, self.outcome.number + 1
        title = f"The smallest case that fails, made from case {number}:"
        lines = self._arguments(title, small.args)
        if small.symptom.kind in RESULT_KINDS:
            lines += _block("expected: ", value(small.expected))
            lines += _block("got:      ", value(small.got))
            if isinstance(small.expected, np.ndarray | tuple) and small.symptom.kind == "value":
                lines.append(f"First difference: {sentence(small.symptom)}")
        elif small.symptom.kind == "raised":
            lines.append(f"It raised {small.symptom.evidence['said']}.")
        else:
            lines.append(sentence(small.symptom))
        return lines

    def _arguments(self, title: str, args: tuple) -> list[str]:
        lines = [title]
        for name, arg in zip(self.exercise.parameters, args):
            lines += _block(f"  {name} = ", code(arg))
        return lines

    def case_line(self) -> str:
        """Return the smallest case in one line for the journal, "" where there is none."""
        if not self.small:
            return ""
        pairs = zip(self.exercise.parameters, self.small.args)
        return _cut(", ".join(f"{name}={one_line(code(arg))}" for name, arg in pairs))


def _block(label: str, several: str) -> list[str]:
    """Return lines of which the further ones are set under the first."""
    first, *others = several.split("\n")
    return [label + first, *(" " * len(label) + other for other in others)]


def _cut(line: str) -> str:
    return line if len(line) <= CASE_LINE else line[: CASE_LINE - 1] + "…"


def _prose(said: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(said)).replace("\n", "<br>")
