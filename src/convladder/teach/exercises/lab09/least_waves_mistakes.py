"""Usual mistakes in choosing a tile by its waves, with their hints: lab 09, exercise 2."""

from __future__ import annotations

from ...grading.exercise import Misconception


def up(a: int, b: int) -> int:
    return -(-a // b)


def at_least_one(a: int, b: int) -> int:
    return max(1, a // b)


def nearest(a: int, b: int) -> int:
    return max(1, round(a / b))


def count_of(p, tile):
    return up(p.pixels, tile[0]) * up(p.k_c, tile[1])


def work_of(tile):
    return tile[2] * tile[0] * tile[1] / tile[3]


def best(p, tiles, multiprocessors, count=count_of, waves=up, work=work_of):
    """Return the tile of least waves times work."""
    return min(
        tiles, key=lambda tile: waves(count(p, tile), multiprocessors * tile[2]) * work(tile)
    )


MISTAKES = [
    Misconception(
        "the fewest waves",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, work=lambda tile: 1
        ),
        symptom="You choose the tile with the fewest waves, however long one of them takes.",
        concept="A wave of large tiles takes longer, as long as its work.",
        line="Multiply the waves by `blocks * pixels * channels / share`.",
    ),
    Misconception(
        "divided by the blocks",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, work=lambda tile: work_of(tile) / tile[2] ** 2
        ),
        symptom="You choose as if a wave took less, the more blocks share a multiprocessor.",
        concept="A multiprocessor does the work of all its blocks, and more blocks are more work.",
        line="`blocks * pixels * channels / share`: `blocks` above the line.",
    ),
    Misconception(
        "edges rounded down",
        lambda problem, tiles, multiprocessors, rounded=at_least_one: best(
            problem,
            tiles,
            multiprocessors,
            count=lambda p, tile: rounded(p.pixels, tile[0]) * rounded(p.k_c, tile[1]),
        ),
        symptom="You choose as if a tile that is not full were no block, or not always one.",
        concept="Values at the edge must be made as well, by a block of their own.",
        line="`-(-pixels // tile_pixels)`, and the same for the channels.",
        choices={"rounded": (nearest, lambda a, b: round(a / b), lambda a, b: a // b)},
    ),
    Misconception(
        "parts of a wave",
        lambda problem, tiles, multiprocessors, least=0: best(
            problem,
            tiles,
            multiprocessors,
            waves=lambda blocks, places: max(least, blocks / places),
        ),
        choices={"least": (1,)},
        symptom="You choose as if a last wave that is nearly empty cost nearly nothing.",
        concept="That is so if waves may be fractions, or if only the work of all blocks "
        "counts. A wave takes its time whether one place is taken or all.",
        line="`-(-count // places)` waves, where `places` is `multiprocessors * blocks`.",
    ),
    Misconception(
        "rounded down",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, waves=lambda blocks, places: blocks // places
        ),
        symptom="Waves that are not full cost you nothing.",
        concept="Rounded down, the last wave is lost: the one that is not full.",
        line="`-(-count // places)` rounds up; `//` and `int` round down.",
    ),
    Misconception(
        "always one more",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, waves=lambda blocks, places: blocks // places + 1
        ),
        symptom="You choose as if blocks that fill their waves exactly took one wave more.",
        concept="One more than the full waves is right, but for multiples of `places`.",
        line="`-(-count // places)`.",
    ),
    Misconception(
        "pixels not rounded",
        lambda problem, tiles, multiprocessors: best(
            problem,
            tiles,
            multiprocessors,
            count=lambda p, tile: p.pixels / tile[0] * up(p.k_c, tile[1]),
        ),
        symptom="You choose as if tiles over the last pixels cost only those they have.",
        concept="The last tile of pixels is a block, however few of them it has.",
        line="`-(-pixels // tile_pixels)`, rounded up by itself, times that of the channels.",
    ),
    Misconception(
        "edges not rounded",
        lambda problem, tiles, multiprocessors: best(
            problem,
            tiles,
            multiprocessors,
            count=lambda p, tile: up(p.pixels * p.k_c, tile[0] * tile[1]),
        ),
        symptom="Where pixels or channels do not divide by the tile's, you may count too few "
        "blocks.",
        concept="A tile of 96 channels over 128 covers 192: the edge is rounded up along each "
        "side by itself.",
        line="`-(-pixels // tile_pixels) * -(-k_c // tile_channels)`.",
    ),
    Misconception(
        "one block a multiprocessor",
        lambda problem, tiles, multiprocessors: best(
            problem,
            tiles,
            multiprocessors,
            waves=lambda blocks, places: blocks,
            count=lambda p, tile: up(count_of(p, tile), multiprocessors),
            work=lambda tile: tile[0] * tile[1] / tile[3],
        ),
        symptom="You choose as if each multiprocessor had one block at a time, or as if a wave "
        "that is not full took less.",
        concept="`blocks` of a tile fit on a multiprocessor at a time and share it: that makes a "
        "wave larger, and longer as well. And a wave takes as long, full or not.",
        line="`-(-count // (multiprocessors * blocks))` waves, each as long as `blocks * pixels * "
        "channels / share`.",
    ),
    Misconception(
        "a wave as long as one block",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, work=lambda tile: work_of(tile) / tile[2]
        ),
        symptom="Tiles of which many fit come out too cheap.",
        concept="Blocks on one multiprocessor share its arithmetic: four of them take four "
        "times as long as one.",
        line="The work of a wave on a multiprocessor is `blocks * pixels * channels`.",
    ),
    Misconception(
        "the tile's values alone",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, work=lambda tile: tile[0] * tile[1]
        ),
        symptom="You choose as if the cost were the number of waves by the values of one tile.",
        concept="That a wave has several blocks on each multiprocessor, and that small tiles "
        "reach less of the peak, are both left out.",
        line="Times `blocks`, over `share`.",
    ),
    Misconception(
        "one image",
        lambda problem, tiles, multiprocessors: best(problem.with_batch(1), tiles, multiprocessors),
        symptom="Layers of one image are right; of a batch you choose as for one image.",
        concept="All pixels of a batch are rows of the same matrix.",
        line="`problem.pixels`, those of the whole batch, before anything is rounded up.",
    ),
    Misconception(
        "share of the peak left out",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, work=lambda tile: tile[2] * tile[0] * tile[1]
        ),
        symptom="You choose as if all tiles reached the same share of the peak.",
        concept="Small tiles fill a chip best, but reach a smaller share of its peak: each "
        "value that they load serves fewer multiply-adds.",
        line="Divide a wave's work by the tile's `share`.",
    ),
    Misconception(
        "times the share",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, work=lambda tile: work_of(tile) * tile[3] ** 2
        ),
        symptom="You choose as if a tile that reaches more of the peak cost more.",
        concept="What reaches half of the peak takes twice as long.",
        line="`blocks * pixels * channels / share`: over the share.",
    ),
    Misconception(
        "the most",
        lambda problem, tiles, multiprocessors: max(
            tiles,
            key=lambda tile: up(count_of(problem, tile), multiprocessors * tile[2]) * work_of(tile),
        ),
        symptom="You choose the tile whose waves take longest.",
        concept="The cost is a time: the least is wanted.",
        line="`min(tiles, key=...)`, and the key grows as the time does.",
    ),
    Misconception(
        "the tile's sides exchanged",
        lambda problem, tiles, multiprocessors: best(
            problem,
            tiles,
            multiprocessors,
            count=lambda p, tile: up(p.pixels, tile[1]) * up(p.k_c, tile[0]),
        ),
        symptom="You choose as if a tile's pixels were its channels: right where all tiles "
        "are square.",
        concept="A tile's first number counts pixels, its second one channels.",
        line="`-(-pixels // tile[0]) * -(-k_c // tile[1])`.",
    ),
    Misconception(
        "pixels of the input",
        lambda problem, tiles, multiprocessors: best(
            problem,
            tiles,
            multiprocessors,
            count=lambda p, tile: up(p.i_n * p.i_h * p.i_w, tile[0]) * up(p.k_c, tile[1]),
        ),
        symptom="You choose as if the pixels of the input were to be covered with tiles.",
        concept="A block makes *output* values.",
        line="`problem.pixels`, which is `i_n * o_h * o_w`.",
    ),
    Misconception(
        "the best share",
        lambda problem, tiles, multiprocessors: max(tiles, key=lambda tile: tile[3]),
        symptom="You choose the tile with the largest share of the peak, whatever the layer.",
        concept="That share is reached when all places are taken. A large tile may leave most "
        "of them empty.",
        line="The least `waves * blocks * pixels * channels / share`.",
    ),
    Misconception(
        "blocks one after the other",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, waves=lambda count, places: count
        ),
        symptom="You choose as if blocks took a wave's time each, one after the other, or as if "
        "`blocks` made a wave longer and not larger, and none were rounded up.",
        concept="`multiprocessors * blocks` of them run at a time: that is a wave.",
        line="`-(-count // (multiprocessors * blocks))` waves.",
    ),
    Misconception(
        "the time, not the tile",
        lambda problem, tiles, multiprocessors: min(
            up(count_of(problem, tile), multiprocessors * tile[2]) * work_of(tile) for tile in tiles
        ),
        symptom="You return how long the best tile takes.",
        concept="What is wanted is one of `tiles`.",
        line="`min(tiles, key=...)`, in which the time is the key.",
    ),
    Misconception(
        "waves of one block each",
        lambda problem, tiles, multiprocessors: best(
            problem,
            tiles,
            multiprocessors,
            waves=lambda count, places: count,
            count=lambda p, tile: up(count_of(p, tile), multiprocessors),
        ),
        symptom="You choose as if a wave were `multiprocessors` blocks, and took as long as "
        "`blocks` of them do.",
        concept="If the third number makes a wave longer, it must make it larger too: "
        "`blocks` of a tile run on each multiprocessor at a time.",
        line="`-(-count // (multiprocessors * blocks))` waves.",
    ),
    Misconception(
        "channels not rounded",
        lambda problem, tiles, multiprocessors: best(
            problem,
            tiles,
            multiprocessors,
            count=lambda p, tile: up(p.pixels, tile[0]) * p.k_c / tile[1],
        ),
        symptom="You choose as if tiles over the last channels cost only those they have.",
        concept="100 channels in tiles of 64 are two tiles, of as much work each.",
        line="`-(-k_c // tile_channels)`, rounded up by itself, times that of the pixels.",
    ),
    Misconception(
        "the tile's number",
        lambda problem, tiles, multiprocessors: tiles.index(best(problem, tiles, multiprocessors)),
        symptom="You return which of the tiles it is, as a number.",
        concept="What is wanted is the tile itself, its four numbers.",
        line="`min(tiles, key=...)`, or `tiles[number]`.",
    ),
    Misconception(
        "work left out, but for the share",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, work=lambda tile: 1 / tile[3]
        ),
        symptom="You choose as if a wave of large tiles took no longer than one of small ones.",
        concept="A wave's work on a multiprocessor is that of its blocks: all their values.",
        line="`blocks * pixels * channels` before it is divided by the share.",
    ),
    Misconception(
        "the values left out",
        lambda problem, tiles, multiprocessors: best(
            problem, tiles, multiprocessors, work=lambda tile: tile[2]
        ),
        symptom="You choose as if all tiles had as many values and as large a share.",
        concept="A block of 128 × 128 values has eight times the work of one of 32 × 64.",
        line="`pixels * channels`, times `blocks`, over `share`.",
    ),
    Misconception(
        "fewest waves, then the time",
        lambda problem, tiles, multiprocessors: min(
            tiles,
            key=lambda tile: (
                waves := up(count_of(problem, tile), multiprocessors * tile[2]),
                waves * work_of(tile),
            ),
        ),
        symptom="You choose by the fewest waves; how long they take decides only between tiles "
        "that have as many.",
        concept="Many waves of small tiles may take less than few of large ones.",
        line="One number is the key: `waves * blocks * pixels * channels / share`.",
    ),
    Misconception(
        "tiles of one image each",
        lambda problem, tiles, multiprocessors: best(
            problem,
            tiles,
            multiprocessors,
            count=lambda p, tile: p.i_n * up(p.o_h * p.o_w, tile[0]) * up(p.k_c, tile[1]),
        ),
        symptom="Right for one image; of a batch you round tiles up for each image by itself.",
        concept="The rows of the matrix are the pixels of all images, one after the other. A "
        "tile may have the end of one and the beginning of the next.",
        line="`-(-problem.pixels // tile_pixels)`, with the whole batch in it.",
    ),
    Misconception(
        "fewest waves, then the share",
        lambda problem, tiles, multiprocessors: min(
            tiles,
            key=lambda tile: (up(count_of(problem, tile), multiprocessors * tile[2]), -tile[3]),
        ),
        symptom="You choose by the fewest waves, and by the best share where two tiles have "
        "as many.",
        concept="Two waves of small tiles may take less than one of large ones: both numbers "
        "make one time.",
        line="One number: `waves * blocks * pixels * channels / share`.",
    ),
]
