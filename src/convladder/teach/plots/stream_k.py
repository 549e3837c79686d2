"""Tiles on a small chip, whole and in waves, or cut to even shares: stream-K."""

from __future__ import annotations

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...gpu.waves import Piece, lost, stream_k_shares
from .ink import ink
from .style import GREY, ORANGE, PALE, Picture, figure

PLACES, SLICES = 6, 8
SHADES = colormaps["Blues"]


def stream_k_picture(tiles: int = 7) -> Picture:
    """Draw `tiles` tiles of eight slices on a chip with six places: a column a place, time down.

    Left: whole tiles, in waves. Right: stream-K. Orange: tiles that two or more places share, whose
    sums must be added up.
    """
    whole = [[(tile, 0, SLICES) for tile in range(place, tiles, PLACES)] for place in range(PLACES)]
    even = stream_k_shares(tiles, SLICES, PLACES)
    longest = _length(whole[0])
    fig, axes = figure(8.8, 2.0 + 0.1 * longest, ncols=2, sharey=True)
    for ax, shares, title in zip(axes, (whole, even), ("whole tiles", "stream-K")):
        _draw(ax, shares, longest)
        ax.set_title(f"{title}: done after {max(map(_length, shares))} slices")
        ax.set_xlabel("place on the chip")
    axes[0].set_ylabel("time, in slices")
    cut = len(_shared(even))
    waves = -(-tiles // PLACES)
    words = (
        f"{tiles} tiles on {PLACES} places: {waves} wave{'s' * (waves > 1)}, "
        f"{lost(tiles, PLACES):.0%} of the time idle; stream-K adds {cut} "
        f"tile{'s' * (cut != 1)} up from pieces"
    )
    fig.supxlabel(words, fontsize=9.5)
    return Picture(
        fig, f"{words}: {longest} slices of time against {max(map(_length, even))}.", colours=128
    )


def _length(share: list[Piece]) -> int:
    return sum(last - first for _, first, last in share)


def _shared(shares: list[list[Piece]]) -> set[int]:
    """Return the tiles that are not one piece."""
    return {tile for share in shares for tile, first, last in share if last - first < SLICES}


def _draw(ax: Axes, shares: list[list[Piece]], longest: int) -> None:
    shared = _shared(shares)
    for place, share in enumerate(shares):
        ax.add_patch(Rectangle((place, 0), 1, longest, facecolor=PALE, edgecolor="white"))
        begin = 0
        for tile, first, last in share:
            cut = tile in shared
            fill = ORANGE if cut else SHADES(0.35 + 0.1 * (tile % 4))
            ax.add_patch(
                Rectangle((place, begin), 1, last - first, edgecolor="white", facecolor=fill)
            )
            of = f"\n{first}–{last - 1}" if cut and last - first > 1 else ""
            ax.text(
                place + 0.5,
                begin + (last - first) / 2,
                f"{tile}{of}",
                ha="center",
                va="center",
                fontsize=7.5,
                color=ink(fill),
            )
            begin += last - first
    ax.set(xlim=(-0.05, PLACES + 0.05), ylim=(longest + 0.1, -0.1))
    ax.set_xticks([place + 0.5 for place in range(PLACES)], range(PLACES))
    ax.set_yticks(range(0, longest + 1, SLICES))
    ax.tick_params(length=0, colors=GREY)
    ax.spines[:].set_visible(False)
