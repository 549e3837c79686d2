"""Plans that share slices out, but not as stream-K does: the usual mistakes of an exercise."""

from __future__ import annotations

from ....gpu.waves import even_cuts, pieces, stream_k_shares


def whole_tiles(tiles, slices, places):
    return [[(tile, 0, slices) for tile in range(place, tiles, places)] for place in range(places)]


def tiles_in_a_row(tiles, slices, places):
    return [
        [(tile, 0, slices) for tile in range(begin, end)]
        for begin, end in zip(even_cuts(tiles, places), even_cuts(tiles, places)[1:])
    ]


def rounded_up(tiles, slices, places):
    each = -(-tiles * slices // places)
    return pieces(tiles, slices, [min(tiles * slices, place * each) for place in range(places + 1)])


def rest_lost(tiles, slices, places):
    each = tiles * slices // places
    return pieces(tiles, slices, [place * each for place in range(places + 1)])


def rest_to_one(tiles, slices, places, first=False):
    each, rest = divmod(tiles * slices, places)
    return pieces(
        tiles,
        slices,
        [
            place * each + rest * (place == places or first and place > 0)
            for place in range(places + 1)
        ],
    )


def longer_in_between(tiles, slices, places):
    return pieces(tiles, slices, [place * tiles * slices // places for place in range(places + 1)])


def idle_left_out(tiles, slices, places):
    return [share for share in stream_k_shares(tiles, slices, places) if share]


def split_k(tiles, slices, places):
    """Return every tile cut into as many parts as there are places for it."""
    parts = max(1, places // tiles)
    shares = [
        [(tile, part * slices // parts, (part + 1) * slices // parts)]
        for tile in range(tiles)
        for part in range(parts)
    ]
    return (shares + [[]] * places)[: max(places, len(shares))]


def running(tiles, slices, places, cut=False):
    """Return ranges of units that do not begin anew with each tile; `cut`: at its end or not."""
    cuts = even_cuts(tiles * slices, places)
    if cut:
        return [
            [(tile, tile * slices + first, tile * slices + last) for tile, first, last in share]
            for share in stream_k_shares(tiles, slices, places)
        ]
    return [
        [(begin // slices, begin, end)] if end > begin else [] for begin, end in zip(cuts, cuts[1:])
    ]


def first_tile_only(tiles, slices, places):
    return [share[:1] for share in stream_k_shares(tiles, slices, places)]


def inclusive(tiles, slices, places):
    return [
        [(tile, first, last - 1) for tile, first, last in share]
        for share in stream_k_shares(tiles, slices, places)
    ]


def lengths(tiles, slices, places):
    return [
        [(tile, first, last - first) for tile, first, last in share]
        for share in stream_k_shares(tiles, slices, places)
    ]


def flat(tiles, slices, places):
    return [piece for share in stream_k_shares(tiles, slices, places) for piece in share]


def by_slices_first(tiles, slices, places):
    """Return units that count through the tiles first, the slices last."""
    cuts = even_cuts(tiles * slices, places)
    return [
        [(unit % tiles, unit // tiles, unit // tiles + 1) for unit in range(begin, end)]
        for begin, end in zip(cuts, cuts[1:])
    ]


def shared_by_all(tiles, slices, places, first_longer=True):
    cuts = (
        even_cuts(slices, places)
        if first_longer
        else [place * slices // places for place in range(places + 1)]
    )
    return [
        [(tile, first, last) for tile in range(tiles)] if last > first else []
        for first, last in zip(cuts, cuts[1:])
    ]


def dealt(tiles, slices, places):
    return [
        [
            (unit // slices, unit % slices, unit % slices + 1)
            for unit in range(place, tiles * slices, places)
        ]
        for place in range(places)
    ]


def overlapping(tiles, slices, places):
    each, rest = divmod(tiles * slices, places)
    return [
        pieces(tiles, slices, [i * each, i * each + each + (i < rest)])[0] for i in range(places)
    ]


def by_own_length(tiles, slices, places):
    each, rest = divmod(tiles * slices, places)
    lengths = [each + (i < rest) for i in range(places)]
    return [
        pieces(tiles, slices, [i * length, (i + 1) * length])[0] for i, length in enumerate(lengths)
    ]


def uncut(tiles, slices, places):
    cuts = even_cuts(tiles * slices, places)
    return [
        [(begin // slices, begin % slices, begin % slices + end - begin)] if end > begin else []
        for begin, end in zip(cuts, cuts[1:])
    ]


def whole_first(tiles, slices, places):
    whole = tiles // places
    done = whole * places
    return [
        [(place * whole + i, 0, slices) for i in range(whole)]
        + [(done + tile, first, last) for tile, first, last in share]
        for place, share in enumerate(stream_k_shares(tiles - done, slices, places))
    ]
