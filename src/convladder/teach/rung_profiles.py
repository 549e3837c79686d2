"""Profiles of a rung side by side: an NVIDIA GPU's that was recorded, and the seed's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..lenet.recorded import seed, seed_profile
from ..measure.gpu.profile import Profile, from_dict, profile_records
from .plots.style import Picture
from .plots.timeline import timeline_picture
from .profiles import device_table
from .quantities import seconds_text
from .table import Table, table

BEFORE = 30  # µs of a timeline before the device's first activity
NONE = "No GPU has recorded a profile of it yet: `convladder record --profiles` does."

NO_COUNTERS = "No GPU has recorded its counters yet: `convladder record --profiles` does."


class Tables:
    """Tables one below the other."""

    def __init__(self, tables: list[Table]) -> None:
        self.tables = tables

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.tables)) or NONE

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self.tables) or NONE


def rung_profiles(name: str) -> Tables:
    """What the GPU did in one run of a rung or a library's way: as recorded, and in the seed."""
    found = [device_table(_plain(profile), label) for label, profile in profiles(name).items()]
    return Tables(found)


def profiles(name: str) -> dict[str, Profile]:
    """Label -> profile, of the newest record that has `name` and of the seed."""
    found = {}
    for record in profile_records():
        if name in record["profiles"] and not found:
            label = f"{name}: {record['card']['gpu']}, recorded {record['date']}"
            found[label] = from_dict(record["profiles"][name])
    if name in seed().seconds and name not in seed().libraries:
        found[f"{name}: {seed().label}"] = seed_profile(name)
    return found


def _plain(profile: Profile) -> Profile:
    """Kernels' names without their arguments."""
    return replace(profile, device=tuple(
        replace(row, name=row.name.partition("(")[0]) for row in profile.device))


def counters_table(name: str, kernels: Sequence[str] = ()) -> Table:
    """What Nsight Compute counted in the kernels of a rung, or in those of the given names.

    A table without rows where no record has them.
    """
    found, caption = [], NO_COUNTERS
    for record in profile_records():
        launches = record["counters"]["launches"].get(name) if record.get("counters") else None
        if launches:
            caption = f"{name}: {record['card']['gpu']}, recorded {record['date']}, Nsight Compute"
            found = [_counted(launch) for launch in launches
                     if not kernels or launch["kernel"] in kernels]
            break
    return table(found, ["kernel", "images", "time", "load requests", "sectors",
                         "instructions issued", "multiply-add unit", "warps there"], caption)


def _counted(launch: Mapping) -> list[object]:
    return [launch["kernel"], launch["images"], seconds_text(launch["seconds"]),
            round(launch["load_requests"]), round(launch["load_sectors"]),
            *(f"{launch[share]:.0f} %" for share in ("issue", "fma_pipe", "occupancy"))]


def rung_timeline(name: str, title: str, microseconds: float) -> Picture:
    """What device and host did in a recorded run, from just before the device's first activity.

    Raises `ValueError` where no record has `name`.
    """
    recorded = [from_dict(record["profiles"][name]) for record in profile_records()
                if name in record["profiles"]]
    if not recorded:
        raise ValueError(f"no record has a profile of {name!r}: `convladder record --profiles` "
                         "makes one on a GPU")
    events = recorded[0].events
    begin = min(each.start for each in events if each.kind != "call") - 1000 * BEFORE
    return timeline_picture([each for each in events if each.start >= begin], title, 0,
                            microseconds)
