"""Lab 10, exercise 2: the best tile of a layer, by its waves."""

from ...core.problem import PAPER, ConvProblem
from ..draws import whole
from ..exercise import Exercise, Misconception, edit

TOY = ConvProblem(1, 10, 10, 8, 1, 1, 100)
TILES = [
    (32, 64, 4, 0.47),
    (64, 64, 4, 0.61),
    (128, 64, 3, 0.60),
    (128, 96, 2, 0.73),
    (128, 128, 2, 0.72),
]
CHOICES = (  # on which the usual mistakes choose differently
    ("cv12", 1, 132),
    ("cv5", 32, 132),
    ("cv8", 4, 132),
    ("cv1", 32, 46),
    ("cv1", 4, 58),
    ("cv12", 32, 20),
    ("cv11", 32, 72),
)
MANY = 39  # random choices: two different mistakes seldom make the same ones


def least_waves(problem, tiles, multiprocessors):
    def cost(tile):
        pixels, channels, blocks, share = tile
        count = -(-problem.pixels // pixels) * -(-problem.k_c // channels)
        waves = -(-count // (multiprocessors * blocks))
        return waves * blocks * pixels * channels / share

    return min(tiles, key=cost)


def drawn(rng):
    sides, filters = rng.integers(20, 90, 2).tolist(), whole(rng, 20, 399)
    problem = ConvProblem(whole(rng, 1, 8), *sides, 16, 3, 3, filters)
    tiles = [
        (
            16 * whole(rng, 1, 8),
            16 * whole(rng, 1, 8),
            whole(rng, 1, 5),
            round(rng.uniform(0.3, 0.9), 2),
        )
        for _ in range(8)
    ]
    return problem, tiles, whole(rng, 16, 149)


def valid(problem, tiles, multiprocessors):
    """Return whether a chip could have such tiles, and no other is as good as the best one."""
    sensible = multiprocessors > 0 and all(
        min(t) > 0 and t[0] % 16 == t[1] % 16 == 0 and t[3] <= 1 for t in tiles
    )
    if not sensible or not tiles:
        return False
    best = least_waves(problem, tiles, multiprocessors)
    return best == least_waves(problem, tiles[::-1], multiprocessors)


EXERCISE = Exercise(
    name="least_waves",
    lab=10,
    task="Choose the tile whose waves take the least time.",
    solution=least_waves,
    cases=lambda rng: [
        (TOY, [(32, 64, 1, 0.5), (64, 64, 1, 0.6)], 3),
        *((PAPER[name].with_batch(batch), TILES, chip) for name, batch, chip in CHOICES),
        *(drawn(rng) for _ in range(MANY)),
    ],
    inputs=lambda fill, problem, tiles, multiprocessors: (problem, tuple(tiles), multiprocessors),
    valid=valid,
    allowed=("convladder.core.problem",),
    mend="`min(tiles, key=cost)`, where the cost is "
    "`waves * blocks * pixels * channels / share`, and blocks and waves are rounded up",
    misconceptions=[
        Misconception(
            "the fewest waves",
            edit("waves * blocks * pixels * channels / share", "waves"),
            "You choose the tile with the fewest waves, however long a wave takes.",
            "A wave of large tiles does more work, so it takes longer.",
        ),
        Misconception(
            "fractions of a wave",
            [
                edit(
                    "-(-count // (multiprocessors * blocks))", "count / (multiprocessors * blocks)"
                ),
                edit(
                    "-(-count // (multiprocessors * blocks))",
                    "max(1, count / (multiprocessors * blocks))",
                ),
            ],
            "You choose as if a nearly empty wave cost nearly nothing.",
            "A wave takes the same time whether it is full or not, so waves are rounded up.",
        ),
        Misconception(
            "partial tiles without a block",
            [
                edit("-(-problem.pixels // pixels)", "problem.pixels / pixels"),
                edit(
                    "-(-problem.pixels // pixels) * -(-problem.k_c // channels)",
                    "-(-problem.pixels * problem.k_c // (pixels * channels))",
                ),
                edit(
                    "-(-problem.pixels // pixels) * -(-problem.k_c // channels)",
                    "max(1, problem.pixels // pixels) * max(1, problem.k_c // channels)",
                ),
            ],
            "You count too few blocks where the tile does not divide the layer.",
            "A partial tile needs a whole block. Round up along the pixels, and again along the "
            "channels.",
        ),
        Misconception(
            "one block per multiprocessor",
            [
                edit("(multiprocessors * blocks)", "multiprocessors"),
                edit("(multiprocessors * blocks)", "multiprocessors", "waves * blocks", "waves"),
            ],
            "You choose as if a wave had one block per multiprocessor.",
            "As many blocks run at the same time as fit: `multiprocessors * blocks`.",
        ),
        Misconception(
            "a wrong use of the share",
            [edit(" / share", ""), edit("/ share", "* share")],
            "Tiles with a low share of the peak look too cheap.",
            "A tile at half of the peak takes twice as long, so the work is divided by the share.",
        ),
        Misconception(
            "one image of the batch",
            edit("problem.pixels", "(problem.o_h * problem.o_w)"),
            "Layers of one image are right. In a batch you count the pixels of one image.",
            "The implicit matrix has a row for each output pixel of all images.",
            mend="`count = -(-problem.pixels // pixels) * -(-problem.k_c // channels)`",
        ),
    ],
)
