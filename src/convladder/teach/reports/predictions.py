"""The learner's own predictions, from their journal."""

from __future__ import annotations

from ...journal import course_root, events, standing
from ..course_map import Sentence
from ..plots.predictions import predictions_picture
from ..plots.style import Picture


def my_predictions() -> Picture | str:
    """Return every prediction you wrote down, drawn against what was measured, or a sentence where
    there is none yet. Only pairs of numbers above zero are drawn: the axes are logarithmic.
    """
    try:
        made = standing(course_root(), events()).predictions
    except LookupError:  # no course here
        made = []
    pairs = [
        (event.prediction, event.measured)
        for event in made
        if event.prediction and event.measured and min(event.prediction, event.measured) > 0
    ]
    if not pairs:
        return Sentence("There is no prediction to draw yet. Each chapter asks for some.")
    return predictions_picture(pairs)
