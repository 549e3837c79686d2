"""Records of compiled networks beside the libraries; `studies` makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..core.text import count_text
from ..measure import Comparison
from .records import load_records

WHOLE = "compiled, images in lanes"


@dataclass(frozen=True)
class NetworkComparison:
    """The results of one network, all by name.

    `error`: the distance of the values from float64's, over the largest of them; of labels, the
    share that was wrong. A way is timed if that is rounding. `libraries` maps a library's ways to
    its name; `absent` says why one did not run. Pairs of `rounds` were taken in turns.
    """

    network: str
    images: int
    batch: int
    threads: int
    rounds: dict[str, tuple[float, ...]]
    error: dict[str, float]
    libraries: dict[str, str]
    absent: dict[str, str]

    @property
    def comparison(self) -> Comparison:
        """Return the timings and rounds, by name."""
        return Comparison.of(self.rounds, self.threads)

    @property
    def label(self) -> str:
        """Return its label, as `skip, 32 images`."""
        return f"{self.network}, {count_text(self.images, 'image')}"

    @property
    def ours(self) -> str:
        """Return the name of our compiled program: the whole in lanes if there is one."""
        return WHOLE if WHOLE in self.rounds else "compiled"

    def as_dict(self) -> dict[str, object]:
        """Return it as a record's entry."""
        return dict(vars(self))

    @classmethod
    def from_dict(cls, data: Mapping) -> NetworkComparison:
        """Read back what `as_dict` wrote."""
        rounds = {name: tuple(times) for name, times in data["rounds"].items()}
        return cls(**{**data, "rounds": rounds})


def cpu_records() -> list[dict]:
    """Return the records of processors that come with the course, the newest first."""
    return [record for record in load_records("compile") if "contests" in record]


def compiled_gpu_records() -> list[Mapping]:
    """Return the records of GPUs, the newest first; those of processors have no "networks"."""
    return [record for record in load_records("compile") if "networks" in record]


def networks_of(record: Mapping) -> list[NetworkComparison]:
    """Return the networks of a processor's record."""
    return [NetworkComparison.from_dict(data) for data in record["contests"]]
