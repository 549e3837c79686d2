"""Lab 09, exercise 3: the same work shared out evenly, however many tiles it is (stream-K)."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ...models.waves import even_cuts, pieces, stream_k_shares
from ..draws import whole


def stream_k(tiles, slices, places):
    return stream_k_shares(tiles, slices, places)


def _whole_tiles(tiles, slices, places):
    return [[(tile, 0, slices) for tile in range(place, tiles, places)]
            for place in range(places)]


def _tiles_in_a_row(tiles, slices, places):
    return [[(tile, 0, slices) for tile in range(begin, end)]
            for begin, end in zip(even_cuts(tiles, places), even_cuts(tiles, places)[1:])]


def _rounded_up(tiles, slices, places):
    each = -(-tiles * slices // places)
    return pieces(tiles, slices, [min(tiles * slices, place * each)
                                   for place in range(places + 1)])


def _rest_lost(tiles, slices, places):
    each = tiles * slices // places
    return pieces(tiles, slices, [place * each for place in range(places + 1)])


def _rest_to_the_last(tiles, slices, places):
    each = tiles * slices // places
    return pieces(tiles, slices, [*(place * each for place in range(places)), tiles * slices])


def _longer_in_between(tiles, slices, places):
    return pieces(tiles, slices, [place * tiles * slices // places
                                   for place in range(places + 1)])


def _idle_left_out(tiles, slices, places):
    return [share for share in stream_k(tiles, slices, places) if share]


def _split_k(tiles, slices, places):
    """Return every tile cut into as many parts as there are places for it."""
    parts = max(1, places // tiles)
    shares = [[(tile, part * slices // parts, (part + 1) * slices // parts)]
              for tile in range(tiles) for part in range(parts)]
    return (shares + [[]] * places)[:max(places, len(shares))]


def _running(tiles, slices, places):
    """Return ranges of units that do not begin anew with each tile."""
    cuts = even_cuts(tiles * slices, places)
    return [[(begin // slices, begin, end)] if end > begin else []
            for begin, end in zip(cuts, cuts[1:])]


def _first_tile_only(tiles, slices, places):
    return [share[:1] for share in stream_k(tiles, slices, places)]


def _inclusive(tiles, slices, places):
    return [[(tile, first, last - 1) for tile, first, last in share]
            for share in stream_k(tiles, slices, places)]


def _lengths(tiles, slices, places):
    return [[(tile, first, last - first) for tile, first, last in share]
            for share in stream_k(tiles, slices, places)]


def _flat(tiles, slices, places):
    return [piece for share in stream_k(tiles, slices, places) for piece in share]


def _by_slices_first(tiles, slices, places):
    """Return units that count through the tiles first, the slices last."""
    cuts = even_cuts(tiles * slices, places)
    return [[(unit % tiles, unit // tiles, unit // tiles + 1) for unit in range(begin, end)]
            for begin, end in zip(cuts, cuts[1:])]


def _shared_by_all(tiles, slices, places, first_longer=True):
    cuts = even_cuts(slices, places) if first_longer else [
        place * slices // places for place in range(places + 1)]
    return [[(tile, first, last) for tile in range(tiles)] if last > first else []
            for first, last in zip(cuts, cuts[1:])]


def _dealt(tiles, slices, places):
    return [[(unit // slices, unit % slices, unit % slices + 1)
             for unit in range(place, tiles * slices, places)] for place in range(places)]


def _overlapping(tiles, slices, places):
    each, rest = divmod(tiles * slices, places)
    return [pieces(tiles, slices, [i * each, i * each + each + (i < rest)])[0]
            for i in range(places)]


def _uncut(tiles, slices, places):
    cuts = even_cuts(tiles * slices, places)
    return [[(begin // slices, begin % slices, begin % slices + end - begin)] if end > begin else []
            for begin, end in zip(cuts, cuts[1:])]


def _whole_first(tiles, slices, places):
    whole = tiles // places
    done = whole * places
    return [[(place * whole + i, 0, slices) for i in range(whole)]
            + [(done + tile, first, last) for tile, first, last in share]
            for place, share in enumerate(stream_k(tiles - done, slices, places))]


EXERCISE = Exercise(
    name="stream_k", lab=9, reference=stream_k,
    task="Share the slices of all tiles out evenly over the places of a chip.",
    cases=lambda rng: [(3, 4, 2), (8, 6, 5), (4, 9, 4), (2, 3, 8),
                       (whole(rng, 3, 9), whole(rng, 20, 90), whole(rng, 2, 8)), (7, 10, 12)],
    misconceptions=[
        Misconception(
            "whole tiles, dealt out", _whole_tiles,
            symptom="You share out whole tiles: some places have one more than others.",
            concept="That is a launch as it always was, with its last wave. Here a tile may be cut "
                    "between two places.",
            line="Count slices, `tiles * slices` of them, and share those out."),
        Misconception(
            "whole tiles in a row", _tiles_in_a_row,
            symptom="Your places have whole tiles, one after the other, and not all as many.",
            concept="Evenly means: to the slice. The unit of work is one slice of one tile.",
            line="`divmod(tiles * slices, places)`."),
        Misconception(
            "split-K", _split_k,
            symptom="You cut every tile into the same number of parts.",
            concept="That is split-K: it makes more blocks, and they come in waves again. "
                    "Stream-K gives each place one run of slices, wherever a tile ends.",
            line="Place `i` begins where place `i - 1` has stopped, within a tile if need be."),
        Misconception(
            "every share rounded up", _rounded_up,
            symptom="The first places have the most, the last ones little or nothing.",
            concept="Rounded up for all, the shares run out before the places do. They should "
                    "differ by one slice at most.",
            line="The first `rest` places have `each + 1` slices, the others `each`."),
        Misconception(
            "rest lost", _rest_lost,
            symptom="The last slices belong to nobody.",
            concept="`//` rounds down: `places * each` can be less than all.",
            line="`each, rest = divmod(tiles * slices, places)`, and the first `rest` have one "
                 "more."),
        Misconception(
            "rest to the last", _rest_to_the_last,
            symptom="All is shared out, but the last place has all of the rest.",
            concept="Everyone waits for the slowest: shares may differ by one slice, no more.",
            line="One more for each of the first `rest` places."),
        Misconception(
            "slices not counted within their tile", _running,
            symptom="Your slices go on counting from tile to tile.",
            concept="A block must know which slices *of a tile* it does, 0 to `slices`, and a "
                    "share that crosses into another tile is two pieces.",
            line="`tile, first = divmod(unit, slices)`; a piece ends at `slices` at the latest."),
        Misconception(
            "first piece only", _first_tile_only,
            symptom="Shares that reach into another tile stop at its edge.",
            concept="A place goes on into the next tile until it has done its share.",
            line="A loop for each place: as long as something of its share is left."),
        Misconception(
            "last slice included", _inclusive,
            symptom="Your pieces end one slice early.",
            concept="`(tile, first, last)` goes as a `range` does: `last` is the first that is not "
                    "done.",
            line="`last = first + count`."),
        Misconception(
            "a length in place of an end", _lengths,
            symptom="The third number of your pieces is how many slices they have.",
            concept="What is wanted is where they end.",
            line="`(tile, first, first + count)`."),
        Misconception(
            "pieces in one list", _flat,
            symptom="The pieces are right, but not whose they are.",
            concept="The result has a list for each place, empty where it has nothing to do.",
            line="`shares.append(share)` once for each place."),
        Misconception(
            "slice by slice through the tiles", _by_slices_first,
            symptom="Your places jump from tile to tile, a slice at a time.",
            concept="Then every place has sums of many tiles in its registers. A run should stay "
                    "in a tile as long as it can.",
            line="The slice counts fastest: `divmod(unit, slices)`."),
        Misconception(
            "longer runs in between", _longer_in_between,
            symptom="Your runs differ by 1 at most, but the longer ones are not the first.",
            concept="`i * total // places` spreads the rest over all places. That is as even, but "
                    "here the first places take it.",
            line="A run begins at `i * each + min(i, rest)`."),
        Misconception(
            "idle places left out", _idle_left_out,
            symptom="Right where every place has work; else your list is too short.",
            concept="The list has one entry for each place, also for one that has nothing to do.",
            line="Append the place's list even if it is empty."),
        Misconception(
            "every tile among all places", _shared_by_all,
            symptom="Each of your places has a part of every tile.",
            concept="That cuts every tile into as many pieces as there are places, and each piece "
                    "must be added to the others. A place should stay in its tile as long as it "
                    "can.",
            line="One run of slices for each place, counted through all tiles.",
            choices={"first_longer": (False,)}),
        Misconception(
            "slices dealt out", _dealt,
            symptom="Your places take a slice in turn.",
            concept="Neighbouring slices of a tile add up to one sum: they belong to one place, as "
                    "far as its share goes.",
            line="A run, not every `places`-th slice."),
        Misconception(
            "a piece for each slice", lambda tiles, slices, places: [
                [(tile, at, at + 1) for tile, first, last in share for at in range(first, last)]
                for share in stream_k(tiles, slices, places)],
            symptom="The shares are right, and cut into single slices.",
            concept="Slices of one tile that follow each other are one piece, `(tile, first, "
                    "last)`.",
            line="A piece ends where its tile ends, or the run."),
        Misconception(
            "begun without the rest", _overlapping,
            symptom="The first runs are one longer, and the next ones begin before they end.",
            concept="Place `i` begins behind all that the places before it have: `i * each`, and "
                    "one more for each longer run.",
            line="`i * each + min(i, rest)`."),
        Misconception(
            "pieces past the end of a tile", _uncut,
            symptom="Your pieces go on beyond the last slice of their tile.",
            concept="A tile has `slices` of them; what comes after belongs to the next tile, and "
                    "is a piece of its own.",
            line="`last = min(slices, first + left)`, and on with the next tile."),
        Misconception(
            "every piece from slice 0", lambda tiles, slices, places: [
                [(tile, 0, last - first) for tile, first, last in share]
                for share in stream_k(tiles, slices, places)],
            symptom="All of your pieces begin at slice 0, also those that go on with a tile.",
            concept="Where another place has begun a tile, the next goes on from there.",
            line="`first = begin % slices`, and `last = first + count`."),
        Misconception(
            "whole tiles first", _whole_first,
            symptom="Each place has whole tiles first, and only the rest is cut.",
            concept="That is a good plan too, and used. Here each place has *one* run, counted "
                    "through from tile 0.",
            line="`divmod(tiles * slices, places)`, all slices at once."),
    ],
)
