"""What the system tells of its processor: Linux in files, macOS by `sysctl`."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")  # Linux
SVE_BYTES = Path("/proc/sys/abi/sve_default_vector_length")  # Linux on Arm
ARM_FEATURES = {  # by LLVM's names: Linux's word, and macOS's
    "dotprod": ("asimddp", "FEAT_DotProd"),
    "fullfp16": ("asimdhp", "FEAT_FP16"),
    "i8mm": ("i8mm", "FEAT_I8MM"),
    "bf16": ("bf16", "FEAT_BF16"),
    "sme": ("sme", "FEAT_SME"),
}


@cache
def sysctl() -> dict[str, str]:
    """Return macOS's values under `hw` and `machdep.cpu`, by name; none elsewhere."""
    if sys.platform != "darwin":
        return {}
    command = ["sysctl", "hw", "machdep.cpu"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    return dict(line.split(": ", 1) for line in told.stdout.splitlines() if ": " in line)


def cpu_flags() -> str:
    """Return the words for what the processor can do, in one line; "" if they are unknown."""
    found = re.search(r"(?m)^(?:flags|Features)\b.*$", text(Path("/proc/cpuinfo")))
    words = (name.rpartition(".")[2] for name, value in sysctl().items() if value == "1")
    return found[0] if found else " ".join(word for word in words if word.startswith("FEAT_"))


def arm_features() -> dict[str, bool]:
    """Return whether each of ARM_FEATURES is here, nothing on other architectures.

    LLVM tells few of them on Linux, and none on macOS.
    """
    if platform.machine().lower() not in ("arm64", "aarch64"):
        return {}
    words = set(cpu_flags().split())
    return {name: not words.isdisjoint(names) for name, names in ARM_FEATURES.items()}


def sve_bits() -> int:
    """Return the width of Arm's scalable vectors, 128 (their least) where Linux does not tell."""
    told = text(SVE_BYTES).strip()
    return 8 * int(told) if told.isdigit() else 128


def performance_cores() -> int | None:
    """Return how many of a Mac's cores are its fast ones; None elsewhere."""
    told = sysctl().get("hw.perflevel0.logicalcpu", "")
    return int(told) if told.isdigit() else None


def available_cores() -> int:
    """Return how many logical cores this process may use: fewer than the machine has if it is
    bound, if its container has a quota, or if `NUMBA_NUM_THREADS` holds compiled code to fewer.
    Of a Mac its fast cores count: work in equal parts would wait for the slow ones.
    """
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows cannot tell
        cores = performance_cores() or os.cpu_count() or 1
    held = os.environ.get("NUMBA_NUM_THREADS", "")
    return max(1, min(cores, cpu_quota() or cores, int(held) if held.isdigit() else cores))


@cache
def cpu_quota(root: Path = Path("/")) -> int | None:
    """Return the cores' worth of time that the control groups of this process have, rounded up;
    None without a quota. Linux tells it, looked up once."""
    try:
        groups = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    quotas = []
    for line in groups:
        _, controllers, name = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        top = root / "sys/fs/cgroup" / ("cpu" if controllers else "")
        # In a container the group's own name is that of the host, and the files are at the top.
        for group in (top / name.lstrip("/"), *(top / name.lstrip("/")).parents):
            if top in (group, *group.parents):
                quotas.append(_quota(group))
    return min(filter(None, quotas), default=None)


def _quota(group: Path) -> int | None:
    """Return the quota of one control group, of version 2 or 1; None where it has none."""
    try:
        if (group / "cpu.max").exists():
            quota, period = (group / "cpu.max").read_text().split()
        else:
            quota, period = (
                (group / f"cpu.cfs_{each}_us").read_text() for each in ("quota", "period")
            )
        return -(-int(quota) // int(period)) if int(quota) > 0 else None
    except (OSError, ValueError):  # "max" is no number
        return None


def caches() -> dict[str, int]:
    """Return the bytes of each cache of a (fast) core by name: "L1d", "L2", "L3"."""
    sizes = {}
    for name, key in (("L1d", "l1dcachesize"), ("L2", "l2cachesize")):
        told = sysctl().get(f"hw.perflevel0.{key}") or sysctl().get(f"hw.{key}", "")
        if told.isdigit():
            sizes[name] = int(told)
    for entry in sorted(CACHES.glob("index*")):
        level, kind, size = (text(entry / name).strip() for name in ("level", "type", "size"))
        if size.endswith("K") and kind in ("Data", "Unified"):
            sizes[f"L{level}{'d' if kind == 'Data' else ''}"] = int(size[:-1]) * 1024
    return sizes


def text(path: Path) -> str:
    """Return what a file holds, "" if it cannot be read."""
    try:
        return path.read_text()
    except OSError:
        return ""
