"""A prediction beside what was measured: `versus(prediction, 3.5, "MiB")`."""

from __future__ import annotations

from html import escape
from textwrap import fill
from typing import Any

from ..journal import PREDICTED, tell
from ..journal.event import number
from ..journal.learner_progress import CLOSE
from .table import number_text

LINE = 68  # characters of what is printed: beside the list of files at 1000 pixels
UNANSWERED = "You made no prediction. Next time, replace `...` with a number first."


class Versus:
    """A prediction, what was measured, and one sentence on how far apart they are."""

    def __init__(self, prediction: Any, measured: float, unit: str, what: str) -> None:
        self.given, self.prediction = prediction, number(prediction)  # None if it is none
        self.measured, self.unit, self.what = measured, unit, what

    @property
    def written_down(self) -> bool:
        return self.prediction is not None

    @property
    def sentence(self) -> str:
        if self.given is ... or self.given is None:
            return UNANSWERED
        if not self.written_down:
            given = short_repr(self.given)
            return f"Your prediction is {given}, which is not a number to compare with."
        guess, truth = self.prediction, self.measured
        if guess == truth:
            return "Exactly as you predicted."
        if guess * truth <= 0:
            return f"You are {self._text(abs(guess - truth))} apart."
        ratio = guess / truth
        if 1 / CLOSE <= ratio <= CLOSE:
            return f"You are within {CLOSE - 1:.0%}."
        if ratio > 1:
            return f"You predicted {number_text(ratio)} times the actual value."
        return f"It is {number_text(1 / ratio)} times as much as you predicted."

    def _text(self, value: float) -> str:
        return f"{number_text(value)} {self.unit}".rstrip()

    def _lines(self) -> list[tuple[str, float | None]]:
        return [
            ("predicted", self.prediction),
            ("actual", self.measured),
        ]

    def __str__(self) -> str:
        """Return it in lines that a page does not break within words."""
        return fill(repr(self), LINE, break_long_words=False, break_on_hyphens=False)

    def __repr__(self) -> str:
        values = [
            f"{name} {'–' if value is None else self._text(value)}" for name, value in self._lines()
        ]
        head = f"{self.what}: " if self.what else ""
        return f"{head}{', '.join(values)}. {self.sentence}"

    def _repr_html_(self) -> str:
        if self.prediction is None:  # one bar alone has no length to compare
            name = f"{escape(self.what)}: " if self.what else ""
            return self._framed(f"{name}<b>{escape(self._text(self.measured))}</b><br>")
        largest = max(abs(self.prediction), abs(self.measured))
        rows = []
        for (name, value), colour in zip(self._lines(), ("#8c8c8c", "#0072b2")):
            share = 100 * abs(value) / largest if largest else 0
            bar = (
                f'<div style="width: {share:.0f}%; min-width: 1px; height: 12px; '
                f'background: {colour}"></div>'
            )
            rows.append(
                f'<tr style="background: none"><td style="text-align: left">{name}</td>'
                f'<td style="text-align: right"><b>{escape(self._text(value))}</b></td>'
                f'<td style="width: 260px">{bar}</td></tr>'
            )
        head = f"<b>{escape(self.what)}</b>" if self.what else ""
        return self._framed(
            f'{head}<table style="margin: 2px 0; border: none">{"".join(rows)}</table>'
        )

    def _framed(self, found: str) -> str:
        return (
            '<div style="margin: 4px 0; color: var(--jp-ui-font-color1, inherit)">'
            f"{found}{escape(self.sentence).replace('`...`', '<code>...</code>')}</div>"
        )


def versus(prediction: Any, measured: float, unit: str = "", what: str = "") -> Versus:
    """Set `prediction` beside `measured`, both in `unit`. A prediction of `...` means none;
    any other is noted in the learner's journal."""
    result = Versus(prediction, measured, unit, what)
    if result.written_down:
        tell(PREDICTED, what=what, prediction=prediction, measured=measured, unit=unit)
    return result


def short_repr(value: Any) -> str:
    """Return `repr(value)`, cut after 40 characters."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
