"""Lab 17, exercise 4: transform tiles, multiply place by place, add up over channels."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from .steps import USUAL, matrices


def _with(transform="iu,tuvc,jv->tijc", products="tijc,ijck->tijk"):
    """Make an answer from its two sums, either of which may be wrong."""

    def answer(tiles, U, BT):
        given = tuple(
            tiles if part.startswith("t") else BT for part in transform.split("->")[0].split(",")
        )
        V = np.einsum(transform, *given, optimize=True)
        return np.einsum(products, V, U, optimize=True).astype(np.float32)

    return answer


def _by(rule):
    """Transform by a rule of `np.einsum`."""
    return lambda tiles, U, BT, transform=rule: _with(transform)(tiles, U, BT)


def tile_products(tiles, U, BT):
    return _with()(tiles, U, BT)


def _last_channel(tiles, U, BT):
    return tile_products(tiles[..., -1:], U[:, :, -1:], BT)


def _channels_first(tiles, U, BT):
    """Add the channels up on both sides, then multiply."""
    return tile_products(tiles.sum(-1, keepdims=True), U.sum(2, keepdims=True), BT)


def _mean_over_channels(tiles, U, BT):
    return tile_products(tiles, U, BT) / np.float32(tiles.shape[3])


def _in_float64(tiles, U, BT):
    return tile_products(tiles, U, BT).astype(np.float64)


def _filters_flipped(tiles, U, BT):
    return tile_products(tiles, np.ascontiguousarray(U[::-1, ::-1]), BT)


def _filters_before_places(tiles, U, BT):
    return np.ascontiguousarray(np.moveaxis(tile_products(tiles, U, BT), -1, 1))


def _case(rng: np.random.Generator, count: int, m: int, i_c: int, k_c: int) -> tuple:
    a = m + 2
    shape = (count, a, a, i_c)
    tiles = (
        np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)
        if count == 1
        else (rng.standard_normal(shape, dtype=np.float32))
    )
    U = rng.standard_normal((a, a, i_c, k_c), dtype=np.float32)
    return tiles, U, matrices(m, 3, USUAL[m])[2].astype(np.float32)


def _of_the_last_axes(tiles, U, BT):
    return np.einsum("tijc,ijck->tijk", BT @ tiles @ BT.T, U)


def _channel_in_front(tiles, U, BT):
    V = BT @ tiles.transpose(0, 3, 1, 2) @ BT.T
    return np.einsum("tijc,ijck->tijk", V.reshape(tiles.shape), U)


def _multiplied_first(tiles, U, BT):
    return np.einsum("iu,tuvk,jv->tijk", BT, np.einsum("tuvc,uvck->tuvk", tiles, U), BT)


EXERCISE = Exercise(
    name="tile_products",
    lab=17,
    reference=tile_products,
    task="Transform tiles, multiply them by U place by place, add up over the input channels.",
    cases=lambda rng: [
        _case(rng, *sizes) for sizes in ((1, 2, 1, 1), (3, 2, 2, 3), (2, 4, 3, 2), (5, 4, 4, 4))
    ],
    misconceptions=[
        Misconception(
            "B for its transpose",
            _by("ui,tuvc,vj->tijc"),
            choices={"transform": ("iu,tuvc,vj->tijc", "ui,tuvc,jv->tijc")},
            symptom="`BT` and its transpose are not where they should be: what is asked is Bᵀ d B.",
            concept="`BT` is Bᵀ already: it comes first as it is. Its transpose comes last.",
            line="`BT @ d @ BT.T`.",
        ),
        Misconception(
            "one side only",
            _by("iu,tuvc->tivc"),
            choices={"transform": ("tuvc,jv->tujc", "ui,tuvc->tivc", "tuvc,vj->tujc")},
            symptom="You transform each tile in one direction only.",
            concept="A tile has two, rows and columns. The one-dimensional transform is done "
            "along each.",
            line='`np.einsum("iu,tuvc,jv->tijc", BT, tiles, BT)`, which is `BT @ d @ BT.T` for '
            "each channel. (`@` with all of `tiles` works along its last two axes.)",
        ),
        Misconception(
            "tiles on their side",
            _by("iu,tvuc,jv->tijc"),
            symptom="Rows and columns of your tiles are exchanged when they meet U.",
            concept="Axis 1 of `tiles` counts rows and axis 2 columns, as axes 0 and 1 of U do.",
            line="From `tuvc` to `tijc`: `u` goes with `i`, `v` with `j`. If "
            "`transpose(0, 3, 1, 2)` stands before the `@`, `transpose(0, 2, 3, 1)` belongs "
            "behind it.",
        ),
        Misconception(
            "no transform",
            lambda tiles, U, BT: np.einsum("tijc,ijck->tijk", tiles, U, optimize=True).astype(
                np.float32
            ),
            symptom="You multiply the pixels themselves by U.",
            concept="U is the filter *transformed*, values at points. It can only be multiplied by "
            "the tile's values at the same points.",
            line="First `V = BT @ d @ BT.T`, for each channel.",
        ),
        Misconception(
            "transformed twice",
            lambda tiles, U, BT: tile_products(np.einsum("iu,tuvc,jv->tijc", BT, tiles, BT), U, BT),
            symptom="Your tiles are transformed twice.",
            concept="`BT @ d @ BT.T` is the whole transform: a factor on either side, once.",
            line="Hand the products what one transform gave.",
        ),
        Misconception(
            "U transformed as well",
            lambda tiles, U, BT: tile_products(tiles, np.einsum("iu,uvck,jv->ijck", BT, U, BT), BT),
            symptom="You transform U, too, as if it were a tile.",
            concept="U is given transformed, by G. `BT` is for tiles alone.",
            line="`U` as it is.",
        ),
        Misconception(
            "transformed behind the product",
            _multiplied_first,
            symptom="Your values are those of tiles that meet U as pixels, and are transformed "
            "afterwards.",
            concept="U holds values at points. At a point it can be multiplied only by the tile's "
            "value there, which is what the transform makes.",
            line="First `V = BT @ d @ BT.T` for each channel, then `*` with U, then the sum.",
        ),
        Misconception(
            "a matrix product of tiles",
            _with(products="tijc,jvck->tivk"),
            symptom="You multiply tile and filter as matrices.",
            concept="Values at a point are multiplied by values at the same point: a product for "
            "each place (i, j), and no sum over places. The sum is over channels.",
            line="`V[:, i, j, :] @ U[i, j]` for each place `(i, j)`: the sum is over channels "
            "alone.",
        ),
        Misconception(
            "places of U exchanged",
            _with(products="tijc,jick->tijk"),
            symptom="U stands on its side: place (i, j) meets place (j, i).",
            concept="Both transforms have the row's point first.",
            line="`U[i, j]` goes with `V[..., i, j, :]`.",
        ),
        Misconception(
            "the last channel only",
            _last_channel,
            symptom="With one input channel you are right. With more, only the last one counts.",
            concept="The products of all input channels are added; none replaces another.",
            line="`M[:, i, j] += ...` to an `M` of zeros, or a matrix product over the channels.",
        ),
        Misconception(
            "channels added first",
            _channels_first,
            symptom="With one input channel you are right. With more, each channel of a tile meets "
            "all channels of U, as if they had been added before.",
            concept="(a + b)·(c + d) is not a·c + b·d. Each channel has a filter of its own.",
            line='`V[:, i, j, :] @ U[i, j]`, or `np.einsum("tijc,ijck->tijk", V, U)`: the same '
            "`c` for both.",
        ),
        Misconception(
            "averaged over the channels",
            _mean_over_channels,
            symptom="With one input channel you are right; with more your products are too small.",
            concept="A convolution adds its channels up.",
            line="A sum, not a mean.",
        ),
        Misconception(
            "float64",
            _in_float64,
            symptom="Your products are right, in float64.",
            concept="All arguments are float32, and so is `M`.",
            line="No array made without a dtype: `np.zeros(shape, np.float32)`.",
        ),
        Misconception(
            "U turned round",
            _filters_flipped,
            symptom="Place (i, j) of your tiles meets the opposite place of U.",
            concept="A place is a pair of points, the same on both sides.",
            line="`U[i, j]` with the same `i`, `j` as in V.",
        ),
        Misconception(
            "filters before places",
            _filters_before_places,
            symptom="Your `M` is `[tiles, k_c, a, a]`.",
            concept="Channels come last here.",
            line="`[tiles, a, a, k_c]`",
        ),
        Misconception(
            "@ between the last two axes",
            _of_the_last_axes,
            symptom="`@` works along the last two axes of `tiles`, a tile's columns and channels,"
            " not along its rows and columns.",
            concept="For arrays of more than two axes `@` always does. A tile's rows and columns "
            "are axes 1 and 2 of `tiles`.",
            line='`np.einsum("iu,tuvc,jv->tijc", BT, tiles, BT)`; or bring the channel to the '
            "front, `tiles.transpose(0, 3, 1, 2)`, before the `@`, and back, "
            "`V.transpose(0, 2, 3, 1)`, behind it.",
        ),
        Misconception(
            "channel left in front",
            _channel_in_front,
            symptom="The axes of your V are (tile, channel, row, column), and are read as if the "
            "channel came last.",
            concept="After `BT @ tiles.transpose(0, 3, 1, 2) @ BT.T` the channel is axis 1.",
            line="`V.transpose(0, 2, 3, 1)` before the products.",
        ),
        Misconception(
            "the same side twice",
            _by("iu,uj,tjvc->tivc"),
            choices={"transform": ("iu,uj,tvjc->tvic",)},
            symptom="You transform each tile twice along one of its sides, and never along the "
            "other.",
            concept="`BT @ d` works along one side of the tile, `@ BT.T` along the other.",
            line='`np.einsum("iu,tuvc,jv->tijc", BT, tiles, BT)`.',
        ),
        Misconception(
            "added over the filters",
            _with(products="tijc,ijck->tijc"),
            symptom="The last axis of your result counts input channels.",
            concept="A filter adds up all input channels. What is left are the filters.",
            line='`np.einsum("tijc,ijck->tijk", V, U)`.',
        ),
        Misconception(
            "tiles added up",
            lambda tiles, U, BT: tile_products(tiles, U, BT).sum(0),
            symptom="Your result has no axis for the tiles: they were added up.",
            concept="Each tile has outputs of its own. The sum is over input channels alone.",
            line='`np.einsum("tijc,ijck->tijk", V, U)`: the `t` stays.',
        ),
        Misconception(
            "the first channel only",
            lambda tiles, U, BT: tile_products(tiles[..., :1], U[:, :, :1], BT),
            symptom="With one input channel you are right. With more, only the first one counts.",
            concept="A convolution adds up the products of *all* input channels.",
            line="A sum over the channel in the product, `c` in `np.einsum`.",
        ),
    ],
)
