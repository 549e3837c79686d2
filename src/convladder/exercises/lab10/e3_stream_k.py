"""Lab 10, exercise 3: the slices of all tiles in even shares (stream-K)."""

from ..draws import whole
from ..exercise import Exercise, Misconception, edit


def stream_k(tiles, slices, places):
    each, rest = divmod(tiles * slices, places)
    shares, begin = [], 0
    for place in range(places):
        end, share = begin + each + (place < rest), []
        while begin < end:
            tile, first = divmod(begin, slices)
            last = min(slices, first + end - begin)
            share.append((tile, first, last))
            begin += last - first
        shares.append(share)
    return shares


def tiles_in_turn(tiles, slices, places):
    return [[(tile, 0, slices) for tile in range(at, tiles, places)] for at in range(places)]


def split_k(tiles, slices, places):
    parts = max(1, places // tiles)
    shares = [
        [(tile, part * slices // parts, (part + 1) * slices // parts)]
        for tile in range(tiles)
        for part in range(parts)
    ]
    return shares + [[]] * (places - len(shares))


END = "begin + each + (place < rest)"

EXERCISE = Exercise(
    name="stream_k",
    lab=10,
    task="Share the slices of all tiles evenly among the places of a chip.",
    solution=stream_k,
    cases=lambda rng: [
        (3, 4, 2),
        (8, 6, 5),
        (4, 9, 4),
        (2, 3, 8),
        (whole(rng, 3, 9), whole(rng, 20, 90), whole(rng, 2, 8)),
        (7, 10, 12),
    ],
    valid=lambda tiles, slices, places: tiles > 0 and slices > 0 and places > 0,
    mend="`each, rest = divmod(tiles * slices, places)`; a run begins at "
    "`i * each + min(i, rest)`, and each of its pieces begins at "
    "`tile, first = divmod(begin, slices)` and ends with the tile or the run",
    misconceptions=[
        Misconception(
            "whole tiles",
            tiles_in_turn,
            "Your places get whole tiles, so some places have one more than others.",
            "The unit of work is one slice. A tile may be divided between places.",
        ),
        Misconception(
            "split-K",
            split_k,
            "You cut every tile into the same number of parts.",
            "That is split-K, whose blocks come in waves again. In stream-K each place has one "
            "run of slices, which may begin and end inside a tile.",
        ),
        Misconception(
            "every share rounded up",
            edit(END, "min(tiles * slices, begin - (-tiles * slices // places))"),
            "All your runs have the length of the first until nothing is left.",
            "Rounded up for every place, the slices run out early. Only the first `rest` runs are "
            "longer by 1.",
        ),
        Misconception(
            "a remainder in the wrong places",
            [
                edit(END, "begin + each + rest * (place == places - 1)"),
                edit(END, "begin + each + (place >= places - rest)"),
                edit(END, "(place + 1) * tiles * slices // places"),
            ],
            "Every slice has a place, but the remainder goes to other places than it should.",
            "The first `rest` places each take one slice more.",
        ),
        Misconception(
            "pieces past the end of a tile",
            edit("min(slices, first + end - begin)", "first + end - begin"),
            "Your pieces continue after the last slice of their tile.",
            "A tile has `slices` slices. What follows is a piece of the next tile.",
        ),
        Misconception(
            "an inclusive end",
            edit("(tile, first, last))", "(tile, first, last - 1))"),
            "The third number of your pieces is not where the next piece begins.",
            "A piece `(tile, first, last)` works like `range`: `last` is the first slice after it.",
        ),
    ],
)
