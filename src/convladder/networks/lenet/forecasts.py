"""A forecast of the time of a LeNet-5 rung, before anybody runs it on a GPU: its kernels by
their counted traffic, its copies by the wire, its calls by what a call costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ... import cuda
from ...cuda.memory_model import MULTIPLY_ADDS, SECTORS, wavefronts
from . import digits
from .network import MACS
from .rungs import LenetRung, get_rung

IMAGES = 10_000
COUNTED = 16  # images that the emulator counts: whole blocks of every kernel
PIXELS = 784
# Of one image, by how many kernels the network is cut into: multiply-adds, and floats of the maps
# that a kernel reads and writes.
PARTS = {
    7: ((86_400, 784 + 3456), (0, 3456 + 864), (153_600, 864 + 1024), (0, 1024 + 256),
        (30_720, 256 + 120), (10_080, 120 + 84), (840, 84 + 10)),
    3: ((86_400, 784 + 864), (153_600, 864 + 256), (41_640, 256 + 10)),
    1: ((MACS, 784 + 1),),
}  # fmt: skip
# The tensor cores' kernel does not run on the emulator; all but that kernel is as in the rung KIN.
# Its products, filled up to whole tiles: 72 windows of 48 by 48, 64 pixels of 208 by 16, three
# layers. Rate: NVIDIA's H200 data sheet, half precision, dense.
KIN = "one_kernel"
TILED_MACS = 72 * 48 * 48 + 64 * 208 * 16 + 256 * 128 + 128 * 96 + 96 * 16
TENSOR_FLOPS_PER_S = 989e12


@dataclass(frozen=True)
class ChipLimits:
    """The measured limits of a GPU and its host: rates and seconds of one call.

    `launch` and `wait`: of a launch among many, and of one that is waited for. `page_locked` and
    `pageable`: bytes a second from the host. `labels`: seconds for the largest of 10 logits, for
    all images, on the host.
    """

    label: str
    flops_per_s: float
    bytes_per_s: float
    launch: float
    wait: float
    page_locked: float
    pageable: float
    labels: float


@dataclass(frozen=True)
class Forecast:
    """Seconds of a rung's parts, for all images; `total` has those that pass at the same time once.

    `up`, `down`: bytes on the wire. `kernels`: on the device. `launches`, `copies`: the host's
    calls for kernels, with waits, and for copies. `labels`: on the host, from logits. `chunks`:
    parts that the images are cut into, 1 for none; `waits`: whether the host waits after each
    kernel.
    """

    up: float
    kernels: float
    launches: float
    copies: float
    down: float
    labels: float
    chunks: int
    waits: bool

    @property
    def total(self) -> float:
        """Return the seconds from images in host memory to labels there."""
        calls = self.launches + self.copies
        if self.waits:
            done = self.up + self.kernels + calls
        elif self.chunks == 1:
            done = self.up + max(self.kernels, calls)
        else:  # the first chunk's copy has no kernel beside it, or the last one's kernel no copy
            done = max(self.up, self.kernels, calls) + min(self.up, self.kernels) / self.chunks
        return done + self.down + self.labels


def forecast(name: str, on: ChipLimits) -> Forecast:
    """Return the forecast of a rung on a GPU of these limits.

    Raises `convladder.cuda.NoBackend` where traffic cannot be counted.
    """
    rung = get_rung(name)
    plan, session = rung.open.plan, opened(rung)
    kernels = [seconds for _, seconds in forecast_parts(name, on)]
    single = IMAGES if plan.singly else 1  # how often it starts from the beginning
    launches, copies = single * plan.chunks * len(kernels), single * plan.chunks * 2
    if plan.graph:
        launches, copies = 1, 0
    answers = session.answers
    return Forecast(
        up=IMAGES
        * PIXELS
        * session.host.itemsize
        / (on.page_locked if plan.pinned else on.pageable),
        kernels=sum(kernels),
        launches=launches * (on.wait if plan.waits else on.launch),
        copies=copies * (on.wait if single > 1 else on.launch),  # small ones are waited for
        down=IMAGES * answers[0].nbytes / on.page_locked,
        labels=on.labels if answers.ndim == 2 else 0.0,
        chunks=plan.chunks,
        waits=plan.waits,
    )


def forecast_parts(name: str, on: ChipLimits) -> list[tuple[str, float]]:
    """Return the kernels of a rung and the seconds of each, for all images:
    what the slowest part of the chip needs, arithmetic, requests, sectors or memory.
    """
    rung = get_rung(name)
    if not rung.emulated:
        return [("lenet", 2 * TILED_MACS * IMAGES / TENSOR_FLOPS_PER_S)]
    reports, images = counted_launches(name)
    clock = on.flops_per_s / (2 * MULTIPLY_ADDS)  # clocks of all multiprocessors a second
    times = []
    for report, (macs, floats) in zip(reports, PARTS[len(reports)], strict=True):
        clocks = max(
            macs / MULTIPLY_ADDS,
            wavefronts(report) / images,
            report.sectors / SECTORS / images,
        )  # of an image
        moved = 4 * floats / on.bytes_per_s
        times.append((report.kernel, IMAGES * max(clocks / clock, moved)))
    return times


def opened(rung: LenetRung, count: int = COUNTED):
    """Return a session for the first images, as one chunk, so that blocks are as full as with all.

    Of a rung that the emulator cannot run, the session of the one that it is like.
    """
    rung = rung if rung.emulated or cuda.gpu() else get_rung(KIN)
    plan = rung.open.plan.but(chunks=1)
    return rung.open(digits.images()[:count], digits.weights(), plan)


@cache
def counted_launches(name: str) -> tuple[Sequence[cuda.Report], int]:
    """Return reports of the kernels of a rung, and of how many images they are: one of an image
    alone, or 16. Raises `NoBackend` without a compiler.
    """
    rung = get_rung(name)
    images = 1 if rung.open.plan.singly else COUNTED
    return opened(rung, images).traffic(), images
