"""The LeNet-5 ladder: its times, live and recorded; each rung run and counted here; its cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ... import cuda
from ...bench.lenet_times import FLOORS, Times, recorded
from ...lenet import digits
from ...lenet.forecast import COUNTED, Forecast, counted_launches, forecast, opened, passes
from ...lenet.reference import judge
from ...lenet.rungs import get_rung, rungs
from ...text import seconds_text
from ..explore import Explorer, explore
from ..models.chip_limits import chip_limits
from ..plots.lenet_card import card_picture
from ..running_cell import progress
from ..table import Table, table

LIVE = 0.25  # seconds for each rung, so that a cell answers while one watches
SLOW = ("baseline",)  # takes seconds a run, all others together less than that


def lenet_runs(device: str = "gpu", slow: bool = True) -> dict[str, Times]:
    """Return label -> times, of this GPU first if there is one, then of records, the newest first.

    Libraries are in the records only: PyTorch's compiler searches for minutes. `slow=False` leaves
    the slow rungs of this GPU for later. A GPU that cannot run every rung is left out: the last
    ones want compute capability 8.0, and 100 KB of shared memory for a block.
    """
    here = _here(slow) if device == "gpu" and cuda.gpu() else None
    return {times.label: times for times in [here, *recorded(device)] if times is not None}


def library_times(runs: Mapping[str, Times], library: str = "torch") -> Times:
    """Return the first of `runs` in which a library took part. Raises `LookupError` for none."""
    for times in runs.values():
        if library in times.libraries.values():
            return times
    raise LookupError(
        f"no run has {library}: `convladder ladder lenet --device gpu --peers "
        "--json FILE` makes one on a GPU"
    )


def _here(slow: bool) -> Times | None:
    """Return this GPU's times; those of slow rungs come to the others' when first asked for."""
    quick = _timed(tuple(rung.name for rung in rungs("gpu") if rung.name not in SLOW), True)
    if quick is None or not slow:
        return quick
    late = _timed(SLOW, False)
    return replace(
        quick,
        **{
            what: getattr(late, what) | getattr(quick, what)
            for what in ("seconds", "device_seconds", "issue_seconds", "judged")
        },
    )


@cache
def _timed(names: tuple[str, ...], with_copies: bool) -> Times | None:
    """Time these rungs once, so that a whole notebook speaks of the same run."""
    from ...bench.lenet import compare_rungs
    from ...measure import machine

    try:
        with progress(f"timing {len(names)} rung{'s' * (len(names) > 1)} on this GPU") as step:
            # A slow rung's parts would take as long again as the whole.
            result = compare_rungs(
                [get_rung(name) for name in names],
                with_copies=with_copies,
                by_parts=names != SLOW,
                budget=LIVE,
                progress=step,
            )
    except cuda.CudaError:
        return None
    return Times.of(result, f"{machine().gpu}, here")


def lenet_times_table(times: Times, names: Sequence[str]) -> Table:
    """Return a row for each of `names`: from host to host, on a GPU also there and the host's part;
    and gains from each to the next, none for a floor.
    """
    heads = ["10,000 images", "host to host", "on the device", "host issues for", "times as fast"]
    rows, before = [], None
    for name in names:
        seconds = times.seconds[name]
        rows.append(
            [
                name,
                seconds_text(seconds),
                _time_of(times.device_seconds, name),
                _time_of(times.issue_seconds, name),
                f"{before / seconds:.3g}" if before and name not in FLOORS else "",
            ]
        )
        before = seconds
    if times.device == "cpu":
        for row in (heads, *rows):
            del row[2:4]
    return table(rows, heads, caption=times.label)


def _time_of(seconds: dict[str, float], name: str) -> str:
    return seconds_text(seconds[name]) if name in seconds else ""


@dataclass(frozen=True)
class RungRun:
    """What came of a rung's run: how it was judged, its faults, its traffic for an image."""

    name: str
    judged: str
    faults: list[cuda.Fault]
    launches: int
    traffic: dict[str, float]

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,.0f} {what}" for what, number in self.traffic.items())
        faults = "; ".join(map(str, self.faults[:3])) or "no fault"
        kernels = f"{self.launches} kernel{'s' * (self.launches > 1)}"
        return f"{self.name}: {self.judged}; {kernels}, {faults}\nan image: {counts}"

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
        "passes": sum(map(passes, reports)),
    }
    return RungRun(
        name,
        str(judgement),
        [fault for report in reports for fault in report.faults],
        len(reports),
        {what: number / images for what, number in traffic.items()},
    )


def rung_gain_table(before: str, name: str, runs: Mapping[str, Times]) -> Table:
    """Return two rungs from host to host and on the device,
    as forecast and in the first of `runs`.
    """
    label, times = next(iter(runs.items()))
    old, new = (forecast(each, chip_limits()) for each in (before, name))
    rows = [
        _gain_row("host to host, forecast", old.total, new.total),
        _gain_row(f"host to host, {label}", times.seconds[before], times.seconds[name]),
        _gain_row("kernels, forecast", old.kernels, new.kernels),
    ]
    if before in times.device_seconds and name in times.device_seconds:
        rows.append(
            _gain_row(
                f"on the device, {label}", times.device_seconds[before], times.device_seconds[name]
            )
        )
    return table(rows, ["10,000 images", before, name, "times as fast"])


def _gain_row(what: str, before: float, after: float) -> list[str]:
    return [what, seconds_text(before), seconds_text(after), f"{before / after:.3g}"]


SURPRISES = {
    "baseline": "Both parts of the forecast are too low. Kernels of one image leave the chip all "
    "but empty, and their threads wait for each load; and a launch with its arguments costs "
    "Python far more than an empty one.",
    "batched": "Twice the gain that was forecast. And the convolutions are slow for a reason that "
    "no count of traffic has: instructions that compute addresses.",
    "conv_tuned": "The forecast saw no gain: requests to shared memory took the place of requests "
    "to L1. What went were instructions, since sizes are constants now.",
    "fc_tuned": "That it went as forecast. It is the RTX 2060's largest step after batching, too.",
    "no_sync": "How little there was: seven waits. Two thirds of what the RTX 2060 gained here lie "
    "in its kernels and copies, which a wait cannot change; and its host waits as long as before, "
    "in cudaMemcpy.",
    "pinned": "The largest step since batching, for another way to ask for memory. On the RTX "
    "2060 it was a small one: there kernels took most of the time. The quicker the kernels, the "
    "more the copy matters.",
    "fc_coalesced": "Sectors and requests promised nothing. What counted are banks: L1 has them "
    "as shared memory has, and rows of 256 floats all begin in the same one, so that 32 lanes "
    "took 32 turns.",
    "overlap_fused": "It got slower. 48 launches and 32 copies take Python longer than they take "
    "the GPU, and queues that are empty do not overlap. On the RTX 2060 all this lay hidden "
    "behind kernels more than twenty times as long.",
    "graph": "The kernels, streams and copies of the rung before, started by one call: only now "
    "they pay. And a quarter of the time is left to the host, which looks for the largest of ten "
    "logits: no profile of the GPU had shown it.",
    "bytes": "More than the wire gave: the search for the largest logit has left the host. And "
    "the limit has changed, kernels take longer than the copy now.",
    "one_kernel": "For the first time arithmetic is the limit, and the forecast is too kind: a "
    "chunk's 125 blocks do not fill the chip. It hardly matters any more, since the wire is as "
    "slow.",
    "one_kernel_floats": "The same kernel, three times as slow: the wire is all. With images as "
    "PyTorch takes them nothing can be much faster than this, whoever writes the kernel.",
    "tensor_core": "The kernel takes a quarter of the time, and the whole six sevenths: the wire "
    "hides the rest. What is easy to make quicker is rarely what one waits for.",
}


def rung_cards(forecasts: Mapping[str, Forecast], times: Times) -> Explorer:
    """Return cards to step through, of the GPU's rungs that `forecasts` and `times` have."""
    ladder = [rung for rung in rungs("gpu") if rung.name in forecasts.keys() & times.seconds]

    def draw(rung: int):
        return card_picture(ladder, rung, forecasts, times, SURPRISES)

    return explore(draw, rung=(1, len(ladder)))
