"""Lab 17, exercise 6: what each size of tile costs."""

from __future__ import annotations

from collections.abc import Callable

from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import real
from .steps import PROBLEM


def _costs(
    tiles: Callable | None = None,
    transforms: float = 1,
    streams: float = 1,
    side: Callable = lambda m, r: m + r - 1,
    spread: Callable = lambda p, count: 1,
):
    """Make an answer from its parts, each of which may be wrong."""
    tiles = tiles or (lambda p, m: p.i_n * -(-p.o_h // m) * -(-p.o_w // m))

    def answer(problem, sizes, transform, stream):
        p, found = problem, {}
        for m in sizes:
            count = tiles(p, m)
            each = count * p.i_c * p.k_c
            each += transforms * transform * count * (p.i_c + p.k_c)
            each += streams * stream * spread(p, count) * p.i_c * p.k_c
            found[m] = float(side(m, p.k_h) ** 2 * each)
        return found

    return answer


def tile_costs(problem, sizes, transform, stream):
    return _costs()(problem, sizes, transform, stream)


LAYERS = (
    ConvProblem(1, 6, 6, 2, 3, 3, 3),
    ConvProblem(1, 14, 14, 256, 3, 3, 256, padding=1),
    ConvProblem(8, 7, 9, 512, 3, 3, 64, padding=1),
    ConvProblem(2, 24, 24, 96, 5, 5, 128),
)


def _places_of_the_products_alone(problem, sizes, transform, stream):
    p, found = problem, {}
    for m in sizes:
        count = p.i_n * -(-p.o_h // m) * -(-p.o_w // m)
        found[m] = float(
            (m + p.k_h - 1) ** 2 * count * p.i_c * p.k_c
            + transform * count * (p.i_c + p.k_c)
            + stream * p.i_c * p.k_c
        )
    return found


def _transforms_for_each_pair(problem, sizes, transform, stream):
    p, found = problem, {}
    for m in sizes:
        count = p.i_n * -(-p.o_h // m) * -(-p.o_w // m)
        found[m] = float(
            (m + p.k_h - 1) ** 2 * p.i_c * p.k_c * (count + transform * count + stream)
        )
    return found


def _of_one_side(problem, sizes, transform, stream, side=max):
    """Transform another number of channels than those of both sides."""
    p = problem
    each = side(p.i_c, p.k_c) - p.i_c - p.k_c
    return {
        m: cost
        + transform * each * (m + p.k_h - 1) ** 2 * (p.i_n * -(-p.o_h // m) * -(-p.o_w // m))
        for m, cost in tile_costs(problem, sizes, transform, stream).items()
    }


EXERCISE = Exercise(
    name="tile_costs",
    lab=17,
    reference=tile_costs,
    calls_allowed=PROBLEM,
    task="The cost of each size of tile: products, transforms, and U from memory.",
    cases=lambda rng: [
        (p, [2, 4] if p.k_h == 5 else [2, 4, 6], real(rng, 8, 16), real(rng, 3, 6)) for p in LAYERS
    ],
    misconceptions=[
        Misconception(
            "edge tiles counted in part",
            _costs(lambda p, m: p.i_n * p.o_h * p.o_w / m**2),
            symptom="Right where m divides the output in both directions, too small elsewhere.",
            concept="A tile that hangs over the edge is computed whole.",
            line="`-(-problem.o_h // m) * -(-problem.o_w // m)` tiles an image.",
        ),
        Misconception(
            "edge tiles not counted",
            _costs(lambda p, m: p.i_n * (p.o_h // m) * (p.o_w // m)),
            symptom="Right where m divides the output in both directions; elsewhere too small, "
            "by all tiles that hang over.",
            concept="The tiles that hang over have to be computed as well.",
            line="Round up: `-(-problem.o_h // m)` tiles down, and so across with `o_w`.",
        ),
        Misconception(
            "one image only",
            _costs(lambda p, m: -(-p.o_h // m) * -(-p.o_w // m)),
            symptom="Layers with one image are right, batches cost too little.",
            concept="Every image has its tiles. Only U is the same for all of them.",
            line="`problem.i_n` times the tiles of one image, for products and transforms.",
        ),
        Misconception(
            "m² products a tile",
            _costs(side=lambda m, r: m),
            symptom="Every cost is too small, that of small tiles most.",
            concept="A tile has `m²` outputs, and needs a product for each of its `a²` points.",
            line="`a = m + problem.k_h - 1`, and `a ** 2` in front of everything.",
        ),
        Misconception(
            "three taps for all",
            _costs(side=lambda m, r: m + 2),
            symptom="Layers of 3×3 are right, those of 5×5 are not.",
            concept="`a` follows from the kernel: a window of 5 reads 4 pixels more than the tile.",
            line="`a = m + problem.k_h - 1`.",
        ),
        Misconception(
            "no transforms",
            _costs(transforms=0),
            symptom="Every cost is too small; most where channels are few.",
            concept="Each value of V and of M has to be computed: `i_c` and `k_c` of them for each "
            "place of a tile.",
            line="`+ transform * T * (problem.i_c + problem.k_c)`, with `T` tiles, in the bracket "
            "behind `a**2`.",
        ),
        Misconception(
            "U for nothing",
            _costs(streams=0),
            symptom="Every cost is too small; most where tiles are few.",
            concept="U comes from memory once, however few tiles it is for: `a²·i_c·k_c` values.",
            line="`+ stream * problem.i_c * problem.k_c`, in the bracket behind `a**2`.",
        ),
        Misconception(
            "U for each tile",
            _costs(spread=lambda p, count: count),
            symptom="Every cost of more than one tile is too large, and most where channels are "
            "many.",
            concept="All tiles are multiplied by the same U, one place after the other: it comes "
            "from memory once.",
            line="`stream * problem.i_c * problem.k_c` once, however many tiles there are.",
        ),
        Misconception(
            "U for each image",
            _costs(spread=lambda p, count: p.i_n),
            symptom="Layers with one image are right, batches cost too much.",
            concept="U belongs to the weights. The images of a batch share it, which is what makes "
            "large tiles pay for small images.",
            line="`stream * i_c * k_c` once, whatever `i_n` is.",
        ),
        Misconception(
            "kernel's height twice",
            _costs(side=lambda m, r: m + r),
            symptom="Every cost is too large.",
            concept="A tile of `m` outputs reads `m + r - 1` pixels: the last window begins at "
            "the last output.",
            line="`a = m + problem.k_h - 1`",
        ),
        Misconception(
            "a, not a²",
            lambda problem, sizes, transform, stream: {
                m: cost / (m + problem.k_h - 1)
                for m, cost in tile_costs(problem, sizes, transform, stream).items()
            },
            symptom="Every cost is too small, by a factor of `a`.",
            concept="A tile has two directions: `a` points in each.",
            line="`a ** 2` in front of everything.",
        ),
        Misconception(
            "transforms of the input only",
            lambda problem, sizes, transform, stream, left="k_c": {
                m: cost
                - (m + problem.k_h - 1) ** 2
                * transform
                * getattr(problem, left)
                * problem.i_n
                * -(-problem.o_h // m)
                * -(-problem.o_w // m)
                for m, cost in tile_costs(problem, sizes, transform, stream).items()
            },
            choices={"left": ("i_c",)},
            symptom="Every cost is too small: the transforms of one side, V or M, are missing.",
            concept="A tile's `i_c` channels are transformed, and on the way back to outputs its "
            "`k_c` channels are.",
            line="`i_c + k_c` values for each place of a tile.",
        ),
        Misconception(
            "the larger number of channels",
            _of_one_side,
            choices={"side": (min, lambda a, b: (a + b) / 2)},
            symptom="Your transforms are too cheap: where `i_c + k_c` belongs, you have less.",
            concept="V has `i_c` channels and M has `k_c`, and both are transformed.",
            line="`transform * T * (problem.i_c + problem.k_c)`.",
        ),
        Misconception(
            "the kernel in place of U",
            lambda problem, sizes, transform, stream: {
                m: cost
                + stream * problem.i_c * problem.k_c * (problem.k_h**2 - (m + problem.k_h - 1) ** 2)
                for m, cost in tile_costs(problem, sizes, transform, stream).items()
            },
            symptom="What you read from memory has the size of the kernel, for each `m`.",
            concept="U is the kernel transformed: `a²` values for each pair of channels, not "
            "`k_h²`.",
            line="`a**2 * stream * problem.i_c * problem.k_c`.",
        ),
        Misconception(
            "a list of costs",
            lambda problem, sizes, transform, stream: list(
                tile_costs(problem, sizes, transform, stream).values()
            ),
            symptom="You return the costs without their tiles.",
            concept="Whoever chooses looks for the key of the smallest value.",
            line="`costs[m] = ...` in a dictionary.",
        ),
        Misconception(
            "the best m",
            lambda problem, sizes, transform, stream: min(
                sizes, key=tile_costs(problem, sizes, transform, stream).get
            ),
            symptom="You return the size that you would choose.",
            concept="Asked for is what each of them costs.",
            line="Return the dictionary.",
        ),
        Misconception(
            "places of the products alone",
            _places_of_the_products_alone,
            symptom="Your transforms and U are too cheap.",
            concept="A tile has a² places, and at each of them something is transformed and a "
            "value of U is read: a² stands before the whole bracket.",
            line="`a**2 * (T * i_c * k_c + ... + stream * i_c * k_c)`.",
        ),
        Misconception(
            "rounded up once",
            _costs(lambda p, m: -(-p.i_n * p.o_h * p.o_w // m**2)),
            symptom="Right where m divides the output in both directions, often too small "
            "elsewhere: you round up once, over all outputs.",
            concept="What hangs over to the right cannot be used below, nor by the next image.",
            line="Round up in each direction, `-(-problem.o_h // m) * -(-problem.o_w // m)`, and "
            "multiply by `problem.i_n`.",
        ),
        Misconception(
            "rounded up once for each image",
            _costs(lambda p, m: p.i_n * -(-p.o_h * p.o_w // m**2)),
            symptom="Right where m divides the output in both directions, often too small "
            "elsewhere: you round up once for an image.",
            concept="A tile at the right edge hangs over in every row of tiles. Areas do not see "
            "that.",
            line="Tiles in a column times tiles in a row, each rounded up.",
        ),
        Misconception(
            "images stacked",
            _costs(lambda p, m: -(-p.i_n * p.o_h // m) * -(-p.o_w // m)),
            symptom="Right where m divides the height, or there is one image; else you may count "
            "too few tiles.",
            concept="No tile reaches from one image into the next: each has its own last row of "
            "tiles.",
            line="Rounded up for one image, then times `problem.i_n`: "
            "`problem.i_n * -(-problem.o_h // m)` rows of tiles.",
        ),
        Misconception(
            "transforms for each pair of channels",
            _transforms_for_each_pair,
            symptom="Your transforms grow with the number of pairs of an input and an output "
            "channel.",
            concept="A tile's channel is transformed once, whatever number of filters reads it.",
            line="`transform * T * (i_c + k_c)`.",
        ),
        Misconception(
            "tiles of the input",
            _costs(lambda p, m: p.i_n * -(-p.i_h // m) * -(-p.i_w // m)),
            symptom="Right where the output is as large as the input; else you may count "
            "another number of tiles.",
            concept="Tiles are tiles of *outputs*, `m` of them a side.",
            line="`-(-problem.o_h // m)`, not `i_h`, and so across: `o_w`, not `i_w`.",
        ),
        Misconception(
            "transforms of one tile",
            lambda problem, sizes, transform, stream: {
                m: cost
                - (m + problem.k_h - 1) ** 2
                * transform
                * (problem.i_c + problem.k_c)
                * (problem.i_n * -(-problem.o_h // m) * -(-problem.o_w // m) - 1)
                for m, cost in tile_costs(problem, sizes, transform, stream).items()
            },
            symptom="Every cost of more than one tile is too small: the transforms of one tile "
            "alone are in it.",
            concept="Each tile is transformed. Only the filters are transformed once.",
            line="`transform * T * (i_c + k_c)`, with the number of tiles.",
        ),
    ],
)
