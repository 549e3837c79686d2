"""Lab 06, exercise 6: which size of tile is the cheapest."""

from ...core.problem import ConvProblem
from ..draws import real
from ..exercise import Exercise, Misconception, edit

LAYERS = (
    ConvProblem(1, 6, 6, 2, 3, 3, 3),
    ConvProblem(1, 14, 14, 256, 3, 3, 256, padding=1),
    ConvProblem(8, 7, 9, 512, 3, 3, 64, padding=1),
    ConvProblem(2, 24, 24, 96, 5, 5, 128),
)


def tile_costs(problem, sizes, transform, stream):
    p, costs = problem, {}
    for m in sizes:
        a = m + p.k_h - 1
        T = p.i_n * -(-p.o_h // m) * -(-p.o_w // m)
        values = T * (p.i_c + p.k_c)
        costs[m] = float(a**2 * ((T + stream) * p.i_c * p.k_c + transform * values))
    return costs


TILES = "p.i_n * -(-p.o_h // m) * -(-p.o_w // m)"

EXERCISE = Exercise(
    name="tile_costs",
    lab=6,
    task="The cost of each size of tile: products, transforms, and U from memory.",
    solution=tile_costs,
    cases=lambda rng: [
        (p, [2, 4] if p.k_h == 5 else [2, 4, 6], real(rng, 8, 16), real(rng, 3, 6)) for p in LAYERS
    ],
    valid=lambda problem, sizes, transform, stream: (
        len(sizes) > 0
        and min(sizes) > 0
        and problem.k_h == problem.k_w
        and problem.stride == (1, 1)
    ),
    allowed=("convladder.core.problem",),
    mend="`a**2 * (T * i_c * k_c + transform * T * (i_c + k_c) + stream * i_c * k_c)` with "
    "`T = i_n * -(-o_h // m) * -(-o_w // m)`",
    misconceptions=[
        Misconception(
            "a single rounding for all tiles",
            [
                edit(TILES, "-(-p.i_n * p.o_h * p.o_w // m**2)"),
                edit(TILES, "p.i_n * -(-p.o_h * p.o_w // m**2)"),
            ],
            "Right where `m` divides the output in both directions. Elsewhere often too small.",
            "Tiles are whole in each direction: round up the rows and the columns of each image.",
        ),
        Misconception(
            "a wrong side of a tile",
            [edit("m + p.k_h - 1", "m + p.k_h"), edit("m + p.k_h - 1", "m")],
            "All costs are off by a factor, which depends on the size of the tile.",
            "A tile of `m` outputs reads `a = m + r - 1` pixels per side.",
            mend="`a = m + k_h - 1`",
        ),
        Misconception(
            "a in place of a²",
            edit("a**2 *", "a *"),
            "Every cost is too small, by the factor `a`.",
            "A tile has `a` rows and `a` columns, so `a²` products.",
        ),
        Misconception(
            "no transforms",
            edit(" + transform * values", ""),
            "Every cost is too small, most where channels are few.",
            "Each of the `a²` values of a tile is transformed once per channel, before and after "
            "the products.",
        ),
        Misconception(
            "U for free",
            edit("(T + stream)", "T"),
            "Every cost is too small, most where tiles are few.",
            "The transformed filters, `a² * i_c * k_c` values, come from memory once.",
        ),
        Misconception(
            "U for each tile",
            edit("(T + stream)", "T * (1 + stream)"),
            "Costs of several tiles are too large.",
            "U is read once, however many tiles use it.",
        ),
    ],
)
