"""What shows of a wrong answer, found in its values: said where no usual mistake is recognised."""

from .find import symptom

__all__ = ["symptom"]
