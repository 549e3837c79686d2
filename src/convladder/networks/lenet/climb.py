"""One rung on a few images: its labels judged, its faults found, its traffic counted."""

from __future__ import annotations

from dataclasses import dataclass

from ... import cuda
from ...cuda.memory_model import wavefronts
from . import digits
from .forecasts import COUNTED, counted_launches, opened
from .reference import judge
from .rungs import get_rung


@dataclass(frozen=True)
class RungRun:
    """The result of a rung's run: its judgement, its faults, its traffic for an image."""

    name: str
    judged: str
    faults: list[cuda.Fault]
    launches: int
    traffic: dict[str, float]

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,.0f} {what}" for what, number in self.traffic.items())
        faults = "; ".join(map(str, self.faults[:3])) or "no fault"
        kernels = f"{self.launches} kernel{'s' * (self.launches > 1)}"
        return f"{self.name}: {self.judged}; {kernels}, {faults}\nper image: {counts}"

    __repr__ = __str__


def climb_rung(name: str) -> RungRun:
    """Run a rung on 16 images, judge its labels, watch its kernels and count what they move.

    Raises `AssertionError` for a wrong label, `convladder.cuda.NoBackend` where nothing can run.
    """
    rung = get_rung(name)
    pixels, truth = digits.images()[:COUNTED], digits.labels()[:COUNTED]
    judgement = judge(opened(rung).run(), rung.precision, pixels, truth)
    assert judgement.ok, judgement.reason
    reports, images = counted_launches(name)
    traffic = {
        "sectors loaded": sum(report.global_load_sectors for report in reports),
        "stored": sum(report.global_store_sectors for report in reports),
        "requests to global memory": sum(
            report.global_load_requests + report.global_store_requests for report in reports
        ),
        "to shared memory": sum(report.shared_requests for report in reports),
        "wavefronts": sum(map(wavefronts, reports)),
    }
    return RungRun(
        name,
        str(judgement),
        [fault for report in reports for fault in report.faults],
        len(reports),
        {what: number / images for what, number in traffic.items()},
    )
