"""Spatial sharding on several GPUs: a band of one large image each, edge rows through NCCL."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....core.problem import ConvProblem
from ....core.reference import UNIT_ROUNDOFF, conv2d_float64
from ..partition import Band, banded, bands, needed
from .group import Group
from .layer import RandomWeights, convolve, pixels

CHECKED = 4, 64  # output rows above and below each cut, and columns, compared with float64


def overlap(piece: Band, owner: Band) -> tuple[int, int]:
    """Return the rows `piece` reaches and `owner` computed in the layer before; equal if none."""
    first = max(piece.first, owner.begin)
    return first, max(first, min(piece.last, owner.stop))


def gathered(group: Group, own, owners: list[Band], wanted: list[Band]):
    """Gather the rows that this process' band reads: its own, neighbours' edges, image's zeros.

    `own[1, rows, i_w, i_c]` is what it computed in the layer before; `owners` and `wanted` are all
    processes' bands of that layer and of this one, so that everyone knows what to send.
    """
    rank = group.rank
    piece, mine = wanted[rank], owners[rank]
    buffer = group.empty((1, piece.height, *own.shape[2:]), own.dtype)
    buffer[:, : piece.top] = 0
    buffer[:, piece.height - piece.bottom :] = 0
    sends, receives = [], []
    for other, (owner, there) in enumerate(zip(owners, wanted)):
        first, last = overlap(piece, owner)
        at = piece.top - piece.first
        if other == rank:
            buffer[:, first + at : last + at] = own[:, first - mine.begin : last - mine.begin]
            continue
        if first < last:  # one image: its rows lie in one piece
            receives.append((buffer[:, first + at : last + at], other))
        first, last = overlap(there, mine)
        if first < last:
            sends.append((own[:, first - mine.begin : last - mine.begin], other))
    group.swap(sends, receives)
    return buffer


def forward(group: Group, own, problem: ConvProblem, layers: int, method: str, seed: int = 0):
    """Compute this process' rows after `layers` layers of one shape, outputs as large as inputs."""
    cut = bands(problem, group.count)
    for layer in range(layers):
        rows = gathered(group, own, cut, cut)
        own = convolve(rows, banded(problem, cut[group.rank]), RandomWeights(seed + layer), method)
        own = own.to(rows.dtype)
    return own


def worst(group: Group, own, problem: ConvProblem, layers: int, seed: int = 0) -> float:
    """Return the largest error near this process' cuts, relative to what float32 or float16 may do.

    Beside float64, from the image on, for the first columns. Above 1 it is wrong.
    """
    p, cut = problem, bands(problem, group.count)[group.rank]
    rows, columns = CHECKED
    edges = [(max(cut.begin, at), min(cut.stop, at + rows)) for at in (cut.begin, cut.stop - rows)]
    return max(
        _error(group, own, p, layers, seed, begin, stop, cut.begin, columns)
        for begin, stop in edges
    )


def _error(
    group: Group,
    own,
    p: ConvProblem,
    layers: int,
    seed: int,
    begin: int,
    stop: int,
    origin: int,
    columns: int,
) -> float:
    halo = layers * (p.reach_w - 1 - p.p_w)
    width = min(p.i_w, columns + halo)
    narrow = replace(p, i_n=1, i_w=width)
    pieces = needed([narrow] * layers, begin, stop)
    x = pixels(pieces[0].first, pieces[0].last, width, p.i_c, own.device, own.dtype)
    right = x.double().cpu().numpy()
    for layer, piece in enumerate(pieces):
        right = np.pad(right, ((0, 0), (piece.top, piece.bottom), (0, 0), (0, 0)))
        w = RandomWeights(seed + layer).array(narrow)
        right = conv2d_float64(right, w, banded(narrow, piece))
    found = own[:, begin - origin : stop - origin, :columns].double().cpu().numpy()
    right = right[:, :, :columns]
    allowed = layers * allowance(own.dtype, p.window) * np.abs(right).mean()
    return float(np.abs(found - right).max() / allowed)


def allowance(dtype: object, window: int) -> float:
    """Return what a layer may be off, over its values. Signs are random: float32's errors grow with
    the root of the number of terms; float16's come from rounded inputs: sums are float32."""
    if str(dtype) == "torch.float16":
        return 32 * 2.0**-11
    return 8 * np.sqrt(window) * UNIT_ROUNDOFF
