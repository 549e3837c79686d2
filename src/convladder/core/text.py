"""Times, rates and bytes as a person says them, and the command that installs an extra."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from itertools import count, groupby
from pathlib import Path


def mark_disturbed(text: str, disturbed: bool) -> str:
    """Return `text`, with " (disturbed)" behind it if the figure that it shows was."""
    return f"{text} (disturbed)" if disturbed else text


def seconds_text(seconds: float) -> str:
    """Write 0.0123 as "12.3 ms"."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 0.9995:
            return f"{_three(seconds * factor)} {unit}"
    return f"{_three(seconds * 1e9)} ns"


def rate_text(per_second: float, unit: str = "FLOP") -> str:
    """Write 2.5e10 as "25.0 GFLOP/s"."""
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if per_second >= 0.9995 * factor:
            return f"{_three(per_second / factor)} {prefix}{unit}/s"
    return f"{_three(per_second)} {unit}/s"


def count_text(count: int, what: str) -> str:
    """Write "1 thread", "2 threads"."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def bytes_text(count: int) -> str:
    """Write 4144005 as "3.95 MiB", coarse below 100 KiB: small Python objects do not show."""
    if count >= 2**30:
        return f"{count / 2**30:,.2f} GiB"
    if count >= 2**20 / 10:
        return f"{count / 2**20:,.2f} MiB"
    return f"{count / 2**10:.0f} KiB" if count >= 2**10 else f"{count} bytes"


def runs_text(numbers: Iterable[int], each: str, most: int = 3) -> str:
    """Write sorted numbers as "images 0 to 9 and image 99"; beyond `most` runs, how many more."""
    runs = [list(run) for _, run in groupby(numbers, lambda number, n=count(): number - next(n))]
    said = [
        f"{each} {run[0]:,}" if len(run) == 1 else f"{each}s {run[0]:,} to {run[-1]:,}"
        for run in runs[:most]
    ]
    more = sum(map(len, runs[most:]))
    *some, last = [*said, *[f"{more:,} more"] * bool(more)]
    return f"{', '.join(some)} and {last}" if some else last


def install_text(extra: str) -> str:
    """Return the command that adds an extra of pyproject.toml, by whatever installed this package:
    to a checkout or to what an index has, beside the extras that uv or pipx would else drop."""
    if _is_of_uvx():
        return command_text("lab" if extra == "lab" else f"lab,{extra}") + " lab"
    for receipt, installer in TOOLS.items():
        if (path := Path(sys.prefix, receipt)).is_file():
            source, extras = _noted(path.read_text(encoding="utf-8"))
            return f'{installer} "{source}[{",".join(dict.fromkeys([*extras, extra]))}]"'
    what = f'--editable ".[{extra}]"' if is_checkout() else f'"convladder[{extra}]"'
    installer = f"{python_text()} -m pip install"
    if find_spec("pip") is None:  # an environment that uv made
        installer = f"uv pip install --python {python_text()}"
    return f"{installer} {what}"


TOOLS = {  # what keeps an environment for one command notes in a file of it: how that is replaced
    "uv-receipt.toml": "uv tool install --force",
    "pipx_metadata.json": "pipx install --force",
}


# In the receipts of uv and pipx: the folder, file or address that this package came from; extras.
_SOURCE = re.compile(
    r'name = "convladder"[^}]*\b(?:directory|editable|path|url) = "([^"]+)'
    r'|"package_or_url": "((?!convladder)[^"\[]+)'
)
_EXTRAS = re.compile(
    r'name = "convladder", extras = \[([^\]]*)|"package_or_url": "[^"\[]*\[([\w,]+)'
)


def _noted(receipt: str) -> tuple[str, list[str]]:
    """Return where uv or pipx had this package from, and with which extras."""
    source, extras = _SOURCE.search(receipt), _EXTRAS.search(receipt)
    return (
        source[1] or source[2] if source else "convladder",
        re.findall(r"\w+", extras[1] or extras[2]) if extras else [],
    )


def command_text(extras: str = "lab", folder: Path | None = None) -> str:
    """Return this package's command as one would type it in `folder` (None: where one is), with
    extras where uv brings them."""
    if _is_of_uvx():
        return f'uvx --from "convladder[{extras}]" convladder'
    program = Path(sys.prefix, "bin", "convladder")
    if shutil.which("convladder") or not program.is_file():
        return "convladder"
    inside = Path(sys.prefix) == (folder or Path.cwd()) / ".venv"
    return ".venv/bin/convladder" if inside else shlex.quote(str(program))


def _is_of_uvx() -> bool:
    """Return whether uv runs this package from an environment in its cache, made for one run."""
    return any(part.startswith("archive-v") for part in Path(sys.prefix).parts)


def is_checkout() -> bool:
    """Return whether this package is used from its repository, not from an installed wheel."""
    return (Path(__file__).resolve().parents[3] / "pyproject.toml").is_file()


def python_text() -> str:
    """Return this interpreter as one would type it in the checkout."""
    inside = Path(sys.prefix) == Path.cwd() / ".venv"
    return (
        ".venv/bin/python"
        if inside
        else "python"
        if os.environ.get("CONDA_PREFIX")
        else sys.executable
    )


def _three(value: float) -> str:
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:,.{digits}f}"
