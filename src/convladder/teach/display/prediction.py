"""Sets a prediction beside the measurement."""

from __future__ import annotations

from html import escape
from numbers import Real
from textwrap import fill
from typing import Any

from ...journal import PREDICTED, tell
from .table import number_text

LINE = 68  # characters of what is printed: beside the list of files at 1000 pixels
CLOSE = 1.1  # a prediction within this factor is called close
UNANSWERED = "You made no prediction. Next time, replace `...` with a number first."


class Versus:
    """A prediction, what was measured, and one sentence on how far apart they are."""

    def __init__(self, prediction: Any, measured: float, unit: str, what: str) -> None:
        self.prediction, self.measured, self.unit, self.what = prediction, measured, unit, what

    @property
    def written_down(self) -> bool:
        return isinstance(self.prediction, Real) and self.prediction == self.prediction

    @property
    def sentence(self) -> str:
        if self.prediction is ... or self.prediction is None:
            return UNANSWERED
        if not self.written_down:
            return f"Your prediction is {self.prediction!r}, which is not a number to compare with."
        guess, truth = self.prediction, self.measured
        if guess == truth:
            return "Exactly as you predicted."
        if guess * truth <= 0:
            return f"You are {self._text(float(abs(guess - truth)))} apart."
        ratio = float(guess / truth)
        if 1 / CLOSE <= ratio <= CLOSE:
            return f"You are within {CLOSE - 1:.0%}."
        if ratio > 1:
            return f"You predicted {number_text(float(ratio))} times as much as was measured."
        return f"It is {number_text(float(1 / ratio))} times as much as you predicted."

    def _text(self, value: float) -> str:
        return f"{number_text(value)} {self.unit}".rstrip()

    def _lines(self) -> list[tuple[str, float | None]]:
        return [
            ("predicted", self.prediction if self.written_down else None),
            ("measured", self.measured),
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
        largest = max((abs(value) for _, value in self._lines() if value is not None), default=0)
        rows = []
        for (name, value), colour in zip(self._lines(), ("#8c8c8c", "#0072b2")):
            share = 100 * abs(value) / largest if value and largest else 0
            bar = (
                f'<div style="width: {share:.0f}%; min-width: 1px; height: 12px; '
                f'background: {colour}"></div>'
            )
            text = "–" if value is None else self._text(value)
            rows.append(
                f'<tr style="background: none"><td style="text-align: left">{name}</td>'
                f'<td style="text-align: right"><b>{escape(text)}</b></td>'
                f'<td style="width: 260px">{bar}</td></tr>'
            )
        head = f"<b>{escape(self.what)}</b>" if self.what else ""
        return (
            '<div style="margin: 4px 0; color: var(--jp-ui-font-color1, inherit)">'
            f'{head}<table style="margin: 2px 0; border: none">{"".join(rows)}</table>'
            f"{escape(self.sentence).replace('`...`', '<code>...</code>')}"
            "</div>"
        )


def versus(prediction: Any, measured: float, unit: str = "", what: str = "") -> Versus:
    """Set `prediction` beside `measured`, both in `unit`. A prediction of `...` means none;
    any other is noted in the learner's journal."""
    result = Versus(prediction, measured, unit, what)
    if result.written_down:
        tell(PREDICTED, what=what, prediction=prediction, measured=measured, unit=unit)
    return result
