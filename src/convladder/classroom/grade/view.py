"""What a submission's process sees of this machine: folders to read, and variables."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/lib32",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
)


def readable() -> list[str]:
    """Return the folders that a submission reads: the system's, Python's, and this package."""
    own = [
        sys.prefix,
        sys.base_prefix,
        str(PACKAGE),
        *(path for path in sys.path if path.endswith(("site-packages", "dist-packages"))),
    ]
    found: list[str] = list(SYSTEM)
    for path in map(os.path.realpath, own):
        if os.path.isdir(path) and not any(
            path == known or path.startswith(known + "/") for known in found
        ):
            found.append(path)
    return found


def hidden() -> Iterator[Path]:
    """Yield what a submission does not find in the package: the exercises' references."""
    yield from sorted((PACKAGE / "teach" / "exercises").glob("lab*"))


def environment(home: str) -> dict[str, str]:
    """Return the variables of its environment; none of the grader's own."""
    passed = {name: os.environ[name] for name in ("CXX", "LD_LIBRARY_PATH") if name in os.environ}
    return passed | {
        "PATH": os.pathsep.join(
            (str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin")
        ),
        "HOME": home,
        "TMPDIR": home,
        "IPYTHONDIR": f"{home}/.ipython",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "agg",
        "CONVLADDER_PROGRESS": "off",
        "CONVLADDER_QUICK": "1",
        "CONVLADDER_CACHE": f"{home}/cache",
        "NUMBA_CACHE_DIR": f"{home}/cache/numba",
        "OPENBLAS_NUM_THREADS": "2",
        "NUMBA_NUM_THREADS": "2",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(PACKAGE.parent),
    }
