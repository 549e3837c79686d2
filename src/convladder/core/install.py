"""How this package was installed, and the commands that run it or add an extra to it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path


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
    if Path(sys.prefix) == Path.cwd() / ".venv":
        return ".venv/bin/python"
    return "python" if os.environ.get("CONDA_PREFIX") else sys.executable
