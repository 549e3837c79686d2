"""Lab 09, exercise 3: the same work shared out evenly, however many tiles it is (stream-K)."""

from __future__ import annotations

from ....gpu.waves import stream_k_shares
from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole
from . import plans


def stream_k(tiles, slices, places):
    return stream_k_shares(tiles, slices, places)


def _two_pieces(tiles, slices, places, capped=False, idle=False):
    """Cut a share at the end of its first tile, and nowhere else; `idle`: also where none is."""
    found = []
    for begin, end in zip(
        plans.even_cuts(tiles * slices, places), plans.even_cuts(tiles * slices, places)[1:]
    ):
        tile, first = divmod(begin, slices)
        left = end - begin
        here = min(left, slices - first)
        share = [(tile, first, first + here)] if left or idle else []
        if left > here:
            share.append((tile + 1, 0, min(slices, left - here) if capped else left - here))
        found.append(share)
    return found


def _first_and_last_piece(tiles, slices, places):
    """Give each share the piece in which it begins and the one in which it ends."""
    return [share[:1] + share[1:][-1:] for share in stream_k(tiles, slices, places)]


def _empty_pieces(tiles, slices, places, where="begin"):
    """Begin with what is left of the tile before, even if that is nothing; or end with what is
    begun of the next; or both, of the tiles that there are.
    """
    if where != "begin":
        cuts = plans.even_cuts(tiles * slices, places)
        return [
            [
                (tile, max(begin - tile * slices, 0), min(end - tile * slices, slices))
                for tile in range(
                    *(
                        (begin // slices, end // slices + 1)
                        if where == "end"
                        else (max(0, -(-begin // slices) - 1), min(tiles, end // slices + 1))
                    )
                )
            ]
            for begin, end in zip(cuts, cuts[1:])
        ]
    found, at = [], 0
    for share in stream_k(tiles, slices, places):
        tile, first = divmod(at, slices)
        nothing = [(tile - 1, slices, slices)] if share and at and not first else []
        found.append(nothing + share)
        at += sum(last - first for _, first, last in share)
    return found


def _longer_last(tiles, slices, places):
    each, rest = divmod(tiles * slices, places)
    return plans.pieces(
        tiles,
        slices,
        [place * each + max(0, place - (places - rest)) for place in range(places + 1)],
    )


EXERCISE = Exercise(
    name="stream_k",
    lab=9,
    reference=stream_k,
    task="Share the slices of all tiles out evenly over the places of a chip.",
    cases=lambda rng: [
        (3, 4, 2),
        (8, 6, 5),
        (4, 9, 4),
        (2, 3, 8),
        (whole(rng, 3, 9), whole(rng, 20, 90), whole(rng, 2, 8)),
        (7, 10, 12),
    ],
    misconceptions=[
        Misconception(
            "whole tiles, dealt out",
            plans.whole_tiles,
            symptom="You share out whole tiles, in turn: some places may have one more than "
            "others.",
            concept="That is a launch as it always was, with its last wave. Here a tile may be cut "
            "between two places.",
            line="Share out slices, in runs: `each, rest = divmod(tiles * slices, places)`.",
        ),
        Misconception(
            "whole tiles in a row",
            plans.tiles_in_a_row,
            symptom="Your places have whole tiles, one after the other, and not all as many.",
            concept="Evenly means: to the slice. The unit of work is one slice of one tile.",
            line="`divmod(tiles * slices, places)`.",
        ),
        Misconception(
            "split-K",
            plans.split_k,
            symptom="You cut every tile into the same number of parts.",
            concept="That is split-K: it makes more blocks, and they come in waves again. "
            "Stream-K gives each place one run of slices, wherever a tile ends.",
            line="Place `i` begins where place `i - 1` has stopped, within a tile if need be.",
        ),
        Misconception(
            "every share rounded up",
            plans.rounded_up,
            symptom="Your shares are all as long as the first, until nothing is left: the last "
            "places have less, or nothing.",
            concept="Rounded up for all, the shares run out before the places do. They should "
            "differ by one slice at most.",
            line="The first `rest` places have `each + 1` slices, the others `each`: a run begins "
            "at `i * each + min(i, rest)`.",
        ),
        Misconception(
            "rest lost",
            plans.rest_lost,
            symptom="Where the slices do not divide evenly, the last ones belong to nobody.",
            concept="Rounded down, `places * each` can be less than all.",
            line="`each, rest = divmod(tiles * slices, places)`: a run begins at `i * each + "
            "min(i, rest)`.",
        ),
        Misconception(
            "rest to one place",
            plans.rest_to_one,
            symptom="All is shared out, but one place has all of the rest.",
            concept="Everyone waits for the slowest: shares may differ by one slice, no more.",
            line="One more for each of the first `rest` places: a run begins at `i * each + min(i, "
            "rest)`.",
            choices={"first": (True,)},
        ),
        Misconception(
            "slices not counted within their tile",
            plans.running,
            symptom="Your slices go on counting from tile to tile.",
            concept="A block must know which slices *of a tile* it does, 0 to `slices`, and a "
            "share that crosses into another tile is two pieces.",
            line="`tile, first = divmod(unit, slices)`; a piece ends at `slices` at the latest.",
            choices={"cut": (True,)},
        ),
        Misconception(
            "first piece only",
            plans.first_tile_only,
            symptom="Shares that reach into another tile stop at its edge.",
            concept="A place goes on into the next tile until it has done its share.",
            line="A loop for each place: as long as something of its share is left.",
        ),
        Misconception(
            "last slice included",
            plans.inclusive,
            symptom="Your pieces end one slice early.",
            concept="`(tile, first, last)` goes as a `range` does: `last` is the first that is not "
            "done.",
            line="`last = first + count`.",
        ),
        Misconception(
            "a length in place of an end",
            plans.lengths,
            symptom="The third number of your pieces is how many slices they have.",
            concept="What is wanted is where they end.",
            line="`(tile, first, first + count)`.",
        ),
        Misconception(
            "pieces in one list",
            plans.flat,
            symptom="The pieces are right, but not whose they are.",
            concept="The result has a list for each place, empty where it has nothing to do.",
            line="`shares.append(share)` once for each place.",
        ),
        Misconception(
            "slice by slice through the tiles",
            plans.by_slices_first,
            symptom="Your places jump from tile to tile, a slice at a time.",
            concept="Then every place has sums of many tiles in its registers. A run should stay "
            "in a tile as long as it can.",
            line="`tile, first = divmod(unit, slices)`, and a piece goes on to its tile's end.",
        ),
        Misconception(
            "longer runs in between",
            plans.longer_in_between,
            symptom="Your runs differ by 1 at most, but the longer ones are not the first.",
            concept="`i * total // places` spreads the rest over all places. That is as even, but "
            "here the first places take it.",
            line="A run begins at `i * each + min(i, rest)`.",
        ),
        Misconception(
            "idle places left out",
            plans.idle_left_out,
            symptom="Right where every place has work; else your list is too short.",
            concept="The list has one entry for each place, also for one that has nothing to do.",
            line="Append the place's list even if it is empty.",
        ),
        Misconception(
            "every tile among all places",
            plans.shared_by_all,
            symptom="Each of your places has a part of every tile, as long as slices last.",
            concept="That cuts every tile into as many pieces as there are places, and each piece "
            "must be added to the others. A place should stay in its tile as long as it "
            "can.",
            line="One run of slices for each place, counted through all tiles.",
            choices={"first_longer": (False,)},
        ),
        Misconception(
            "slices dealt out",
            plans.dealt,
            symptom="Your places take a slice in turn.",
            concept="Neighbouring slices of a tile add up to one sum: they belong to one place, as "
            "far as its share goes.",
            line="A run from `i * each + min(i, rest)` on, not every `places`-th slice.",
        ),
        Misconception(
            "a piece for each slice",
            lambda tiles, slices, places: [
                [(tile, at, at + 1) for tile, first, last in share for at in range(first, last)]
                for share in stream_k(tiles, slices, places)
            ],
            symptom="The shares are right, and cut into single slices.",
            concept="Slices of one tile that follow each other are one piece, `(tile, first, "
            "last)`.",
            line="A piece ends where its tile ends, or the run.",
        ),
        Misconception(
            "begun without the rest",
            plans.overlapping,
            symptom="The first runs are one longer, and the next ones begin before they end.",
            concept="Place `i` begins behind all that the places before it have: `i * each`, and "
            "one more for each longer run.",
            line="`i * each + min(i, rest)`.",
        ),
        Misconception(
            "begun by its own length",
            plans.by_own_length,
            symptom="Right where all runs are as long; else the shorter ones begin too early.",
            concept="A run's own length says nothing of how long those before it are: the first "
            "`rest` of them have one more.",
            line="`begin = i * each + min(i, rest)`: where the run before stops.",
        ),
        Misconception(
            "pieces past the end of a tile",
            plans.uncut,
            symptom="Your pieces go on beyond the last slice of their tile.",
            concept="A tile has `slices` of them; what comes after belongs to the next tile, and "
            "is a piece of its own.",
            line="`last = min(slices, first + left)`, and on with the next tile.",
        ),
        Misconception(
            "every piece from slice 0",
            lambda tiles, slices, places: [
                [(tile, 0, last - first) for tile, first, last in share]
                for share in stream_k(tiles, slices, places)
            ],
            symptom="All of your pieces begin at slice 0, also those that go on with a tile.",
            concept="Where another place has begun a tile, the next goes on from there.",
            line="`first = begin % slices`, and `last = first + count`.",
        ),
        Misconception(
            "whole tiles first",
            plans.whole_first,
            symptom="Each place has whole tiles first, and only the rest is cut.",
            concept="That is a good plan too, and used. Here each place has *one* run, counted "
            "through from tile 0.",
            line="`divmod(tiles * slices, places)`, all slices at once.",
        ),
        Misconception(
            "two tiles at most",
            _two_pieces,
            symptom="Shares that reach over three tiles or more go wrong: yours have two pieces.",
            concept="A share may reach over three tiles or more: behind the first piece the "
            "question is the same again.",
            line="Piece after piece, as long as something is left: `while left:`.",
            choices={"capped": (False, True), "idle": (False, True)},
        ),
        Misconception(
            "tiles between left out",
            _first_and_last_piece,
            symptom="Whole tiles are missing: where a run reaches over three tiles or more, those "
            "between its first and its last belong to nobody.",
            concept="A run is cut at the end of *every* tile that it crosses, so it may have any "
            "number of pieces.",
            line="`(tile, 0, slices)` for each tile between; or piece after piece, until nothing "
            "of the run is left.",
        ),
        Misconception(
            "pieces of no slice",
            _empty_pieces,
            symptom="Your shares hold pieces of no slice, where one begins or ends with a tile.",
            concept="A share that begins where a tile begins has nothing to do in the tile "
            "before, and one that ends with a tile nothing in the next.",
            line="`divmod(unit, slices)` of the share's first unit; a piece only where `last > "
            "first`.",
            choices={"where": ("end", "both")},
        ),
        Misconception(
            "nothing for idle places but a piece",
            lambda tiles, slices, places, last=False: [
                share or [(tiles * last, 0, 0)] for share in stream_k(tiles, slices, places)
            ],
            symptom="Right where every place has work; else idle places have a piece of no slice.",
            concept="A place that has nothing to do has an empty list.",
            line="Append a piece only where it has a slice.",
            choices={"last": (True,)},
        ),
        Misconception(
            "longer runs last",
            _longer_last,
            symptom="Your runs differ by 1 at most, but the longer ones are the last.",
            concept="It is as even. Here the first places take the rest, one slice each.",
            line="`begin = i * each + min(i, rest)`.",
        ),
        Misconception(
            "tiles counted from 1",
            lambda tiles, slices, places: [
                [(tile + 1, first, last) for tile, first, last in share]
                for share in stream_k(tiles, slices, places)
            ],
            symptom="Your tiles are numbered from 1.",
            concept="They count as slices do, from 0.",
            line="`tile, first = divmod(unit, slices)`, with nothing added.",
        ),
    ],
)
