"""What a subcommand raises when it cannot do as asked."""

import os
from pathlib import Path


class CommandError(Exception):
    """The request cannot be met; the text says what was wrong and what to do."""


def must_be_writable(*paths: Path | None) -> None:
    """Raise `CommandError` for a file that cannot be written: before minutes of measuring, not
    after. None is passed over."""
    for path in filter(None, paths):
        if not path.resolve().parent.is_dir():
            raise CommandError(f"{path}: there is no folder {path.parent} to write to; make it")
        if path.is_dir() or not os.access(
            path if path.exists() else path.resolve().parent, os.W_OK
        ):
            raise CommandError(f"{path} cannot be written; name another file")
