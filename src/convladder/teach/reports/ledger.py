"""Claims of a text beside what was counted: each holds, or gets a correction with the reason."""

from __future__ import annotations

from ..table import Table, table


class Ledger:
    """Claims by `source`, checked against what `counter` says."""

    def __init__(self, source: str, counter: str) -> None:
        self.rows: list[dict[str, object]] = []
        self._columns = source, counter

    def claim(self, what: str, theirs: object, ours: object, correction: str | None = None) -> None:
        """Note a claim. Raises `AssertionError` where the two differ and nobody says why."""
        assert correction or theirs == ours, f"{what}: {theirs} is not {ours}"
        self.rows.append(
            {
                "claim": what,
                **dict(zip(self._columns, (theirs, ours))),
                "verdict": correction or "holds",
            }
        )

    @property
    def held(self) -> int:
        """Return how many claims hold."""
        return sum(str(row["verdict"]).startswith("holds") for row in self.rows)

    def table(self) -> Table:
        """Return all claims, with a count above."""
        count = len(self.rows)
        return table(
            self.rows, caption=f"{count} claims: {self.held} hold, {count - self.held} need a word"
        )

    def __str__(self) -> str:
        return f"{len(self.rows)} claims checked, {self.held} hold"


def percent(part: float, whole: float) -> str:
    """Return a share to two digits behind the point."""
    return f"{100 * part / whole:.2f} %"
