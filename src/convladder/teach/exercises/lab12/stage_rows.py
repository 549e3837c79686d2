"""Usual mistakes with the length of a row in the second stage, with their hints: lab 12."""

from __future__ import annotations

from ...grading.exercise import Misconception
from .stage import changed

ROWS = [
    *(
        Misconception(
            f"rows of {values} values",
            changed(("a * 72 + j", f"a * {values} + j")),
            symptom=f"Your values are as if a row of the map had {values} values: the first row of "
            "each window is right, the others begin too early.",
            concept=f"A row of the map is 12 pixels of 6 channels, 72 values; {values} are {what}.",
            line=f"`window + a * 72 + j`; in a patch of your own, {values} or not, the length of the "
            "rows that it was filled with.",
        )
        for values, what in (
            (30, "a row of the window"),
            (36, "half of it"),
            (60, "two pixels less"),
        )
    ),
    Misconception(
        "25 weights a row",
        changed(("weights[(a * 30 + j) * 16", "weights[(a * 25 + j) * 16")),
        symptom="Your values are as if a row of the weights' window had 25 places: its first row "
        "is right, the others begin too early.",
        concept="A row of the weights' window is 5 columns of 6 channels, and each of these 30 "
        "places has 16 filters.",
        line="`weights[(a * 30 + j) * 16 + k + c]`.",
    ),
]
