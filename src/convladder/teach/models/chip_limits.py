"""The limits of a recorded GPU, for forecasts."""

from __future__ import annotations

from functools import cache

from ...bench.lenet_times import COPY, recorded
from ...lenet.forecast import PIXELS, ChipLimits


@cache
def chip_limits() -> ChipLimits:
    """Return the newest GPU of which all records are there."""
    from ...bench.launches import recorded as launches
    from ...bench.steps import recorded as steps

    times = next(times for times in recorded() if "labels from logits" in times.seconds)
    name = times.label.partition(",")[0]
    limits = next(record for record in steps() if record["card"]["gpu"] == name)
    calls = next(record for record in launches() if record["card"]["gpu"] == name)
    sent = 4 * PIXELS * times.images
    return ChipLimits(
        times.label, limits["limits"]["flops_per_s"], limits["limits"]["bytes_per_s"],
        calls["empty"]["in_a_row"], calls["empty"]["waiting"],
        sent / times.seconds[COPY], sent / times.seconds[f"{COPY}, pageable"],
        times.seconds["labels from logits"],
    )  # fmt: skip
