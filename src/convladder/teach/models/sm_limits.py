"""What a kernel's counts allow: no launch is faster than its requests and sectors can be served."""

from __future__ import annotations

from dataclasses import dataclass

from ...cuda import Report

# One SM of a Hopper chip, a clock. Lanes: NVIDIA's H100 whitepaper, the SM's 128 FP32 cores and 32
# load/store units; bytes: CUDA C++ Programming Guide, 32 banks of 4 bytes, which L1 shares.
MULTIPLY_ADDS = 128
REQUESTS = 1
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

    A request counts one clock, and one more for each bank conflict; a wide one may need more, so
    that this is a bound and no forecast. Raises ValueError for no multiply-adds.
    """
    if macs <= 0:
        raise ValueError(f"macs={macs}: give the multiply-adds of the launch")
    requests = (report.global_load_requests + report.global_store_requests
                + report.shared_requests + report.shared_conflicts)
    per = 1000 / macs
    return Ceiling(1000 / MULTIPLY_ADDS, per * requests / REQUESTS, per * report.sectors / SECTORS)
