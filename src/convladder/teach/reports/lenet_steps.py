"""A rung of the LeNet-5 ladder as a chapter climbs it: run and counted here, timed on a GPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ... import cuda
from ...bench.lenet_times import Times
from ...lenet import digits
from ...lenet.reference import judge
from ...lenet.rungs import get_rung
from ...text import seconds_text
from ..display.table import Table, table
from ..models.lenet_forecast import COUNTED, counted, forecast, opened, passes


@dataclass(frozen=True)
class Step:
    """What came of a rung's run: how it was judged, its faults, its traffic for an image."""

    name: str
    judged: str
    faults: list[cuda.Fault]
    launches: int
    traffic: dict[str, float]

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,.0f} {what}" for what, number in self.traffic.items())
        found = "; ".join(map(str, self.faults[:3])) or "no fault"
        kernels = f"{self.launches} kernel{'s' * (self.launches > 1)}"
        return (f"{self.name}: {self.judged}; {kernels}, {found}\nan image: {counts}")

    __repr__ = __str__


def climb(name: str) -> Step:
    """Run a rung on 16 images, judge its labels, watch its kernels and count what they move.

    Raises `AssertionError` for a wrong label, `convladder.cuda.NoBackend` where nothing can run.
    """
    rung = get_rung(name)
    pixels, truth = digits.images()[:COUNTED], digits.labels()[:COUNTED]
    judgement = judge(opened(rung).run(), rung.precision, pixels, truth)
    assert judgement.ok, judgement.reason
    reports, images = counted(name)
    traffic = {
        "sectors loaded": sum(report.global_load_sectors for report in reports),
        "stored": sum(report.global_store_sectors for report in reports),
        "requests to global memory": sum(
            report.global_load_requests + report.global_store_requests for report in reports),
        "to shared memory": sum(report.shared_requests for report in reports),
        "passes": sum(map(passes, reports)),
    }
    return Step(name, str(judgement), [fault for report in reports for fault in report.faults],
                len(reports), {what: number / images for what, number in traffic.items()})


def gain_table(before: str, name: str, runs: Mapping[str, Times]) -> Table:
    """Two rungs from host to host and on the device, as forecast and in the first of `runs`."""
    label, times = next(iter(runs.items()))
    old, new = forecast(before), forecast(name)
    rows = [_row("host to host, forecast", old.total, new.total),
            _row(f"host to host, {label}", times.seconds[before], times.seconds[name]),
            _row("kernels, forecast", old.kernels, new.kernels)]
    if before in times.device_seconds and name in times.device_seconds:
        rows.append(_row(f"on the device, {label}", times.device_seconds[before],
                         times.device_seconds[name]))
    return table(rows, ["10,000 images", before, name, "times as fast"])


def _row(what: str, before: float, after: float) -> list[str]:
    return [what, seconds_text(before), seconds_text(after), f"{before / after:.3g}"]
