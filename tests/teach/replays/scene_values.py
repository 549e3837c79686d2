"""What a scene's arrays hold when it ends."""

from convladder.replay import Scene
from convladder.replay.trace import numbers


def last_values(scene: Scene, array: int) -> list:
    """Return the last value of each cell of an array."""
    values = list(scene.arrays[array]["values"])
    for step in scene.steps:
        for number, cells, *more in step.get("write", ()):
            if number == array and len(more) > 1:
                for cell, value in zip(numbers(cells), more[1], strict=True):
                    values[cell] = value
    return values


def last_tally(scene: Scene) -> dict:
    """Return the counts that a scene ends with."""
    tally = {}
    for step in scene.steps:
        tally |= step.get("tally", {})
    return tally
