"""Chapter 03: MEC's smaller matrix, its partitions, and its layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm

from ...core.problem import ConvProblem
from ...core.text import seconds_text
from .axes import WHITE, behind, name_rows
from .shapes import bare, box, cells, frame, write
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure, ink, lettering

SIZE = 7  # rows and columns of the paper's toy image
TOY = 10 * np.arange(SIZE)[:, None] + np.arange(SIZE)  # row and column of each pixel, as digits
KERNEL_W = 3


def mec_partition_picture(h: int, s_h: int = 1, k_h: int = 3) -> Picture:
    """Draw L of the toy with partition `h` marked, the image rows it holds, and the output row.

    A partition that there is not is taken as the last.
    """
    p = ConvProblem(1, SIZE, SIZE, 1, k_h, KERNEL_W, 1, stride=(s_h, 1))
    at = min(h, p.o_h - 1)
    top, begin, wide = s_h * at, s_h * at * KERNEL_W, k_h * KERNEL_W
    shared = max(0, k_h - s_h) if at < p.o_h - 1 else 0
    unread = _never_read(p)
    fig, ax = _page(7)

    image = np.full((SIZE, SIZE), PALE, object)
    image[top : top + k_h] = SKY
    image[top + k_h - shared : top + k_h] = BLUE
    _title(ax, 0, f"image: {_rows(top, k_h)}")
    _grid(ax, 0, TOY, image)
    frame(ax, 0, top, SIZE, k_h)

    gone = f"There is no partition {h}: {at} is the last. " if h > at else ""
    L = np.stack([TOY[:, w : w + KERNEL_W].ravel() for w in range(p.o_w)])
    colours = np.full(L.shape, PALE, object)
    colours[:, begin : begin + wide] = SKY
    colours[:, begin + wide - KERNEL_W * shared : begin + wide] = BLUE
    _title(ax, RIGHT, f"{gone}L, 5×21: partition {at} is columns {_span(begin, wide)}")
    _grid(ax, RIGHT, L, colours)
    frame(ax, RIGHT + begin, 0, wide, p.o_w)
    for row in unread:
        _hatch(ax, 0, row, SIZE, 1)
        _hatch(ax, RIGHT + KERNEL_W * row, 0, KERNEL_W, p.o_w)
    _image_rows(ax, p.o_w, KERNEL_W)

    output = np.full((p.o_h, p.o_w), PALE, object)
    output[at] = GREEN
    _title(ax, BEYOND, f"output, {p.o_h}×{p.o_w}: row {at}")
    _grid(ax, BEYOND, np.full((p.o_h, p.o_w), ""), output)
    notes = []
    if shared:
        notes.append(f"dark: {_rows(top + k_h - shared, shared)}, in partition {at + 1} as well")
    if unread:
        notes.append(f"hatched: {_rows_of(unread)}, in no partition")
    ax.text(RIGHT, p.o_w + 1.8, "   ".join(notes), va="center", fontsize=9)
    return Picture(
        fig,
        f"The matrix L, 5×21, with partition {at} marked: columns "
        f"{_span(begin, wide)}, which hold image {_rows(top, k_h)} and give "
        f"output row {at}.",
    )


def _never_read(p: ConvProblem) -> list[int]:
    read = {p.s_h * h + a for h in range(p.o_h) for a in range(p.k_h)}
    return [row for row in range(p.i_h) if row not in read]


RIGHT, BEYOND = SIZE + 1.5, SIZE + 3 + SIZE * KERNEL_W  # where L and the output begin


def _page(beyond: float = 0) -> tuple:
    """Return a page that is wide enough for the image, L, and `beyond` columns more."""
    wide, high = BEYOND - 1.3 + beyond, SIZE + 1.3
    fig, ax = figure(0.268 * wide, 0.268 * high)
    fig.set_layout_engine("none")
    ax.set_position([0, 0, 1, 1])
    ax.set(xlim=(-0.1, wide - 0.1), ylim=(SIZE + 0.2, -1.1), aspect="equal")
    ax.set_axis_off()
    return fig, ax


def _title(ax: Axes, x: float, text: str) -> None:
    ax.text(x, -0.25, text, va="bottom", fontsize=9.5, fontweight="bold")


def _hatch(ax: Axes, x: float, y: float, width: float, height: float) -> None:
    frame(ax, x, y, width, height, GREY, hatch="///", linewidth=0, zorder=3, alpha=0.7)


def _grid(
    ax: Axes, x: float, values: np.ndarray, colours: np.ndarray, written: int | None = None
) -> None:
    """Draw cells of `values` in `colours`, top left at (x, 0); from row `written` on all empty."""
    for (row, column), colour in np.ndenumerate(colours):
        edge, value = "white" if colour != "white" else PALE, values[row, column]
        words = f"{value:02d}" if value != "" and (written is None or row < written) else ""
        small = {"fontsize": 8.5}
        box(ax, x + column, row, 1, 1, colour, words, edgecolor=edge, linewidth=0.8, text=small)


def _image_rows(ax: Axes, y: float, k_w: int) -> None:
    """Write under L which image row each group of `k_w` columns comes from."""
    for row in range(SIZE):
        left = RIGHT + k_w * row
        ax.plot([left + 0.08, left + k_w - 0.08], [y + 0.25] * 2, color=GREY, linewidth=1)
        words = f"row {row}" if k_w > 1 else str(row)
        write(ax, words, left + k_w / 2, y + 0.4, va="top", fontsize=8.5, color=GREY)


def _span(first: int, count: int) -> str:
    return f"{first}" if count == 1 else f"{first} to {first + count - 1}"


def _rows(first: int, count: int) -> str:
    return f"row{'s' * (count > 1)} {_span(first, count)}"


def _rows_of(rows: Sequence[int]) -> str:
    return f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}"


GREYS = 24  # of a photograph: as good to look at as 256, and half the bytes in the notebook
IMAGES = (GREEN, "#7CCBB2", "#CDEBE1", PALE)  # outputs are green, whichever image they are of


def lowered_photo_picture(
    image: np.ndarray, L: np.ndarray, w: int, h: int | None = None
) -> Picture:
    """Draw a grey `image[i_h,i_w]` with strip `w` outlined, and under it its `L[o_w,i_h,k_w]`.

    h: of the partition to outline too, for a stride of 1. Where it crosses row `w` of L lies
    window (h, w), which is filled in the image.
    """
    o_w, i_h, k_w = L.shape
    i_w = image.shape[1]
    image, L = (np.round(GREYS * values) / GREYS for values in (image, L))
    fig, axes = figure(8.4, 3.9, nrows=2, height_ratios=(2.1, 1))
    for ax, shown, wide, high in ((axes[0], image, i_w, i_h), (axes[1], L, i_h * k_w, o_w)):
        ax.set_anchor("W")
        bare(ax)
        ax.imshow(shown.reshape(high, wide), cmap="gray", vmin=0, vmax=1, extent=(0, wide, high, 0))
    _frame(axes[0], w, 0, k_w, i_h)
    _frame(axes[1], 0, w - 1, i_h * k_w, 3)
    words = [
        f"The strip of {k_w} columns, {i_h} rows high,",
        f"becomes row {w} of L: {i_h}·{k_w} = {i_h * k_w:,} values.",
    ]
    if h is not None:
        box(axes[0], w, h, k_w, k_w, SKY, edgecolor=BLUE, linewidth=2)
        _frame(axes[1], k_w * h, 0, k_w * k_w, o_w)
        box(axes[1], k_w * h, w - 1, k_w * k_w, 3, SKY)
        words += [
            "",
            f"Partition {h} begins at column {h}·{k_w} = {h * k_w}",
            f"and is {k_w}·{k_w} = {k_w * k_w} wide. It gives output row {h}.",
            "",
            "The row and the partition cross in one window.",
        ]
    axes[0].text(i_w + 12, i_h / 2, "\n".join(words), va="center")
    axes[0].set_title(f"The image, {i_h}×{i_w}")
    axes[1].set_title(f"L, {o_w}×{i_h * k_w:,}: the top of the image is on the left")
    partition = "" if h is None else f", and with partition {h} outlined"
    return Picture(
        fig,
        f"A photograph with one strip of columns marked, and under it its lowered "
        f"matrix of {o_w} rows and {i_h * k_w} columns: the photograph on its "
        f"side, {k_w} times as long{partition}.",
    )


def _frame(ax: Axes, x: float, y: float, width: float, height: float) -> None:
    """Outline what stays to be seen, on light and on dark."""
    for colour, line in (("white", 3.4), (BLUE, 1.8)):
        frame(ax, x, y, width, height, colour, linewidth=line, zorder=1)


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
            words = f"{stop - end} values too far"
            ax.text(stop + 2, place, words, va="center", color=lettering(ORANGE))
    ax.axvline(end, color="black", linewidth=1.6)
    words = f"a row of L ends here: {rows}·{step} = {end:,}"
    ax.text(end - 2, -0.75, words, ha="right", va="bottom")
    name_rows(ax, [f"partition {h}" for h in partitions], inverted=False)
    ax.set(xlabel="column of L", ylim=(last - 0.4, -0.75))
    ax.set_xlim(problem.s_h * partitions[0] * step - 5, problem.padded_h * step + 45)
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
    """Draw im2col's memory over MEC's for each k_h and s_h, on an image of `i_h` rows.

    layers: named problems, written into the cells of their k_h and s_h.
    """
    ratio = np.array(
        [
            [ConvProblem(1, i_h, i_h, 1, k_h, 1, 1, stride=(s_h, 1)).mec_ratio for k_h in kernels]
            for s_h in strides
        ]
    )
    fig, ax = figure(8.2, 1.1 + 0.46 * len(strides))
    colours = _shades(ratio, "RdBu", ratio.max())
    cells(ax, colours)
    inside: dict[tuple[int, int], list[str]] = {}
    for name, p in (layers or {}).items():
        inside.setdefault((p.s_h, p.k_h), []).append(name.removeprefix("cv"))
    for (row, column), value in np.ndenumerate(ratio):
        names, letters = inside.get((strides[row], kernels[column])), ink(colours[row, column])
        y, x = row + (0.4 if names else 0.5), column + 0.5
        write(ax, f"{value:.2f}", x, y, color=letters, fontsize=9.5)
        if names:
            words = f"cv{','.join(_ranges(names))}"
            write(ax, words, x, row + 0.78, color=letters, fontsize=7.2)
    stair = []
    for row, s_h in enumerate(strides):
        edge = sum(k_h <= s_h for k_h in kernels)
        stair += [(edge, row), (edge, row + 1)]
    ax.plot(*zip(*stair), color="black", linewidth=2.2)
    ax.set(
        xlabel="kernel height k_h",
        ylabel="stride s_h",
        title=f"im2col's memory over MEC's, image of {i_h} rows; left of the line, k_h ≤ s_h",
    )
    _name_cells(ax, kernels, strides)
    return Picture(
        fig,
        f"A table in colours: im2col's memory over MEC's, for "
        f"kernel heights {kernels[0]} to {kernels[-1]} and strides {strides[0]} "
        f"to {strides[-1]}. It is about k_h/s_h, and at most one where k_h ≤ s_h.",
    )


def _shades(values: np.ndarray, colours: str, most: float) -> np.ndarray:
    """Return a colour for each ratio, from 1 / `most` to `most`."""
    return colormaps[colours](LogNorm(1 / most, most)(values))


def _name_cells(ax: Axes, columns: Sequence[int], rows: Sequence[int]) -> None:
    ax.set_xticks(np.arange(len(columns)) + 0.5, columns)
    ax.set_yticks(np.arange(len(rows)) + 0.5, rows)
    ax.tick_params(length=0)


def _ranges(numbers: list[str]) -> list[str]:
    """Return ["5"] as it is; ["6", "7", "8"] -> ["6–8"]."""
    whole = sorted(map(int, numbers))
    if len(whole) > 2 and whole[-1] - whole[0] == len(whole) - 1:
        return [f"{whole[0]}–{whole[-1]}"]
    return [str(n) for n in whole]


def time_split_picture(rows: Sequence[tuple[str, float, float, float, float]]) -> Picture:
    """Draw lowering and GEMM of im2col and MEC, one layer per row, im2col's whole time being 1.

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
            words, style = seconds_text(lower + gemm), {"fontsize": 8, "bbox": WHITE}
            behind(ax, words, (lower + gemm) / whole, place + offset, **style)
    ax.axvline(1, color=GREY, linestyle=":", linewidth=1)
    name_rows(ax, [row[0] for row in rows])
    ax.set(xlim=(0, max(1.2, 1.18 * longest)), xlabel="time, im2col = 1")
    ax.set_title("Upper bar im2col (grey), lower bar MEC (blue); dark: lowering, light: GEMM")
    names = ", ".join(row[0] for row in rows)
    return Picture(
        fig,
        f"Two bars per layer, im2col and MEC, each split into lowering and GEMM, for "
        f"{len(rows)} layers: {names}.",
    )


def mec_order_picture(i_n: int = 3, o_h: int = 4) -> Picture:
    """Draw the rows of y in memory, as Solution A's GEMMs leave them and after the fix-up."""
    fig, ax = figure(7.8, 2.2)
    images_first = [(n, h) for n in range(i_n) for h in range(o_h)]
    orders = {
        "after the GEMMs of Solution A: [o_h, i_n, o_w, k_c]": sorted(
            images_first, key=lambda each: each[1]
        ),
        "what NHWC asks for: [i_n, o_h, o_w, k_c]": images_first,
    }
    for line, (title, order) in enumerate(orders.items()):
        y = 2.1 * line
        ax.text(0, y - 0.12, title, va="bottom", fontweight="bold")
        for place, (n, h) in enumerate(order):
            colour = IMAGES[n % len(IMAGES)]
            box(ax, place, y, 0.96, 0.9, colour, f"n={n}\nh={h}", letters="#222222")
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
    words = [
        [f"{ratios[o_w, i_n]:.2f}\npaper's rule: {chosen[o_w, i_n]}" for o_w in widths]
        for i_n in batches
    ]
    cells(ax, _shades(values, "PuOr_r", most), words, fontsize=8.5)
    _name_cells(ax, widths, batches)
    ax.set(xlabel="output width o_w", ylabel="batch i_n")
    ax.set_title("Time of Solution B over A: above 1, A is faster")
    return Picture(
        fig,
        f"A table in colours: time of Solution B over Solution A for batches of "
        f"{', '.join(map(str, batches))} and output widths of "
        f"{', '.join(map(str, widths))}, with the paper's choice in each cell.",
    )
