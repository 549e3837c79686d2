"""The list of a class: a text file with a learner a line, `user` or `user, Full Name`.

A user name is what one logs in with and what a folder is called: it has lower-case letters, digits
and hyphens only. The full name is free text, for people to read. Empty lines and lines that begin
with `#` do not count.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

INSTRUCTOR = "instructor"  # of every hub: nobody else may have the name
USER = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)
LIMIT = 1000  # learners in one file: more is another file


class RosterError(ValueError):
    """A list that cannot be used; the text says which line, why, and what to write instead."""


@dataclass(frozen=True)
class Learner:
    """One of a class: `name` for people, `user` for logging in."""

    name: str
    user: str


def read(path: Path | str) -> tuple[Learner, ...]:
    """Return the learners in the order of the file.

    Raises RosterError, with a sentence that names the line: no such file or no text in UTF-8, a
    user name with spaces, capitals or other letters than a-z, a user name or a full name twice,
    nobody in it.
    """
    path = Path(path)
    learners: dict[str, Learner] = {}
    lines: dict[str, int] = {}  # of user names, and of full names: who has them
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not (line := line.strip()) or line.startswith("#"):
            continue
        learner = _learner(line, f"{path.name}, line {number}")
        for value in {learner.user, learner.name.casefold()}:
            if value in lines:
                raise RosterError(
                    f"{path.name}, line {number}: {line!r} is in line {lines[value]} already; "
                    "remove one of them, or make them differ: ana-b, Ana B."
                )
            lines[value] = number
        learners[learner.user] = learner
        if len(learners) > LIMIT:
            raise RosterError(f"{path.name} has more than {LIMIT} learners; is it the right file?")
    if not learners:
        raise RosterError(f"{path.name} names nobody; write a learner a line: ana, Ana Bell")
    return tuple(learners.values())


def check_user(user: str) -> str:
    """Return a user name as it is. Raises RosterError, with a sentence, if it cannot be one."""
    if USER.fullmatch(user) and not user.endswith("-") and user != INSTRUCTOR:
        return user
    if user == INSTRUCTOR:
        raise RosterError(f"{user!r} is the name of who teaches; give the learner another one")
    raise RosterError(
        f"{user!r} cannot be a user name, since {_wrong(user)}; write one of a-z, "
        f"0-9 and -, then a comma and the name: {_proposal(user)}"
    )


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RosterError(
            f"{path.name} is not text in UTF-8; save it as UTF-8 (plain text, not a spreadsheet)"
        ) from None
    except OSError as error:
        raise RosterError(f"{path}: {error.strerror}; name a file with a learner a line") from None


def _learner(line: str, where: str) -> Learner:
    user, comma, name = (part.strip() for part in line.partition(","))
    try:
        return Learner(" ".join(name.split()) or user, check_user(user))
    except RosterError as error:
        raise RosterError(f"{where}: {error}") from None


def _wrong(user: str) -> str:
    if not user:
        return "it is empty"
    if any(letter.isspace() for letter in user):
        return "it has a space"
    if not user.isascii():
        return "it has " + " ".join(sorted({repr(each) for each in user if not each.isascii()}))
    if user != user.lower():
        return "it has capitals"
    if len(user) > 32:
        return f"it has {len(user)} characters, where 32 are the most"
    if not user[0].isalpha() or user.endswith("-"):
        return "it must begin with a letter and end with a letter or digit"
    return "it has other characters"


def _proposal(text: str) -> str:
    """A line that would be right, of what was written: `ana-nunez, Ana Núñez`."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    user = re.sub(r"[^a-z0-9]+", "-", plain).strip("-0123456789")[:32].strip("-")
    return f"{user}, {text}" if USER.fullmatch(user) and user != INSTRUCTOR else "ana, Ana Bell"
