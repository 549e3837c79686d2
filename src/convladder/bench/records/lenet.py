"""Records of LeNet-5 on GPUs, read: the limits for a forecast, and a library beside the rungs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ...networks.lenet.forecasts import PIXELS, ChipLimits
from ..lenet import COPY, LenetComparison, lenet_records
from . import load_records


@cache
def chip_limits() -> ChipLimits:
    """Return the newest GPU of which all records are there."""
    times = next(times for times in lenet_records() if "labels from logits" in times.seconds)
    name = times.label.partition(",")[0]
    limits = next(record for record in load_records("steps") if record["card"]["gpu"] == name)
    calls = next(record for record in load_records("launches") if record["card"]["gpu"] == name)
    sent = 4 * PIXELS * times.images
    return ChipLimits(
        times.label, limits["limits"]["flops_per_s"], limits["limits"]["bytes_per_s"],
        calls["empty"]["in_a_row"], calls["empty"]["waiting"],
        sent / times.seconds[COPY], sent / times.seconds[f"{COPY}, pageable"],
        times.seconds["labels from logits"],
    )  # fmt: skip


def library_times(runs: Mapping[str, LenetComparison], library: str = "torch") -> LenetComparison:
    """Return the first of `runs` in which a library took part. Raises `LookupError` for none."""
    for times in runs.values():
        if library in times.libraries.values():
            return times
    raise LookupError(
        f"no run has {library}: `convladder ladder lenet --device gpu --peers "
        "--json FILE` makes one on a GPU"
    )
