"""Processes that talk through NCCL, one for each GPU; or through Gloo, to try them on a CPU."""

from __future__ import annotations

import multiprocessing
import queue
import tempfile
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

TIMEOUT = 540  # seconds for all of them to finish: each compiles its kernels first


class Group:
    """One process' place among `count`: its `rank`, and what it can send to the others.

    Arrays are torch tensors on this process' device. NCCL works on the device's own queue, in
    order with kernels; `seconds` waits for it.
    """

    def __init__(self, rank: int, count: int, backend: str):
        import torch

        self.rank, self.count, self.backend = rank, count, backend
        self.gpu = backend == "nccl"
        self.device = torch.device("cuda", rank) if self.gpu else torch.device("cpu")

    def empty(self, shape: Sequence[int], dtype: object = None):
        """Return an array of arbitrary content; float32 if not told."""
        import torch

        return torch.empty(tuple(shape), dtype=dtype or torch.float32, device=self.device)

    def broadcast(self, array) -> None:
        """Copy what `array` holds at rank 0 into everybody's."""
        import torch.distributed as dist

        dist.broadcast(array, src=0)

    def all_reduce(self, array) -> None:
        """Replace everybody's `array` by the sum of all, on the way that NCCL chooses."""
        import torch.distributed as dist

        dist.all_reduce(array)

    def reduce(self, array) -> None:
        """Replace rank 0's `array` by the sum of all; the others' content is lost."""
        import torch.distributed as dist

        dist.reduce(array, dst=0)

    def all_gather(self, array, sizes: Sequence[int]):
        """Return everybody's `array[..., size]`, one after the other along the last axis."""
        import torch
        import torch.distributed as dist
        from torch.nn.functional import pad

        most = max(sizes)
        own = pad(array, (0, most - array.shape[-1])).contiguous()
        parts = self.empty((len(sizes) * len(own), *own.shape[1:]), array.dtype)
        dist.all_gather_into_tensor(parts, own)
        parts = parts.view(len(sizes), *own.shape)
        return torch.cat([part[..., :size] for part, size in zip(parts, sizes)], dim=-1)

    def swap(self, sends: Sequence[tuple], receives: Sequence[tuple]) -> None:
        """Swap pairs (array, rank): all are on their way at once, and none waits for another."""
        import torch.distributed as dist

        moves = [dist.P2POp(dist.isend, array, to) for array, to in sends]
        moves += [dist.P2POp(dist.irecv, array, source) for array, source in receives]
        if moves:
            for move in dist.batch_isend_irecv(moves):
                move.wait()

    def synchronize(self) -> None:
        """Wait for this process' device."""
        if self.gpu:
            import torch

            torch.cuda.synchronize(self.device)

    def seconds(self, step: Callable[[], object], runs: int = 7) -> list[float]:
        """Time the slowest process in each of `runs` calls of `step`, which all begin together.

        Two calls before are not counted.
        """
        import torch
        import torch.distributed as dist

        found = []
        for _ in range(runs + 2):
            meeting = torch.zeros(1, dtype=torch.float64, device=self.device)
            dist.all_reduce(meeting)
            self.synchronize()
            start = perf_counter()
            step()
            self.synchronize()
            lasted = torch.full(
                (1,), perf_counter() - start, dtype=torch.float64, device=self.device
            )
            dist.all_reduce(lasted, op=dist.ReduceOp.MAX)
            found.append(float(lasted.item()))
        return found[2:]


def run(program: Callable, count: int, *arguments: object, backend: str = "nccl") -> list:
    """Run `program(group, *arguments)` in `count` processes; return each one's result, by rank.

    `program` is a function of a module, so that a new process finds it. Raises `RuntimeError` with
    the first process' own words if one fails, or if they take longer than `TIMEOUT`; the others
    are ended then.
    """
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        meet = (Path(folder) / "meet").as_uri()
        processes = [
            context.Process(
                target=_enter,
                daemon=True,
                args=(program, rank, count, backend, meet, answers, arguments),
            )
            for rank in range(count)
        ]
        for process in processes:
            process.start()
        try:
            return _answers(answers, processes)
        finally:
            for process in processes:
                process.join(timeout=5)
                if process.is_alive():
                    process.kill()


def _answers(answers: Any, processes: Sequence) -> list:
    found, end = {}, perf_counter() + TIMEOUT
    while len(found) < len(processes):
        try:
            rank, value, error = answers.get(timeout=1)
        except queue.Empty:
            dead = [n for n, p in enumerate(processes) if n not in found and p.exitcode]
            if dead or perf_counter() > end:
                raise RuntimeError(
                    f"process {dead[0]} died without a word"
                    if dead
                    else f"no answer from all processes in {TIMEOUT} s"
                ) from None
            continue
        if error:
            raise RuntimeError(f"process {rank} of {len(processes)} failed:\n{error}")
        found[rank] = value
    return [found[rank] for rank in sorted(found)]


def _enter(
    program: Callable,
    rank: int,
    count: int,
    backend: str,
    meet: str,
    answers: Any,
    arguments: tuple,
) -> None:
    import torch
    import torch.distributed as dist

    try:
        options = {}
        if backend == "nccl":
            import cupy

            torch.cuda.set_device(rank)
            cupy.cuda.Device(rank).use()
            options["device_id"] = torch.device("cuda", rank)
        else:
            torch.set_num_threads(1)
        dist.init_process_group(backend, init_method=meet, rank=rank, world_size=count, **options)
        try:
            value = program(Group(rank, count, backend), *arguments)
        finally:
            dist.destroy_process_group()
        answers.put((rank, value, None))
    except BaseException:
        answers.put((rank, None, traceback.format_exc()))
