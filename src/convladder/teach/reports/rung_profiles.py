"""Profiles of a rung side by side: an NVIDIA GPU's that was recorded, and an RTX 2060's."""

from __future__ import annotations

from dataclasses import replace

from ...bench.lenet_times import rtx_2060, rtx_2060_profile
from ...measure.cuda.profile import Profile
from ..display.table import Table
from ..plots.style import Picture
from ..plots.timeline import timeline_picture
from .profiles import device_table, profile_runs

NONE = "No GPU has recorded a profile of it yet: `convladder record --profiles` does."


class Tables:
    """Tables one below the other."""

    def __init__(self, tables: list[Table]) -> None:
        self.tables = tables

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.tables)) or NONE

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self.tables) or NONE


def rung_profiles(name: str) -> Tables:
    """What a GPU did in one run of a rung or a library's way: as recorded, and on the RTX 2060."""
    found = [device_table(_plain(profile), label) for label, profile in profiles(name).items()]
    return Tables(found)


def profiles(name: str) -> dict[str, Profile]:
    """Label -> profile of a rung or a library's way: this GPU's, or the newest record's, and the
    RTX 2060's.
    """
    found = {}
    for label, programs in profile_runs().items():
        if name in programs and not found:
            found[f"{name}: {label}"] = programs[name]
    if name in rtx_2060().seconds and name not in rtx_2060().libraries:
        found[f"{name}: {rtx_2060().label}"] = rtx_2060_profile(name)
    return found


def _plain(profile: Profile) -> Profile:
    """Kernels' names without their arguments."""
    return replace(profile, device=tuple(
        replace(row, name=row.name.partition("(")[0]) for row in profile.device))


def rung_timeline(name: str, title: str, microseconds: float) -> Picture:
    """What device and host did in the first `microseconds` of a run.

    Raises `ValueError` where no profile has `name`.
    """
    found = next((programs[name] for programs in profile_runs().values() if name in programs), None)
    if found is None:
        raise ValueError(f"no record has a profile of {name!r}: `convladder record --profiles` "
                         "makes one on a GPU")
    return timeline_picture(found.events, title, 0, microseconds)
