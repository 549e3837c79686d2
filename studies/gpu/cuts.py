"""Four cuts of a network's inference on GPUs: the batch lies at rank 0, and so does the result.

Arrays are torch tensors `x[i_n,i_h,i_w,i_c]`; the other ranks pass None. Each cut returns
`y[i_n,o_h,o_w,k_c]` of the last layer at rank 0, and None elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from convladder.core.registry import get_method
from convladder.networks.scale.network import Network
from convladder.networks.scale.partition import Band, bands, check_pairs, shares

from .group import Group

ALL = range(1 << 30)  # every filter, every channel


class Layers:
    """Layers of a network for `batch` images on one process's device, by one of its methods.

    Weights are prepared once for each piece of a layer that this process computes. `dtype` is that
    of images and maps, a torch type. Raises `ValueError` where the method refuses a layer.
    """

    def __init__(self, network: Network, batch: int, method: str, dtype: object, group: Group):
        self.problems = [p.with_batch(batch) for p in network.problems]
        self.weights, self.batch, self.dtype, self.gpu = network.weights, batch, dtype, group.gpu
        self.method, self._prepared = get_method(method), {}
        for problem in self.problems:
            if self.method.unsupported and (reason := self.method.unsupported(problem)):
                raise ValueError(f"{method} refuses {problem}: {reason}")

    def run(self, layer: int, x, filters: range = ALL, channels: range = ALL, rows_padded=False):
        """Compute some filters of a layer from an image's channels, which `x` holds alone.

        A part of the channels gives partial sums; all of them end in ReLU. `rows_padded`: zeros
        above and below are already in `x`.
        """
        import torch

        whole = self.problems[layer]
        w = self.weights[layer][
            :, :, channels.start : channels.stop, filters.start : filters.stop
        ].copy()
        problem = replace(
            whole,
            i_n=x.shape[0],
            i_h=x.shape[1],
            i_c=w.shape[2],
            k_c=w.shape[3],
            padding=(0, whole.p_w) if rows_padded else whole.padding,
        )
        key = problem, layer, filters.start, channels.start
        if key not in self._prepared:
            self._prepared[key] = self._prepare(w, problem)
        if self.gpu:
            import cupy

            x = cupy.from_dlpack(x.contiguous())
            y = torch.from_dlpack(self.method.run(x, self._prepared[key], problem))
        else:
            x = x.contiguous().numpy()
            y = torch.from_numpy(self.method.run(x, self._prepared[key], problem))
        y = y.to(self.dtype)
        return torch.relu_(y) if w.shape[2] == whole.i_c else y

    def _prepare(self, w, problem):
        if self.gpu:
            from convladder import cuda

            w = cuda.to_device(w)
        return self.method.prepare(w, problem) if self.method.prepare else w

    def all(self, x):
        """Run all layers on images that this process has."""
        for layer in range(len(self.problems)):
            x = self.run(layer, x)
        return x


def by_images(group: Group, layers: Layers, x):
    """Run data parallel: a share of the batch to each, and the whole network."""
    cut = shares(layers.batch, group.count)
    own = _scatter(group, layers, x, 0, [(share.start, share.stop) for share in cut])
    return _gather(group, layers, layers.all(own), 0, list(map(len, cut)))


def by_rows(group: Group, layers: Layers, x):
    """Shard spatially: a band of rows to each, halos exchanged before every layer but the first."""
    from torch.nn.functional import pad

    rows, before = x, []
    for layer, problem in enumerate(layers.problems):
        cut = bands(problem, group.count)
        if layer:
            rows = exchanged(group, rows, before, cut)
        else:
            piece = cut[group.rank]
            rows = _scatter(group, layers, x, 1, [(each.first, each.last) for each in cut])
            rows = pad(rows, (0, 0, 0, 0, piece.top, piece.bottom))
        rows, before = layers.run(layer, rows, rows_padded=True), cut
    return _gather(group, layers, rows, 1, [piece.rows for piece in before])


def by_channels(group: Group, layers: Layers, x):
    """Give each some filters of every layer; an all-gather of the maps follows each layer."""
    x = _everywhere(group, layers, x)
    for layer, problem in enumerate(layers.problems):
        cut = shares(problem.k_c, group.count)
        x = layers.run(layer, x, filters=cut[group.rank])
        if layer + 1 < len(layers.problems):
            x = group.all_gather(x, [len(share) for share in cut])
    return _gather(group, layers, x, 3, list(map(len, cut)))


def alternating(group: Group, layers: Layers, x):
    """Cut pairs of layers as Megatron does: the first's filters, the second's channels.

    Between them nothing travels: the maps that a process makes are those that it reads. An
    all-reduce adds up the second's partial sums. Raises `ValueError` for an odd number of layers.
    """
    import torch

    check_pairs(len(layers.problems))
    x = _everywhere(group, layers, x)
    for layer in range(0, len(layers.problems), 2):
        share = shares(layers.problems[layer].k_c, group.count)[group.rank]
        x = layers.run(layer, x, filters=share)
        x = layers.run(layer + 1, x, channels=share)
        if layer + 2 < len(layers.problems):
            group.all_reduce(x)
            torch.relu_(x)
    group.reduce(x)
    return torch.relu_(x) if group.rank == 0 else None


CUTS = {
    "images": by_images,
    "rows": by_rows,
    "channels": by_channels,
    "alternating channels": alternating,
}


def exchanged(group: Group, own, owners: Sequence[Band], wanted: Sequence[Band]):
    """Return the rows that this process's band reads: its own, neighbours' edges, image's zeros.

    `own[i_n, rows, i_w, i_c]` is what it computed in the layer before; `owners` and `wanted` are
    all processes' bands of that layer and of this one, so that everyone knows what to send.
    """
    rank = group.rank
    piece, mine = wanted[rank], owners[rank]
    room = group.empty((own.shape[0], piece.height, *own.shape[2:]), own.dtype)
    room[:, : piece.top] = 0
    room[:, piece.height - piece.bottom :] = 0
    sends, receives = [], []
    for other, (owner, there) in enumerate(zip(owners, wanted)):
        first, last = _overlap(piece, owner)
        place = room[:, first - piece.first + piece.top : last - piece.first + piece.top]
        if other == rank:
            place.copy_(own[:, first - mine.begin : last - mine.begin])
            continue
        if first < last:
            receives.append((place, group.empty(place.shape, own.dtype), other))
        first, last = _overlap(there, mine)
        if first < last:
            sends.append((own[:, first - mine.begin : last - mine.begin].contiguous(), other))
    group.swap(sends, [(array, other) for _, array, other in receives])
    for place, array, _ in receives:
        place.copy_(array)
    return room


def _overlap(piece: Band, owner: Band) -> tuple[int, int]:
    """Return the rows `piece` reaches and `owner` computed in the layer before; equal if none."""
    first = max(piece.first, owner.begin)
    return first, max(first, min(piece.last, owner.stop))


def _everywhere(group: Group, layers: Layers, x):
    if group.rank:
        x = group.empty(layers.problems[0].input_shape, layers.dtype)
    group.broadcast(x)
    return x


def _scatter(group: Group, layers: Layers, x, axis: int, cut: Sequence[tuple[int, int]]):
    """Return this process's part `[first, last)` of rank 0's images along `axis`."""
    first, last = cut[group.rank]
    if group.rank:
        shape = list(layers.problems[0].input_shape)
        shape[axis] = last - first
        own = group.empty(shape, layers.dtype)
        group.swap([], [(own, 0)])
        return own
    parts = [x.narrow(axis, a, b - a) for a, b in cut]
    group.swap([(part.contiguous(), to) for to, part in enumerate(parts) if to], [])
    return parts[0].contiguous()


def _gather(group: Group, layers: Layers, own, axis: int, sizes: Sequence[int]):
    """Return everybody's `own`, `sizes` along `axis`, one after the other at rank 0."""
    import torch

    if group.rank:
        group.swap([(own.contiguous(), 0)], [])
        return None
    parts = [own]
    for size in sizes[1:]:
        shape = list(own.shape)
        shape[axis] = size
        parts.append(group.empty(shape, layers.dtype))
    group.swap([], list(zip(parts[1:], range(1, len(parts)))))
    return torch.cat(parts, axis)
