"""Where compiled kernels are kept."""

import os
import sys
import tempfile
from functools import cache
from pathlib import Path

from ...core.temporary_folder import temporary_folder


@cache
def folder() -> Path:
    """Return the compiled kernels' folder: in `$CONVLADDER_CACHE`, else in the user's for caches; a
    temporary one where that takes no files, or no programs."""
    system = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    usual = Path(os.environ.get("XDG_CACHE_HOME") or system, "convladder")
    kernels = Path(os.environ.get("CONVLADDER_CACHE") or usual).expanduser() / "kernels"
    try:
        kernels.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=kernels) as file:
            file.write(bytes(2**16))  # a full disk still makes files
        usable = not os.statvfs(kernels).f_flag & getattr(os, "ST_NOEXEC", 0)
    except OSError:
        usable = False
    return kernels if usable else temporary_folder()
