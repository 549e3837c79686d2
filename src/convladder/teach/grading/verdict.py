"""What a check finds, and how it says so: in plain words and as HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from .stages import NOT_ATTEMPTED, NOT_JUDGED, PASSED

if TYPE_CHECKING:
    from .exercise import Flaw
    from .run import Attempt

# Answers that behave alike may be written otherwise: what mends one does not mend all.
STEPS = ("What you see", "The idea that usually helps", "What usually mends it")
# Of the bar beside the text, which has the page's own colour: none is legible on white and black.
_COLOURS = {PASSED: "#00855f", NOT_ATTEMPTED: "#8c8c8c", NOT_JUDGED: "#8c8c8c"}
_WRONG = "#c85000"


@dataclass
class Finding:
    """What is true of an answer after all cases. Its sentence goes on after the answer's name.

    attempts: one for each case. cost: bytes of workspace on the large cases, or the counted traffic
    of a kernel, where the values are right and the exercise limits it. about: what these bytes are;
    whole: whether most of them are whole numbers. flaw: of the machine code, or of the use of what
    was given.
    """

    stage: str
    sentence: str
    detail: str = ""
    attempts: list[Attempt] = field(default_factory=list)
    cost: tuple[int, ...] = ()
    about: frozenset[str] = frozenset()
    whole: bool = False
    flaw: Flaw | None = None


@dataclass(frozen=True)
class Verdict:
    """The result of a check. Reads the same on every machine.

    stage: one of stages.py. message: one paragraph. detail: the case, set in
    monospace, or "". misconception: name of the usual mistake that was recognised, or None;
    likely: of one that is made wherever this is wrong, or None; hints: the three steps of
    either, or ().
    symptom: what shows of a wrong answer that no usual mistake explains, or "".
    follow: of such an answer, what to go through by hand, or "".
    again: the call that gives the next hint.
    """

    name: str
    stage: str
    message: str
    detail: str = ""
    misconception: str | None = None
    likely: str | None = None
    hints: tuple[str, ...] = ()
    symptom: str = ""
    follow: str = ""
    again: str = ""

    @property
    def passed(self) -> bool:
        """Return whether the answer is right, and within its budget."""
        return self.stage == PASSED

    def hint(self, step: int) -> str:
        """Return hint 1, 2 or 3."""
        if not self.hints:
            known = [each for each in (self.symptom, self.follow) if each]
            if 1 <= step <= len(known):
                return known[step - 1]
            return (
                "That is all the check can tell."
                if known
                else "There is no hint for this verdict: the message says all that is known."
            )
        if not 1 <= step <= len(self.hints):
            return f"There is no hint {step}: ask for 1 to {len(self.hints)}."
        hint = self.hints[step - 1]
        return f"{STEPS[step - 1]}: {hint}" if step > 1 else hint

    def __repr__(self) -> str:
        parts = [f"{self.name}: {self.stage}", self.message]
        if self.detail:
            parts.append("\n".join("    " + line for line in self.detail.splitlines()))
        if self.symptom:
            parts.append(self.symptom)
        if self.hints:
            parts += [f"Hint: {self.hints[0]}", f"For the next step: {self.again}.hint(2)"]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        colour = _COLOURS.get(self.stage, _WRONG)
        parts = [
            f'<div style="border-left: 4px solid {colour}; padding: 2px 0 2px 12px; '
            'margin: 4px 0; line-height: 1.5; color: var(--jp-ui-font-color1, inherit)">',
            f"<div><b>{escape(self.name)}</b>: <b>{self.stage}</b></div>",
            f"<div>{_prose(self.message)}</div>",
        ]
        parts += [
            f'<div style="margin-top: 4px">{_prose(each)}</div>'
            for each in (self.symptom, *self.hints[:1])
            if each
        ]
        if self.detail:
            pre = (
                '<pre style="margin: 6px 0; padding: 6px 10px; overflow-x: auto; '
                "font-family: var(--jp-code-font-family, monospace); "
                "color: var(--jp-content-font-color1, inherit); "
                f'background: rgba(128, 128, 128, 0.12)">{escape(self.detail)}</pre>'
            )
            parts.append(_folded("The case", pre) if self.hints else pre)
        for step, hint in list(zip(STEPS, self.hints))[1:]:
            parts.append(_folded(step, f'<div style="padding-left: 16px">{_prose(hint)}</div>'))
        return "\n".join([*parts, "</div>"])


def _folded(title: str, body: str) -> str:
    return (
        f'<details style="margin-top: 2px"><summary style="cursor: pointer">{title}</summary>'
        f"{body}</details>"
    )


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)).replace("\n", "<br>")
