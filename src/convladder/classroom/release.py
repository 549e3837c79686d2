"""The course as a git repository that learners' servers pull: solutions only once released.

It lies in a folder that learners read and only the instructor writes. Each `release` is a commit on
`main`, never a rewritten one, so that nbgitpuller can bring a correction into a folder in which
somebody has worked (merging.py says how notebooks are merged).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from ..cli.get import course_files
from tools.notebooks.notebook import NotebookError
from ..outline import COPY, START, chapters

REPOSITORY = "course.git"
BRANCH = "main"
CONFIG = "gitconfig"
ATTRIBUTES = "*.ipynb merge=convladder\n"


class ReleaseError(Exception):
    """The course cannot be released; the text says why."""


@dataclass(frozen=True)
class Release:
    """What `release` did: `changed` files by name, and the numbers of `solutions` that are out."""

    repository: Path
    changed: tuple[str, ...]
    solutions: tuple[str, ...]


def release(folder: Path, solutions: Iterable[str] = ()) -> Release:
    """Commit this checkout's course and labs, and solutions by number ("03"; "all" for every one).

    A solution that was out before stays out. Notebooks are without outputs: nothing is told
    beforehand, and running one is no change that a correction could meet. Raises ReleaseError for a
    number that no solution has, without git, or where `folder` cannot be written.
    """
    repository = folder.resolve() / REPOSITORY
    try:
        files = dict(course_files())
    except NotebookError as error:
        raise ReleaseError(error) from error
    except PermissionError as error:
        raise ReleaseError(
            f"{error.filename} is closed to you: a hub that root started closed it "
            "to learners; start yours as root, or in a checkout of your own"
        ) from error
    asked = _numbers(files, solutions)
    try:
        repository.parent.mkdir(parents=True, exist_ok=True)
        if not (repository / "HEAD").exists():
            _git("init", "--quiet", "--bare", f"--initial-branch={BRANCH}", str(repository))
        out = asked | {_number(name) for name in _listed(repository) if _is_solution(name)}
        with TemporaryDirectory() as tree:
            (Path(tree) / ".gitattributes").write_text(ATTRIBUTES, encoding="utf-8")
            for name, content in files.items():
                if not _is_solution(name) or _number(name) in out:
                    path = Path(tree, name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
            changed = _commit(repository, tree)
    except OSError as error:
        raise ReleaseError(f"{error.filename or folder}: {error.strerror or error}") from error
    return Release(repository, changed, tuple(sorted(out)))


def git_config(folder: Path) -> Path:
    """Write what git must know on learners' servers, and return the file, for GIT_CONFIG_SYSTEM.

    git refuses a repository that another user owns until it is called safe, and notebooks are
    merged by cells. Nothing is fetched from elsewhere: a link that somebody sends could else put
    files where the next kernel runs them. Who wants more says so in a file of their own.
    """
    path = folder.resolve() / CONFIG
    driver = f"'{sys.executable}' -P -m convladder.classroom.merging %O %A %B %P"
    path.write_text(
        f"[safe]\n\tdirectory = {path.with_name(REPOSITORY)}\n"
        '[protocol]\n\tallow = never\n[protocol "file"]\n\tallow = always\n'
        f'[merge "convladder"]\n\tname = notebooks, cell by cell\n'
        f'\tdriver = "{driver}"\n',
        encoding="utf-8",
    )
    path.chmod(0o644)
    return path


def pull_path(repository: str, page: str = START) -> str:
    """Return the address, below a learner's server, that pulls and then opens a page."""
    return "/git-pull?" + urlencode(
        {
            "repo": repository,
            "branch": BRANCH,
            "targetPath": COPY,
            "urlpath": f"lab/tree/{COPY}/{page}",
        }
    )


def links(hub: str, course: Path, repository: str) -> list[tuple[str, str]]:
    """Return (title, link) of each chapter and lab; whoever follows a link logs in first."""
    pages = [
        (f"{name} {each.number} · {each.title}", each)
        for chapter in chapters(course)
        for name, each in (("Chapter", chapter.page), ("Lab", chapter.lab))
        if each
    ]
    return [
        (
            title,
            f"{hub.rstrip('/')}/hub/user-redirect"
            f"{pull_path(repository, f'{page.folder}/{page.path.name}')}",
        )
        for title, page in pages
    ]


def _numbers(files: Iterable[str], asked: Iterable[str]) -> set[str]:
    known = {_number(name) for name in files if _is_solution(name)}
    asked = set(asked)
    if "all" in asked:
        return known
    if unknown := sorted(asked - known):
        raise ReleaseError(
            f"there is no solution {', '.join(unknown)}; there are: "
            f"{', '.join(sorted(known))}, or all"
        )
    return asked


def _is_solution(name: str) -> bool:
    return name.startswith("solutions/")


def _number(name: str) -> str:
    return Path(name).name[:2]


def _listed(repository: Path) -> list[str]:
    if not list((repository / "refs" / "heads").iterdir()):
        return []
    return _git("--git-dir", str(repository), "ls-tree", "-r", "-z", "--name-only", BRANCH).split(
        "\0"
    )


def _commit(repository: Path, tree: str) -> tuple[str, ...]:
    git = ("--git-dir", str(repository), "--work-tree", tree)
    _git(*git, "add", "--all")
    changed = _git(*git, "diff", "--cached", "--name-only", "-z").split("\0")[:-1]
    if changed:
        _git(
            *git,
            "-c",
            "user.name=ConvLadder",
            "-c",
            "user.email=course@localhost",
            "commit",
            "--quiet",
            "--message",
            f"{len(changed)} files",
        )
    return tuple(changed)


def _git(*arguments: str) -> str:
    """Run git with nobody's own settings; what it makes can be read by all."""
    try:
        done = subprocess.run(
            ["git", *arguments],
            capture_output=True,
            text=True,
            umask=0o022,
            env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        )
    except FileNotFoundError:
        raise ReleaseError("git is not installed; install it (apt install git)") from None
    if done.returncode:
        raise ReleaseError(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout
