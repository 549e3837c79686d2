"""Data parallel on several GPUs: weights to all, a share of the images to each, answers back."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from ....core.problem import ConvProblem
from ...lenet.network import Weights as LeNetWeights
from ...lenet.rungs import get_rung
from ..partition import shares
from .group import Group
from .layer import RandomWeights, convolve, pixels


class Digits:
    """A share of digits for each process, in its host's memory; labels come together at rank 0."""

    def __init__(self, group: Group, count: int, rung: str):
        from ...lenet import images

        self.group = group
        self.cut = shares(count, group.count)
        mine, shipped = self.cut[group.rank], images()
        share = shipped[np.arange(mine.start, mine.stop) % len(shipped)]
        self.session = get_rung(rung).session(share, given_weights(group))
        self.labels = [self._room(len(share)) for share in self.cut]

    def _room(self, count: int):
        import torch

        return self.group.empty((count,), torch.uint8)

    def run(self) -> None:
        """Label the share, and send the labels to rank 0."""
        import torch

        group = self.group
        own = torch.from_numpy(self.session.run().astype(np.uint8, copy=False))
        self.labels[group.rank].copy_(own)
        if group.rank == 0:
            group.swap([], [(self.labels[other], other) for other in range(1, group.count)])
        else:
            group.swap([(self.labels[group.rank], 0)], [])

    def answers(self) -> np.ndarray:
        """Return all labels, at rank 0."""
        return np.concatenate([part.cpu().numpy() for part in self.labels])


def given_weights(group: Group) -> LeNetWeights:
    """Return the network's weights, which only rank 0 reads: the others get them from it."""
    import torch

    from ...lenet import weights

    arrays = {}
    for field in fields(LeNetWeights):
        own = getattr(weights(), field.name)  # of the right shape; what it holds is overwritten
        array = torch.from_numpy(own if group.rank == 0 else np.zeros_like(own)).to(group.device)
        group.broadcast(array)
        arrays[field.name] = np.ascontiguousarray(array.cpu().numpy())
    return LeNetWeights(**arrays)


class Photos:
    """A batch that lies at rank 0: shares go out, are convolved, and come back."""

    def __init__(self, group: Group, problem: ConvProblem, method: str, dtype: object):
        self.group, self.problem, self.method = group, problem, method
        self.cut = shares(problem.i_n, group.count)
        shape = len(self.cut[group.rank]), *problem.input_shape[1:]
        if group.rank == 0:
            rows = pixels(
                0, problem.i_n * problem.i_h, problem.i_w, problem.i_c, group.device, dtype
            )
            self.x = rows.view(problem.input_shape)
            self.y = group.empty(problem.output_shape, dtype)
        else:
            self.x, self.y = group.empty(shape, dtype), None

    def send(self) -> None:
        """Send everyone's share from rank 0."""
        group = self.group
        if group.rank == 0:
            group.swap(
                [
                    (self.x[share.start : share.stop], other)
                    for other, share in enumerate(self.cut)
                    if other
                ],
                [],
            )
        else:
            group.swap([], [(self.x, 0)])

    def compute(self):
        """Compute this process' share."""
        share = self.cut[self.group.rank]
        problem = self.problem.with_batch(len(share))
        y = convolve(self.x[: len(share)], problem, RandomWeights(1), self.method)
        return y.to(self.x.dtype)

    def run(self) -> None:
        """Send, compute and bring back: `y` at rank 0."""
        group = self.group
        self.send()
        own = self.compute()
        if group.rank == 0:
            self.y[: len(self.cut[0])] = own
            group.swap(
                [],
                [
                    (self.y[share.start : share.stop], other)
                    for other, share in enumerate(self.cut)
                    if other
                ],
            )
        else:
            group.swap([(own, 0)], [])
