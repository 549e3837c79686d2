"""What a batch of GEMMs reads of MEC's L, for any leading dimension and stride one may write."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...problem import ConvProblem
from .ink import lettering
from .style import BLUE, GREY, ORANGE, PALE, SKY, Picture, figure

TOY = ConvProblem(1, 7, 7, 1, 3, 3, 1)  # the paper's: L is 5 strips of 7·3 values
IMAGE = 10 * np.arange(TOY.i_h)[:, None] + np.arange(TOY.i_w)  # row and column of each pixel
L = np.stack([IMAGE[:, v : v + TOY.k_w].ravel() for v in range(TOY.o_w)])
STRIP = L.shape[1]


def gemm_view_picture(gemm: int = 0, lda: int = STRIP, stride: int = TOY.k_w) -> Picture:
    """Draw L of the paper's toy in memory's order, with the values that `gemm` of a batch reads.

    Row r of its matrix is the `inner` = 9 values from `gemm·stride + r·lda` on. Outlined is the
    partition that it should be. What lies behind L is drawn as missing.
    """
    p, inner = TOY, TOY.window
    begin = gemm * stride
    places = begin + lda * np.arange(p.o_w)[:, None] + np.arange(inner)
    wanted = p.s_h * gemm * p.k_w + STRIP * np.arange(p.o_w)[:, None] + np.arange(inner)
    refused = lda < inner
    right = not refused and bool((places == wanted).all())
    behind = 0 if refused else int((places >= L.size).sum())

    fig, ax = figure(7.8, 5.2)
    ax.text(
        0,
        -0.5,
        f"L in memory, {L.size} values: a line here is a strip of {STRIP}",
        fontweight="bold",
        va="bottom",
    )
    read = set() if refused else set(places.ravel().tolist())
    for place, value in enumerate(L.ravel()):
        row, column = divmod(place, STRIP)
        _cell(ax, column, row, f"{value:02d}", SKY if place in read else PALE)
    corner = p.s_h * gemm * p.k_w
    ax.add_patch(
        Rectangle(
            (corner, 0),
            inner,
            p.o_w,
            fill=False,
            zorder=3,
            linewidth=2.2,
            edgecolor=BLUE if right else ORANGE,
        )
    )

    top = p.o_w + 2.2
    ax.text(0, top - 0.5, f"what GEMM {gemm} takes for A", fontweight="bold", va="bottom")
    for (row, column), place in np.ndenumerate(places):
        inside = place < L.size and not refused
        _cell(
            ax,
            column,
            top + row,
            f"{L.flat[place]:02d}" if inside else "?",
            SKY if inside else "white",
            GREY if inside else ORANGE,
        )
    ax.text(
        inner + 1.2,
        top + 0.2,
        "\n".join(_words(gemm, lda, stride, right, refused, behind)),
        va="top",
        fontsize=9.5,
        linespacing=1.5,
    )
    ax.set(xlim=(-0.1, STRIP + 0.1), ylim=(top + p.o_w + 0.2, -1.4), aspect="equal")
    ax.set_axis_off()
    verdict = (
        "BLAS refuses it"
        if refused
        else "the partition"
        if right
        else "not the partition" + (f", {behind} values behind L" if behind else "")
    )
    return Picture(
        fig,
        f"L of 5 strips of {STRIP} values, and what GEMM {gemm} of a batch with "
        f"lda = {lda} and stride = {stride} takes for its matrix: {verdict}.",
    )


def _words(gemm: int, lda: int, stride: int, right: bool, refused: bool, behind: int) -> list[str]:
    lines = [
        f"begins at gemm·stride = {gemm}·{stride} = {gemm * stride}",
        f"row r begins r·lda = r·{lda} further",
        "",
    ]
    if refused:
        return [
            *lines,
            f"lda = {lda} is less than inner = {TOY.window}:",
            "rows would overlap, and BLAS refuses.",
        ]
    if right:
        return [
            *lines,
            f"This is partition {gemm}: it gives",
            f"output row {gemm}, and nothing was copied.",
        ]
    lines += [f"This is not partition {gemm} (orange)."]
    if behind:
        lines += [
            f"{behind} of {TOY.o_w * TOY.window} values lie behind L:",
            "whatever is there is multiplied.",
        ]
    else:
        lines += ["No error: these are numbers,", "and they are multiplied."]
    return lines


def _cell(ax: Axes, x: float, y: float, text: str, colour: str, letters: str = "#222222") -> None:
    ax.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white", linewidth=0.8))
    ax.text(
        x + 0.5,
        y + 0.52,
        text,
        ha="center",
        va="center",
        fontsize=7.5,
        color=lettering(letters) if letters == ORANGE else "#222222",
    )
