"""Chapter 03: MEC's smaller matrix, its partitions, and its layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.patches import Rectangle

from ...core.problem import ConvProblem
from ...core.text import seconds_text
from .axes import ink, lettering, name_rows
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, YELLOW, Picture, figure

SIZE = 7  # rows and columns of the paper's toy image
TOY = 10 * np.arange(SIZE)[:, None] + np.arange(SIZE)  # row and column of each pixel, as digits
KERNEL_W = 3


def mec_picture(w: int, s_w: int = 1, k_w: int = KERNEL_W) -> Picture:
    """Draw the toy image with strip `w` marked, and L as far as it is lowered: rows 0 to `w`.

    A row that L does not have is taken as its last.
    """
    p = ConvProblem(1, SIZE, SIZE, 1, 1, k_w, 1, stride=(1, s_w))
    row = min(w, p.o_w - 1)
    left = s_w * row
    fig, ax = _page(11.3 + p.o_w)
    image = np.full((SIZE, SIZE), PALE, object)
    image[:, left : left + k_w] = SKY
    _title(ax, 0, 0, f"image, 7×7: {_columns(left, k_w)}")
    _grid(ax, 0, 0.4, TOY, image)

    missing = [f"There is no row {w}: row {row} is the last.", ""] if w > row else []
    notes = [
        *missing,
        f"Row {row} of L is the strip of {_columns(left, k_w)},",
        "read from top to bottom, a row of the image at a time.",
        "",
        f"L is {p.o_w}×{SIZE * k_w}: {p.o_w * SIZE * k_w} values, "
        f"{(row + 1) * SIZE * k_w} of them written.",
        "",
        f"im2col, with k_h = 3, writes a row of 3·{k_w} values",
        f"for each of {5 * p.o_w} windows: {5 * p.o_w * 3 * k_w} values.",
    ]
    _notes(ax, 8.2, notes)

    L = np.stack([TOY[:, s_w * at : s_w * at + k_w].ravel() for at in range(p.o_w)])
    colours = np.full(L.shape, "white", object)
    colours[:row], colours[row] = PALE, SKY
    top = 9.6
    _title(ax, 0, top - 0.4, f"L: row {row} is being written, of rows 0 to {p.o_w - 1}")
    _grid(ax, 0, top, L, colours, written=row + 1)
    _image_rows(ax, top + p.o_w, k_w, "image row")
    return Picture(
        fig,
        f"A 7×7 image with {_columns(left, k_w)} marked, and the {p.o_w}×"
        f"{SIZE * k_w} matrix L, in which row {row} holds that strip.",
    )


def mec_partition_picture(h: int, s_h: int = 1, k_h: int = 3) -> Picture:
    """Draw L of the toy with partition `h` marked, the image rows it holds, and the output row.

    A partition that there is not is taken as the last.
    """
    p = ConvProblem(1, SIZE, SIZE, 1, k_h, KERNEL_W, 1, stride=(s_h, 1))
    at = min(h, p.o_h - 1)
    top, begin, wide = s_h * at, s_h * at * KERNEL_W, k_h * KERNEL_W
    shared = max(0, k_h - s_h) * KERNEL_W if at < p.o_h - 1 else 0
    fig, ax = _page(16.3)

    image = np.full((SIZE, SIZE), PALE, object)
    image[top : top + k_h] = SKY
    image[top + k_h - shared // KERNEL_W : top + k_h] = YELLOW
    _title(ax, 0, 0, f"image: {_rows(top, k_h)}")
    _grid(ax, 0, 0.4, TOY, image)
    output = np.full((p.o_h, p.o_w), PALE, object)
    output[at] = GREEN
    _title(ax, 8.2, 0, f"output, {p.o_h}×{p.o_w}: row {at}")
    _grid(ax, 8.2, 0.4, np.full((p.o_h, p.o_w), ""), output)

    notes = [f"There is no partition {h}: {at} is the last.", ""] if h > at else []
    notes += [
        f"Partition {at} begins at column",
        f"s_h·h·k_w = {s_h}·{at}·{KERNEL_W} = {begin}",
        f"and is k_h·k_w = {k_h}·{KERNEL_W} = {wide} wide.",
    ]
    if at < p.o_h - 1:
        notes.append(f"The next begins {s_h}·{KERNEL_W} = {s_h * KERNEL_W} further.")
    if shared:
        notes += ["", f"{shared} columns (yellow) are", f"in partition {at + 1} as well."]
    unread = _never_read(p)
    if unread:
        notes += [
            "",
            f"{_span_of(unread)} (hatched)",
            "is in no partition." if len(unread) == 1 else "are in no partition.",
        ]
    _notes(ax, 15.6, notes)

    L = np.stack([TOY[:, w : w + KERNEL_W].ravel() for w in range(p.o_w)])
    colours = np.full(L.shape, PALE, object)
    colours[:, begin : begin + wide] = SKY
    colours[:, begin + wide - shared : begin + wide] = YELLOW
    _title(ax, 0, 9.2, f"L, 5×21: partition {at} is columns {_span(begin, wide)}")
    _grid(ax, 0, 9.6, L, colours)
    ax.add_patch(
        Rectangle((begin, 9.6), wide, p.o_w, fill=False, edgecolor=BLUE, linewidth=2.2, zorder=4)
    )
    for row in unread:
        for corner, width, height in (
            ((KERNEL_W * row, 9.6), KERNEL_W, p.o_w),
            ((0, row + 0.4), SIZE, 1),
        ):
            ax.add_patch(
                Rectangle(
                    corner,
                    width,
                    height,
                    facecolor="none",
                    edgecolor=ORANGE,
                    hatch="///",
                    linewidth=0,
                    zorder=3,
                    alpha=0.7,
                )
            )
    _image_rows(ax, 9.6 + p.o_w, KERNEL_W, "image row")
    return Picture(
        fig,
        f"The matrix L, 5×21, with partition {at} marked: columns "
        f"{_span(begin, wide)}, which hold image {_rows(top, k_h)} and give "
        f"output row {at}.",
    )


def _never_read(p: ConvProblem) -> list[int]:
    read = {p.s_h * h + a for h in range(p.o_h) for a in range(p.k_h)}
    return [row for row in range(p.i_h) if row not in read]


def _page(rows: float) -> tuple:
    fig, ax = figure(7.8, 0.355 * rows)
    ax.set(xlim=(-0.1, 21.9), ylim=(rows, -0.8), aspect="equal")
    ax.set_axis_off()
    return fig, ax


def _notes(ax: Axes, x: float, lines: Sequence[str]) -> None:
    """Write lines of text from (x, 1) down; an empty one is half as high."""
    y = 0.9
    for line in lines:
        ax.text(x, y, line, va="center", fontsize=9)
        y += 0.82 if line else 0.41


def _title(ax: Axes, x: float, y: float, text: str) -> None:
    ax.text(x, y, text, va="bottom", fontsize=9.5, fontweight="bold")


def _grid(
    ax: Axes,
    x: float,
    y: float,
    values: np.ndarray,
    colours: np.ndarray,
    written: int | None = None,
) -> None:
    """Draw cells of `values` in `colours`, top left at (x, y); from row `written` on all empty."""
    for (row, column), colour in np.ndenumerate(colours):
        ax.add_patch(
            Rectangle(
                (x + column, y + row),
                1,
                1,
                facecolor=colour,
                edgecolor="white" if colour != "white" else PALE,
                linewidth=0.8,
            )
        )
        value = values[row, column]
        if value != "" and (written is None or row < written):
            ax.text(
                x + column + 0.5,
                y + row + 0.52,
                f"{value:02d}",
                ha="center",
                va="center",
                fontsize=7.5,
                color="#222222",
            )


def _image_rows(ax: Axes, y: float, k_w: int, name: str) -> None:
    for row in range(SIZE):
        ax.plot([k_w * row + 0.08, k_w * (row + 1) - 0.08], [y + 0.25] * 2, color=GREY, linewidth=1)
        ax.text(
            k_w * (row + 0.5),
            y + 0.45,
            f"{name} {row}" if k_w > 2 else str(row),
            ha="center",
            va="top",
            fontsize=7.5,
            color=GREY,
        )


def _span(first: int, count: int) -> str:
    return f"{first}" if count == 1 else f"{first} to {first + count - 1}"


def _columns(first: int, count: int) -> str:
    return f"column{'s' * (count > 1)} {_span(first, count)}"


def _rows(first: int, count: int) -> str:
    return f"row{'s' * (count > 1)} {_span(first, count)}"


def _span_of(rows: Sequence[int]) -> str:
    return f"Image row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}"


GREYS = 24  # of a photograph: as good to look at as 256, and half the bytes in the notebook
IMAGES = (SKY, YELLOW, GREEN, PALE)


def lowered_photo_picture(image: np.ndarray, L: np.ndarray, w: int) -> Picture:
    """Draw a grey `image[i_h,i_w]` with strip `w` marked, and under it its `L[o_w,i_h,k_w]`."""
    o_w, i_h, k_w = L.shape
    image, L = (np.round(GREYS * values) / GREYS for values in (image, L))
    fig, axes = figure(8.4, 3.9, nrows=2, height_ratios=(2.1, 1))
    for ax in axes:
        ax.set_anchor("W")
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    axes[0].imshow(image, cmap="gray", vmin=0, vmax=1, extent=(0, image.shape[1], i_h, 0))
    axes[0].add_patch(Rectangle((w, 0), k_w, i_h, facecolor=ORANGE, alpha=0.75))
    axes[0].text(
        image.shape[1] + 12,
        i_h / 2,
        f"The strip of {k_w} columns, {i_h} rows high,\n"
        f"becomes row {w} of L: {i_h}·{k_w} = {i_h * k_w:,} values.",
        va="center",
    )
    axes[0].set_title(f"The image, {i_h}×{image.shape[1]}")
    axes[1].imshow(
        L.reshape(o_w, -1),
        cmap="gray",
        vmin=0,
        vmax=1,
        aspect="equal",
        extent=(0, i_h * k_w, o_w, 0),
    )
    axes[1].axhspan(w - 1.5, w + 1.5, color=ORANGE)
    axes[1].set_title(f"L, {o_w}×{i_h * k_w:,}: the top of the image is on the left")
    return Picture(
        fig,
        f"A photograph with one strip of columns marked, and under it its lowered "
        f"matrix of {o_w} rows and {i_h * k_w} columns: the photograph on its "
        f"side, {k_w} times as long.",
    )


def last_partition_picture(problem: ConvProblem, rows: int, last: int = 6) -> Picture:
    """Draw where the last partitions end in a row of L,
    were L made for `rows` rows of the image.
    """
    step = problem.k_w * problem.i_c
    end = rows * step
    fig, ax = figure(7.6, 0.8 + 0.33 * last)
    partitions = range(problem.o_h - last, problem.o_h)
    for place, h in enumerate(partitions):
        begin = problem.s_h * h * step
        stop = begin + problem.window
        ax.barh(place, min(stop, end) - begin, left=begin, color=SKY, height=0.66)
        if stop > end:
            ax.barh(place, stop - end, left=max(begin, end), color=ORANGE, height=0.66)
            ax.text(
                stop + 2,
                place,
                f"{stop - end} values too far",
                va="center",
                color=lettering(ORANGE),
            )
    ax.axvline(end, color="black", linewidth=1.6)
    ax.text(
        end - 2, -0.75, f"a row of L ends here: {rows}·{step} = {end:,}", ha="right", va="bottom"
    )
    ax.set_yticks(range(last), [f"partition {h}" for h in partitions], color="black")
    ax.tick_params(axis="y", length=0)
    ax.set(
        xlabel="column of L",
        ylim=(last - 0.4, -0.75),
        xlim=(problem.s_h * partitions[0] * step - 5, problem.padded_h * step + 45),
    )
    over = sum(problem.s_h * h * step + problem.window > end for h in partitions)
    return Picture(
        fig,
        f"The last {last} partitions as bars along a row of L that is {end} values "
        f"long. The last {over} of them reach past its end.",
    )


def mec_ratio_picture(
    i_h: int = 224,
    kernels: Sequence[int] = range(1, 12),
    strides: Sequence[int] = range(1, 7),
    layers: Mapping[str, ConvProblem] | None = None,
) -> Picture:
    """Draw im2col's bytes over MEC's for each k_h and s_h, on an image of `i_h` rows.

    layers: named problems, written into the cells of their k_h and s_h.
    """
    ratio = np.array(
        [
            [ConvProblem(1, i_h, i_h, 1, k_h, 1, 1, stride=(s_h, 1)).mec_ratio for k_h in kernels]
            for s_h in strides
        ]
    )
    fig, ax = figure(8.2, 1.1 + 0.46 * len(strides))
    mesh = ax.pcolormesh(
        ratio,
        cmap="RdBu",
        norm=LogNorm(1 / ratio.max(), ratio.max()),
        edgecolors="white",
        linewidth=1.5,
    )
    inside: dict[tuple[int, int], list[str]] = {}
    for name, p in (layers or {}).items():
        inside.setdefault((p.s_h, p.k_h), []).append(name.removeprefix("cv"))
    for (row, column), value in np.ndenumerate(ratio):
        names = inside.get((strides[row], kernels[column]))
        letters = ink(mesh.to_rgba(value))
        ax.text(
            column + 0.5,
            row + (0.4 if names else 0.5),
            f"{value:.2f}",
            ha="center",
            va="center",
            color=letters,
        )
        if names:
            ax.text(
                column + 0.5,
                row + 0.78,
                f"cv{','.join(_ranges(names))}",
                ha="center",
                va="center",
                fontsize=7.2,
                color=letters,
            )
    stair = []
    for row, s_h in enumerate(strides):
        edge = sum(k_h <= s_h for k_h in kernels)
        stair += [(edge, row), (edge, row + 1)]
    ax.plot(*zip(*stair), color="black", linewidth=2.2)
    ax.set(
        xlabel="kernel height k_h",
        ylabel="stride s_h",
        title=f"im2col's bytes over MEC's, image of {i_h} rows; left of the line k_h ≤ s_h",
    )
    ax.set_xticks(np.arange(len(kernels)) + 0.5, kernels)
    ax.set_yticks(np.arange(len(strides)) + 0.5, strides)
    ax.invert_yaxis()
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return Picture(
        fig,
        f"A table in colours: how many times more im2col lowers than MEC, for "
        f"kernel heights {kernels[0]} to {kernels[-1]} and strides {strides[0]} "
        f"to {strides[-1]}. It is about k_h/s_h, and at most one where k_h ≤ s_h.",
    )


def _ranges(numbers: list[str]) -> list[str]:
    """Return ["5"] as it is; ["6", "7", "8"] -> ["6–8"]."""
    whole = sorted(map(int, numbers))
    if len(whole) > 2 and whole[-1] - whole[0] == len(whole) - 1:
        return [f"{whole[0]}–{whole[-1]}"]
    return [str(n) for n in whole]


def time_split_picture(rows: Sequence[tuple[str, float, float, float, float]]) -> Picture:
    """Draw lowering and GEMM of im2col and MEC, a layer a row, im2col's whole time being 1.

    rows: (name, im2col's lowering, its GEMM, MEC's lowering, its GEMMs), in seconds.
    """
    fig, ax = figure(8.2, 1.0 + 0.46 * len(rows))
    longest = max((c + d) / (a + b) for _, a, b, c, d in rows)
    for place, (_, *times) in enumerate(rows):
        whole = times[0] + times[1]
        for offset, (lower, gemm), dark, light in (
            (-0.2, times[:2], GREY, "#BBBBBB"),
            (0.2, times[2:], BLUE, SKY),
        ):
            ax.barh(place + offset, lower / whole, height=0.36, color=dark)
            ax.barh(place + offset, gemm / whole, left=lower / whole, height=0.36, color=light)
            ax.text(
                (lower + gemm) / whole + 0.02 * longest,
                place + offset,
                seconds_text(lower + gemm),
                va="center",
                fontsize=8,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
            )
    ax.axvline(1, color=GREY, linestyle=":", linewidth=1)
    name_rows(ax, [row[0] for row in rows])
    ax.set(xlim=(0, max(1.2, 1.18 * longest)), xlabel="time, im2col = 1")
    ax.set_title("Upper bar im2col (grey), lower bar MEC (blue); dark: lowering, light: GEMM")
    names = ", ".join(row[0] for row in rows)
    return Picture(
        fig,
        f"Two bars a layer, im2col and MEC, each split into lowering and GEMM, for "
        f"{len(rows)} layers: {names}.",
    )


def mec_order_picture(i_n: int = 3, o_h: int = 4) -> Picture:
    """Draw the rows of y in memory, as Solution A's GEMMs leave them and after the fix-up."""
    fig, ax = figure(7.8, 2.2)
    orders = {
        "after the GEMMs of Solution A: [o_h, i_n, o_w, k_c]": [
            (n, h) for h in range(o_h) for n in range(i_n)
        ],
        "what NHWC asks for: [i_n, o_h, o_w, k_c]": [
            (n, h) for n in range(i_n) for h in range(o_h)
        ],
    }
    for line, (title, order) in enumerate(orders.items()):
        y = 2.1 * line
        ax.text(0, y - 0.12, title, va="bottom", fontweight="bold")
        for place, (n, h) in enumerate(order):
            ax.add_patch(Rectangle((place, y), 0.96, 0.9, facecolor=IMAGES[n % len(IMAGES)]))
            ax.text(place + 0.48, y + 0.47, f"n={n}\nh={h}", ha="center", va="center", fontsize=8)
    ax.set(xlim=(0, i_n * o_h), ylim=(3.1, -0.6))
    ax.set_axis_off()
    return Picture(
        fig,
        f"The {i_n * o_h} output rows of {i_n} images in the order of memory: "
        "first all images' row 0, then all images' row 1, and so on; and below "
        "in the order that NHWC asks for, image after image.",
    )


def mec_batch_picture(
    ratios: Mapping[tuple[int, int], float], chosen: Mapping[tuple[int, int], str]
) -> Picture:
    """Draw the time of Solution B over A for (o_w, i_n), and which one `chosen` takes there."""
    widths = sorted({o_w for o_w, _ in ratios})
    batches = sorted({i_n for _, i_n in ratios})
    values = np.array([[ratios[o_w, i_n] for o_w in widths] for i_n in batches])
    most = max(2.0, values.max(), 1 / values.min())
    fig, ax = figure(7.8, 1.25 + 0.6 * len(batches))
    mesh = ax.pcolormesh(
        values, cmap="PuOr_r", norm=LogNorm(1 / most, most), edgecolors="white", linewidth=1.5
    )
    for (row, column), value in np.ndenumerate(values):
        cell = widths[column], batches[row]
        ax.text(
            column + 0.5,
            row + 0.5,
            f"{ratios[cell]:.2f}\npaper's rule: {chosen[cell]}",
            ha="center",
            va="center",
            fontsize=8.5,
            color=ink(mesh.to_rgba(value)),
        )
    ax.set_xticks(np.arange(len(widths)) + 0.5, widths)
    ax.set_yticks(np.arange(len(batches)) + 0.5, batches)
    ax.set(
        xlabel="output width o_w",
        ylabel="batch i_n",
        title="Time of Solution B over A: above 1, A is faster",
    )
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return Picture(
        fig,
        f"A table in colours: time of Solution B over Solution A for batches of "
        f"{', '.join(map(str, batches))} and output widths of "
        f"{', '.join(map(str, widths))}, with the paper's choice in each cell.",
    )
