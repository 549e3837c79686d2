"""What surprised at each rung of the LeNet-5 ladder, and the cards that say so."""

from __future__ import annotations

from collections.abc import Mapping

from ..lenet.recorded import Times
from ..lenet.rungs import rungs
from .explore import Explorer, explore
from .forecast import Forecast
from .plots.lenet_card import card_picture

SURPRISES = {
    "baseline": "x",
}


def cards(forecasts: Mapping[str, Forecast], times: Times) -> Explorer:
    """The cards of the GPU's rungs, to step through: `forecasts` and `times` have them all."""
    ladder = rungs("gpu")

    def draw(rung: int):
        return card_picture(ladder, rung, forecasts, times, SURPRISES)

    return explore(draw, rung=(1, len(ladder)))
