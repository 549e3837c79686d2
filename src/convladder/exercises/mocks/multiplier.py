"""A multiplication that counts how often it is used, for lab 06."""

from __future__ import annotations


class Multiplier:
    """Multiplies two numbers, and counts how often."""

    def __init__(self) -> None:
        self.calls = 0
        self.made: list[float] = []
        self._again = 0  # calls that were given what a call had returned

    def __call__(self, a: float, b: float) -> float:
        self.calls += 1
        self._again += any(made is value for made in self.made for value in (a, b))
        self.made.append(a * b)
        return self.made[-1]

    def objection(self) -> str | None:
        """Return the check's objection to an answer that doesn't multiply four times."""
        if self.calls == 4:
            return None
        if self.calls > 4:
            what = (
                f" {self._again} of the calls got what `multiply` had returned."
                if self._again
                else ""
            )
            return f"called `multiply` {self.calls} times; four are enough.{what}"
        return (
            f"called `multiply` {self.calls} times. Every product of values from `d` with "
            "values from `g` goes through it, and fewer than four cannot be."
        )

    def __deepcopy__(self, memo: dict) -> Multiplier:
        return Multiplier()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Multiplier)

    def __repr__(self) -> str:
        return "a multiplier that counts"
