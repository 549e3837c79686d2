"""Orders of a training step, as learners make them: lab 15, exercise 6."""

from __future__ import annotations


def order(layers, every, again, segments=lambda found: reversed(found), back=None):
    """Order with `again(begin, end)`: maps made again before the gradients of `begin` to `end`."""
    found = [(begin, min(begin + every, layers)) for begin in range(0, layers, every)]
    names = [f"x{at}" for at in range(1, layers + 1)] + [f"g{layers}"]
    for begin, end in segments(found):
        names += [f"x{at}" for at in again(begin, end)]
        names += [f"g{at - 1}" for at in (back or down)(begin, end)]
    return names


def last_again(layers, every, late=False, first=lambda begin: begin + 1):
    names = order(layers, every, lambda begin, end: range(first(begin), end))
    if late:  # the first gradient behind them
        names.remove(f"g{layers}")
        names.insert(layers + (layers - 1) % every, f"g{layers}")
    return names


def down(begin, end):
    return range(end, begin, -1)


def for_each(layers, every, reach=1):
    names = [f"x{at}" for at in range(1, layers + 1)] + [f"g{layers}"]
    for at in range(layers, 0, -1):
        begin, end = (at - 1) // every * every, min(((at - 1) // every + 1) * every, layers)
        if end < layers:
            names += [f"x{each}" for each in range(begin + 1, min(at + reach, end))]
        names.append(f"g{at - 1}")
    return names


def from_the_end(layers, every):
    names = [f"x{at}" for at in range(1, layers + 1)] + [f"g{layers}"]
    for end in range(layers, 0, -every):
        begin = max(end - every, 0)
        names += [f"x{at}" for at in range(begin + 1, end) if end < layers]
        names += [f"g{at - 1}" for at in down(begin, end)]
    return names


def map_by_map(layers, every):
    names = [f"x{at}" for at in range(1, layers + 1)] + [f"g{layers}"]
    for at in range(layers - 1, -1, -1):
        if at % every and at < (layers - 1) // every * every:
            names.append(f"x{at}")
        names.append(f"g{at}")
    return names


def maps_first(layers, every):
    """Make all maps again before the first gradient."""
    names = order(layers, every, lambda begin, end: range(begin + 1, end * (end < layers)))
    return sorted(names, key=lambda name: name[0] == "g")


def number_of_segments(layers, every):
    """Take `every` for how many segments there are."""
    return order(
        layers, -(-layers // every), lambda begin, end: range(begin + 1, end * (end < layers))
    )


def gradient_late(layers, every, backwards=False):
    """Begin each segment's gradients with that of its last map, behind the maps made again."""
    ends = (
        range(layers, 0, -every)
        if backwards
        else [min(begin + every, layers) for begin in reversed(range(0, layers, every))]
    )
    names = [f"x{at}" for at in range(1, layers + 1)]
    for end in ends:
        begin = max(end - every, 0) if backwards else (end - 1) // every * every
        names += [f"x{at}" for at in range(begin + 1, end) if end < layers]
        names += [f"g{at}" for at in down(begin, end)]
    return [*names, "g0"]
