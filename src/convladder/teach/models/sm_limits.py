"""What a kernel's counts allow: no launch is faster than its requests and sectors can be served."""

from __future__ import annotations

from dataclasses import dataclass

from ...cuda import Report
from ...cuda.report import Traffic

# One SM of a Hopper chip, a clock. Lanes: NVIDIA's H100 whitepaper, the SM's 128 FP32 cores and 32
# load/store units; bytes: CUDA C++ Programming Guide, 32 banks of 4 bytes, which L1 shares.
MULTIPLY_ADDS = 128
REQUESTS = 1
BYTES = 128
SECTORS = 4


@dataclass(frozen=True)
class Ceiling:
    """Clocks of one SM for 1,000 multiply-adds, at the least, by each of its parts."""

    arithmetic: float
    requests: float
    sectors: float

    @property
    def share(self) -> float:
        """Return the share of the multiply-add peak, at most."""
        return self.arithmetic / max(self.arithmetic, self.requests, self.sectors)

    @property
    def limit(self) -> str:
        """Return the part that needs the most clocks."""
        return max(vars(self), key=vars(self).get)


def ceiling(report: Report, macs: int) -> Ceiling:
    """Return the ceilings of a launch that did `macs` multiply-adds.

    A request counts one clock, or as many as its lanes ask for 128 bytes, and one more for each
    bank conflict. Lanes that want the same 16 bytes may share them, so that a wide request counts
    one clock too many now and then. Raises ValueError for no multiply-adds.
    """
    if macs <= 0:
        raise ValueError(f"macs={macs}: give the multiply-adds of the launch")
    clocks = sum(map(clocks_of, [line.traffic for line in report.lines] or [report]))
    per = 1000 / macs
    return Ceiling(1000 / MULTIPLY_ADDS, per * clocks, per * report.sectors / SECTORS)


def clocks_of(traffic: Traffic) -> float:
    """Return the clocks in which an SM serves the requests of a line, whose lanes all ask for
    items of one size.
    """
    kinds = (
        (traffic.global_load_requests, traffic.global_load_bytes),
        (traffic.global_store_requests, traffic.global_store_bytes),
        (traffic.shared_load_requests, traffic.shared_load_bytes),
        (traffic.shared_store_requests, traffic.shared_store_bytes),
    )
    return traffic.shared_conflicts + sum(
        max(requests / REQUESTS, size / BYTES) for requests, size in kinds
    )
