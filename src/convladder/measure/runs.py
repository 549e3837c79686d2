"""When a figure has been measured enough, and which of its rounds count: those undisturbed."""

from __future__ import annotations

from collections.abc import Iterable

from .figure import Figure
from .quick import fewer, quick, shortened
from .received import FOREIGN, Machine
from .turns import Turn

FEWEST = 3  # rounds, however slow: below that there is no spread to speak of
TURN_SECONDS = 0.03  # of timed calls in one turn on several threads
AGAIN = 2  # budgets at most, where rounds that others disturbed are taken again


class Runs:
    """Rounds of durations in seconds, one for each of `functions`.

    A round in which one of them received less than its share is taken again, until as many rounds
    were undisturbed as the budget asks for, or twice the budget is used up. On several `threads`
    a short call counts for as long as its turn (`least` seconds). `turn`: the place in a room.
    """

    def __init__(
        self,
        functions: Iterable[str] = ("fn",),
        threads: int = 1,
        turn: Turn | None = None,
        least: float | None = None,
    ):
        self._names, self._several, self._turn = tuple(functions), threads > 1, turn
        if least is None:
            least = shortened(TURN_SECONDS) if self._several else 0.0
        self._least = least
        self._all: list[tuple[float, ...]] = []
        self._good: list[tuple[float, ...]] = []
        self._used = self._used_well = 0.0
        self._machine = Machine()

    def add(self, *durations: float) -> None:
        """Add a round: seconds, in the order of the functions."""
        if self._turn is not None and self._turn.late:
            durations = tuple(
                Figure(each, getattr(each, "share", None), disturbed=True) for each in durations
            )
        used = sum(max(each, self._least) for each in durations)
        self._all.append(durations)
        self._used += used
        if not any(getattr(each, "disturbed", False) for each in durations):
            self._good.append(durations)
            self._used_well += used

    def enough(self, budget: float) -> bool:
        """Return whether a budget in seconds for each function asks for no more rounds."""
        budget = shortened(budget)
        if self._answers(self._good, self._used_well, budget):
            return True
        if self._crowded() or quick():
            return self._answers(self._all, self._used, budget)
        if len(self._good) >= FEWEST and self._turn is not None and self._turn.late:
            return True
        if len(self._names) == 1 and self._all and self._all[0][0] > budget:
            return len(self._all) > 1  # a long run, and once more
        return self._answers(self._all, self._used, AGAIN * budget)

    @property
    def times(self) -> list[float]:
        """Return the seconds of the only function in the rounds that count."""
        return self.rounds()[self._names[0]]

    def rounds(self) -> dict[str, list[float]]:
        """Return the seconds of each function in the rounds that count, in order.

        They are the undisturbed ones, or all where those are too few to speak for them.
        """
        chosen = self._all
        if self._crowded():
            chosen = [
                tuple(Figure(each, disturbed=False) for each in durations)
                for durations in self._all
            ]
        elif self._good and (len(self._good) >= FEWEST or len(self._all) < FEWEST):
            chosen = self._good
        return {name: list(times) for name, times in zip(self._names, zip(*chosen))}

    def _answers(self, rounds: list, used: float, budget: float) -> bool:
        if not rounds:
            return False
        if len(self._names) == 1 and rounds[0][0] > budget:
            return True
        return len(rounds) >= fewer(FEWEST) and used >= budget * len(self._names)

    def _crowded(self) -> bool:
        """Return whether what queued for a core queued behind threads of this process only."""
        if not self._several or len(self._good) == len(self._all) or len(self._all) < FEWEST:
            return False
        if self._turn is not None and self._turn.late:
            return False  # somebody else had the turn, however little they did in it
        others = self._machine.others()
        return others is not None and others < FOREIGN
