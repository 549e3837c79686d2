"""Fill a room's folder of compiled kernels, so that thirty learners do not compile the same ones.

The chapters that launch kernels, and their solved labs, are run with that folder as the place where
kernels are kept: what they compile is what learners will ask for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.notebooks.execute import execute
from tools.notebooks.live import gpu_notebooks
from tools.notebooks.notebook import NotebookError, read
from ..cuda.emulator.kept import OWN, SHARED, distrust, write_answers
from ..cuda.emulator.toolchain import answers, compiler
from ..measure.quick import VARIABLE as QUICK


class WarmError(Exception):
    """The folder cannot be filled, or learners would refuse it; the text says what to do."""


def warm(
    folder: Path,
    root: Path,
    numbers: Sequence[str] = (),
    say: Callable[[str], None] = lambda line: None,
) -> dict[str, str]:
    """Fill `folder`, and return the environment variable that learners' notebooks need.

    root: of the course; numbers: of chapters, all that launch kernels if empty. `say` is told of
    each notebook. A second call compiles only what is new. Raises `WarmError`.
    """
    folder = folder.resolve()
    kernels = folder / "kernels"
    try:
        kernels.mkdir(parents=True, exist_ok=True)
        for each in (folder, *folder.rglob("*/")):  # closed by an earlier call
            each.chmod(0o755)
        paths = [path for path in gpu_notebooks(root, numbers) if path.parent.name != "labs"]
        with _environment({OWN: str(folder), SHARED: None, QUICK: "1"}):
            for path in paths:
                before = _libraries(kernels)
                execute(read(path), path)
                say(f"{path.parent.name}/{path.name}: {_libraries(kernels) - before} kernels more")
            write_answers(kernels, compiler(), answers())
        close(folder)
    except NotebookError as error:
        raise WarmError(error) from error
    except OSError as error:
        raise WarmError(f"{error.filename or folder}: {error.strerror or error}") from error
    if why := distrust(kernels) or _out_of_reach(folder):
        raise WarmError(
            f"{folder} is filled, but learners cannot use it, since {why}: choose a "
            "folder such as /srv/convladder/cache, and run this as root"
        )
    return {SHARED: str(folder)}


def close(folder: Path) -> None:
    """Let everybody read what is in `folder`, and nobody write there."""
    for each in (folder, *folder.rglob("*")):
        each.chmod(0o555 if each.is_dir() else 0o444)


def _out_of_reach(folder: Path) -> str | None:
    """Say which folder above keeps other users out."""
    for each in folder.parents:
        if os.geteuid() == 0 and not each.stat().st_mode & 0o001:
            return f"other users than root cannot open {each}"
    return None


def _libraries(kernels: Path) -> int:
    return sum(1 for path in kernels.iterdir() if path.suffix in (".so", ".cubin"))


@contextmanager
def _environment(values: dict[str, str | None]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    try:
        _set(values)
        yield
    finally:
        _set(before)


def _set(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
